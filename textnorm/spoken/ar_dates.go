package spoken

import (
	"strings"
)

// arDate reads 3/5/2020, ١٤ مارس ٢٠٢٠, 3-5 مايو.
func arDate(s *scan) bool {
	if s.arDateInDigits() || s.arDateInWords() || s.arDayOfTwo() {
		return s.arGap()
	}
	return false
}

func (s *scan) arDateInDigits() bool {
	day, month, year, end := s.dateShape(s.at)
	if end == 0 || !s.end(end) && !s.arEraBehind(end) {
		return false
	}
	names, y := arTables().gregorian, atoi(year)
	if y >= 1300 && y < 1500 {
		names = arTables().hijri
	}
	s.arDay(itoa(day))
	s.say(names[month-1])
	s.at = end
	s.arYearOfDate(year)
	return true
}

// arDateInWords reads a day, or two with a dash between, before the name of a month.
func (s *scan) arDateInWords() bool {
	end := s.run(s.at, isDigit)
	day, last := s.text[s.at:end], ""
	if !arIsDay(day) {
		return false
	}
	if mark := s.dash(end); mark > 0 {
		next := s.run(end+mark, isDigit)
		if last = s.text[end+mark : next]; !arIsDay(last) {
			return false
		}
		end = next
	}
	at := end + gap(s.text, end)
	if at == end {
		return false
	}
	if word, next := s.arNext(end); word == "من" && gap(s.text, next) > 0 {
		at = next + gap(s.text, next)
	}
	size := s.arMonth(at)
	if size == 0 {
		return false
	}
	name := s.text[at : at+size]
	at += size
	second := ""
	if at < len(s.text) && s.text[at] == '/' { // آذار/مارس
		if more := s.arMonth(at + 1); more > 0 {
			second, at = s.text[at+1:at+1+more], at+1+more
		}
	}
	year, yearEnd := s.arYearBehind(at)
	if name == "صفر" && year == "" { // three to nil
		return false
	}
	if last != "" {
		before, _ := s.arBack(s.at)
		switch between := before == "بين"; {
		case between:
			s.arDayAlone(day, true)
			s.say("و")
			words, _ := arOrdinal(last, arForm{oblique: true})
			s.out = append(s.out, words...)
		default:
			if before != "من" {
				s.say("من")
			}
			s.arDayAlone(day, true)
			s.say("إلى")
			s.arDayAlone(last, true)
		}
		s.say("من")
	} else {
		s.arDay(day)
	}
	s.say(name)
	if second != "" {
		s.say(second)
	}
	if s.at = at; year != "" {
		s.at = yearEnd
		s.arYearOfDate(year)
	}
	return true
}

// arDayOfTwo reads the first of two days of a month: 3 إلى 5 مايو.
func (s *scan) arDayOfTwo() bool {
	end := s.run(s.at, isDigit)
	if !arIsDay(s.text[s.at:end]) {
		return false
	}
	word, at := s.arNext(end)
	next := at + gap(s.text, at)
	if word == "" && strings.HasPrefix(s.text[end:], " و") {
		word, next = "و", end+len(" و")
	}
	last := s.run(next, isDigit)
	if word != "إلى" && word != "الى" && word != "حتى" && word != "و" || !arIsDay(s.text[next:last]) {
		return false
	}
	at = last + gap(s.text, last)
	if of, n := s.arNext(last); of == "من" {
		at = n + gap(s.text, n)
	}
	if size := s.arMonth(at); at == last || size == 0 || s.text[at:at+size] == "صفر" {
		return false
	}
	s.arDayAlone(s.text[s.at:end], s.arGoverned(s.at))
	s.at = end
	return true
}

func arIsDay(digits string) bool {
	return len(digits) > 0 && len(digits) <= 2 && atoi(digits) >= 1 && atoi(digits) <= 31
}

// arDay says the day of a date as an ordinal, in the case of an adverb where a
// word stands before it.
func (s *scan) arDay(day string) {
	before, _ := s.arBack(s.at)
	s.arDayAlone(day, before != "")
	s.say("من")
}

func (s *scan) arDayAlone(day string, oblique bool) {
	words, _ := arOrdinal(itoa(atoi(day)), arForm{oblique: oblique})
	s.say(words)
}

// arMonth is the length of the name of a month at a place, 0 where there is none.
func (s *scan) arMonth(at int) int {
	first := arWordEnd(s.text, min(at, len(s.text)), 32)
	if first <= at {
		return 0
	}
	if first < len(s.text) && s.text[first] == ' ' {
		if second := arWordEnd(s.text, first+1, 32); arTables().months[s.text[at:second]] && s.end(second) {
			return second - at
		}
	}
	if arTables().months[s.text[at:first]] && s.end(first) {
		return first - at
	}
	return 0
}

