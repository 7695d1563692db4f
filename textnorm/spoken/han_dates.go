package spoken

import (
	"strings"
	"unicode/utf8"
)

// readDate reads 2020-05-03, 2020/5/3, 2020.5.3, 5/3/2020, 2020-05, 20200503 and
// the 5/3 before a weekday in brackets.
func (h *han) readDate(s *scan) bool {
	if s.at > 0 && strings.IndexByte("./-:", s.text[s.at-1]) >= 0 && s.at > 1 && isDigit(s.text[s.at-2]) {
		return false
	}
	end := s.run(s.at, isDigit)
	first := s.text[s.at:end]
	mark := s.peekAt(end)
	if len(first) == 8 && s.dateEnds(end, 0) && mark != '.' && mark != ',' && isDate(first[:4], first[4:6], first[6:]) {
		return h.sayDate(s, first[:4], first[4:6], first[6:], end)
	}
	if mark != '-' && mark != '/' && mark != '.' {
		return false
	}
	parts, end := s.numbersBy(s.at, mark)
	switch {
	case len(parts) == 3 && !s.dateEnds(end, mark):
	case len(parts) == 3 && isDate(parts[0], parts[1], parts[2]):
		return h.sayDate(s, parts[0], parts[1], parts[2], end)
	case len(parts) == 3 && mark != '.' && isDate(parts[2], parts[0], parts[1]):
		return h.sayDate(s, parts[2], parts[0], parts[1], end)
	case len(parts) == 3 && isDate(parts[2], parts[1], parts[0]):
		return h.sayDate(s, parts[2], parts[1], parts[0], end)
	case len(parts) == 2 && mark == '/' && len(parts[1]) == 2 && isDate(parts[0], "1", "1") && h.seasons.begin(s.text[end:]):
		h.count(s, amount{whole: parts[0]}, "", h.year)
		h.say(s, h.to)
		return h.cutYear(s, parts[1]) && s.to(end)
	case len(parts) == 2 && mark != '.' && s.dateEnds(end, mark) && len(parts[1]) == 2 && (mark == '/' || len(parts[0]) == 4 && parts[0][2:] >= parts[1]) && isDate(parts[0], parts[1], "1") && !strings.HasPrefix(s.text[end:], "年"):
		return h.sayDate(s, parts[0], parts[1], "", end)
	case len(parts) == 2 && mark == '-' && len(parts[1]) == 2 && len(parts[0]) == 2 && parts[0][0] == '0' && s.dateEnds(end, mark) && isDate("2000", parts[0], parts[1]):
		return h.sayDate(s, "", parts[0], parts[1], end) // 05-03
	case len(parts) == 2 && mark != '-' && isDate("2000", parts[0], parts[1]) && h.weekdayAt(s.text[end:]) != 0:
		return h.sayDate(s, "", parts[0], parts[1], end)
	}
	return false
}

// isDate reports whether digits are a year of four, a month and a day.
func isDate(year, month, day string) bool {
	if len(year) != 4 || len(month) > 2 || len(day) > 2 {
		return false
	}
	m, d := atoi(month), atoi(day)
	return year[0] >= '1' && year[0] <= '2' && m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// dateEnds: no letter of the ASCII, digit or further part follows a place.
func (s *scan) dateEnds(at int, mark byte) bool {
	c := s.peekAt(at)
	if c == 'T' {
		return isDigit(s.peekAt(at + 1))
	}
	return !isLetter(c) && !isDigit(c) && (c != mark || mark == 0 || !isDigit(s.peekAt(at+1)))
}

func (h *han) sayDate(s *scan, year, month, day string, end int) bool {
	if year != "" {
		h.count(s, amount{whole: year}, "", h.year)
		h.say(s, h.year)
	}
	h.speak(s, month)
	h.say(s, h.month)
	if day != "" {
		h.speak(s, day)
		h.say(s, h.day)
	}
	if s.at = end; s.peek(0) == 'T' && isDigit(s.peek(1)) {
		s.at++
	}
	return true
}

// weekdayAt is the weekday that stands in brackets at the beginning of a text, 0 for none.
func (h *han) weekdayAt(text string) rune {
	for _, open := range []string{"(", "（"} {
		rest, ok := strings.CutPrefix(text, open)
		if !ok {
			continue
		}
		for _, lead := range []string{"周", "週", "星期", "礼拜", "禮拜"} {
			rest = strings.TrimPrefix(rest, lead)
		}
		r, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		if strings.ContainsRune(h.weekdays, r) && (strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "）") || strings.HasPrefix(rest, "曜") || strings.HasPrefix(rest, "・")) {
			return r
		}
	}
	return 0
}

