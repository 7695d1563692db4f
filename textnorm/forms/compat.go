package forms

import (
	"strings"
	"unicode/utf8"
)

// Compat writes characters that exist only for the looks of a letter as the
// letter, and reports whether there were any: presentation forms of Arabic,
// ligatures of Latin, Armenian and Hebrew, full-width and half-width forms. A
// text that has some comes back composed (NFC) as well, because a letter may meet
// its mark; any other comes back as it is. Compat(Compat(s)) = Compat(s).
//
// NFKC does the same to everything, and more than a reader may: it makes 5² 52,
// drops ™, and says nothing of ½ being a number. What verbalisation reads stays:
// superscripts, fractions, Roman numerals, circled characters, signs, and the
// sign of the rial (U+FDFC), which chars-1 has too. Ĳ and Ŀ with their small
// letters stay because Dutch and Catalan are written with them and chars-1 has
// them; ŉ and the digraphs of Croatian (Ǆ, Ǉ, Ǌ, Ǳ) are in no table of symbols and
// on no keyboard, and become two letters.
//
// The marks ！（），．：；？［］｛｝～ stay in a text with Chinese or Japanese, which writes
// its own marks so, also beside digits, but for one between two full-width digits;
// in any other text they are looks like the rest.
func Compat(s string) (string, bool) {
	if !mayCompat(s) {
		return s, false
	}
	var b strings.Builder
	kept := 0 // what of s stands in b
	east := strings.ContainsFunc(s, isEast)
	for i := 0; i < len(s); {
		if c := s[i]; c != 0xEF && c != 0xC7 && c != 0xC5 {
			i++ // no such character begins here
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if east && isWideMark(r) && !(wideDigitBefore(s[:i]) && wideDigitBehind(s[i+n:])) {
			i += n
			continue
		}
		if plain, ok := plainOf(r); ok {
			b.WriteString(s[kept:i])
			b.WriteString(plain)
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return s, false
	}
	b.WriteString(s[kept:])
	return NFC(b.String()), true
}

// mayCompat reports whether s has a byte that the characters of [Compat] begin
// with, or one of the few letters of other blocks.
func mayCompat(s string) bool {
	return strings.IndexByte(s, 0xEF) >= 0 || strings.IndexByte(s, 0xC7) >= 0 || strings.Contains(s, "ŉ")
}

// plainOf is what r becomes; false if it stays.
func plainOf(r rune) (string, bool) {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return string(r - 0xFF01 + '!'), true
	case r == 'ŉ', r >= 'Ǆ' && r <= 'ǌ', r >= 'Ǳ' && r <= 'ǳ':
	case r >= 0xFB00 && r <= 0xFDFF && r != '﷼', r >= 0xFE70 && r < 0xFEFF:
	case r == 0xFFE3:
		return "¯", true // NFKC has a space here that the macron stands on
	case r == 0xFFA0:
		return "", false // a filler has no other form
	case r >= 0xFF5F && r <= 0xFFEE:
	default:
		return "", false
	}
	// The marks of Arabic that have a place of their own stand on a space there. In
	// a text they belong to the letter in front.
	plain := strings.TrimPrefix(NFKC(string(r)), " ")
	return plain, plain != string(r)
}

// isWideMark reports whether r is a full-width mark of sentences.
func isWideMark(r rune) bool {
	switch r {
	case '！', '（', '）', '，', '．', '：', '；', '？', '［', '］', '｛', '｝', '～':
		return true
	}
	return false
}

// isEast reports whether r belongs to Chinese or Japanese. Korean writes the
// marks of ASCII.
func isEast(r rune) bool {
	return r >= 0x2E80 && r < 0x3130 || r >= 0x3400 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF61 && r <= 0xFF9F || r >= 0x20000 && r < 0x40000
}

func wideDigitBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r >= '０' && r <= '９'
}

func wideDigitBehind(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= '０' && r <= '９'
}
