package spoken

import (
	"bytes"
	"strings"

	"voxpack/textnorm/numbers"
)

// enMonthDate reads "March 3, 2020", "March 3rd", "March 2020", "Sept. 11".
func enMonthDate(s *scan) bool {
	word := s.word(s.at)
	month := enTables().monthOf[word]
	at := s.at + len(word)
	if month == 0 {
		if month = enTables().monthShort[word]; month == 0 {
			return false
		}
		if at < len(s.text) && s.text[at] == '.' {
			at++
		} else if at+1 >= len(s.text) || s.text[at] != ' ' || !isDigit(s.text[at+1]) {
			return false
		}
	}
	if at >= len(s.text) || s.text[at] != ' ' {
		if s.text[at-1] == '.' { // an abbreviation alone
			s.say(enTables().months[month-1])
			s.at = at - 1
			s.stop(true)
			return true
		}
		return false
	}
	day, next := s.day(at + 1)
	if day == "" {
		if year, end := s.yearAt(at + 1); year != "" {
			s.say(enTables().months[month-1])
			s.at = end
			return s.year(year)
		}
		if s.text[at-1] == '.' || word != enTables().months[month-1] {
			s.say(enTables().months[month-1])
			s.at = at
			return s.text[at-1] == '.'
		}
		return false
	}
	s.say(enTables().months[month-1])
	if !s.number(numbers.Ordinal, "", day) {
		return false
	}
	s.at = next
	if mark := s.dash(next); mark > 0 { // June 6-8
		if last, end := s.day(next + mark); last != "" {
			s.say("to")
			s.number(numbers.Ordinal, "", last)
			s.at = end
		}
	}
	s.commaYear()
	return true
}

// year says a year in pairs; "oh" and what follows are two words.
func (s *scan) year(digits string) bool {
	from := len(s.out)
	if !s.number(numbers.Year, "", digits) {
		return false
	}
	if at := bytes.Index(s.out[from:], []byte("oh-")); at >= 0 {
		s.out[from+at+2] = ' '
	}
	return true
}

// day is a day of a month at a place, with or without the ending of an ordinal,
// and where it ends; not the beginning of a time, a range or a larger number.
func (s *scan) day(at int) (digits string, end int) {
	end = s.run(at, isDigit)
	digits = s.text[at:end]
	if len(digits) == 0 || len(digits) > 2 || atoi(digits) < 1 || atoi(digits) > 31 {
		return "", at
	}
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(s.text[end:], suffix) && s.end(end+2) {
			return digits, end + 2
		}
	}
	if !s.end(end) || end+1 < len(s.text) && strings.IndexByte(":.,/", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return "", at
	}
	return digits, end
}

// yearAt is a year of four digits at a place.
func (s *scan) yearAt(at int) (digits string, end int) {
	end = s.run(at, isDigit)
	if end-at != 4 || s.text[at] == '0' || !s.end(end) || end+1 < len(s.text) && strings.IndexByte(":.,/", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return "", at
	}
	return s.text[at:end], end
}

// commaYear reads ", 2020" or " 2020" after a day.
func (s *scan) commaYear() {
	at := s.at
	if s.peek(0) == ',' {
		at++
	}
	if at < len(s.text) && s.text[at] == ' ' {
		if year, end := s.yearAt(at + 1); year != "" {
			s.out = append(s.out, ',')
			if s.year(year) {
				s.at = end
			}
		}
	}
}

// enDate reads 3/14/2020, 2020-03-14, 14.3.2020 and "3 March 2020".
func enDate(s *scan) bool {
	first := s.run(s.at, isDigit)
	if first-s.at > 4 || first >= len(s.text) {
		return false
	}
	mark := s.text[first]
	if first-s.at <= 2 || mark != ' ' {
		if mark == '/' || mark == '-' || mark == '.' {
			return s.dateInDigits(first, mark)
		}
	}
	day, at := s.day(s.at)
	if day == "" || at >= len(s.text) || s.text[at] != ' ' {
		return false
	}
	next := at + 1
	if strings.HasPrefix(s.text[next:], "of ") {
		next += 3
	}
	word := s.word(next)
	month := enTables().monthOf[word]
	if month == 0 {
		month = enTables().monthShort[word]
	}
	end := next + len(word)
	if month == 0 || !s.end(end) || word == "May" && next == at+1 && !enMayIsMonth(s, end) {
		return false
	}
	if s.before() != "the" && s.before() != "The" {
		s.say("the")
	}
	if !s.number(numbers.Ordinal, "", day) {
		return false
	}
	s.say("of " + enTables().months[month-1])
	s.at = end
	if s.peek(0) == '.' && enTables().monthOf[word] == 0 {
		s.stop(true)
	}
	s.commaYear()
	return true
}

// enMayIsMonth: "3 May 2020", "3 May," and not "section 3 may".
func enMayIsMonth(s *scan, end int) bool {
	year, _ := s.yearAt(min(end+1, len(s.text)))
	return year != "" || end >= len(s.text) || s.text[end] != ' '
}

