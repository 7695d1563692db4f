package detect

import "unicode"

// script is a writing system as far as languages are told apart by it.
type script uint8

const (
	noLetter script = iota // digits, punctuation, marks, spaces
	latin
	cyrillic
	arabic
	devanagari
	hangul
	han
	kana
	otherScript // letters of a script that no language here is written in
	scripts     // how many there are
)

// letterWeight is what a letter counts when scripts are compared. A syllable or
// a logogram says what two or three letters say, and Latin names and brands
// stand in text of every script far more often than the other way round.
var letterWeight = [scripts]int{latin: 2, cyrillic: 3, arabic: 4, devanagari: 4, hangul: 8, han: 8, kana: 8, otherScript: 2}

// scriptOf finds the script of a letter. Marks belong to the letter before
// them and are noLetter.
func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return latin
		}
		return noLetter
	case r < 0x0370:
		if r >= 0x00C0 && r < 0x0300 && r != '×' && r != '÷' && r < 0x02B0 || r == 'ª' || r == 'º' {
			return latin
		}
		return noLetter
	case r >= 0x0400 && r < 0x0530:
		if r >= 0x0482 && r <= 0x0489 {
			return noLetter
		}
		return cyrillic
	case r >= 0x0600 && r < 0x0780 || r >= 0xFB50 && r < 0xFE00 || r >= 0xFE70 && r < 0xFEFF:
		if unicode.IsLetter(r) && r != tatweel {
			return arabic
		}
		return noLetter
	case r >= 0x0900 && r < 0x0980:
		if r >= 0x0964 && r <= 0x0970 { // dandas and digits
			return noLetter
		}
		return devanagari // vowel signs too: they are what a word consists of
	case r >= 0x3400 && r < 0xA000 || r == '々' || r >= 0xF900 && r < 0xFB00 || r >= 0x20000 && r < 0x32000:
		return han
	case r >= 0x3041 && r < 0x3100 && r != '・' && r != '゠' || r >= 0x31F0 && r < 0x3200 || r >= 0xFF66 && r < 0xFF9E:
		return kana
	case r >= 0xAC00 && r < 0xD7A4 || r >= 0x1100 && r < 0x1200 || r >= 0x3130 && r < 0x3190:
		return hangul
	case r >= 0x1E00 && r < 0x1F00 || r >= 0xFF21 && r < 0xFF5B && unicode.IsLetter(r) || r >= 0xFB00 && r < 0xFB07:
		return latin
	case unicode.IsLetter(r):
		return otherScript
	}
	return noLetter
}
