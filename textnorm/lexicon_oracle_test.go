package textnorm

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// lexRow is a line of a lexicon by chance.
type lexRow struct{ written, spoken, language string }

// readByRows is what the documentation says of Apply, without an index: at each boundary of
// words from left to right the longest row that ends at one, then that of the language, then
// that which has the capitals of the text.
func readByRows(rows []lexRow, text, language string) string {
	wordly := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == 'é'
	}
	boundary := func(at int) bool {
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at:])
		return at == 0 || at == len(text) || !wordly(before) || !wordly(after)
	}
	rank := func(r lexRow) int {
		n := 2 * len(r.written)
		n = 2*n + min(1, len(r.language))
		if r.written != strings.ToLower(r.written) {
			return 2*n + 1
		}
		return 2 * n
	}
	var b strings.Builder
	for at := 0; at < len(text); {
		best := lexRow{}
		for _, r := range rows {
			end := at + len(r.written)
			if !boundary(at) || end > len(text) || !utf8.RuneStart(append([]byte(text), 0)[end]) || !boundary(end) || r.language != "" && r.language != language {
				continue
			}
			same := text[at:end] == r.written || strings.ToLower(text[at:end]) == r.written
			if same && (best.written == "" || rank(r) > rank(best)) {
				best = r
			}
		}
		if best.written != "" {
			b.WriteString(best.spoken)
			at += len(best.written)
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		b.WriteString(text[at : at+size])
		at += size
	}
	return b.String()
}

// TestLexiconByDefinition: lexicons and texts by chance, of letters in both cases, digits,
// signs, spaces, and characters that are words by themselves.
func TestLexiconByDefinition(t *testing.T) {
	replaced := 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		draw := func(most int) string {
			var b strings.Builder
			for range 1 + r.IntN(most) {
				b.WriteRune([]rune("aaabbABé1-' 東京")[r.IntN(13)])
			}
			return b.String()
		}
		var rows []lexRow
		var file strings.Builder
		for range 1 + r.IntN(12) {
			row := lexRow{strings.TrimSpace(draw(4)), string(rune('u' + r.IntN(6))), []string{"", "", "de", "en"}[r.IntN(4)]}
			there := func(o lexRow) bool { return o.written == row.written && o.language == row.language }
			if row.written == "" || slices.ContainsFunc(rows, there) {
				continue
			}
			rows = append(rows, row)
			file.WriteString(row.written + "\t" + row.spoken + "\t" + row.language + "\n")
		}
		l := lexicon(t, file.String())
		for range 10 {
			text := draw(16)
			got, used := l.Apply(text, "en")
			if want := readByRows(rows, text, "en"); got != want {
				t.Fatalf("Apply(%q) = %q, want %q by\n%s", text, got, want, file.String())
			}
			replaced += len(used)
			end := 0
			for _, u := range used {
				if u.At < end || text[u.At:u.At+len(u.Written)] != u.Written {
					t.Fatalf("Apply(%q) has %+v after byte %d by\n%s", text, u, end, file.String())
				}
				end = u.At + len(u.Written)
			}
		}
	}
	if replaced < 5_000 {
		t.Errorf("%d words were replaced, which is few to judge by", replaced)
	}
}
