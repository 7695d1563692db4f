package spoken

import "strings"

// Shapes are what is written the same way in many languages: hours, days and
// telephone numbers in digits. How they are said is the language's own.

// clockShape is 10:30 or 10:30:15 at a place; end is 0 where there is no time.
func (s *scan) clockShape(at int) (hour, minute, second string, end int) {
	colon := s.run(at, isDigit)
	if colon == at || colon-at > 2 || colon >= len(s.text) || s.text[colon] != ':' || s.text[at:colon] > "24" && colon-at == 2 {
		return "", "", "", 0
	}
	end = s.run(colon+1, isDigit)
	hour, minute = s.text[at:colon], s.text[colon+1:end]
	if len(minute) != 2 || minute > "59" {
		return "", "", "", 0
	}
	if end < len(s.text) && s.text[end] == ':' {
		last := s.run(end+1, isDigit)
		if second = s.text[end+1 : last]; len(second) != 2 || second > "59" {
			return "", "", "", 0
		}
		end = last
	}
	if end+1 < len(s.text) && (s.text[end] == ':' || s.text[end] == '.') && isDigit(s.text[end+1]) {
		return "", "", "", 0
	}
	return itoa(atoi(hour)), minute, second, end
}

// dateShape is 3/5/2020, 03.05.2020, 2020-05-03 or 3/5/20 at a place, the day in
// front of the month where both may be; end is 0 where there is no date.
func (s *scan) dateShape(at int) (day, month int, year string, end int) {
	first := s.run(at, isDigit)
	if first == at || first-at > 4 || first >= len(s.text) || strings.IndexByte("/-.", s.text[first]) < 0 {
		return 0, 0, "", 0
	}
	mark := s.text[first]
	second := s.run(first+1, isDigit)
	if second == first+1 || second-first > 3 || second >= len(s.text) || s.text[second] != mark {
		return 0, 0, "", 0
	}
	end = s.run(second+1, isDigit)
	if end-second > 5 || end+1 < len(s.text) && s.text[end] == mark && isDigit(s.text[end+1]) {
		return 0, 0, "", 0
	}
	a, b, c := s.text[at:first], s.text[first+1:second], s.text[second+1:end]
	if len(a) == 4 {
		a, c = c, a
	}
	if len(c) == 2 && mark != '.' && len(a) == 2 && len(b) == 2 {
		c = map[bool]string{true: "20", false: "19"}[c < "50"] + c
	}
	if len(a) > 2 || a == "" || len(b) > 2 || len(c) != 4 || c[0] == '0' {
		return 0, 0, "", 0
	}
	if day, month = atoi(a), atoi(b); month > 12 && day <= 12 {
		day, month = month, day
	}
	if day < 1 || day > 31 || month < 1 || month > 12 {
		return 0, 0, "", 0
	}
	return day, month, c, end
}

// phoneShape is the groups of digits of what may be a telephone number at s.at.
func (s *scan) phoneShape() (groups []string, form string, end int) {
	at := s.at
	if s.text[at] == '+' {
		at++
	}
	const most = 7
	for at < len(s.text) && len(groups) < most {
		open := s.text[at] == '('
		if open {
			at++
		}
		last := s.run(at, isDigit)
		if last == at || last-at > 14 {
			break
		}
		groups = append(groups, s.text[at:last])
		if at = last; open {
			if at >= len(s.text) || s.text[at] != ')' {
				return nil, "", 0
			}
			at++
		}
		end = at
		next := at
		if n := gap(s.text, at); n > 0 {
			next += n
		} else if at < len(s.text) && s.text[at] == '-' {
			next++
		}
		if next >= len(s.text) || next == at && !open || !isDigit(s.text[next]) && s.text[next] != '(' {
			break
		}
		at = next
	}
	if len(groups) == 0 || !s.end(end) {
		return nil, "", 0
	}
	return groups, s.text[s.at:end], end
}

// isPhoneShape reports whether groups of digits are dialled: a country code, a
// zero in front, brackets or hyphens, or labelled: a word before them says so.
func isPhoneShape(groups []string, form string, labelled bool) bool {
	total := 0
	for _, g := range groups {
		total += len(g)
	}
	if total < 6 || total > 15 {
		return false
	}
	switch {
	case labelled:
		return true
	case form[0] == '+':
		return len(groups) >= 2 || total >= 10
	case strings.HasPrefix(groups[0], "0"):
		return len(groups[0]) >= 2 && (len(groups) > 1 && total >= 8 || total >= 9)
	case groups[0] == "1800" && len(groups) > 1: // free of charge
		return total >= 9
	case strings.Contains(form, "("):
		return total >= 8
	case strings.Contains(form, "-"):
		return len(groups) >= 3 && total >= 9
	}
	return false
}

// sayGroups says groups of digits one by one with a mark between them.
func (s *scan) sayGroups(groups []string, mark string) bool {
	for i, g := range groups {
		if i > 0 {
			s.out = append(s.out, mark...)
		}
		if !s.digits(g) {
			return false
		}
	}
	return true
}

// times reads the x between two numbers: 3x4.
func (s *scan) times(word string) bool {
	at := s.at + gap(s.text, s.at)
	next := at + 1
	if at >= len(s.text) || s.text[at] != 'x' {
		return false
	}
	if next += gap(s.text, next); next >= len(s.text) || !isDigit(s.text[next]) {
		return false
	}
	s.say(word)
	s.out = append(s.out, ' ')
	s.at = next
	return true
}

// anyLength is more digits than any text has.
const anyLength = 1 << 30

// stroke takes two numbers with a stroke between them apart, with a whole number of
// at most so many digits and a space before them, if one stands there: 3/4, 2 1/2.
func (s *scan) stroke(digits int) (whole, top, bottom string, last int, ok bool) {
	at, end := s.at, s.run(s.at, isDigit)
	if over := s.run(min(end+1, len(s.text)), isDigit); end+1 < over && s.text[end] == ' ' && over < len(s.text) && s.text[over] == '/' && end-at <= digits {
		whole, at, end = s.text[at:end], end+1, over
	}
	if end >= len(s.text) || s.text[end] != '/' {
		return "", "", "", 0, false
	}
	last = s.run(end+1, isDigit)
	return whole, s.text[at:end], s.text[end+1 : last], last, true
}
