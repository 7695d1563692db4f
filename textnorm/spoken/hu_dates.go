package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// readDate reads 2020. május 3-án, 2020.05.03., 1848. III. 15., 05.03. and the day
// after the name of a month.
func (h hu) readDate(s *scan) bool {
	if h.monthBefore(s) {
		return h.readDay(s, s.at)
	}
	end := s.run(s.at, isDigit)
	year := s.text[s.at:end]
	switch {
	case len(year) == 4 && year[0] != '0' && end+1 < len(s.text) && strings.IndexByte(".-/", s.text[end]) >= 0:
		return h.dateInDigits(s, year, end) || s.text[end] == '.' && h.yearOfMonth(s, year, end+1)
	case len(year) == 2 && end < len(s.text) && s.text[end] == '.':
		return h.monthInDigits(s, year, end)
	}
	return len(year) <= 2 && h.dayFirst(s, year, end)
}

// dateInDigits reads 2020.05.03., 2020. 05. 03-án, 2020-05-03.
func (h hu) dateInDigits(s *scan, year string, end int) bool {
	mark := s.text[end]
	at := end + 1
	if mark == '.' {
		at += gap(s.text, at)
	}
	next := s.run(at, isDigit)
	month := s.text[at:next]
	if len(month) == 0 || len(month) > 2 || next >= len(s.text) || s.text[next] != mark {
		return false
	}
	if next++; mark == '.' {
		next += gap(s.text, next)
	}
	last := s.run(next, isDigit)
	day := s.text[next:last]
	if len(day) == 0 || len(day) > 2 || !isDayMonth(day, month) || !s.end(last) || mark != '.' && last < len(s.text) && s.text[last] == mark && last+1 < len(s.text) && isDigit(s.text[last+1]) {
		return false
	}
	h.say2(s, amount{whole: year}, false)
	h.say(s, h.date.name[atoi(month)-1])
	return h.readDay(s, next)
}

// monthInDigits reads 05.03. and 05. 03-án: both with two digits.
func (h hu) monthInDigits(s *scan, month string, end int) bool {
	at := end + 1 + gap(s.text, end+1)
	last := s.run(at, isDigit)
	day := s.text[at:last]
	if len(day) != 2 || !isDayMonth(day, month) {
		return false
	}
	stopped := last < len(s.text) && s.text[last] == '.' && !(last+1 < len(s.text) && isDigit(s.text[last+1]))
	if ending, _ := h.endingAt(s, last); !stopped && (!strings.HasPrefix(ending, "á") && !strings.HasPrefix(ending, "é") || ending == "ért") {
		return false
	}
	h.say(s, h.date.name[atoi(month)-1])
	return h.readDay(s, at)
}

// dayFirst reads 03.05.2020 and 3/5/2020, as others write it.
func (h hu) dayFirst(s *scan, day string, end int) bool {
	if end >= len(s.text) || s.text[end] != '.' && s.text[end] != '/' {
		return false
	}
	next := s.run(end+1, isDigit)
	month := s.text[end+1 : next]
	if len(month) == 0 || len(month) > 2 || next >= len(s.text) || s.text[next] != s.text[end] || !isDayMonth(day, month) {
		return false
	}
	year, last := s.yearAt(next + 1)
	if year == "" {
		return false
	}
	h.say2(s, amount{whole: year}, false)
	h.say(s, h.date.name[atoi(month)-1])
	h.say(s, h.day(day, ""))
	s.at = last
	return true
}

// yearOfMonth reads the year before the name of a month or of a season: 2020.
// május; and its month where that is cut or in Roman digits.
func (h hu) yearOfMonth(s *scan, year string, end int) bool {
	at := end + gap(s.text, end)
	word := letters(s.text, at)
	if at == end || word == "" {
		return false
	}
	low, last := strings.ToLower(word), at+len(word)
	month := h.date.cut12[low]
	if month > 0 && last < len(s.text) && s.text[last] == '.' {
		last++
	} else if month = romanValue(word); month > 0 && month <= 12 && last+1 < len(s.text) && s.text[last] == '.' {
		last++
		if next := last + gap(s.text, last); next >= len(s.text) || !isDigit(s.text[next]) {
			month = 0
		}
	} else {
		month = 0
	}
	if month == 0 && !h.inMonth(low) && !(romanValue(word) > 0 && strings.HasPrefix(s.text[at+len(word):], ". ") && oneOf(letters(s.text, at+len(word)+2), "félév félévben félévi negyedév negyedévben negyedévi")) {
		return false
	}
	h.say2(s, amount{whole: year}, false)
	if s.at = end; month == 0 {
		return true
	}
	h.say(s, h.date.name[month-1])
	s.at = last
	if next := last + gap(s.text, last); next < len(s.text) && isDigit(s.text[next]) {
		if !h.readDay(s, next) {
			s.at = last
		}
	}
	return true
}

