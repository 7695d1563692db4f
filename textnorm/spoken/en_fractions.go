package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// enFraction reads 3/4, 2 1/2, 1½, 24/7.
func enFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := ""
	if r, n := utf8.DecodeRuneInString(s.text[end:]); vulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + n
		s.fraction(vulgar[r][0], vulgar[r][1], true)
		s.partOf(true, vulgar[r][0])
		return true
	}
	if r, n := utf8.DecodeRuneInString(s.text[min(end+1, len(s.text)):]); end < len(s.text) && s.text[end] == ' ' && vulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + 1 + n
		s.fraction(vulgar[r][0], vulgar[r][1], true)
		s.partOf(true, vulgar[r][0])
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
	if whole == "" && s.labelled(top, bottom, last) {
		return false // the sign is read by itself
	}
	switch form := top + "/" + bottom; {
	case whole == "" && strings.HasPrefix(strings.TrimPrefix(s.text[last:], " "), "="): // 10/2=5
		s.plainDigits(top)
		s.say("divided by")
		s.at = last
		return s.plainDigits(bottom)
	case whole == "" && (form == "24/7" || form == "9/11" || form == "7/11" || enShares(top, bottom)):
		s.cardinal(top)
		s.cardinal(bottom)
		s.at = last
		return true
	case whole == "" && top == bottom && atoi(top) > 1: // a mark of 10/10
		s.cardinal(top)
		s.say("out of")
		s.at = last
		return s.cardinal(bottom)
	case whole == "" && len(bottom) > 1 && atoi(top) > atoi(bottom): // blood pressure
		s.plainDigits(top)
		s.say("over")
		s.plainDigits(bottom)
		if u, end := s.unitAt(last); u.many != "" { // 120/80 mmHg
			s.say(u.many)
			last = end
		}
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
	s.partOf(whole != "", top)
	return true
}

// labelled reports whether two numbers with a stroke tell a place or a version and are no
// parts of one: Room 12/13, Windows 95/98.
func (s *scan) labelled(top, bottom string, end int) bool {
	if enRooms.has(strings.ToLower(s.before())) {
		return true
	}
	u, _ := s.unitAt(end)
	return len(top) == 2 && atoi(bottom)-atoi(top) < 10 && atoi(bottom) > 32 && atoi(bottom)%10 != 0 && bottom != "64" && u.many == "" && !strings.HasPrefix(s.text[end:], " of ")
}

// enRooms stand before the number of a place.
var enRooms = wordSet("room rooms apt apartment suite unit flat gate track platform route bus lot building windows")

// enShares reports whether two numbers with a stroke are said one after the
// other: shares of a hundred, and what eyes see.
func enShares(top, bottom string) bool {
	if len(top) != 2 || len(bottom) < 2 {
		return false
	}
	return atoi(top)+atoi(bottom) == 100 || top == "20" && bottom[len(bottom)-1] == '0'
}

// partOf reads the measure after a fraction: "three quarters of an inch".
func (s *scan) partOf(mixed bool, top string) {
	u, end := s.unitAt(s.at)
	if u.many == "" && s.inchMark(s.at) {
		u, end = enTables().units["in"], s.at+1
	}
	switch {
	case u.many == "":
		s.perSign()
		return
	case mixed:
		s.say(u.many)
	case atoi(top) == 1 || s.text[s.at] == '-':
		s.say(u.one)
	case strings.IndexByte("aeiou", u.one[0]) >= 0 || u.one == "hour":
		s.say("of an " + u.one)
	default:
		s.say("of a " + u.one)
	}
	s.at = end
	if s.peek(0) == '.' && s.peek(1) != 0 && !s.sentenceEnd(s.at) {
		s.at++
	}
	s.per()
}

// perSign reads a sign of percent after a fraction.
func (s *scan) perSign() {
	if s.peek(0) == '%' {
		s.say("percent")
		s.at++
	}
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
	if behind := s.rest(); !strings.HasPrefix(behind, " of ") && !strings.HasPrefix(behind, " inch") && !strings.HasPrefix(behind, " second") && atoi(bottom) > 100 && atoi(bottom)%100 != 0 {
		s.say("over")
		s.cardinal(bottom)
		return
	}
	s.number(numbers.Ordinal, "", bottom)
	if !one {
		s.out = append(s.out, 's')
	}
}