// dateInDigits reads three numbers with one mark between them.
func (s *scan) dateInDigits(first int, mark byte) bool {
	second := s.run(first+1, isDigit)
	if second == first+1 || second >= len(s.text) || s.text[second] != mark {
		return false
	}
	third := s.run(second+1, isDigit)
	if third == second+1 || !s.end(third) {
		return false
	}
	a, b, c := s.text[s.at:first], s.text[first+1:second], s.text[second+1:third]
	year, month, day := c, a, b
	switch {
	case len(a) == 4 && len(b) <= 2 && len(c) <= 2:
		year, month, day = a, b, c
	case len(c) != 4 && (len(c) != 2 || mark != '/') || len(a) > 2 || len(b) > 2:
		return false
	case mark == '.' || atoi(a) > 12:
		month, day = b, a
	}
	if m, d := atoi(month), atoi(day); m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	if len(year) == 2 {
		if atoi(year) < 50 {
			year = "20" + year
		} else {
			year = "19" + year
		}
	}
	s.say(enTables().months[atoi(month)-1])
	if !s.number(numbers.Ordinal, "", itoa(atoi(day))) {
		return false
	}
	s.out = append(s.out, ',')
	s.at = third
	return s.year(year)
}

// enTime reads 10:30, 10:30:15, 7pm, 10.30 a.m.
func enTime(s *scan) bool {
	end := s.run(s.at, isDigit)
	hour := s.text[s.at:end]
	if len(hour) > 2 || atoi(hour) > 24 {
		return false
	}
	minute, second := "", ""
	if end < len(s.text) && (s.text[end] == ':' || s.text[end] == '.') {
		next := s.run(end+1, isDigit)
		if next == end+3 && atoi(s.text[end+1:next]) < 60 {
			minute = s.text[end+1 : next]
			if s.text[end] == '.' {
				if half, _ := s.half(next); half == "" {
					return false
				}
			}
			end = next
			if end+2 < len(s.text) && s.text[end] == ':' && s.run(end+1, isDigit) == end+3 && atoi(s.text[end+1:end+3]) < 60 {
				second, end = s.text[end+1:end+3], end+3
			}
		}
	}
	half, after := s.half(end)
	if minute == "" && half == "" || !s.end(after) || minute != "" && end < len(s.text) && s.text[end] == ':' && end+1 < len(s.text) && isDigit(s.text[end+1]) {
		return false
	}
	s.cardinal(itoa(atoi(hour)))
	switch {
	case minute == "" || minute == "00" && half != "":
	case minute == "00" && second == "" && atoi(hour) <= 12 && atoi(hour) > 0:
		s.say("o'clock")
	case minute == "00":
		s.say("hundred")
	case minute[0] == '0':
		s.say("oh")
		s.cardinal(minute[1:])
	default:
		s.cardinal(minute)
	}
	if second != "" {
		s.say("and")
		s.cardinal(itoa(atoi(second)))
		s.say("seconds")
	}
	s.at = end
	if half != "" {
		s.say(half)
		s.at = after
	}
	if mark := s.dash(s.at); mark > 0 && isDigit(s.peek(mark)) {
		s.toNext(mark)
		return true
	}
	if half != "" && s.text[after-1] == '.' && s.sentenceEnd(after-1) {
		s.out = append(s.out, '.')
	}
	return true
}

// half is the half of the day at a place, spelled, and where it ends.
func (s *scan) half(at int) (words string, end int) {
	next := at
	if next < len(s.text) && s.text[next] == ' ' {
		next++
	}
	rest := s.text[next:]
	for _, h := range []string{"a.m.", "p.m.", "A.M.", "P.M.", "am", "pm", "AM", "PM", "a.m", "p.m"} {
		if strings.HasPrefix(rest, h) && s.end(next+len(h)) {
			return h[:1] + " " + strings.Trim(h[1:], ".")[:1], next + len(h)
		}
	}
	return "", at
}

// behindMinutes: the 30s of "2min 30s" are no decade.
func (s *scan) behindMinutes() bool {
	switch strings.TrimLeft(s.before(), "0123456789") {
	case "min", "mins", "m", "minutes", "minute":
		return true
	}
	return false
}

// enDecade reads 1990s, '90s, 80's.
func enDecade(s *scan) bool {
	at := s.at
	short := false
	for _, mark := range []string{"'", "’", "‘"} {
		if strings.HasPrefix(s.text[at:], mark) {
			at += len(mark)
			short = true
		}
	}
	end := s.run(at, isDigit)
	digits := s.text[at:end]
	if len(digits) != 4 && len(digits) != 2 || digits[len(digits)-1] != '0' || short && len(digits) != 2 {
		if short && len(digits) == 2 && s.end(end) { // '76
			s.at = end
			if digits[0] == '0' {
				s.say("oh")
				digits = digits[1:]
			}
			return s.cardinal(digits)
		}
		return false
	}
	rest := s.text[end:]
	switch {
	case strings.HasPrefix(rest, "'s"):
		end += 2
	case strings.HasPrefix(rest, "s") && (len(digits) == 4 || short):
		end++
	default:
		return false
	}
	return s.end(end) && s.decade(digits, end)
}

// decade says twenty, nineteen twenty or two thousand in the plural.
func (s *scan) decade(digits string, end int) bool {
	if len(digits) == 4 {
		if digits[1:] == "000" {
			s.cardinal(digits)
			s.out = append(s.out, 's')
			s.at = end
			return true
		}
		s.cardinal(digits[:2])
		digits = digits[2:]
	}
	s.space()
	s.out = append(s.out, map[string]string{"00": "hundreds", "10": "tens", "20": "twenties", "30": "thirties", "40": "forties", "50": "fifties", "60": "sixties", "70": "seventies", "80": "eighties", "90": "nineties"}[digits]...)
	s.at = end
	return true
}
