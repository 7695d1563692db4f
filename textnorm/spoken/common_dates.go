package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// dateWords is how a language says dates and years.
type dateWords struct {
	other string // other forms of the names of months, after which a year may stand

	kind  numbers.Kind
	form  string            // of the day
	forms map[string]string // the form of the day after a word
	until string            // between two days of one month
	first string            // the first of a month, where it has a word of its own
	of    string            // between day and month, month and year

	year     string            // "roku": said after a year that belongs to a month
	yearEnds map[string]string // words after a year and the form that they ask for
	yearCut  string            // the abbreviation of the year
	yearWith map[string]cased  // what a cut year is after a word, after a month and after any other word
	yearNext func(before, next string) bool
	years    map[string]cased // the same before the abbreviation of several years
	eras     string           // "до н|н. э": what may follow a year of fewer than four digits
	counted  string           // the word after a year that is said after a count of two to four too
	// yearsCut is that abbreviation, and yearsStem begins every form of the word: "гг" and "го".
	yearsCut, yearsStem string

	name   []string // of the months as said after a day, from the first to the last
	of12   map[string]int
	cut12  map[string]int // their abbreviations
	aMonth map[string]bool
}

// ready makes room for what the tables fill in.
func (d *dateWords) ready() {
	d.of12, d.cut12, d.aMonth = map[string]int{}, map[string]int{}, map[string]bool{}
	d.forms, d.yearEnds = map[string]string{}, map[string]string{}
	d.yearWith, d.years = map[string]cased{}, map[string]cased{}
}

// readDate reads 3.5.2020, 3/5/2020, 2020-05-03, "3. Mai 2020", "3 de mayo".
func (v *voice) readDate(s *scan) bool {
	if !v.dateInDigits(s) && !v.dateInWords(s) {
		return false
	}
	if isDigit(s.text[s.at-1]) { // Mayıs'ta keeps its apostrophe
		v.join(s)
	}
	return true
}

func (v *voice) dateInDigits(s *scan) bool {
	var parts [3]string
	at, mark := s.at, byte(0)
	for i := range parts {
		end := s.run(at, isDigit)
		if parts[i] = s.text[at:end]; parts[i] == "" || len(parts[i]) > 4 {
			return false
		}
		if at = end; i == 2 {
			break
		}
		if i == 1 && mark == '/' && v.slashed(s, parts[0], parts[1], at) {
			return true
		}
		if at >= len(s.text) || strings.IndexByte("./-", s.text[at]) < 0 || i == 1 && s.text[at] != mark {
			return false
		}
		mark = s.text[at]
		if at++; mark == '.' {
			at += gap(s.text, at)
		}
		if i == 1 && mark == '.' && !(at < len(s.text) && isDigit(s.text[at])) {
			return v.dayAndMonth(s, parts[0], parts[1])
		}
	}
	day, month, year := parts[0], parts[1], parts[2]
	if len(day) == 4 && mark == '-' {
		day, year = year, day
	}
	if len(year) == 2 && len(day) == 2 && len(month) == 2 && mark != '-' {
		year = map[bool]string{true: "20", false: "19"}[atoi(year) < 50] + year
	}
	if len(year) != 4 && mark == '.' && gap(s.text, s.at+len(parts[0])+len(parts[1])+2) > 0 {
		return v.dayAndMonth(s, parts[0], parts[1])
	}
	if len(day) > 2 || len(month) > 2 || len(year) != 4 || year[0] == '0' || !isDayMonth(day, month) || !s.end(at) {
		return false
	}
	if mark != '.' && at < len(s.text) && s.text[at] == mark {
		return false
	}
	v.sayDay(s, day)
	v.sayMonth(s, atoi(month))
	s.at = at
	v.sayYear(s, year)
	return true
}

// dayAndMonth reads 3.5. where the full stops are there.
func (v *voice) dayAndMonth(s *scan, day, month string) bool {
	end := s.at + len(day) + 1
	end += gap(s.text, end)
	end += len(month)
	if v.date.kind != numbers.Ordinal || len(day) > 2 || len(month) > 2 || !isDayMonth(day, month) || s.text[end] != '.' || isVersion(v.before(s)) {
		return false
	}
	if len(month) == 2 && end == s.at+len(day)+3 && holds("o godz godzinie ve um", strings.ToLower(v.before(s))) { // um 10.05. is a time
		return false
	}
	v.sayDay(s, day)
	v.sayMonth(s, atoi(month))
	s.at = end
	s.stopShort()
	return true
}

