package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// dateWords is how a language says dates and years.
type dateWords struct {
	months string // as said behind a day, from the first to the last
	short  string // their abbreviations: "jan=1"
	other  string // other forms of the names, behind which a year may stand

	kind  numbers.Kind
	form  string            // of the day
	forms map[string]string // the form of the day behind a word
	until string            // between two days of one month
	first string            // the first of a month, where it has a word of its own
	of    string            // between day and month, month and year

	year     string            // "roku": said behind a year that belongs to a month
	yearEnds map[string]string // words behind a year and the form that they ask for
	yearCut  string            // the abbreviation of the year
	yearWith map[string]string // word before a cut year: form and word, "prepositional году"
	yearNext func(before, next string) bool
	years    map[string]string // the same before the abbreviation of several years
	// yearsCut is that abbreviation, and yearsStem begins every form of the word: "гг" and "го".
	yearsCut, yearsStem string

	name   []string
	of12   map[string]int
	cut12  map[string]int
	aMonth map[string]bool
}

func (d *dateWords) ready() {
	d.name, d.of12, d.cut12, d.aMonth = strings.Fields(d.months), map[string]int{}, map[string]int{}, map[string]bool{}
	for i, name := range d.name {
		d.of12[strings.ToLower(name)] = i + 1
		d.aMonth[strings.ToLower(name)] = true
	}
	for entry := range strings.FieldsSeq(d.short) {
		key, number, _ := strings.Cut(entry, "=")
		d.cut12[key] = atoi(number)
	}
	for word := range strings.FieldsSeq(d.other) {
		d.aMonth[word] = true
	}
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
	if v.date.kind != numbers.Ordinal || len(day) > 2 || len(month) > 2 || !isDayMonth(day, month) || s.text[end] != '.' {
		return false
	}
	v.sayDay(s, day)
	v.sayMonth(s, atoi(month))
	s.at = end
	s.stopShort()
	return true
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
// stop or a year behind it.
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
	n := gap(s.text, at)
	if at += n; n == 0 {
		return false
	}
	if until := v.date.until + " "; last == "" && v.date.until != "" && strings.HasPrefix(s.text[at:], until) { // od 3 do 5 maja
		if other, end := v.dayAt(s, at+len(until)); other != "" && gap(s.text, end) > 0 {
			if month, _ := v.monthAt(s, end+gap(s.text, end)); month > 0 {
				v.sayDay(s, day)
				s.at = at - n
				return true
			}
		}
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

// readYear reads a number of four digits as a year where the words beside it say
// that it is one.
func (v *voice) readYear(s *scan) bool {
	year, end := s.yearAt(s.at)
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
			with, ok = v.date.yearWith["month"], true
		}
		if !ok {
			with = v.date.yearWith[""]
		}
		form, word, _ := strings.Cut(with, " ")
		v.speak(s, numbers.Year, form, year)
		v.say(s, word)
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

// clockWords is how a language says times.
type clockWords struct {
	letter string       // stands between hours and minutes: 12h30
	dots   bool         // 10.30 is a time beside one of the words
	words  string       // words before or behind a time
	cut    string       // the word behind a time that is said already
	kind   numbers.Kind // of the hour
	form   string
	one    string // its form where that is one, if it has its own
	forms  map[string]string
	hour   noun
	always bool   // the noun is said with minutes as well
	short  bool   // the noun is said only where the text has its letter
	bare   string // words before an hour without minutes
	and    string // between hour and minutes
	minute string // form of the minutes
	zero   bool   // 10:05 has a zero
	second noun
}

// readTime reads 10:30, 10.30 Uhr, 12h30, 10:30:15.
func (v *voice) readTime(s *scan) bool {
	c := &v.clock
	end := s.run(s.at, isDigit)
	hour := s.text[s.at:end]
	if len(hour) > 2 || atoi(hour) > 24 {
		return false
	}
	minute, second, lettered := "", "", false
	switch {
	case end < len(s.text) && (s.text[end] == ':' || s.text[end] == '.'):
		next := s.run(end+1, isDigit)
		if minute = s.text[end+1 : next]; len(minute) != 2 || minute > "59" || s.text[end] == '.' && !v.beside(s, next) {
			return false
		}
		if at := s.run(min(next+1, len(s.text)), isDigit); next < len(s.text) && s.text[next] == ':' && at == next+3 && s.text[next+1:at] < "60" {
			second, next = s.text[next+1:at], at
		}
		end = next
	case c.letter != "":
		at := end + gap(s.text, end)
		if !strings.HasPrefix(s.text[at:], c.letter) {
			return false
		}
		lettered, end = true, at+len(c.letter)
		at = end + gap(s.text, end)
		if next := s.run(at, isDigit); next == at+2 && s.text[at:next] < "60" {
			minute, end = s.text[at:next], next
		}
	case c.bare != "" && holds(c.bare, strings.ToLower(v.before(s))):
	default:
		return false
	}
	if !s.end(end) || end+1 < len(s.text) && s.text[end] == ':' && isDigit(s.text[end+1]) {
		return false
	}
	v.sayTime(s, hour, minute, second, lettered)
	s.at = end
	if n := gap(s.text, end); n > 0 {
		if word := letters(s.text, end+n); word != "" && holds(c.cut, word) {
			if s.at = end + n + len(word); !holds("uur Uhr heures heure horas hodin", word) {
				s.stopShort()
			}
		}
	}
	v.join(s)
	return true
}

// beside reports whether a word that belongs to times stands at either side.
func (v *voice) beside(s *scan, end int) bool {
	if !v.clock.dots {
		return false
	}
	return holds(v.clock.words, strings.ToLower(v.before(s))) || holds(v.clock.words, letters(s.text, end+gap(s.text, end)))
}

// clockForm is the form of the hour that the one or two words before it ask for.
func (v *voice) clockForm(s *scan) (form string, ok bool) {
	before := v.before(s)
	if back := *s; before != "" && s.text[s.at-2] == '.' {
		if back.at -= len(before) + 2; back.at > 0 {
			if form, ok = v.clock.forms[strings.ToLower(v.before(&back)+" "+before)]; ok {
				return form, true
			}
		}
	}
	form, ok = v.clock.forms[strings.ToLower(before)]
	return form, ok
}

func (v *voice) sayTime(s *scan, hour, minute, second string, lettered bool) {
	c := &v.clock
	hour = itoa(atoi(hour))
	form, ok := v.clockForm(s)
	if !ok {
		form = c.form
	}
	if hour == "1" && c.one != "" {
		form = c.one
	}
	from := len(s.out)
	v.speak(s, c.kind, form, hour)
	minuteForm := c.minute
	genitive := ok && c.kind == numbers.Cardinal
	if genitive {
		minuteForm = form
		if v.cardinals != nil {
			s.out = append(s.out[:from], v.cardinals(string(s.out[from:]))...)
		}
	}
	round := minute == "" || minute == "00"
	if c.hour.forms != nil && (c.always || round && !c.short || lettered) {
		if genitive && v.slavic && hour != "1" {
			v.say(s, c.hour.forms[2])
		} else if genitive && v.slavic {
			v.say(s, c.hour.forms[1])
		} else {
			v.say(s, v.nounOf(c.hour, hour))
		}
	}
	if !round || second != "" {
		if c.and != "" {
			v.say(s, c.and)
		}
		if c.zero && minute[0] == '0' {
			v.speak(s, numbers.Cardinal, "", "0")
		}
		from := len(s.out)
		if v.speak(s, numbers.Cardinal, minuteForm, itoa(atoi(minute))); genitive && v.cardinals != nil {
			s.out = append(s.out[:from], v.cardinals(string(s.out[from:]))...)
		}
	}
	if second != "" {
		if c.and != "" {
			v.say(s, c.and)
		}
		second = itoa(atoi(second))
		v.count(s, amount{whole: second}, c.second.gender)
		v.say(s, v.nounOf(c.second, second))
	}
}
