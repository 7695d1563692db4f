package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// clockWords is how a language says times.
type clockWords struct {
	letter string       // stands between hours and minutes: 12h30
	dots   bool         // 10.30 is a time beside one of the words
	words  string       // words before or after a time
	cut    string       // the word after a time that is said already
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
	length string // words after 2:11:53 that tell that it is a duration, and are said with it
	after  string // words before 1:48 h that tell so
	last   string // between the parts of a duration, before the last
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
	if strings.HasPrefix(s.text[end:], ":") && v.ratio(s) {
		return false
	}
	switch {
	case end < len(s.text) && (s.text[end] == ':' || s.text[end] == '.'):
		next := s.run(end+1, isDigit)
		if minute = s.text[end+1 : next]; len(minute) != 2 || minute > "59" || s.text[end] == '.' && !v.beside(s, next) {
			return false
		}
		if at := s.run(min(next+1, len(s.text)), isDigit); next < len(s.text) && s.text[next] == ':' && at == next+3 && s.text[next+1:at] < "60" {
			second, next = s.text[next+1:at], at
		}
		if end = next; s.peekAt(end) == 'h' && s.end(end+1) && holds(c.cut, "h") { // 13:00h
			lettered, end = true, end+1
		}
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
		if end < len(s.text) && s.text[end] == '-' { // об 11-й
			ending := letters(s.text, end+1)
			if ending == "" || utf8.RuneCountInString(ending) > 2 {
				return false
			}
			end += 1 + len(ending)
		}
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

// ratio reports whether a word before two numbers with a colon makes them no time: Maßstab
// 1:50. The first of them has one digit; alla Scala 20:30 is a time.
func (v *voice) ratio(s *scan) bool {
	if s.run(s.at, isDigit) > s.at+1 {
		return false
	}
	before := strings.ToLower(v.before(s))
	return before != "" && (holds(ratioOf, before) || v.code == "de" && endsIn(before, "maßstab maßstabs verhältnis") || v.code == "nl" && endsIn(before, "schaal verhouding"))
}

// ratioOf are words before two numbers with a colon that are no time.
const ratioOf = `maßstab maßstabs verhältnis quote schaal verhouding échelle rapport escala proporción proporção razão scala rapporto skala skali skalą proporcja proporcji
	měřítko měřítku poměr poměru масштаб масштабе масштабі соотношение соотношении співвідношення ölçek ölçeği oran oranı`

// beside reports whether a word that belongs to times stands at either side.
func (v *voice) beside(s *scan, end int) bool {
	if !v.clock.dots {
		return false
	}
	if mark := s.dash(end); mark > 0 && s.clockAt(end+mark) { // 9.00-17.00
		return true
	}
	if start := s.at; start > 5 && (s.text[start-1] == '-' || strings.HasSuffix(s.text[:start], "–")) {
		back := strings.TrimRight(s.text[:start], "-–")
		if n := len(back); n > 4 && isDigit(back[n-1]) && isDigit(back[n-2]) && back[n-3] == '.' && back[n-2] < '6' && isDigit(back[n-4]) {
			return true
		}
	}
	return holds(v.clock.words, strings.ToLower(v.before(s))) || holds(v.clock.words, letters(s.text, end+gap(s.text, end)))
}

// clockAt reports whether an hour and its minutes with a full stop stand at a place.
func (s *scan) clockAt(at int) bool {
	hour := s.run(at, isDigit)
	last := s.run(min(hour+1, len(s.text)), isDigit)
	return hour > at && hour-at <= 2 && atoi(s.text[at:hour]) <= 24 && s.peekAt(hour) == '.' && last == hour+3 && s.text[hour+1:last] < "60" && s.end(last)
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
	inCase := ok && c.kind == numbers.Cardinal
	if inCase {
		minuteForm = form
		if !strings.Contains(form, "-") { // the tables name the case alone
			v.declineFrom(s, from, grammaticals[form])
		}
	}
	round := minute == "" || minute == "00"
	if c.hour.forms != nil && (c.always || round && !c.short || lettered) {
		if inCase && v.slavic && hour != "1" {
			v.say(s, c.hour.forms[2])
		} else if inCase && v.slavic {
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
		if v.speak(s, numbers.Cardinal, minuteForm, itoa(atoi(minute))); inCase && !strings.Contains(form, "-") {
			v.declineFrom(s, from, grammaticals[form])
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