// arYearBehind is the year that follows a month, perhaps after a comma.
func (s *scan) arYearBehind(at int) (year string, end int) {
	if strings.HasPrefix(s.text[at:], "،") {
		at += len("،")
	} else if at < len(s.text) && s.text[at] == ',' {
		at++
	}
	n := gap(s.text, at)
	end = s.run(at+n, isDigit)
	year = s.text[min(at+n, len(s.text)):end]
	if n == 0 || len(year) != 4 || year[0] == '0' || year[0] > '2' || !s.end(end) && !s.arEraBehind(end) || end+1 < len(s.text) && strings.IndexByte(".,:/", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return "", at
	}
	return year, end
}

// arYearOfDate says the year after a month and its era; a year is never the
// subject.
func (s *scan) arYearOfDate(year string) {
	s.arSay(amount{whole: year}, arForm{oblique: true})
	s.arEra(false)
}

// arEraBehind reports whether the letter of an era stands at a place.
func (s *scan) arEraBehind(at int) bool {
	end := arWordEnd(s.text, at, 8)
	return (s.text[at:end] == "م" || s.text[at:end] == "ه") && s.end(end)
}

// arEra says the era that stands at s.at.
func (s *scan) arEra(feminine bool) bool {
	at := s.at + gap(s.text, s.at)
	if !s.arEraBehind(at) {
		return false
	}
	word := map[string]string{"م": "ميلادي", "ه": "هجري"}[s.text[at:at+2]]
	if at+2 < len(s.text) && s.text[at+2] == '.' && at+4 < len(s.text) && s.text[at+3] == ' ' {
		at++ // its full stop
	}
	if feminine {
		word += "ة"
	}
	s.say(word)
	s.at = at + 2
	return true
}

// arMetres stand before a length, and not before a year.
const arMetres = "ارتفاع ارتفاعه ارتفاعها مسافة مسافته مسافتها طول طوله طولها عمق عمقه عمقها سباق عرض عرضه عرضها بعد على بطول بعمق بارتفاع بعرض لمسافة يبلغ تبلغ بلغ بلغت"

// arYear reads a number after a word for year, and one before the letter of an era.
func arYear(s *scan) bool {
	end := s.run(s.at, isDigit)
	digits := s.text[s.at:end]
	if len(digits) > 4 || digits[0] == '0' {
		return false
	}
	before, _ := s.arBack(s.at)
	before = strings.TrimPrefix(strings.TrimPrefix(before, "و"), "ل")
	isYear := before == "عام" || before == "سنة" || before == "العام" || before == "السنة" || before == "بعام" || before == "بسنة" || arMonthName(before)
	feminine := strings.HasSuffix(before, "سنة")
	at := end + gap(s.text, end)
	era := s.arEraBehind(at)
	if era && before == "القرن" {
		return s.arCentury(digits, at)
	}
	if era && s.text[at:at+2] == "م" && !isYear { // or metres
		y := atoi(digits)
		next, _ := s.arNext(at + len("م"))
		beside := s.arEraBeside(at + len("م"))
		era = beside || len(digits) == 4 && y >= 1000 && y < 2100 && (at == end || !oneOf(before, arMetres)) && !oneOf(next, "فوق حرة تتابع جري مربع طولاً عرضاً") &&
			(s.arGoverned(s.at) || at == end || y%100 != 0 || before == "ت" || strings.HasSuffix(s.text[:s.at], "/ ") || strings.HasSuffix(s.text[:s.at], "/"))
	}
	if !era && (!isYear || !s.end(end)) || isYear && !era && end+1 < len(s.text) && strings.IndexByte(".,/:-", s.text[end]) >= 0 && isDigit(s.text[end+1]) || s.dash(end) > 0 && end+3 < len(s.text) && isDigit(s.text[end+s.dash(end)]) {
		return false
	}
	f := arForm{feminine: feminine, oblique: isYear || s.arGoverned(s.at)}
	if !s.arSay(amount{whole: digits}, f) {
		return false
	}
	s.at = end
	s.arEra(feminine)
	return s.arGap()
}

