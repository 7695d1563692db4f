package spoken

import (
	"strings"
	"unicode/utf8"
)

// The marks of inches, minutes and seconds after a number: 28", 21', 5'30", 42"71.

// isInch reports whether a sign after a number at a place is no closing quotation mark;
// any other sign than that of inches is none.
func (s *scan) isInch(sign string, at int) bool {
	return sign != `"` || s.peekAt(at) == '"' && !s.quoted(at)
}

// quoted reports whether a quotation mark is open at a place.
func (s *scan) quoted(at int) bool {
	const most = 300 // bytes of a quotation: a line of nothing but marks is looked at once for each
	before := s.text[max(0, at-most):at]
	if open := strings.LastIndexAny(before, "„“«"); open >= 0 && !strings.ContainsAny(before[open+len("„"):], "”»“") {
		return true
	}
	open := false
	for i := range len(before) {
		if before[i] == '"' { // one after a space opens, one after a word closes
			open = i == 0 && at <= most || i > 0 && strings.IndexByte(" ([", before[i-1]) >= 0
		}
	}
	return open
}

// isFarUnit reports whether a letter that is a word after a space is a unit after all: the
// number at its end has a fraction, 10,9 s, or the clause ends after it.
func (s *scan) isFarUnit(sign string, at, end int) bool {
	if len(sign) != 1 || sign[0] < 'a' {
		return false
	}
	if c := s.peekAt(end); c == ',' || c == ';' || c == ')' || c == '.' && s.endsSentence(end) {
		return true
	}
	at = digitsStart(s.text, at)
	return at > 1 && (s.text[at-1] == ',' || s.text[at-1] == '.') && isDigit(s.text[at-2])
}

// readMarks reads minutes and seconds that marks tell.
func (v *voice) readMarks(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end-s.at > 3 || end == len(s.text) || s.at > 0 && strings.IndexByte("'.,", s.text[s.at-1]) >= 0 {
		return false
	}
	first := amount{whole: itoa(atoi(s.text[s.at:end]))}
	minutes, seconds := s.minuteMark(end), s.secondMark(end)
	switch {
	case minutes > 0:
		at := end + minutes
		at += gap(s.text, at)
		next := s.run(at, isDigit)
		if n := s.secondMark(next); n > 0 && next > at && next-at <= 2 && atoi(s.text[at:next]) < 60 {
			return v.sayMarked(s, []part{{first, 'm'}, {amount{whole: itoa(atoi(s.text[at:next]))}, 's'}}, next+n)
		}
		if !s.lastsMinutes(end, minutes) {
			return false
		}
		return v.sayLength(s, []part{{first, 'm'}}, end+minutes)
	case seconds > 0 && end-s.at <= 2 && !s.quoted(end):
		if at := end + seconds; s.run(at, isDigit) > at && s.run(at, isDigit) <= at+2 {
			return v.sayMarked(s, []part{{first, 's'}}, at)
		}
	}
	return false
}

// sayMarked says parts whose last are seconds, and the hundredths after their mark.
func (v *voice) sayMarked(s *scan, parts []part, end int) bool {
	if !v.sayLength(s, parts, end) {
		return false
	}
	last := s.run(end, isDigit)
	if last == end || last > end+2 {
		return true
	}
	if v.clock.last != "" {
		v.say(s, v.clock.last)
	}
	s.at = last
	return v.count(s, amount{whole: s.text[end:last]}, 0)
}

// minuteMark and secondMark are the lengths of such a mark at a place, 0 where there is none.
func (s *scan) minuteMark(at int) int {
	for _, mark := range []string{"′", "'", "’"} {
		if strings.HasPrefix(s.text[min(at, len(s.text)):], mark) && !strings.HasPrefix(s.text[at+len(mark):], mark) {
			return len(mark)
		}
	}
	return 0
}

func (s *scan) secondMark(at int) int {
	for _, mark := range []string{"″", `"`, "''", "’’", "”"} {
		if strings.HasPrefix(s.text[min(at, len(s.text)):], mark) {
			return len(mark)
		}
	}
	return 0
}

// lastsMinutes reports whether the mark after a number is one of minutes and ends no
// quotation and begins no ending.
func (s *scan) lastsMinutes(at, size int) bool {
	next, _ := utf8.DecodeRuneInString(s.text[at+size:])
	if inWord(next) || s.at > 0 && s.text[s.at-1] != ' ' && s.text[s.at-1] != '(' {
		return false
	}
	if size > 1 && s.text[at:at+size] == "′" {
		return true
	}
	const most = 300
	before := " " + s.text[max(0, s.at-most):s.at]
	return !strings.Contains(before, " '") && !strings.Contains(before, "‘") && !strings.Contains(before, "(’")
}
