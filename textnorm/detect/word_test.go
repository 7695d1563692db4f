package detect

import (
	"slices"
	"strings"
	"testing"
)

// wordsOf reads a text as the Latin model does.
func wordsOf(text string) []string {
	var all []string
	for w := (words{g: &groups[0], text: text}); w.next(); {
		all = append(all, string(w.word.letters(false)))
	}
	return all
}

func TestWords(t *testing.T) {
	long := strings.Repeat("a", maxWord)
	for _, c := range []struct {
		rule, text string
		want       []string
	}{
		{"capitals and the dotted capital of turkish", "İSTANBUL Ğ ẞ", []string{"istanbul", "ğ", "ß"}},
		{"full width", "Ｈｅｌｌｏ", []string{"hello"}},
		{"apostrophes and digits part words", "l'eau 3D a1b", []string{"l", "eau", "d", "a", "b"}},
		{"a mark composes with its letter", "Pr\u030Ci\u0301s\u030C\u0327", []string{"příš"}},
		{"a mark without a letter, or that no language here has", "\u0301a\u0331", []string{"a"}},
		{"other scripts part words", "abcяdef", []string{"abc", "def"}},
		{"a word that is too long is several", long + "bc", []string{long, "bc"}},
		{"a word of the greatest length", long + " b", []string{long, "b"}},
		{"addresses", "see https://a.b/c?d=e me@example.org www.x.org, now", []string{"see", "now"}},
		{"an at sign of its own, a colon", "@home a: b @ c", []string{"home", "a", "b", "c"}},
		{"an address behind a letter of another script", "見https://a.b now", []string{"now"}},
	} {
		if got := wordsOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q reads as %q, want %q", c.rule, c.text, got, c.want)
		}
	}
}

// TestPresentationForms: Arabic letters as old files have them are the letters.
func TestPresentationForms(t *testing.T) {
	for form, want := range map[rune]rune{'ﺍ': 'ا', 'ﺏ': 'ب', 'ﺔ': 'ة', 'ﻬ': 'ه', 'ﻢ': 'م', 'ﭗ': 'پ', 'ﭻ': 'چ', 'ﮊ': 'ژ', 'ﮐ': 'ک', 'ﮔ': 'گ', 'ﯾ': 'ی', 'ﻙ': 'ك', 'ﻱ': 'ي'} {
		if got := fold(form); got != want {
			t.Errorf("fold(%U) = %c, want %c", form, got, want)
		}
	}
}

// TestConfidence: what stands in another script takes from it.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		least      float64
		most       float64
	}{
		{"a sentence", "Der Zug fährt heute nicht, weil die Strecke gesperrt ist", 0.999, 1},
		{"half of another script", "Вчера was yesterday", 0.4, 0.7},
		{"a word of many languages", "a", 0.05, 0.9},
		{"letters of no language here take from it too", "Καλημέρα и все", 0.2, 0.6},
	} {
		if code, got := detector.Detect(c.text, nil); got < c.least || got > c.most {
			t.Errorf("%s: Detect(%q) = %s, %v, want %v to %v", c.rule, c.text, code, got, c.least, c.most)
		}
	}
}
