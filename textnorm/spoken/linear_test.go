package spoken

import (
	"slices"
	"strings"
	"testing"

	"voxpack/internal/steptest"
)

// linearPieces are forms in which one place leads to the next.
var linearPieces = []string{"a,", "1.", "1. ", "1 ", "1,", "1-", "(1", "1/", "1:", "I", "I ", "A.", "etc. ", "\"", "'", "1x", "€", "$", "½", "1½",
	"+1 ", "1.111", "1,111", "~1", "-1", "a1", "a@", "1% ", "- 1 "}

// hanPieces are those of Chinese and Japanese.
var hanPieces = []string{"人", "a人", "1人", "1 人 ", "1-", "1.", "1:", "1/", "(1", "（1", "a.", "a@", "a-", "¥", "¥1-", "万", "1万", "X", "XI人",
	"1〜", "〜", "Ⅲ", "½", "1½", "+1 ", "1,111", "1", "１", "，", "· ", " ", "- ", "～", "2年", "9·", "No.1"}

// ownPieces are those of one language, read beside linearPieces.
var ownPieces = map[string][]string{
	"en": {"word.", "word-", "a/", "no-reply", "12.", "St.", "'90", "1⁻³"},
	"fa": {"می ", "1,234", "۱/", "ه ی ", "(", "(ص", ".ا", "ق.", "a.", "- ", "1 1 1/", "\u064B", "\u0654", "«\"", "سلام", "ها ", "0 ", "Ч", "µ"},
	"ru": {"м."},
	"hu": {"5-ben", "3. ", "I. ", "1 és ", "8:00–", "május 3-", "Ft", "2020. május ", "%-", "sz.", "kettő"},
	"ko": {"3개", "제3", "3~", "3일~", "만", "1만", "1조", "6·", "$1", "가", "가1", "번", "3 대 ", "010-", "=", "2020.", "a.1"},
	"ar": {"و5", "ب5 ", "ال5", "د.", "ق.م ", "بلغ ", "5م", "و ", "1 و", "ص 5", "٥٫", "1 مليون ", "آذار/"},
	"hi": {"डॉ.", "ए.", "5वीं ", "₹5 ", "1 लाख ", "5 मई ", "10:30 ", "1,25,", "मी. 5", "क", "5 में ", "०", "क०"},
	"zh": hanPieces,
	"ja": hanPieces,
}

// TestReadingIsLinear: no line makes a rule of any language look at the rest of it
// again and again, and nothing of a long line is lost.
func TestReadingIsLinear(t *testing.T) {
	steptest.Linear(t, "voxpack/textnorm/spoken,voxpack/textnorm/numbers", 4<<10, Languages(), func(t *testing.T, lang string, size int) {
		r, _ := New(lang)
		for _, piece := range slices.Concat(linearPieces, ownPieces[lang]) {
			text := strings.Repeat(piece, size/len(piece)) + "a"
			out, _ := r.Read(nil, text, false)
			if len(out) < len(text)/4 {
				t.Errorf("%d bytes of %q are read as %d", len(text), piece, len(out))
			}
			if lang == "fa" {
				Persian{Marks: MarksAll}.Read(nil, text, false)
			}
		}
	})
}
