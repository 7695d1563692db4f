package textnorm

import (
	"fmt"
	"strings"
	"testing"
)

func lexicon(t testing.TB, src string) *Lexicon {
	t.Helper()
	l, err := ParseLexicon("lexicon.tsv", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLexiconReplacesWholeWords(t *testing.T) {
	const src = "\ufeff# names\r\nvoxpack\tvox pack\r\n\nNASA\tnassa\nUS\tyou ess\ncat\tfeline\ncat\tkatze\tde\nhot dog\tsausage\nhot\twarm\n" +
		"Polish\tPoh-lish\npolish\tpollish\nC++\tsee plus plus\n.NET\tdot net\ncafe\u0301\tkaffay\n" +
		"istanbul\tISTANBUL\tTR\nعلی\tعَلی\tfa\nکتاب\tکِتاب\n東京\tとうきょう\nit\tIT\ten\nIt\tthat thing\ncell's\tcells\n"
	l := lexicon(t, src)
	for _, c := range []struct{ name, language, in, want string }{
		{"a word", "en", "use voxpack now", "use vox pack now"},
		{"any case where the entry has no capitals", "en", "Voxpack VOXPACK", "vox pack vox pack"},
		{"capitals count where the entry has them", "en", "NASA nasa us US", "nassa nasa us you ess"},
		{"no part of a word", "en", "concat cats cat7 cat", "concat cats cat7 feline"},
		{"beside punctuation", "en", "(cat), cat's \"cat\"", "(feline), feline's \"feline\""},
		{"the language's own first", "de", "cat", "katze"},
		{"the longest first", "en", "a hot dog, a hot day", "a sausage, a warm day"},
		{"exact case before any case", "en", "Polish the polish", "Poh-lish the pollish"},
		{"ends in punctuation", "en", "C++11 or c++", "see plus plus11 or c++"},
		{"begins with punctuation", "en", "ASP.NET", "ASPdot net"},
		{"composed or not", "en", "cafe\u0301 caf\u00e9", "kaffay kaffay"},
		{"Turkish dotted and dotless i", "tr", "İSTANBUL ISTANBUL istanbul", "ISTANBUL ISTANBUL ISTANBUL"},
		{"another language's entry", "en", "istanbul علی", "istanbul علی"},
		{"a ZWNJ belongs to the word", "fa", "کتاب کتاب\u200cها", "کِتاب کتاب\u200cها"},
		{"scripts without spaces", "ja", "私は東京です", "私はとうきょうです"},
		{"the language goes before the case", "en", "It", "IT"},
		{"an apostrophe in the entry", "en", "the cell's wall", "the cells wall"},
		{"nothing to replace", "en", "a\tb  c", "a\tb  c"},
		{"nothing", "en", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, used := l.Apply(c.in, c.language); got != c.want {
				t.Errorf("Apply(%q) = %q, want %q (%+v)", c.in, got, c.want, used)
			}
		})
	}
	if got, used := l.Apply("oh, a hot dog", "en"); len(used) != 1 || used[0] != (Replacement{At: 6, Written: "hot dog", Spoken: "sausage"}) {
		t.Errorf("Apply = %q, %+v", got, used)
	}
	again := lexicon(t, l.Canonical())
	if again.Canonical() != l.Canonical() || again.Len() != l.Len() {
		t.Errorf("canonical text is not its own: %q", again.Canonical())
	}
	var none *Lexicon
	if got, used := none.Apply("e\u0301", "en"); got != "e\u0301" || used != nil || none.Canonical() != "" {
		t.Errorf("no lexicon changes %q", got)
	}
}

func TestTurkishCase(t *testing.T) {
	l := lexicon(t, "ılık\tX\niş\tY\n")
	if got, _ := l.Apply("ILIK İŞ", "tr"); got != "X Y" {
		t.Errorf("Apply = %q, want X Y", got)
	}
	if got, _ := l.Apply("ILIK", "en"); got != "ILIK" {
		t.Errorf("Apply = %q, want ILIK", got)
	}
}

func TestLexiconSaysAllThatIsWrong(t *testing.T) {
	_, err := ParseLexicon("l.tsv", []byte("a\tb\nno tab\n\tspoken\nw\t\nx\ty\tklingon\na\tc\n\xff\tx\na\tb\td\te\na\tb\n"+strings.Repeat("w", 1025)+"\tx\n"))
	want := []string{"l.tsv:2: 1 column;", "l.tsv:3: the written form is empty", `l.tsv:4: the spoken form of "w" is empty`, `l.tsv:5: language "klingon"`,
		"l.tsv:7: invalid UTF-8 at byte 0", "l.tsv:8: 4 columns", "l.tsv:10: a form has more than 1024 bytes", `l.tsv:6: "a" is "c" here and "b" in line 1`}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) {
		t.Fatalf("errors\n%v\nwant %d", err, len(want))
	}
	for i, w := range want {
		if !strings.HasPrefix(lines[i], w) {
			t.Errorf("error %q, want %q", lines[i], w)
		}
	}
	_, err = ParseLexicon("l.tsv", []byte(strings.Repeat("x\n", 50)))
	if lines := strings.Split(fmt.Sprint(err), "\n"); len(lines) != 21 || lines[20] != "l.tsv: and 30 more" {
		t.Errorf("errors = %v", err)
	}
	if _, err := ParseLexicon("l.tsv", make([]byte, maxLexiconBytes+1)); err == nil {
		t.Error("a lexicon over the bound is read")
	}
}

