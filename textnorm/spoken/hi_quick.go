package spoken

import (
	"strings"
	"unicode/utf8"
)

// hindi is ready for Hindi, whose rules are its own.
func (q *quick) hindi() {
	q.own = (*scan).copyHindi
	q.starts[0xE0] = true
	for _, c := range []byte(".,;:!?\"')-") {
		q.mute[c] = true
	}
}

// copyHindi takes a word that no rule reads: an abbreviation and the name of a
// letter have a full stop after them, money before a number has the number.
func (s *scan) copyHindi() bool {
	end := hiWordEnd(s.text, s.at)
	if end == s.at {
		if !hiDanda(s.rest()) {
			return false
		}
		end += len("।")
	} else if end < len(s.text) {
		if s.text[end] == '.' || !hiDanda(s.text[end:]) && !s.end(end) {
			return false
		}
		if next := end + gap(s.text, end); next < len(s.text) && isDigit(s.text[next]) && hiTables().money[s.text[s.at:end]] != nil {
			return false
		}
	}
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// hiWordEnd is the end of the letters of Devanagari at a place, and of the signs on
// them; digits are none. It looks at bytes, as decoding takes most of the time of
// a line with little to read.
func hiWordEnd(text string, at int) int {
	for at+2 < len(text) && text[at] == 0xE0 {
		switch c := text[at+2]; {
		case c&0xC0 != 0x80: // no letter at all
			return at
		case text[at+1] == 0xA4: // U+0900 to U+093F
		case text[at+1] == 0xA5 && (c <= 0xA3 || c >= 0xB1): // without U+0964 to U+0970
		default:
			return at
		}
		at += 3
	}
	return at
}

// hiDanda reports whether a text begins with the stroke that ends a sentence or a
// verse.
func hiDanda(text string) bool {
	return len(text) > 2 && text[0] == 0xE0 && text[1] == 0xA5 && (text[2] == 0xA4 || text[2] == 0xA5)
}

// hiNameAt is the longest name of a table at a place, a space before it or not.
func (s *scan) hiNameAt(at int, names arNames) (name string, end int) {
	next := min(at+gap(s.text, at), len(s.text))
	rest := s.text[next:]
	for _, name := range names.at(rest) {
		if !strings.HasPrefix(rest, name) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(name)
		if end := next + len(name); (!inWord(last) || s.end(end)) && !(end < len(s.text) && isLetter(name[0]) && strings.IndexByte("@'-", s.text[end]) >= 0) {
			return name, end
		}
	}
	return "", at
}