// readTime reads 10:30, 14:20:36 and 1:30.5, with AM or PM on either side.
func (h *han) readTime(s *scan) bool {
	if c := s.peekAt(s.run(s.at, isDigit)); c != ':' && c != ' ' && !isLetter(c) {
		return false
	}
	parts, end := s.numbersBy(s.at, ':')
	if len(parts) == 1 && len(parts[0]) <= 2 && s.at < 1 || len(parts) == 1 && len(parts[0]) <= 2 && !isLetter(s.text[s.at-1]) && s.text[s.at-1] != '.' {
		return h.readHour(s, parts[0], end)
	}
	if len(parts) < 2 || len(parts) > 3 || s.at > 0 && s.text[s.at-1] == ':' || s.at > 1 && s.text[s.at-1] == '.' && isDigit(s.text[s.at-2]) || s.peekAt(end) == ':' && isDigit(s.peekAt(end+1)) {
		return false
	}
	if len(parts[0]) > 2 || len(parts[1]) != 2 || parts[1][0] > '5' || len(parts) == 3 && (len(parts[2]) != 2 || parts[2][0] > '5') {
		return false
	}
	hour := atoi(parts[0])
	tenths := s.peekAt(end) == '.' && isDigit(s.peekAt(end+1))
	if tenths || len(parts) == 3 && hour > 29 {
		return h.readLap(s, parts, end)
	}
	if hour > 24 && (h.code == "zh" || hour > 29) || len(parts) == 2 && h.scored(s, end) {
		return false
	}
	half, after := h.halfOfDay(s, end)
	h.say(s, half)
	h.count(s, amount{whole: trimZeros(parts[0])}, "", h.hour)
	h.say(s, h.hour)
	minute := atoi(parts[1])
	if minute > 0 || len(parts) == 3 && parts[2] != "00" {
		if minute < 10 {
			h.say(s, h.noMinutes)
		}
		h.speak(s, trimZeros(parts[1]))
		h.say(s, h.minute)
	}
	if len(parts) == 3 && parts[2] != "00" {
		h.speak(s, trimZeros(parts[2]))
		h.say(s, h.second)
	}
	s.at = after
	return true
}

// readHour reads 9am.
func (h *han) readHour(s *scan, digits string, end int) bool {
	half, after := h.halfOfDay(s, end)
	if half == "" || atoi(digits) > 12 {
		return false
	}
	h.say(s, half)
	h.count(s, amount{whole: trimZeros(digits)}, "", h.hour)
	h.say(s, h.hour)
	s.at = after
	return true
}

func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}

// readLap reads minutes and seconds that were taken.
func (h *han) readLap(s *scan, parts []string, end int) bool {
	last := s.run(end+1, isDigit)
	if s.peekAt(end) != '.' || last == end+1 {
		last = end
	}
	names := []string{h.hour, h.minute}[3-len(parts):]
	if h.code == "zh" && len(parts) == 3 {
		names[0] = "小时"
	}
	for i, p := range parts[:len(parts)-1] {
		h.speak(s, trimZeros(p))
		h.say(s, names[i])
	}
	h.speak(s, trimZeros(parts[len(parts)-1])+s.text[end:last])
	h.say(s, h.second)
	s.at = last
	return true
}

// halfOfDay is the word for AM or PM after a time that ends at a place, and where
// it ends.
func (h *han) halfOfDay(s *scan, end int) (words string, after int) {
	at := end + gap(s.text, end)
	n := halfAt(s.text[at:])
	if n == 0 || isLetter(s.peekAt(at+n)) {
		return "", end
	}
	after = at + n
	if s.peekAt(after) == ' ' && isHan(firstOf(s.text[after+1:])) {
		after++
	}
	if s.text[at]|0x20 == 'a' {
		return h.am, after
	}
	return h.pm, after
}

// halfAt is the length of AM, p.m. at the beginning of a text, 0 for none.
func halfAt(text string) int {
	for _, form := range []string{"am", "pm", "a.m.", "p.m.", "AM", "PM", "A.M.", "P.M."} {
		if strings.HasPrefix(text, form) {
			return len(form)
		}
	}
	return 0
}

// readHalf reads AM and PM before a time.
func (h *han) readHalf(s *scan) bool {
	n := halfAt(s.rest())
	if n == 0 || s.at > 0 && isLetter(s.text[s.at-1]) {
		return false
	}
	at := s.at + n + gap(s.text, s.at+n)
	end := s.run(at, isDigit)
	if end == at || end-at > 2 || s.peekAt(end) != ':' && !strings.HasPrefix(s.text[end:], h.hour) || s.peekAt(end) == ':' && !isDigit(s.peekAt(end+1)) {
		return false
	}
	if s.text[s.at]|0x20 == 'a' {
		h.say(s, h.am)
	} else {
		h.say(s, h.pm)
	}
	s.at = at
	return true
}
