package detect

import (
	"testing"
	"unicode"
)

// TestScriptRangesAreInOrder: scriptOf searches them by halves.
func TestScriptRangesAreInOrder(t *testing.T) {
	next := rune(0)
	for _, r := range scriptRanges {
		if r.from < next || r.to < r.from {
			t.Errorf("%U to %U is out of order or overlaps what ends before %U", r.from, r.to, next)
		}
		next = r.to + 1
	}
}

// TestTheScriptOfARune: both ends of ranges, what is taken out of them, and what lies
// between them.
func TestTheScriptOfARune(t *testing.T) {
	for want, text := range map[script]string{
		latin:      "aZªºÀÖØöø\u02AF\u1E00\u1EFFﬀﬆＡｚ",
		cyrillic:   "\u0400\u0481\u048A\u052F",
		arabic:     "ءي\u0671\u076F\uFB50\uFDFB",
		devanagari: "अ\u093Fॣॱ",
		hangul:     "가힣\u1100ㄱ",
		han:        "㐀一々豈\U00020000",
		kana:       "ぁんァヺーㇰｦﾝ",
		otherScript: "αω\u0531אกა" +
			"\u1C90",
		noLetter: "0 @[`{µ×÷\u02B0\u0301\u0482\u0640\u0660\u060C\u0964०゠・" + "！０€—",
	} {
		for _, r := range text {
			if got := scriptOf(r); got != want {
				t.Errorf("scriptOf(%U) = %d, want %d", r, got, want)
			}
		}
	}
}

// TestNoLetterIsLostFromAnUnknownScript: whatever Unicode calls a letter has some
// script, those that are taken out on purpose excepted.
func TestNoLetterIsLostFromAnUnknownScript(t *testing.T) {
	for r := rune(0x370); r <= unicode.MaxRune; r++ {
		if unicode.IsLetter(r) && scriptOf(r) == noLetter && r != tatweel {
			t.Errorf("scriptOf(%U) = noLetter", r)
		}
	}
}
