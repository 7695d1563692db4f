package textnorm

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// isClean reports whether the rules of all languages surely leave a text as it is:
// single spaces, no character that has a note, and none that composes with
// another one. It is a quick answer for most lines, never a wrong yes.
func isClean(text string) bool {
	clean := cleanTable()
	before := rune(' ') // as if a space stood before the text
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c > '~' || c == ' ' && before == ' ' {
				return false
			}
			before = rune(c)
			i++
			continue
		}
		r, n := runeAt(text, i)
		switch {
		case int(r) < len(clean):
			if !clean[r] && !stays(before, r) {
				return false
			}
		case r < 0x4E00 || r > 0x9FFF: // unified ideographs do not compose
			if r < 0xAC00 || r > 0xD7A3 {
				return false
			}
		}
		before = r
		i += n
	}
	return before != ' ' || text == ""
}

// runeAt is utf8.DecodeRuneInString for the characters below U+1000, which takes
// twice as long for them.
func runeAt(text string, i int) (r rune, size int) {
	switch c := text[i]; {
	case c >= 0xC2 && c <= 0xDF && i+1 < len(text) && text[i+1]&0xC0 == 0x80:
		return rune(c&0x1F)<<6 | rune(text[i+1]&0x3F), 2
	case c == 0xE0 && i+2 < len(text) && text[i+1]&0xE0 == 0xA0 && text[i+2]&0xC0 == 0x80:
		return rune(text[i+1]&0x3F)<<6 | rune(text[i+2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(text[i:])
}

// stays reports whether a character that is not clean by itself is after another
// one: a mark that neither composes with it nor has another place beside it.
func stays(before, r rune) bool {
	switch {
	case r == 0x93C:
		return nukta(before)
	case indicMark(r):
		return !arabicMark(before) && !(r == virama && before == virama) // of the marks of Hindi the virama alone has a place of its own
	case arabicMark(r):
		return before < r && !indicMark(before) // in the order of their code points, so that at most eight follow each other
	case r == zwnj:
		return before >= 0x600 && before <= 0x6FF || before >= 0x900 && before <= 0x97F
	case r == zwj:
		return before >= 0x900 && before <= 0x97F
	}
	return false
}

const virama = 0x94D

// arabicMark and indicMark report whether a character is a mark that composes with
// none: a vowel of Arabic, a vowel or the virama of Hindi.
func arabicMark(r rune) bool { return r >= 0x64B && r <= 0x652 }
func indicMark(r rune) bool  { return r >= 0x93E && r <= virama || r >= 0x900 && r <= 0x903 }

// nukta reports whether the dot of Hindi has no character of its own with the
// consonant above it: ड़ stays two, ऩ becomes one.
func nukta(before rune) bool {
	return before >= 0x915 && before <= 0x939 && before != 0x928 && before != 0x930 && before != 0x933
}

// cleanTable has the characters of scripts, signs and kana that stand for
// themselves beside any other: those with a mark of their own right after them
// are told by the mark, which is none of them.
var cleanTable = sync.OnceValue(func() *[0x3100]bool {
	var m [0x3100]bool
	for _, block := range [][2]rune{{0xA0, 0x97F}, {0x1E00, 0x1EFF}, {0x2010, 0x218F}, {0x2200, 0x22FF}, {0x3000, 0x30FF}} {
		for r := block[0]; r <= block[1]; r++ {
			var book notebook
			alone := string(r)
			_, looks := forms.Compat(alone)
			m[r] = !looks && sweep(alone, &book) == alone && len(book.notes) == 0 && !unicode.IsMark(r) && r != '\u200c' && r != '\u200d' && forms.IsNFC(alone)
		}
	}
	return &m
})
