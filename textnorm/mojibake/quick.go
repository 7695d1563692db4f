package mojibake

import (
	"strings"
	"unicode/utf8"
)

// suspicious reports whether a text is worth a closer look. It says yes where
// the closer look may find something, and no, fast, to nearly all clean texts.
func suspicious(text string) bool {
	lead := uint8(0) // the pages in which the character before may begin a unit
	capital := false // it is one that lossy units begin with
	small := false   // it is a small letter
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if capital && (c == ' ' || c == '-') {
				return true
			}
			i = skipASCII(text, i)
			lead, capital, small = 0, false, text[i-1]|0x20 >= 'a' && text[i-1] >= 'a' && text[i-1] <= 'z'
			continue
		}
		r, size := rune(0), 0
		switch {
		case (c >= 0xC2 && c < 0xD0 || c >= 0xD8 && c < 0xDC) && i+1 < len(text):
			r, size = rune(c&0x1F)<<6|rune(text[i+1]&0x3F), 2
			if r < 0xA0 {
				return true
			}
		case c == 0xE2 || c == 0xEF:
			r, size = utf8.DecodeRuneInString(text[i:])
		default:
			// Other characters are in no page. A row of them is skipped; bytes that
			// are no UTF-8 end up in the closer look or in nothing.
			i = skipOthers(text, i)
			lead, capital, small = 0, false, false
			continue
		}
		at := slot(r)
		if lead&mayFollow[at] != 0 && !inArabic(text, i) && odd(text, i, lead&mayFollow[at]) {
			return true
		}
		lead = mayLead[at]
		capital = r == 'Ã'
		// Inside a word these cost so much (lettersCost) that a lossy unit may begin.
		if small && (r >= 'À' && r <= 'Þ' || r >= 'ء' && r <= 'ي') {
			return true
		}
		small = r >= 'ß' && r <= 'ÿ'
		i += size
	}
	return capital
}

// inArabic reports whether the two characters at i-2 and i and one beside them
// are of the Arabic block, or the one at i a mark without width. Page 1256 makes
// units of many pairs of letters, such as "اک", but texts that were read with it
// have symbols between.
func inArabic(text string, i int) bool {
	arabic := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= 0xD8 && text[i] <= 0xDB }
	if !arabic(i - 2) {
		return false
	}
	if !arabic(i) {
		return strings.HasPrefix(text[i:], "\u200c") && arabic(i-4)
	}
	return arabic(i-4) || arabic(i+2)
}

// skipASCII is the place of the first byte from i on that is not ASCII. It looks at
// the top bits of eight bytes at a time.
func skipASCII(text string, i int) int {
	for i+8 <= len(text) {
		s := text[i : i+8]
		if (uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)&0x8080808080808080 != 0 {
			break
		}
		i += 8
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// skipOthers is the place after the characters from i that no page has, and
// after i in any case.
func skipOthers(text string, i int) int {
	start := i
	for i < len(text) {
		// By first bytes (RFC 3629). D8 to DB begin the Arabic block, E2 and EF the other
		// characters above U+0700 that a page has: those end the row.
		switch c := text[i]; {
		case c >= 0xE3 && c < 0xEF, c == 0xE0, c == 0xE1:
			i += 3
		case c >= 0xF0:
			i += 4
		case c >= 0xD0 && c < 0xD8, c >= 0xDC && c < 0xE0:
			i += 2
		case c >= 0x80 && c < 0xC2:
			i++
		default:
			return max(i, start+1)
		}
	}
	return min(i, len(text))
}

// odd reports whether one of the pages reads the place with less cost, where the
// character before i begins a unit that goes on at i.
func odd(text string, i int, among uint8) bool {
	window := [8]rune{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '} // two in front, a unit of up to four, two after
	before := i
	for k := 2; k >= 0 && before > 0; k-- {
		r, size := utf8.DecodeLastRuneInString(text[:before])
		window[k] = r
		before -= size
	}
	n := 3
	for k := i; n < len(window) && k < len(text); n++ {
		r, size := utf8.DecodeRuneInString(text[k:])
		window[n] = r
		k += size
	}
	for which := range pages {
		if among>>which&1 == 0 {
			continue
		}
		u, ok := unitAt(window[:min(6, n)], 2, which)
		if !ok {
			continue
		}
		end := min(u.end+2, len(window))
		repaired := window
		repaired[2] = u.is
		m := 3 + copy(repaired[3:], window[u.end:end])
		for _, mostlyASCII := range []bool{true, false} {
			if costOf(window[:end], mostlyASCII) > costOf(repaired[:m], mostlyASCII) {
				return true
			}
		}
	}
	return false
}
