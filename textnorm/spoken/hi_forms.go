package spoken

import (
	"strings"
	"unicode/utf8"
)

// hiDate reads 3/5/2020 and "26 जनवरी, 1950".
func hiDate(s *scan) bool {
	if day, month, year, end := s.dateShape(s.at); end > 0 && s.end(end) {
		s.cardinal(itoa(day))
		s.say(hiTables().months[month-1])
		s.at = end
		return s.hiYearSay(year)
	}
	end := s.run(s.at, isDigit)
	month, at := s.hiNext(end)
	if end-s.at > 2 || atoi(s.text[s.at:end]) > 31 || !hiTables().monthOf.has(month) {
		return false
	}
	comma := at < len(s.text) && s.text[at] == ','
	if comma {
		at++
	}
	n := gap(s.text, at)
	last := s.run(at+n, isDigit)
	year := s.text[min(at+n, len(s.text)):last]
	if n == 0 || !hiIsYear(year) || !s.end(last) || last+1 < len(s.text) && strings.IndexByte(".,:/-", s.text[last]) >= 0 && isDigit(s.text[last+1]) {
		return false
	}
	s.cardinal(itoa(atoi(s.text[s.at:end])))
	s.say(month)
	if comma {
		s.out = append(s.out, ',')
	}
	s.hiYearSay(year)
	s.at = last
	return s.hiEra() && s.arGap()
}

// hiTime reads 10:30, 10.30 बजे, 9:05 AM, 10 a.m.
func hiTime(s *scan) bool {
	hour, minute, second, end := s.hiClockAt()
	if end == 0 {
		return false
	}
	half, next := s.hiHalf(end)
	if !s.end(end) && next == end {
		return false
	}
	end = next
	if before, _ := s.arBack(s.at); half != 0 && !hiTables().days.has(before) {
		s.say(hiPartOfDay(half, atoi(hour)))
	}
	s.hiClock(hour, minute, second)
	s.at = end
	word, last := s.hiNext(end)
	whole := minute == "00" && second == ""
	if word == "बजे" {
		s.at = last
		if word, _ = s.hiNext(last); !whole && !hiTables().posts.has(word) && !strings.HasPrefix(s.text[last:], "-") {
			s.say("पर")
		}
	}
	if mark := s.dash(end); mark > 0 {
		if _, _, _, more := s.clockShape(end + mark); more > 0 {
			s.say("से")
			s.out = append(s.out, ' ')
			s.at = end + mark
			return true
		}
	}
	return s.arGap()
}

// hiClockAt is the time at s.at: with a colon, a full stop before the word for
// o'clock, or hours alone before AM or PM.
func (s *scan) hiClockAt() (hour, minute, second string, end int) {
	if hour, minute, second, end = s.clockShape(s.at); end > 0 {
		return hour, minute, second, end
	}
	dot := s.run(s.at, isDigit)
	if hour = itoa(atoi(s.text[s.at:min(dot, s.at+2)])); dot > s.at+2 || atoi(hour) > 24 {
		return "", "", "", 0
	}
	if half, _ := s.hiHalf(dot); half != 0 && atoi(hour) <= 12 {
		return hour, "00", "", dot
	}
	last := s.run(min(dot+1, len(s.text)), isDigit)
	if next, _ := s.hiNext(last); dot >= len(s.text) || s.text[dot] != '.' || next != "बजे" || last != dot+3 || s.text[dot+1:last] > "59" {
		return "", "", "", 0
	}
	return hour, s.text[dot+1 : last], "", last
}

// hiHalf is the letter of AM or PM after a time, and where it ends.
func (s *scan) hiHalf(at int) (half byte, end int) {
	next := at + gap(s.text, at)
	for _, form := range []string{"a.m.", "p.m.", "AM", "PM", "am", "pm", "A.M.", "P.M.", "एएम", "पीएम"} {
		if strings.HasPrefix(s.text[next:], form) && (strings.HasSuffix(form, ".") || s.end(next+len(form))) {
			if half = form[0] | 0x20; form[0] == 0xE0 {
				half = map[bool]byte{true: 'a', false: 'p'}[form == "एएम"]
			}
			return half, next + len(form)
		}
	}
	return 0, at
}

