package spoken

import (
	"strings"
	"unicode/utf8"
)

// faSpacing goes over a text and puts its signs and the spaces around them right.
type faSpacing struct {
	in      []rune
	out     []byte
	last    rune // written last, 0 for none
	gap     bool // a space is read and not written
	persian bool // the text has a letter of the Arabic script
	paired  bool // its straight quotes come in pairs
	open    bool // the next of them closes
}

// signs puts Persian signs in the place of others, no space in front of them
// and one after, and a space between letters and digits.
func (p Persian) signs(text string) string {
	s := faSpacing{in: []rune(text), out: make([]byte, 0, len(text)+8)}
	s.persian = strings.ContainsFunc(text, faLetter)
	s.paired = s.persian && strings.Count(text, "\"")%2 == 0
	for i := 0; i < len(s.in); {
		i += s.sign(i)
	}
	return string(s.out)
}

// at is a character of the text, 0 after its end.
func (s *faSpacing) at(i int) rune {
	if i < 0 || i >= len(s.in) {
		return 0
	}
	return s.in[i]
}

// sign writes what stands at a place and returns how many characters it took.
func (s *faSpacing) sign(i int) int {
	r := s.in[i]
	if faLetter(r) && !s.gap && faLetter(s.last) {
		s.write(r)
		return 1
	}
	switch r {
	case ' ':
		s.gap = s.last != 0
		return 1
	case '"':
		if s.paired {
			r = map[bool]rune{false: '«', true: '»'}[s.open]
			s.open = !s.open
		}
	case '“', '„':
		if s.persian {
			r = '«'
		}
	case '”':
		if s.persian {
			r = '»'
		}
	case '.':
		if n := s.run(i); n >= 3 {
			s.gap = false
			s.write('…')
			return n
		}
	case ',', '،', '?', ';':
		// A group of zeros that a space fell into: 100، 000.
		if zeros := s.at(i+1) == ' ' && s.at(i+2) == '0'; zeros && r != '?' && r != ';' && !s.gap && faIsDigit(s.last) && s.group(i+1) {
			s.write(',')
			return 2
		}
		r = s.twin(i)
	}
	s.place(i, r)
	return 1
}

// run is how many of the same character stand at a place.
func (s *faSpacing) run(i int) int {
	n := 1
	for s.at(i+n) == s.in[i] {
		n++
	}
	return n
}

// twin is the Persian sign for one of the ASCII, and the other way round where a
// comma parts groups of digits.
func (s *faSpacing) twin(i int) rune {
	r, next := s.in[i], s.at(i+1)
	if r == ',' || r == '،' {
		if !s.gap && faIsDigit(s.last) && faIsDigit(next) {
			if s.group(i) {
				return ','
			}
			return '،'
		}
		if r == '،' {
			return r
		}
	}
	if !s.persian || next != 0 && next != ' ' && !faLetter(next) && !strings.ContainsRune("»)!?؟.", next) {
		return r
	}
	return map[rune]rune{',': '،', '?': '؟', ';': '؛'}[r]
}

// group reports whether a comma at a place stands between groups of three digits.
func (s *faSpacing) group(i int) bool {
	n := 1
	for faIsDigit(s.at(i + n)) {
		n++
	}
	if s.in[i] == ' ' {
		i--
	}
	before := 1
	for faIsDigit(s.at(i - before)) {
		before++
	}
	return n == 4 && before <= 4
}

func faIsDigit(r rune) bool { return r >= '0' && r <= '9' }

func faLatin(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

// faOpens and faCloses are the signs that stand close to what follows and to
// what stands before.
func faOpens(r rune) bool { return r == '«' || r == '(' || r == '[' }

func (s *faSpacing) closes(i int, r rune) bool {
	switch r {
	case '»', ')', ']', '،', '؛', '؟', '!', '…':
		return true
	case '.', ':':
		next := s.at(i + 1)
		return next == 0 || next == ' ' || faLetter(next) || next == '.' || next == '»' || next == ')'
	}
	return false
}

// place writes a character with the space that belongs before it.
func (s *faSpacing) place(i int, r rune) {
	letter := faLetter(r) || r == 0x654
	switch {
	case s.closes(i, r):
		s.gap = s.gap && (s.last == '-' || s.last == '–')
	case s.last == 0 || s.gap && (faOpens(s.last) && s.persian):
		s.gap = false
	case s.gap:
	case faOpens(r):
		s.gap = s.persian && (faLetter(s.last) || strings.ContainsRune("،؛:؟»", s.last) && s.last != 0)
	case letter && faIsDigit(s.last):
		s.gap = faOrdinalSuffix(s.in[i:]) == 0
	case faIsDigit(r) && (faLetter(s.last) || faVowel(s.last)):
		s.gap = true
	case letter:
		s.gap = s.wantsSpace(i)
	case faIsDigit(r):
		s.gap = strings.ContainsRune("؛؟…»", s.last) || s.last == '،'
	}
	s.write(r)
}

// wantsSpace reports whether a letter stands too close to the sign before it.
func (s *faSpacing) wantsSpace(i int) bool {
	switch s.last {
	case '،', '؛', '؟', '!', '…', '»', ')':
		return true
	case ':':
		return faLetter(s.at(i - 2))
	case '.':
		// One letter by itself is an abbreviation: ق.م.
		return faLetter(s.at(i-2)) && (faLetter(s.at(i-3)) || faVowel(s.at(i-3))) && faLetter(s.at(i+1))
	}
	return false
}

func (s *faSpacing) write(r rune) {
	if s.gap {
		s.out = append(s.out, ' ')
	}
	s.gap = false
	s.out = utf8.AppendRune(s.out, r)
	s.last = r
}

// faOrdinals are the endings that make an ordinal of digits, the longest first.
var faOrdinals = []string{"اُمین", "امین", "اُم", "ُمین", "مین", "ُم", "ام", "م"}

// faOrdinalSuffix is the length in characters of the ending of an ordinal that
// a text begins with, 0 for none.
func faOrdinalSuffix(in []rune) int {
	for _, suffix := range faOrdinals {
		n := utf8.RuneCountInString(suffix)
		if len(in) < n || string(in[:n]) != suffix {
			continue
		}
		if len(in) == n || !faLetter(in[n]) && in[n] != 0x200C && !faVowel(in[n]) && !faIsDigit(in[n]) {
			return n
		}
	}
	return 0
}
