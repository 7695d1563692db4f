package spoken

import "strings"

// versionEnd is where v2.0 and B2.1 end: a letter or two and numbers with full stops
// between them. It is the end of the word where that is none.
func (v *voice) versionEnd(s *scan, end int) int {
	first := s.run(s.at, isLetter)
	if first == s.at || first > s.at+2 || s.run(first, isDigit) != end {
		return end
	}
	last := end
	for s.peekAt(last) == '.' && isDigit(s.peekAt(last+1)) {
		last = s.run(last+1, isDigit)
	}
	if !s.end(last) {
		return end
	}
	return last
}

// sayVersion says the letters and the numbers up to a place.
func (v *voice) sayVersion(s *scan, end int) bool {
	first := s.run(s.at, isLetter)
	word := s.text[s.at:first]
	if v.version != "" && (word == "v" || word == "V") {
		word = v.version
	}
	v.say(s, word)
	for i, part := range strings.Split(s.text[first:end], ".") {
		if i > 0 {
			v.say(s, v.point)
		}
		if !v.count(s, amount{whole: part}, 0) {
			return false
		}
	}
	s.at = end
	v.join(s)
	return true
}