// inMonth reports whether a word is a month or a season, with any ending.
func (h hu) inMonth(word string) bool {
	for _, name := range h.date.name {
		if strings.HasPrefix(word, name) {
			return true
		}
	}
	for _, season := range []string{"tavasz", "nyár", "nyar", "ősz", "tél", "tel", "első", "második", "elején", "közepén", "végén"} {
		if strings.HasPrefix(word, season) {
			return true
		}
	}
	return false
}

// monthBefore reports whether the word before is a month.
func (h hu) monthBefore(s *scan) bool {
	word := s.before()
	if word == "" || len(word) > 12 {
		return false
	}
	low := strings.ToLower(word)
	if s.text[s.at-2] == '.' {
		return h.date.cut12[low] > 0
	}
	return h.date.aMonth[low]
}

// readDay reads the day of a month at a place: its ending, or a full stop.
func (h hu) readDay(s *scan, at int) bool {
	end := s.run(at, isDigit)
	day := s.text[at:end]
	if len(day) > 2 || !isDayMonth(day, "1") || !s.end(end) {
		return false
	}
	if ending, next := h.endingAt(s, end); ending != "" {
		h.say(s, h.dayWith(day, ending))
		s.at = next
		return true
	}
	stop := end
	if stop < len(s.text) && s.text[stop] == '.' {
		stop++
	}
	if mark := s.dash(stop); mark > 0 { // 25–26-án
		last := s.run(stop+mark, isDigit)
		if other := s.text[stop+mark : last]; other != "" && len(other) <= 2 && isDayMonth(other, "1") && s.end(last) {
			h.say(s, h.day(day, ""))
			s.out = append(s.out, "–"...)
			return h.readDay(s, stop+mark)
		}
	}
	if a, ok := s.amount(at); ok && a.end > end || stop == end && (h.isUnit(s, end) || end < len(s.text) && strings.IndexByte(":/", s.text[end]) >= 0) {
		return false
	}
	if stop > end && stop < len(s.text) && isDigit(s.text[stop]) {
		return false
	}
	h.say(s, h.day(day, ""))
	if s.at = end; stop > end {
		h.dayStop(s)
	}
	return true
}

// dayWith is a day with an ending, which may be that of a unit: május 5-i.
func (h hu) dayWith(day, ending string) string {
	if word, ok := h.ordinalEnding(itoa(atoi(day)), ending); ok {
		return word
	}
	if linking(ending) && !oneOf(ending, "on en ön") { // május 9-es
		words, _ := numbers.Speak("hu", numbers.Cardinal, itoa(atoi(day)))
		return withEnding(words, ending)
	}
	return h.day(day, ending)
}

// dayStop takes the full stop after a day, which stays where it ends a sentence.
func (h hu) dayStop(s *scan) {
	rest := s.text[s.at+1:]
	r, _ := utf8.DecodeRuneInString(rest[min(len(rest), gap(rest, 0)):])
	if rest == "" || unicode.IsUpper(r) && gap(rest, 0) > 0 || strings.IndexByte("\"'", rest[0]) >= 0 {
		s.out = append(s.out, '.')
	}
	s.at++
}

// clock is a time: where it ends, and whether it has a colon.
type huClock struct {
	hour, minute, second string
	end                  int
	colon                bool
}

