package spoken

import (
	"strings"
)

// What a stroke between two numbers is when it is no fraction: a day and its month, the
// games of a set, so many in so many hours.

// slashWords are the words of a language that tell.
type slashWords struct {
	before string          // words before 12/10 that make it a date
	to     string          // words between two such dates
	of     string          // words after 2/3 that make it a fraction
	hours  string          // said for the stroke of 600 mg/8 h
	days   map[string]bool // names of the days of the week, which stand beside a date
}

// slashed reads 14/07 and sábado 12/10: no fraction has a zero in front.
func (v *voice) slashed(s *scan, day, month string, end int) bool {
	if len(day) > 2 || len(month) > 2 || !isDayMonth(day, month) || !s.end(end) || s.peekAt(end) == '/' {
		return false
	}
	padded := len(day) == 2 && len(month) == 2 && (day[0] == '0' || month[0] == '0')
	if !padded && !v.datedSlash(s, end) {
		return false
	}
	v.sayDay(s, day)
	v.sayMonth(s, atoi(month))
	s.at = end
	if next := end + gap(s.text, end); next > end && v.date.of != "" && strings.HasPrefix(s.text[next:], v.date.of+" ") {
		if year, yearEnd := s.yearAt(next + len(v.date.of) + 1); year != "" {
			s.at = yearEnd
			v.sayYear(s, year)
		}
	}
	return true
}

// datedSlash reports whether what stands beside two numbers with a stroke makes them a date.
func (v *voice) datedSlash(s *scan, end int) bool {
	before := strings.ToLower(lastToken(s.text[:s.at]))
	next := strings.ToLower(letters(s.text, end+gap(s.text, end)))
	if v.slash.days[before] || v.slash.days[next] && next != "" {
		return true
	}
	if v.slash.before == "" {
		return false
	}
	if holds(v.slash.of, next) {
		if year, _ := s.yearAt(min(end+2+len(next), len(s.text))); year == "" {
			return false
		}
	}
	return holds(v.slash.before, before) || v.slashRange(s, end)
}

// slashRange reports whether another day and its month stand after a word or a dash beside
// those that begin at s.at: 1/7 a 15/7.
func (v *voice) slashRange(s *scan, end int) bool {
	next := end + gap(s.text, end)
	word, _, _ := strings.Cut(s.text[next:], " ")
	switch mark := s.dash(end); {
	case mark > 0:
		next = end + mark
	case next > end && holds(v.slash.to, word):
		next += len(word) + 1
	default:
		next = len(s.text)
	}
	if s.dayMonthAt(next) {
		return true
	}
	back := strings.TrimRight(s.text[:s.at], "-–")
	if len(back) == s.at {
		if !strings.HasSuffix(back, " ") || !holds(v.slash.to, lastToken(back)) {
			return false
		}
		back = strings.TrimSuffix(strings.TrimSuffix(back, " "), lastToken(back))
		back = strings.TrimSuffix(back, " ")
	}
	start := len(strings.TrimRight(back, "0123456789/"))
	return start < len(back) && s.dayMonthAt(start)
}

// dayMonthAt reports whether 15/7 stands at a place.
func (s *scan) dayMonthAt(at int) bool {
	day := s.run(min(at, len(s.text)), isDigit)
	if s.peekAt(day) != '/' || day == at {
		return false
	}
	month := s.run(day+1, isDigit)
	return day-at <= 2 && month > day+1 && month-day <= 3 && isDayMonth(s.text[at:day], s.text[day+1:month])
}

// lastToken is what stands between the last two spaces of a text, without the comma or
// the full stop at its end.
func lastToken(text string) string {
	text = strings.TrimRight(strings.TrimSuffix(text, " "), ",.")
	return strings.TrimLeft(text[strings.LastIndexByte(text, ' ')+1:], "(\"'«„“")
}

// setOfGames reports whether two numbers are the games of a set of tennis: one of them is
// six or seven, and other such numbers stand beside them.
func (s *scan) setOfGames(top, bottom string, end int) bool {
	if len(top) != 1 || len(bottom) != 1 || max(top, bottom) > "7" || max(top, bottom) < "6" {
		return false
	}
	pair := func(at int) bool {
		return at >= 0 && at+3 <= len(s.text) && isDigit(s.text[at]) && s.text[at+1] == '/' && isDigit(s.text[at+2]) && s.end(at+3) && max(s.text[at], s.text[at+2]) <= '7'
	}
	const most = 12 // bytes between two sets: (5-7) and
	for at := end + 1; at < min(end+most, len(s.text)); at++ {
		if pair(at) && (at == 0 || !isDigit(s.text[at-1])) {
			return true
		}
	}
	for at := s.at - 4; at > s.at-most-3; at-- {
		if pair(at) && (at == 0 || !isDigit(s.text[at-1])) {
			return true
		}
	}
	return false
}

// readHours reads the stroke of 600 mg/8 h and of 4 doses/24 h, whose number is read after it.
func (v *voice) readHours(s *scan) bool {
	end := s.run(s.at+1, isDigit)
	if s.peek(0) != '/' || end == s.at+1 || s.at == 0 || isDigit(s.text[s.at-1]) || s.end(s.at-1) {
		return false
	}
	unit, _, last := v.unitAt(s, end)
	if unit.forms == nil || last == end || durationLetters[strings.TrimSpace(s.text[end:last])] == 0 {
		return false
	}
	word := v.slash.hours
	if word == "" {
		word = v.perWord
	}
	if word == "" {
		return false
	}
	v.say(s, word)
	s.out = append(s.out, ' ')
	s.at++
	return true
}
