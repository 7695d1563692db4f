package textnorm

import (
	"slices"
	"strings"
	"testing"
)

func TestMarkedPhonemesAreLeftAlone(t *testing.T) {
	all := Config{Verbalise: true, Case: CaseLower, Punctuation: PunctuationStrip, Mojibake: MojibakeRepair, Marked: MarkedLeave, CodeSwitching: true}
	for _, c := range []Config{{Marked: MarkedLeave}, {Verbalise: true, Marked: MarkedLeave}, all} {
		n, err := NewNormalizer(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, language := range []string{"en", "fa", "de", "ru", "tr", "zh", "und"} {
			for _, text := range []string{"Say {HH AH0 L OW1} 12 times", "{HH AH0 L OW1}", "{HH AH0}, {W ER1 L D}!", "a{B}c 3.5% {D}", "{3 !} {$5}", "{} {", "x \U0010FFFD {AA0}",
				"Dr. {S M IH1 TH} paid $5 to {JH EY1 N}", "12{ˈað}12"} {
				got, _ := n.Normalize(text, language)
				if again, _ := n.Normalize(got, language); again != got {
					t.Errorf("%+v: %s: Normalize(%q) = %q, again %q", c, language, text, got, again)
				}
				for _, s := range hide(text).spans {
					if !strings.Contains(got, s) {
						t.Errorf("%+v: %s: Normalize(%q) = %q lost %q", c, language, text, got, s)
					}
				}
			}
		}
	}
	n, _ := NewNormalizer(Config{Verbalise: true, Marked: MarkedLeave})
	if got, _ := n.Normalize("{T UW1} and 2 {2}", "en"); got != "{T UW1} and two {2}" {
		t.Errorf("got %q", got)
	}
	if got, notes := n.Normalize("{a\x01b} x\x02y", "en"); got != "{ab} xy" || len(notes) != 2 || notes[0].At != 7 {
		t.Errorf("got %q, %v", got, notes)
	}
	n, _ = NewNormalizer(Config{Verbalise: true})
	if got, _ := n.Normalize("{2}", "en"); !strings.Contains(got, "two") {
		t.Errorf("braces that mark nothing: %q", got)
	}
}

func TestALexiconLeavesMarkedPhonemesAlone(t *testing.T) {
	l, err := ParseLexicon("l", []byte("B\tbee\nK\tkay\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, used := l.LeaveMarked().Apply("{B K} B {K}", "en")
	if got != "{B K} bee {K}" || !slices.Equal(used, []Replacement{{6, "B", "bee"}}) {
		t.Errorf("Apply = %q, %v", got, used)
	}
	if got, _ := l.Apply("{B}", "en"); got != "{bee}" {
		t.Errorf("braces that mark nothing: %q", got)
	}
	if (*Lexicon)(nil).LeaveMarked() != nil {
		t.Error("no lexicon became one")
	}
}

func FuzzMarked(f *testing.F) {
	f.Add("Say {HH AH0} 12 {x")
	f.Add("{}}{{a} \U0010FFFD")
	n, err := NewNormalizer(Config{Verbalise: true, Marked: MarkedLeave})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := hide(text)
		if shown, ok := v.show(v.text); !ok || shown != text {
			t.Errorf("hidden and shown again %q is %q", text, shown)
		}
		got, _ := n.Normalize(text, "en")
		for _, s := range v.spans {
			var book notebook
			if s = Compose(sweep(s, &book)); !strings.Contains(got, s) {
				t.Errorf("Normalize(%q) = %q lost %q", text, got, s)
			}
		}
	})
}