// clockAt is the time at a place.
func (h hu) clockAt(s *scan, at int) (c huClock, ok bool) {
	end := s.run(at, isDigit)
	if c.hour = s.text[at:end]; c.hour == "" || len(c.hour) > 2 || atoi(c.hour) > 24 || end >= len(s.text) || s.text[end] != ':' && s.text[end] != '.' {
		return c, false
	}
	c.colon = s.text[end] == ':'
	next := s.run(end+1, isDigit)
	if c.minute = s.text[end+1 : next]; len(c.minute) != 2 || c.minute > "59" {
		return c, false
	}
	if last := s.run(min(next+1, len(s.text)), isDigit); c.colon && next < len(s.text) && s.text[next] == ':' && last == next+3 && s.text[next+1:last] < "60" {
		c.second, next = s.text[next+1:last], last
	}
	c.end = next
	return c, s.end(next) && !(next+1 < len(s.text) && strings.IndexByte(":.", s.text[next]) >= 0 && isDigit(s.text[next+1]))
}

// Words beside which 10.30 is a time.
const (
	hungarianBeforeTime = "reggel este délután délelőtt délben éjjel hajnalban hajnali reggeli esti délutáni délelőtti de du ma holnap tegnap nyitva kezdés kezdete időpont óra hétfőn kedden szerdán csütörtökön pénteken szombaton vasárnap"
	hungarianAfterTime  = "óra órakor órától óráig órára órás h óta előtt után körül között du de"
)

// readTime reads 10:30, 10.30-kor, 8:00–16:30.
func (h hu) readTime(s *scan) bool {
	c, ok := h.clockAt(s, s.at)
	if !ok {
		return false
	}
	ending, _ := h.endingAt(s, c.end)
	next := letters(s.text, c.end+gap(s.text, c.end))
	if mark := s.dash(c.end); mark > 0 && ending == "" {
		if other, ok := h.clockAt(s, c.end+mark); ok && other.colon == c.colon {
			return h.times(s, c, other)
		}
	}
	if !c.colon && !oneOf(ending, "kor ig tól től ra re as es os ös") && !oneOf(next, hungarianAfterTime) && !oneOf(strings.ToLower(s.before()), hungarianBeforeTime) {
		return false
	}
	h.sayTime(s, c, ending != "" || strings.HasPrefix(next, "perc"))
	s.at = c.end
	if ending != "" {
		h.ending(s, len(s.out), "")
		return true
	}
	at := c.end + gap(s.text, c.end)
	switch {
	case next == "h" && at > c.end:
		s.at = at + 1
		s.stopShort()
	case strings.HasPrefix(next, "óra") || strings.HasPrefix(next, "órá"):
		if at == c.end {
			s.out = append(s.out, ' ')
			break
		}
		ending := []rune(next)[3:]
		if c.minute == "00" {
			s.out = append(s.out[:len(s.out)-len("óra")], next...)
		} else {
			s.out = append(s.out, strings.NewReplacer("ó", "ő", "a", "e").Replace(withEnding("", string(ending)))...)
		}
		s.at = at + len(next)
	}
	return true
}

// sayTime says hours and minutes; without the word for minutes before an ending.
func (h hu) sayTime(s *scan, c huClock, ended bool) {
	h.say2(s, amount{whole: itoa(atoi(c.hour))}, true)
	h.say(s, "óra")
	if c.minute != "00" || c.second != "" {
		ended = ended && c.second == ""
		if h.say2(s, amount{whole: itoa(atoi(c.minute))}, !ended); !ended {
			h.say(s, "perc")
		}
	}
	if c.second != "" {
		h.say2(s, amount{whole: itoa(atoi(c.second))}, true)
		h.say(s, "másodperc")
	}
}

// times reads two times: from … to, or those of between.
func (h hu) times(s *scan, c, other huClock) bool {
	ending, _ := h.endingAt(s, other.end)
	h.sayTime(s, c, false)
	switch {
	case h.between(s, other.end):
		h.say(s, "és")
		h.sayTime(s, other, false)
		s.at = other.end
		return true
	case ending != "" && ending != "ig":
		h.say(s, "– ")
		h.sayTime(s, other, true)
		s.at = other.end
		return h.ending(s, len(s.out), "")
	}
	word := s.lastWord()
	s.out = append(s.out[:len(s.out)-len(word)], withEnding(word, map[byte]string{'a': "tól", 'e': "től"}[harmony(word)])...)
	h.sayTime(s, other, false)
	word = s.lastWord()
	s.out = append(s.out[:len(s.out)-len(word)], withEnding(word, "ig")...)
	if s.at = other.end; ending != "" {
		_, s.at = h.endingAt(s, other.end)
	}
	return true
}

