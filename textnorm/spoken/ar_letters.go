package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// arLetters brings a text to the signs that the rules look for: digits 0-9, % and
// the marks of numbers, letters in place of their presentation forms, no tatweel
// and no marks of direction. The letters themselves, yeh, alef maqsura and teh
// marbuta among them, and the vowel marks stay.
func arLetters(text string) string {
	at := arFirstChange(text)
	if at < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)), text[:at]...)
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		next := at + n
		switch {
		case r >= 0x660 && r <= 0x669:
			out = append(out, '0'+byte(r-0x660))
		case r >= 0x6F0 && r <= 0x6F9:
			out = append(out, '0'+byte(r-0x6F0))
		case r == '٪':
			out = append(out, '%')
		case (r == '٫' || r == '٬') && len(out) > 0 && isDigit(out[len(out)-1]) && faDigitAt(text[next:]):
			out = append(out, map[rune]byte{'٫': '.', '٬': ','}[r])
		case r == 'ـ', arUnseen(r):
		case arPresented(r):
			out = append(out, arPlainForm(r)...)
		default:
			out = append(out, text[at:next]...)
		}
		at = next
	}
	return string(out)
}

// arFirstChange is the place of the first character that arLetters may change, -1
// for none.
func arFirstChange(text string) int {
	for i := 0; i+1 < len(text); i++ {
		switch c, d := text[i], text[i+1]; {
		case c == 0xD9 && (d == 0x80 || d >= 0xA0 && d <= 0xAC): // tatweel, digits, marks
			return i
		case c == 0xDB && d >= 0xB0 && d <= 0xB9:
			return i
		case c == 0xD8 && d == 0x9C, c == 0xE2 && (d == 0x80 || d == 0x81), c == 0xEF && d >= 0xAD:
			return i
		}
	}
	return -1
}

// arUnseen reports whether a character only tells the direction of a text.
func arUnseen(r rune) bool {
	return r == 0x61C || r == 0x200B || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0xFEFF
}

// arPresented reports whether a character is a letter in the shape that it has at
// one place of a word, or several in one piece.
func arPresented(r rune) bool { return r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r < 0xFEFF }

// arPlainForm is the plain letters of a presentation form.
func arPlainForm(r rune) string {
	switch r {
	case '﷼': // Unicode takes it apart into Persian letters
		return "ريال"
	case '﷽': // which Unicode does not take apart
		return "بسم الله الرحمن الرحيم"
	}
	return strings.ReplaceAll(strings.TrimPrefix(forms.NFKC(string(r)), " "), "ـ", "")
}