// arEraBeside reports whether the year that s.at stands at is beside another one, which says
// that the letter after it is an era's: 2هـ/624م, 750م إلى 1258م.
func (s *scan) arEraBeside(end int) bool {
	if hijri, ok := strings.CutSuffix(strings.TrimRight(s.text[:s.at], " "), "/"); ok {
		hijri = strings.TrimRight(hijri, " ")
		return strings.HasSuffix(hijri, "ه") && strings.TrimRight(strings.TrimSuffix(hijri, "ه"), " 0123456789") != strings.TrimSuffix(hijri, "ه")
	}
	word, at := s.arNext(end)
	if word != "إلى" && word != "الى" && word != "حتى" {
		return false
	}
	at += gap(s.text, at)
	last := s.run(at, isDigit)
	return last == at+4 && s.text[at:last] < "2100" && s.arEraBehind(last+gap(s.text, last))
}

// arCentury says the number of a century, whose era has the article: القرن 3 هـ.
func (s *scan) arCentury(digits string, era int) bool {
	_, start := s.arBack(s.at)
	words, ok := arOrdinal(digits, arForm{oblique: s.arGoverned(start)})
	if !ok || len(digits) > 2 {
		return false
	}
	s.say(words)
	s.say(map[string]string{"م": "الميلادي", "ه": "الهجري"}[s.text[era:era+2]])
	s.at = era + 2
	return s.arGap()
}

// arUntil reports whether a number is the hour until which something lasts that began at
// another: الساعة 9 ص إلى 5 م.
func (s *scan) arUntil(before string) bool {
	const far = 48 // bytes from the first hour to the second
	return (before == "إلى" || before == "الى" || before == "حتى") && strings.Contains(s.text[max(0, s.at-far):s.at], "الساعة")
}

// arTime reads 10:30, 8:05 ص, and the hours after الساعة and before صباحاً.
func arTime(s *scan) bool {
	hour, minute, second, end := s.clockShape(s.at)
	before, start := s.arBack(s.at)
	isHour := before == "الساعة" || before == "والساعة" || before == "للساعة" || before == "بالساعة"
	if end == 0 {
		end = s.run(s.at, isDigit)
		hour = s.text[s.at:end]
		word, next := s.arNext(end)
		_, named := arTables().halves[word]
		if len(hour) > 2 || atoi(hour) > 24 || !s.end(end) && s.arHalf(end) == "" || !isHour && !arTables().hours.has(word) && !(named && s.arUntil(before)) || named && !s.end(next) {
			return false
		}
		if end+1 < len(s.text) && strings.IndexByte(".,:/-", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
			return false
		}
		hour = itoa(atoi(hour))
	} else if !s.end(end) && s.arHalf(end) == "" {
		return false
	}
	oblique := before != "" && (!isHour || start > 0)
	if earlier, _ := s.arBack(start); isHour && earlier == "" {
		oblique = false
	}
	s.arClock(hour, minute, second, oblique)
	s.at = end
	if half := s.arHalf(end); half != "" {
		s.say(half)
		s.at = end + gap(s.text, end)
		for c := s.peek(0); isLetter(c) || faFirst(c); c = s.peek(0) {
			s.at++
			if faFirst(c) {
				s.at++
			}
		}
	} else if mark := s.dash(end); mark > 0 {
		if _, _, _, last := s.clockShape(end + mark); last > 0 {
			s.say("إلى")
			s.out = append(s.out, ' ')
			s.at = end + mark
			return true
		}
	}
	return s.arGap()
}

// arHalf gives the half of the day (morning or evening) that the letter or word at position at, after a time, stands for; "" if it is neither.
func (s *scan) arHalf(at int) string {
	at += gap(s.text, at)
	end := arWordEnd(s.text, at, 8)
	if end == at {
		end = s.run(at, isLetter)
	}
	if !s.end(end) {
		return ""
	}
	return arTables().halves[s.text[at:end]]
}

// arClock says a time: hours are ordinals, a quarter and a half have names.
func (s *scan) arClock(hour, minute, second string, oblique bool) {
	switch hour {
	case "0", "24":
		s.say("الثانية عشرة")
	case "1":
		s.say("الواحدة")
	default:
		words, _ := arOrdinal(hour, arForm{feminine: true, oblique: oblique})
		s.say(words)
	}
	f := arForm{oblique: oblique}
	switch {
	case minute == "15" && second == "":
		s.say("والربع")
	case minute == "30" && second == "":
		s.say("والنصف")
	case minute != "" && minute != "00":
		s.arAnd(minute, arTables().units["دقيقة"], f)
	}
	if second != "" && second != "00" {
		s.arAnd(second, arTables().units["ثانية"], f)
	}
}

// arAnd says a number of a noun, with the and written to it.
func (s *scan) arAnd(digits string, n arNoun, f arForm) {
	s.say("و")
	words := len(s.out)
	s.arCounted(amount{whole: itoa(atoi(digits))}, n, f)
	s.out = append(s.out[:words], s.out[words+1:]...)
}