// readRoman reads the numerals of kings and centuries, which a full stop makes
// ordinals.
func (h hu) readRoman(s *scan) bool {
	end := s.run(s.at, func(c byte) bool { return strings.IndexByte("IVXLCDM", c) >= 0 })
	word := s.text[s.at:end]
	n := romanValue(word)
	if n == 0 || !s.end(end) {
		return false
	}
	digits := itoa(n)
	if end+1 < len(s.text) && s.text[end] == '/' && isDigit(s.text[end+1]) { // IV/2
		s.at = end
		return h.count(s, amount{whole: digits}, 0)
	}
	if mark := s.dash(end); mark > 0 { // XIX–XX. század
		last := s.run(end+mark, func(c byte) bool { return strings.IndexByte("IVXLCDM", c) >= 0 })
		if other := romanValue(s.text[end+mark : last]); other > n && last < len(s.text) && s.text[last] == '.' && gap(s.text, last+1) > 0 {
			h.speak(s, numbers.Ordinal, "", digits)
			s.out = append(s.out, '-')
			s.at = end + mark
			return true
		}
	}
	if ending, next := h.endingAt(s, end); linking(ending) && len(word) > 1 && n < 40 { // II-es
		h.say(s, withEnding(cardinalWords(digits), ending))
		s.at = next
		return true
	}
	before := s.before()
	if end >= len(s.text) || s.text[end] != '.' {
		if oneOf(strings.ToLower(before), h.regnal.counted) {
			s.at = end
			return h.count(s, amount{whole: digits}, 0)
		}
		return before != "" && h.king(s, word, before, end)
	}
	if !h.romanOrdinal(s, word, before, end+1) {
		return false
	}
	at := end + 1
	h.speak(s, numbers.Ordinal, "", digits)
	s.at = at
	if ending, next := h.endingAt(s, at); ending != "" {
		h.ending(s, len(s.out), "")
		s.at = next
		return true
	}
	if n := gap(s.text, at); n > 0 && strings.HasPrefix(s.text[at+n:], "sz.") {
		h.say(s, "század")
		s.at = at + n + 2
		if ending, _ := h.endingAt(s, s.at+1); ending != "" {
			s.at++
			h.ending(s, len(s.out), "")
			return true
		}
		s.stopShort()
	}
	return true
}

func cardinalWords(digits string) string {
	words, _ := numbers.Speak("hu", numbers.Cardinal, digits)
	return words
}

// romanOrdinal reports whether a numeral with a full stop, which ends at a place,
// is one of a row, and no initial and no end of a sentence.
func (h hu) romanOrdinal(s *scan, word, before string, at int) bool {
	if at >= len(s.text) {
		return false
	}
	if ending, _ := h.endingAt(s, at); ending != "" {
		return len(word) > 1 || strings.IndexByte("IVX", word[0]) >= 0
	}
	n := gap(s.text, at)
	if n == 0 {
		if s.text[at] == ',' && len(word) == 1 { // az V., VI. és VII.
			return strings.IndexByte("IVX", word[0]) >= 0 && romanValue(letters(s.text, at+1+gap(s.text, at+1))) > 0
		}
		return len(word) > 1 && (s.text[at] == ',' || s.dash(at) > 0)
	}
	r, _ := utf8.DecodeRuneInString(s.text[at+n:])
	next := letters(s.text, at+n)
	first, _ := utf8.DecodeRuneInString(before)
	switch {
	case len(word) == 1 && strings.IndexByte("IVX", word[0]) < 0:
		return false
	case unicode.IsLower(r):
		return true
	case !unicode.IsUpper(r):
		return false
	case before != "" && unicode.IsUpper(first) && !oneOf(before, "A Az"):
		return len(word) > 1 && !oneOf(next, "A Az Ez Ezt Azt És De Ha Nem Itt Ott Majd Aztán")
	}
	return true
}
