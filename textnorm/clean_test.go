package textnorm

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestCleanIsNeverAWrongYes: what is called clean stays, for every character
// after and before letters of every script that compose with marks.
func TestCleanIsNeverAWrongYes(t *testing.T) {
	clean, step := 0, rune(1)
	if testing.Short() {
		step = 7
	}
	for r := rune(0); r <= utf8.MaxRune; r += step {
		for _, beside := range []string{"", "a", "ه", "ا", "と", "가", "क", "न", "ड", "\u0c46", "م\u064b", "क\u093c", "\u0654", "\u0301", "\u094d"} {
			for _, text := range []string{beside + string(r), string(r) + beside} {
				if !isClean(text) {
					continue
				}
				clean++
				var book notebook
				if got := Compose(sweep(text, &book)); got != text || len(book.notes) > 0 {
					t.Fatalf("%+q is clean and becomes %+q, %v", text, got, book.notes)
				}
			}
		}
		if r > 0xFFFF-step && r < 0x10FFF {
			r = 0x10FFF // nothing between is clean but in one step
		}
	}
	if clean < 300_000/int(step) {
		t.Errorf("%d texts are clean, want most of those with letters", clean)
	}
	for _, text := range []string{"Die Straße – „alt“ …", "نمی\u200cدانست، کتاب\u200cها؟", "Он сказал: «нет».", "ça coûte 3 €", "東京へ行きます。", "한국어 문장.", "उसने किताब ली।", "लड़का पढ़ता है।", "كَتَبَ"} {
		if !isClean(text) {
			t.Errorf("%q is not clean", text)
		}
	}
	for _, text := range []string{" a", "a ", "a  b", "a\u200cb", "م\u200c\u200cن", "e\u0301", "a\u00a0b", "a\u00adb", "\u1100\u1161", "م\u0654", "\xff", "a\u200f", "\ufb01", "か\u3099", strings.Repeat("é", 3) + "\n"} {
		if isClean(text) {
			t.Errorf("%+q is clean", text)
		}
	}
}