// isVersion reports whether word announces a version ("version", "wersja"), whose numbers are not a date.
func isVersion(word string) bool {
	word = strings.ToLower(word)
	for _, stem := range []string{"vers", "verz", "wers", "верс"} {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}

func isDayMonth(day, month string) bool {
	d, m := atoi(day), atoi(month)
	return d >= 1 && d <= 31 && m >= 1 && m <= 12
}

// dayAt is a day of a month at a place, with the mark of an ordinal that may follow.
func (v *voice) dayAt(s *scan, at int) (day string, end int) {
	end = s.run(at, isDigit)
	day = s.text[at:end]
	if len(day) == 0 || len(day) > 2 || !isDayMonth(day, "1") {
		return "", at
	}
	for _, mark := range []string{".º", "º", "°", ".", "er", "-го", "-е"} {
		if strings.HasPrefix(s.text[end:], mark) && (mark != "." || v.date.kind == numbers.Ordinal) && s.end(end+len(mark)) {
			return day, end + len(mark)
		}
	}
	return day, end
}

// monthAt is the month whose name stands at a place; an abbreviation has a full
// stop or a year after it.
func (v *voice) monthAt(s *scan, at int) (month, end int) {
	word := letters(s.text, at)
	end = at + len(word)
	if !s.end(end) {
		return 0, at
	}
	if n := romanValue(word); v.slavic && n >= 1 && n <= 12 { // 1 IX 1939
		if year, _ := s.yearAt(min(end+1, len(s.text))); year != "" {
			return n, end
		}
	}
	if n := romanValue(word); v.code == "pl" && len(word) > 1 && n >= 1 && n <= 12 && !v.labels[strings.ToLower(v.before(s))] { // 7 IX o piątej
		if next := letters(s.text, end+gap(s.text, end)); next == "" || oneOf(next, "o w do i na od po") {
			return n, end
		}
	}
	low := strings.ToLower(word)
	if month = v.date.of12[low]; month > 0 {
		return month, end
	}
	if month = v.date.cut12[low]; month == 0 {
		return 0, at
	}
	if end < len(s.text) && s.text[end] == '.' {
		return month, end + 1
	}
	if year, _ := s.yearAt(min(end+1, len(s.text))); year == "" {
		return 0, at
	}
	return month, end
}

func (v *voice) dateInWords(s *scan) bool {
	day, at := v.dayAt(s, s.at)
	if day == "" {
		return false
	}
	last := ""
	if mark := s.dash(at); mark > 0 { // 3.-5. Mai
		if last, at = v.dayAt(s, at+mark); last == "" {
			return false
		}
	}
	if s.peekAt(at) == '/' && day == "1" && !isDigit(s.text[at-1]) { // 1º/12
		if end := s.run(at+1, isDigit); end > at+1 && end <= at+3 {
			return v.slashed1(s, s.text[at+1:end], end)
		}
	}
	n := gap(s.text, at)
	if at += n; n == 0 {
		return false
	}
	if last == "" && v.dayUntil(s, at) { // od 3 do 5 maja
		v.sayDay(s, day)
		s.at = at - n
		return true
	}
	if of := v.date.of + " "; v.date.of != "" && strings.HasPrefix(s.text[at:], of) {
		at += len(of)
	}
	month, end := v.monthAt(s, at)
	if month == 0 {
		return false
	}
	v.sayDay(s, day)
	if last != "" {
		v.sayTo(s)
		v.sayDay(s, last)
	}
	v.sayMonth(s, month)
	s.at = end
	next := end
	if next < len(s.text) && s.text[next] == ',' {
		next++
	}
	n = gap(s.text, next)
	if next += n; n > 0 {
		for _, of := range []string{"de ", "del "} {
			if v.date.of == "de" && strings.HasPrefix(s.text[next:], of) {
				next += len(of)
				break
			}
		}
		if year, yearEnd := s.yearAt(next); year != "" {
			s.at = yearEnd
			v.sayYear(s, year)
			return true
		}
	}
	if s.text[end-1] == '.' {
		s.at = end - 1
		s.stopShort()
	}
	return true
}

// slashed1 reads the first of a month in digits, whose mark of an ordinal tells that it is one.
func (v *voice) slashed1(s *scan, month string, end int) bool {
	if !isDayMonth("1", month) || !s.end(end) || s.peekAt(end) == '/' {
		return false
	}
	v.sayDay(s, "1")
	v.sayMonth(s, atoi(month))
	s.at = end
	return true
}

// dayUntil reports whether a word such as to and another day with its month stand at a place.
func (v *voice) dayUntil(s *scan, at int) bool {
	word, _, _ := strings.Cut(s.text[at:], " ")
	if !holds(v.date.until, word) {
		return false
	}
	other, end := v.dayAt(s, at+len(word)+1)
	if other == "" || gap(s.text, end) == 0 {
		return false
	}
	month, _ := v.monthAt(s, end+gap(s.text, end))
	return month > 0
}

// sayDay says a day in the form that the word before it asks for.
func (v *voice) sayDay(s *scan, day string) {
	d := &v.date
	if day = itoa(atoi(day)); day == "1" && d.first != "" {
		v.say(s, d.first)
		return
	}
	if d.kind != numbers.Ordinal {
		v.speak(s, numbers.Cardinal, "", day)
		return
	}
	form, ok := d.forms[strings.ToLower(v.before(s))]
	if !ok {
		form = d.form
	}
	v.ordinal(s, form, day)
}

func (v *voice) sayMonth(s *scan, month int) {
	if v.date.of != "" {
		v.say(s, v.date.of)
	}
	v.say(s, v.date.name[month-1])
}

// sayYear says the year of a date, and the word for year that goes with it.
func (v *voice) sayYear(s *scan, year string) {
	if v.date.of != "" {
		v.say(s, v.date.of)
	}
	v.speak(s, numbers.Year, "", year)
	if v.date.year == "" {
		return
	}
	v.say(s, v.date.year)
	at := s.at + gap(s.text, s.at)
	if at == s.at {
		return
	}
	if word := letters(s.text, at); word == v.date.year {
		s.at = at + len(word)
	} else if strings.HasPrefix(s.text[at:], v.date.yearCut+".") && word == v.date.yearCut {
		s.at = at + len(word)
		s.stopShort()
	}
}

// earlyYear is a year of fewer digits: an era after it says that it is one, and of
// three digits the word for year in a case in which it is not counted.
func (v *voice) earlyYear(s *scan) (year string, end int) {
	end = s.run(s.at, isDigit)
	at := end + gap(s.text, end)
	word := letters(s.text, at)
	if v.date.yearCut == "" || end > s.at+3 || s.text[s.at] == '0' || at == end || word == "" {
		return "", end
	}
	year = s.text[s.at:end]
	form, ok := v.date.yearEnds[word]
	counts := form == "nominative" || form == "masculine" || word == v.date.counted && numbers.PluralClass(v.code, year) == "few"
	if ok && len(year) == 3 && !counts {
		return year, end
	}
	if at += len(word); word == v.date.yearCut && strings.HasPrefix(s.text[at:], ".") {
		at++
	} else if !ok {
		return "", end
	}
	at += gap(s.text, at)
	for era := range strings.SplitSeq(v.date.eras, "|") {
		if era != "" && strings.HasPrefix(s.text[at:], era) {
			return year, end
		}
	}
	return "", end
}

// readYear reads a number of four digits as a year where the words beside it say
// that it is one.
func (v *voice) readYear(s *scan) bool {
	year, end := s.yearAt(s.at)
	if year == "" {
		year, end = v.earlyYear(s)
	}
	if year == "" || v.date.yearNext == nil && v.date.yearCut == "" {
		return false
	}
	before := strings.ToLower(v.before(s))
	next := ""
	if n := gap(s.text, end); n > 0 {
		next = letters(s.text, end+n)
	}
	if v.date.yearNext != nil {
		if _, _, after := v.unitAt(s, end); after > end || year >= "2000" || year < "1100" || !v.date.yearNext(before, next) {
			return false
		}
		s.at = end
		return v.speak(s, numbers.Year, "", year)
	}
	at := end + gap(s.text, end)
	if next != "" && next == v.date.yearCut && strings.HasPrefix(s.text[at+len(next):], ".") {
		with, ok := v.date.yearWith[before]
		if !ok && v.date.aMonth[before] {
			with, ok = v.date.yearWith["(month)"]
		}
		if !ok && before != "" {
			with, ok = v.date.yearWith["(other)"]
		}
		if !ok || with.said == "" {
			with = v.date.yearWith[""]
		}
		v.speak(s, numbers.Year, with.form, year)
		v.say(s, with.said)
		s.at = at + len(next)
		s.stopShort()
		return true
	}
	form, ok := v.date.yearEnds[before+" "+next]
	if !ok {
		form, ok = v.date.yearEnds[next]
	}
	if !ok {
		if !v.date.aMonth[before] {
			return false
		}
		form = ""
	}
	s.at = end
	return v.speak(s, numbers.Year, form, year)
}
