package spoken

import "strings"

// enFeet reads 5'10" and 6'.
func enFeet(s *scan) bool {
	end := s.run(s.at, isDigit)
	feet := s.text[s.at:end]
	mark := s.minuteMark(end)
	if mark == 0 || len(feet) > 3 {
		return false
	}
	at := end + mark
	next := s.run(at, isDigit)
	inches := s.text[at:next]
	if inches == "" || len(feet) > 2 || len(inches) > 2 {
		return inches == "" && s.wholeFeet(feet, at)
	}
	if n := s.secondMark(next); n > 0 {
		if atoi(inches) > 11 || inches[0] == '0' && len(inches) == 2 || isDigit(s.peekAt(next+n)) {
			return atoi(inches) < 60 && enClockMarks(s, feet, inches, next+n)
		}
		s.cardinal(feet)
		s.say(map[bool]string{true: "foot", false: "feet"}[feet == "1"])
		s.cardinal(inches)
		s.at = next + n
		return true
	}
	if !s.end(next) || atoi(inches) > 11 || feet < "3" || feet > "8" || len(feet) > 1 { // 6'2 of a person
		return false
	}
	s.cardinal(feet)
	s.say("foot")
	s.at = next
	return s.cardinal(itoa(atoi(inches)))
}

// wholeFeet reads 6' before what is so tall, wide or made.
func (s *scan) wholeFeet(feet string, at int) bool {
	word := s.word(min(at+1, len(s.text)))
	if s.peekAt(at) != ' ' || !enTall.has(word) || strings.Count(s.text[max(0, s.at-maxQuoted):s.at], " '") > 0 {
		return false
	}
	s.cardinal(feet)
	s.say("feet")
	s.at = at
	return true
}

// enTall are words after a length.
var enTall = wordSet("tall high wide long deep thick away apart above below x by")

// decimalBehind reports whether a number with a fraction ends at a place.
func (s *scan) decimalBehind(at int) bool {
	start := digitsStart(s.text, at)
	return start > 1 && start < at && s.text[start-1] == '.' && isDigit(s.text[start-2])
}