// hiPartOfDay is the word for the part of the day of an hour.
func hiPartOfDay(half byte, hour int) string {
	switch hour %= 12; {
	case half == 'a' && hour < 4:
		return "रात"
	case half == 'a':
		return "सुबह"
	case hour < 4:
		return "दोपहर"
	case hour < 8:
		return "शाम"
	}
	return "रात"
}

// hiClock says a time: so many hours struck, and minutes.
func (s *scan) hiClock(hour, minute, second string) {
	s.cardinal(hour)
	if minute == "00" && second == "" {
		s.say("बजे")
		return
	}
	s.say("बजकर")
	s.cardinal(itoa(atoi(minute)))
	s.say("मिनट")
	if second != "" && second != "00" {
		s.cardinal(itoa(atoi(second)))
		s.say("सेकंड")
	}
}

// hiVersion reads 1.2.3 and 192.168.0.1.
func hiVersion(s *scan) bool {
	const most = 20 // of a line of nothing else each number looks at those after it
	at, parts := s.at, []string(nil)
	for {
		end := s.run(at, isDigit)
		parts = append(parts, s.text[at:end])
		if at = end; at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1]) || len(parts) == most {
			break
		}
		at++
	}
	if len(parts) < 3 {
		return false
	}
	for i, part := range parts {
		if i > 0 {
			s.say("डॉट")
		}
		s.hiSay(amount{whole: part})
	}
	s.at = at
	return s.arGap()
}

// hiFraction reads 3/4, 2 1/2 and 2½.
func hiFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if at := end + gap(s.text, end); at < len(s.text) && s.text[at] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s.text[at:])
		if f, ok := vulgar[r]; ok && len(whole) <= 6 {
			return s.hiMixed(whole, f[0], f[1], at+n)
		}
	}
	whole, top, bottom, last, ok := s.stroke(3)
	if !ok {
		return false
	}
	if bottom == "" || len(top) > 4 || len(bottom) > 4 || top[0] == '0' || atoi(bottom) < 2 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	return s.hiMixed(whole, top, bottom, last)
}

// hiMixed says a whole number, if any, and a fraction, and what they measure.
func (s *scan) hiMixed(whole, top, bottom string, end int) bool {
	s.at = end
	next, _ := s.hiNext(end)
	s.hiParted(strings.TrimLeft(whole, "0"), top, bottom, hiIsFeminine(next))
	if unit, last := s.hiUnit(end); last > end {
		s.say(unit)
		s.at = last
	}
	return s.arGap()
}

// hiParted says a fraction: halves and quarters of more than one have words of
// their own.
func (s *scan) hiParted(whole, top, bottom string, feminine bool) {
	switch part := top + "/" + bottom; {
	case whole == "" && oneOf(part, "24/7 26/11 9/11"):
		s.cardinal(top)
		s.cardinal(bottom)
	case whole == "" && part == "1/2" && feminine:
		s.say("आधी")
	case whole == "" && part == "1/2":
		s.say("आधा")
	case whole == "1" && part == "1/2":
		s.say("डेढ़")
	case whole == "2" && part == "1/2":
		s.say("ढाई")
	case whole == "1" && part == "1/4":
		s.say("सवा")
	case whole != "" && part == "1/2":
		s.say("साढ़े")
		s.cardinal(whole)
	case whole != "" && part == "1/4":
		s.say("सवा")
		s.cardinal(whole)
	case whole != "" && part == "3/4":
		s.say("पौने")
		s.cardinal(itoa(atoi(whole) + 1))
	default:
		if whole != "" {
			s.cardinal(whole)
			s.say("सही")
		}
		s.cardinal(top)
		if name := hiTables().parts[bottom]; name != "" {
			s.say(name)
			return
		}
		s.say("बटा")
		s.cardinal(bottom)
	}
}

// hiSign reads what stands in front of a number: -5, +4, ~20, #7, ½.
func hiSign(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		return s.hiMixed("", f[0], f[1], s.at+n)
	}
	clear := s.at == 0 || strings.IndexByte(" ([\"'=<>", s.text[s.at-1]) >= 0
	if !clear || !isDigit(s.peek(n)) {
		return false
	}
	words := map[rune]string{'-': "माइनस", '−': "माइनस", '–': "माइनस", '+': "प्लस", '~': "लगभग", '≈': "लगभग", '#': "नंबर"}[r]
	if words == "" {
		return false
	}
	s.say(words)
	s.out = append(s.out, ' ')
	s.at += n
	return true
}
