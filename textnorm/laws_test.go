package textnorm

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// sentences is every n-th line of the detector's test set, by language: text as the web
// has it, that none of the rules were written for.
func sentences(t *testing.T, n int) map[string][]string {
	t.Helper()
	f, err := os.Open("detect/testdata/sentences.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, at := map[string][]string{}, 0
	for lines := bufio.NewScanner(z); lines.Scan(); at++ {
		if code, text, _ := strings.Cut(lines.Text(), "\t"); at%n == 0 {
			all[code] = append(all[code], text)
		}
	}
	if len(all) < 18 {
		t.Fatalf("sentences in %d languages, want 18", len(all))
	}
	return all
}

// lawConfigs are the settings under which the laws are held.
var lawConfigs = map[string]Config{
	"as written": {},
	"read aloud": {Verbalise: true, CodeSwitching: true},
	"strict":     {Verbalise: true, Mojibake: MojibakeRepair, Case: CaseLower, Punctuation: PunctuationStrip, VowelMarks: MarksStrip},
	"plain":      {Mojibake: MojibakeReport, Punctuation: PunctuationPlain, Marked: MarkedLeave},
}

// eachSentence runs a law over real sentences in every setting.
func eachSentence(t *testing.T, n int, law func(t *testing.T, norm *Normalizer, code, text string)) {
	t.Helper()
	if testing.Short() {
		n *= 4
	}
	all := sentences(t, n)
	for _, name := range slices.Sorted(maps.Keys(lawConfigs)) {
		t.Run(name, func(t *testing.T) {
			norm, err := NewNormalizer(lawConfigs[name])
			if err != nil {
				t.Fatal(err)
			}
			for _, code := range slices.Sorted(maps.Keys(all)) {
				for _, text := range all[code] {
					law(t, norm, code, text)
				}
			}
		})
	}
}

// TestSpokenTextIsInOneForm: composed (UAX #15, C), single spaces and none at the ends, and
// no character of the categories Cc, Zl, Zp or Cf but the two joiners. What was said once
// says nothing else when it is read again, and gives no new note of what was removed.
func TestSpokenTextIsInOneForm(t *testing.T) {
	removed := []string{NoteControl, NoteInvisible, NoteBidi, NoteInvalid, NoteRepaired, NoteMarks, NoteRepeats, NoteLetter, NoteJoined, NoteSign}
	eachSentence(t, 3, func(t *testing.T, norm *Normalizer, code, text string) {
		spoken, _ := norm.Normalize(text, code)
		if !forms.IsNFC(spoken) {
			t.Errorf("%s: Normalize(%q) = %q, which NFC changes", code, text, spoken)
		}
		if fields := strings.Join(strings.Fields(spoken), " "); fields != spoken {
			t.Errorf("%s: Normalize(%q) = %q has other spaces than between words", code, text, spoken)
		}
		for _, r := range spoken {
			if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d' {
				t.Errorf("%s: Normalize(%q) = %q holds %U", code, text, spoken, r)
			}
		}
		again, notes := norm.Normalize(spoken, code)
		if again != spoken {
			t.Errorf("%s: Normalize(%q) = %q, then %q", code, text, spoken, again)
		}
		for _, n := range notes {
			if slices.Contains(removed, n.Kind) {
				t.Errorf("%s: Normalize(%q) = %q has the note %v the second time", code, text, spoken, n)
			}
		}
	})
}

// TestWhatLooksTheSameIsSpokenTheSame: canonically equivalent texts (UAX #15, definition
// D1), other white space (PropList, White_Space), and marks without sound or width between
// words are one spoken text.
func TestWhatLooksTheSameIsSpokenTheSame(t *testing.T) {
	spaces := []rune("\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000")
	at := 0
	respaced := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r != ' ' {
				return r
			}
			at++
			return spaces[at%len(spaces)]
		}, s)
	}
	changes := []struct {
		name   string
		change func(string) string
	}{
		{"apart", forms.NFD}, {"composed", forms.NFC}, {"other spaces", respaced},
		{"more spaces", func(s string) string { return "\u3000 " + strings.ReplaceAll(s, " ", "  ") + "\n" }},
		{"a byte order mark", func(s string) string { return "\ufeff" + s }},
		{"soft hyphens beside spaces", func(s string) string { return strings.ReplaceAll(s, " ", "\u00ad ") }},
		{"word joiners", func(s string) string { return strings.ReplaceAll(s, " ", " \u2060") }},
	}
	eachSentence(t, 7, func(t *testing.T, norm *Normalizer, code, text string) {
		if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x7f && r < 0xa0 || r == '\u00ad' }) {
			return // damage that is weighed by its neighbours
		}
		want, _ := norm.Normalize(text, code)
		for _, c := range changes {
			if got, _ := norm.Normalize(c.change(text), code); got != want {
				t.Errorf("%s, %s: Normalize(%q) = %q, want %q", c.name, code, c.change(text), got, want)
			}
		}
	})
}

// TestNotesPointIntoTheText: a note stands where the input has what it is about: the code
// point that its detail names, the word that no rule has read, the first letter of a run in
// another script. What was removed before it, or made longer, changes nothing of that.
func TestNotesPointIntoTheText(t *testing.T) {
	kinds := NoteKinds()
	dirty := strings.NewReplacer(" ", "\u00ad \x07 ", "a", "a\u202e", "e", "\ufffde\u200b", ".", "\xff.")
	law := func(t *testing.T, norm *Normalizer, code, text string) {
		_, notes := norm.Normalize(text, code)
		seen := map[Note]bool{}
		for _, n := range notes {
			if n.At < 0 || n.At >= len(text) || !slices.Contains(kinds, n.Kind) || n.Detail == "" || seen[n] {
				t.Errorf("%s: Normalize(%q) has the note %v, of %v", code, text, n, notes)
				continue
			}
			seen[n] = true
			here, _ := utf8.DecodeRuneInString(text[n.At:])
			right := utf8.RuneStart(text[n.At]) || n.Kind == NoteInvalid
			switch n.Kind {
			case NoteControl, NoteInvisible, NoteBidi, NoteReplacement, NoteMarks, NoteRepeats:
				right = right && fmt.Sprintf("U+%04X", here) == n.Detail
			case NoteLetter, NoteSign:
				from, _, _ := strings.Cut(n.Detail, " ")
				right = right && fmt.Sprintf("U+%04X", here) == from
			case NoteInvalid:
				right = fmt.Sprintf("0x%02X", text[n.At]) == n.Detail
			case NoteUnread:
				word := strings.TrimSpace(text[n.At:])
				right = right && word != "" && strings.HasPrefix(n.Detail, firstOf(word))
			case NoteMixed:
				right = right && unicode.IsLetter(here)
			}
			if !right && !strings.HasPrefix(n.Detail, "and ") {
				t.Errorf("%s: Normalize(%q) has the note %v, where %.12q stands", code, text, n, text[n.At:])
			}
		}
		if strings.Contains(text, "\x07") && !slices.ContainsFunc(notes, func(n Note) bool { return n.Kind == NoteControl && n.Detail == "U+0007" }) {
			t.Errorf("%s: Normalize(%q) has no note of U+0007: %v", code, text, notes)
		}
	}
	eachSentence(t, 3, law)
	eachSentence(t, 3, func(t *testing.T, norm *Normalizer, code, text string) { law(t, norm, code, dirty.Replace(text)) })
}

// firstOf is the first character of a text.
func firstOf(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}
