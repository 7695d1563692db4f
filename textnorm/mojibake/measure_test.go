package mojibake

import (
	"bufio"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// alreadyDamaged are lines of the test set that the test found to be damaged in
// truth.
var alreadyDamaged = []string{"11. MÃ¤rz 1796", "A különbözÅ‘", "NejlĂ©pe to vysvÄ›tl"}

// clean gives the lines of detect's test set in 18 languages and those of the
// other test data beside it.
func clean(t testing.TB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	f, err := os.Open("../detect/testdata/sentences.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		code, text, _ := strings.Cut(lines.Text(), "\t")
		if !slices.ContainsFunc(alreadyDamaged, func(s string) bool { return strings.Contains(text, s) }) {
			all[code] = append(all[code], text)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// isASCII reports whether no page can damage a text.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// hasControls reports whether a text holds the control characters that reading
// Windows-1252 as Latin-1 leaves; such a line is not clean to begin with.
func hasControls(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && r < 0xA0 })
}

// loss is what became of a damaged character on the way.
type loss func(r rune) string

func keep(r rune) string { return string(r) }

func spaced(r rune) string {
	if r == 0xA0 {
		return " "
	}
	return string(r)
}

func drop(r rune) string {
	if r == 0xA0 || r == 0xAD || r >= 0x80 && r < 0xA0 {
		return ""
	}
	return string(r)
}

// piece is one character of the original and what is left of it.
type piece struct {
	was   string
	start int // in the damaged text
}

// damage reads a text in a page and loses characters; the pieces tell where each
// character of it went.
func damage(text string, which int, lose loss) (string, []piece) {
	var b strings.Builder
	var pieces []piece
	for i, r := range text {
		was := text[i : i+utf8.RuneLen(r)]
		pieces = append(pieces, piece{was, b.Len()})
		for k := range len(was) {
			if was[k] < utf8.RuneSelf {
				b.WriteByte(was[k])
			} else {
				b.WriteString(lose(pages[which].high[was[k]-0x80]))
			}
		}
	}
	return b.String(), append(pieces, piece{"", b.Len()})
}

// original is what stood from start to end of a damaged text; false where no
// character of it begins or ends there.
func original(pieces []piece, start, end int) (string, bool) {
	at := func(offset int) (int, bool) {
		return slices.BinarySearchFunc(pieces, offset, func(p piece, offset int) int { return p.start - offset })
	}
	from, ok := at(start)
	to, also := at(end)
	var b strings.Builder
	for _, p := range pieces[from:min(to, len(pieces))] {
		b.WriteString(p.was)
	}
	return b.String(), ok && also
}

// otherClean gives every line of the other test data of this repository's text
// side, and the transcripts of LJSpeech where they are.
func otherClean(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../spoken/testdata/*.tsv")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	names = append(names, "../testdata/corpus.txt", "../testdata/golden.txt")
	if dir := os.Getenv("VOXPACK_CORPORA"); dir != "" {
		names = append(names, filepath.Join(dir, "ljspeech-32", "transcripts-13100.csv"))
	}
	var all []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			all = append(all, strings.Split(strings.TrimSuffix(line, "\n"), "\t")...)
		}
	}
	return all
}

// Nothing is found in clean text.
func TestCleanTexts(t *testing.T) {
	sets := clean(t)
	sets["other test data"] = otherClean(t)
	for name, lines := range sets {
		for _, line := range lines {
			if found := Find(line); found != nil && !hasControls(line) {
				t.Errorf("%s: Find(%q) = %+v, want nothing", name, line, found)
			}
		}
	}
}

// sample is every line of the clean sets, or every eighth under -short.
func sample(t *testing.T) (lines []string, step int) {
	t.Helper()
	step = 1
	if testing.Short() {
		step = 8
	}
	sets, n := clean(t), 0
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		for _, line := range sets[name] {
			if n++; n%step == 0 {
				lines = append(lines, line)
			}
		}
	}
	return lines, step
}

// tally counts what became of damaged lines.
type tally struct{ lines, found, exact, wrong int }

// add tries one line.
func (n *tally) add(t *testing.T, line string, which int, lose loss) {
	t.Helper()
	damaged, pieces := damage(line, which, lose)
	repaired, found := Repair(damaged)
	checkSpans(t, damaged, repaired, found)
	n.lines++
	if found != nil {
		n.found++
	}
	if repaired == line {
		n.exact++
	}
	for _, f := range found {
		if was, ok := original(pieces, f.Start, f.End); f.Sure && (!ok || was != f.Text) {
			n.wrong++
			return
		}
	}
}

// Every line that a page damages is found, and of those that lost no byte 99.5 %
// come out as they were.
func TestDamagedLines(t *testing.T) {
	lines, step := sample(t)
	for which := range pages {
		var n tally
		for _, line := range lines {
			if !isASCII(line) && !hasControls(line) {
				n.add(t, line, which, keep)
			}
		}
		t.Logf("%s: %+v", pages[which].name, n)
		if n.lines < 2500/step || n.found < n.lines || 1000*n.exact < 995*n.found || n.wrong > 0 {
			t.Errorf("%s: %+v; want all found, 99.5 %% exact, none wrong", pages[which].name, n)
		}
	}
}

// Two mistakes are taken back like one.
func TestTwice(t *testing.T) {
	sets, of := clean(t), 20
	if testing.Short() {
		of = 4
	}
	for first := range pages {
		for second := range pages {
			var n tally
			for _, lines := range sets {
				for _, line := range lines[:of] {
					if isASCII(line) || hasControls(line) {
						continue
					}
					once, _ := damage(line, first, keep)
					twice, _ := damage(once, second, keep)
					repaired, found := Repair(twice)
					checkSpans(t, twice, repaired, found)
					n.lines++
					if found != nil {
						n.found++
					}
					if repaired == line {
						n.exact++
					}
				}
			}
			t.Logf("%s, then %s: %+v", pages[first].name, pages[second].name, n)
			if 100*n.found < 99*n.lines || 100*n.exact < 98*n.found {
				t.Errorf("%s, then %s: %+v; want all found, 98 %% exact", pages[first].name, pages[second].name, n)
			}
		}
	}
}

// Where bytes are gone the line is found, and what is repaired is right: a word
// that could have been several stays.
func TestLossyLines(t *testing.T) {
	lines, _ := sample(t)
	for _, way := range []struct {
		name  string
		lose  loss
		found float64
	}{{"no-break spaces are spaces", spaced, 0.98}, {"controls, no-break spaces and soft hyphens are gone", drop, 0.96}} {
		for which := range pages {
			var n tally
			for _, line := range lines {
				whole, _ := damage(line, which, keep)
				lossy, _ := damage(line, which, way.lose)
				if whole != lossy && !hasControls(line) {
					n.add(t, line, which, way.lose)
				}
			}
			t.Logf("%s, %s: %+v", pages[which].name, way.name, n)
			if float64(n.found) < way.found*float64(n.lines) || 500*n.wrong > n.lines {
				t.Errorf("%s, %s: %+v; want %v found, 0.2 %% wrong at most", pages[which].name, way.name, n, way.found)
			}
		}
	}
}