// TestALongLineOfBeginnings: every word could begin the longest entry, and the
// line ends in one.
func TestALongLineOfBeginnings(t *testing.T) {
	l := lexicon(t, strings.Repeat("a ", 500)+"b\tx\n")
	words := 100_000
	if testing.Short() {
		words = 10_000
	}
	text := strings.Repeat("a ", words)
	if got, used := l.Apply(text+"b", "en"); len(used) != 1 || got != text[1000:]+"x" {
		t.Errorf("%d bytes became %d, %d replacements", len(text), len(got), len(used))
	}
}

func FuzzParseLexicon(f *testing.F) {
	for _, seed := range []string{"a\tb\n", "# c\r\na\tb\tfa\n", "\ufeffa\tb", "a\t\n", "\xff\t\n", "İ\tx\ttr\n"} {
		f.Add([]byte(seed), "a İ ı b")
	}
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		l, err := ParseLexicon("l", src)
		if err != nil {
			return
		}
		for _, language := range []string{"en", "tr"} {
			out, used := l.Apply(text, language)
			if len(used) == 0 {
				if out != text {
					t.Fatalf("Apply(%q) = %q, and replaces nothing", text, out)
				}
				continue
			}
			composed := Compose(text)
			var want strings.Builder
			at := 0
			for _, u := range used {
				if u.At < at || !strings.HasPrefix(composed[u.At:], u.Written) || u.Written == "" {
					t.Fatalf("replacement %+v of %q behind %d", u, composed, at)
				}
				want.WriteString(composed[at:u.At] + u.Spoken)
				at = u.At + len(u.Written)
			}
			if want.WriteString(composed[at:]); out != want.String() {
				t.Fatalf("Apply(%q) = %q, its replacements give %q", text, out, want.String())
			}
		}
	})
}

func BenchmarkLexicon(b *testing.B) {
	var src strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&src, "word%d\tspoken %d\n", i, i)
	}
	l := lexicon(b, src.String())
	line := "Printing, in the only sense with which we are at present concerned, differs from word77 most arts.."
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		l.Apply(line, "en")
	}
}

// TestATextWithoutAWordOfTheLexicon is given back as it was, though words are
// looked for in NFC: its bytes are the text stage's key.
func TestATextWithoutAWordOfTheLexicon(t *testing.T) {
	l := lexicon(t, "xyzzy\tfoo\n")
	const text = "a cafe\u0301"
	if got, used := l.Apply(text, "en"); got != text || used != nil {
		t.Errorf("Apply(%+q) = %+q, %v, want it as it was", text, got, used)
	}
}
