package detect

import (
	"sort"
	"unicode"
)

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

// scriptRange gives the code points of a range to a script, or with letters only those
// of them that are letters.
type scriptRange struct {
	from, to rune
	script   script
	letters  bool
}

// scriptRanges is sorted, and nothing in it overlaps. What lies between two ranges is
// otherScript where it is a letter. Ranges of noLetter take out what Unicode calls a
// letter and no word needs (the micro sign, modifier letters), and signs among letters.
var scriptRanges = []scriptRange{
	{0x0000, 0x007F, latin, true},
	{0x0080, 0x00A9, noLetter, false},
	{0x00AA, 0x00AA, latin, false}, // ª
	{0x00AB, 0x00B9, noLetter, false},
	{0x00BA, 0x00BA, latin, false}, // º
	{0x00BB, 0x00BF, noLetter, false},
	{0x00C0, 0x00D6, latin, false},
	{0x00D7, 0x00D7, noLetter, false}, // ×
	{0x00D8, 0x00F6, latin, false},
	{0x00F7, 0x00F7, noLetter, false}, // ÷
	{0x00F8, 0x02AF, latin, false},
	{0x02B0, 0x036F, noLetter, false}, // modifier letters and marks
	{0x0400, 0x0481, cyrillic, false},
	{0x0482, 0x0489, noLetter, false}, // the sign of thousands and marks
	{0x048A, 0x052F, cyrillic, false},
	{0x0600, 0x063F, arabic, true},
	{0x0640, 0x0640, noLetter, false}, // tatweel
	{0x0641, 0x077F, arabic, true},
	{0x0900, 0x0963, devanagari, false}, // vowel signs too: they are what a word consists of
	{0x0964, 0x0970, noLetter, false},   // dandas and digits
	{0x0971, 0x097F, devanagari, false},
	{0x1100, 0x11FF, hangul, false},
	{0x1E00, 0x1EFF, latin, false},
	{0x3005, 0x3005, han, false}, // 々
	{0x3041, 0x309F, kana, false},
	{0x30A0, 0x30A0, noLetter, false}, // ゠
	{0x30A1, 0x30FA, kana, false},
	{0x30FB, 0x30FB, noLetter, false}, // ・
	{0x30FC, 0x30FF, kana, false},
	{0x3130, 0x318F, hangul, false},
	{0x31F0, 0x31FF, kana, false},
	{0x3400, 0x9FFF, han, false},
	{0xAC00, 0xD7A3, hangul, false},
	{0xF900, 0xFAFF, han, false},
	{0xFB00, 0xFB06, latin, false}, // ligatures
	{0xFB50, 0xFDFF, arabic, true},
	{0xFE70, 0xFEFE, arabic, true},
	{0xFF21, 0xFF5A, latin, true},
	{0xFF66, 0xFF9D, kana, false},
	{0x20000, 0x31FFF, han, false},
}

// scriptOf finds the script of a letter. Marks belong to the letter before
// them and are noLetter.
func scriptOf(r rune) script {
	if r < 0x80 { // most of most texts
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return latin
		}
		return noLetter
	}
	i := sort.Search(len(scriptRanges), func(i int) bool { return r <= scriptRanges[i].to })
	if i == len(scriptRanges) || r < scriptRanges[i].from {
		if unicode.IsLetter(r) {
			return otherScript
		}
		return noLetter
	}
	if in := scriptRanges[i]; !in.letters || unicode.IsLetter(r) {
		return in.script
	}
	return noLetter
}
