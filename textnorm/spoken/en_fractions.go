package spoken

import (
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// enFraction reads 3/4, 2 1/2, 1½, 24/7.
func enFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := ""
	if r, n := utf8.DecodeRuneInString(s.text[end:]); enVulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + n
		s.fraction(enVulgar[r][0], enVulgar[r][1], true)
		return true
	}
	at := s.at
	if end < len(s.text) && (s.text[end] == ' ' || s.text[end] == '-') {
		if over := s.run(end+1, isDigit); over > end+1 && over < len(s.text) && s.text[over] == '/' {
			whole, at, end = s.text[s.at:end], end+1, over
		}
	}
	if end >= len(s.text) || s.text[end] != '/' {
		return false
	}
	last := s.run(end+1, isDigit)
	top, bottom := s.text[at:end], s.text[end+1:last]
	if bottom == "" || len(top) > 3 || len(bottom) > 4 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	switch form := top + "/" + bottom; {
	case whole == "" && (form == "24/7" || form == "9/11" || form == "7/11"):
		s.cardinal(top)
		s.cardinal(bottom)
		s.at = last
		return true
	case atoi(bottom) < 2 || top[0] == '0' || whole != "" && atoi(top) >= atoi(bottom):
		return false
	}
	if whole != "" {
		s.cardinal(whole)
		s.say("and")
	}
	s.at = last
	s.fraction(top, bottom, whole != "")
	return true
}

// fraction says a numerator and a denominator.
func (s *scan) fraction(top, bottom string, mixed bool) {
	one := atoi(top) == 1
	if name, ok := enFractions[bottom]; ok {
		if one && mixed {
			s.say("a")
		} else {
			s.cardinal(top)
		}
		s.say(map[bool]string{true: name.one, false: name.many}[one])
		return
	}
	s.cardinal(top)
	if atoi(bottom) > 100 && atoi(bottom)%100 != 0 || atoi(bottom)%10 == 1 && atoi(bottom) > 20 || atoi(bottom)%10 == 2 && atoi(bottom) > 20 {
		s.say("over")
		s.cardinal(bottom)
		return
	}
	s.number(numbers.Ordinal, "", bottom)
	if !one {
		s.out = append(s.out, 's')
	}
}
