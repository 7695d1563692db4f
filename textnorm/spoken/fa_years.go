package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// faYears reads two years with a stroke between them, and a year with its month,
// which nobody takes for a decimal: ۱۳۹۸/۱۳۹۹, ۱۴۰۲/۰۵.
func (s *scan) faYears(top, bottom string, last int) bool {
	if len(top) != 4 || !s.end(last) {
		return false
	}
	solar, common := top > "1200" && top < "1500", top > "1850" && top < "2100"
	switch {
	case !solar && !common:
		return false
	case len(bottom) == 4 && bottom > top && atoi(bottom)-atoi(top) < 200:
		s.cardinal(top)
		s.say("تا")
		s.cardinal(bottom)
	case len(bottom) == 2 && bottom > "00" && bottom <= "12" && solar && (s.faBefore() != "" || bottom[0] == '0') && !s.faMeasured(last):
		s.say(faTables().jalali[atoi(bottom)-1])
		s.cardinal(top)
	default:
		return false
	}
	s.at = last
	return true
}

// faBefore is the word before s.at without a written ezafe.
func (s *scan) faBefore() string { return strings.TrimSuffix(s.before(), string(faKasre)) }

// faToldBefore reports whether one of the two words before s.at is in a list.
func (s *scan) faToldBefore(list *wordList) bool {
	before := s.faBefore()
	if before == "" || list.has(before) {
		return before != ""
	}
	earlier := *s
	earlier.at = s.at - 1 - len(s.before())
	return list.has(earlier.faBefore())
}

// faCentury reads the number of a century, which is said as an ordinal though no
// ending stands there: قرن ۸.
func (s *scan) faCentury(a amount) bool {
	if before := s.faBefore(); before != "قرن" && before != "سده" && before != "سدهٔ" {
		return false
	}
	if len(a.whole) > 2 || a.grouped || !s.end(a.end) || atoi(a.whole) == 0 || atoi(a.whole) > mostCentury || strings.HasPrefix(s.text[a.end:], "/") {
		return false
	}
	s.at = a.end
	return s.number(numbers.Ordinal, "", a.whole)
}

// mostCentury bounds what is a century and no count of them.
const mostCentury = 30

// faRoman reads the numeral after a name or a thing, which is an ordinal in Persian.
func faRoman(s *scan) bool {
	word := s.word(s.at)
	end := s.at + len(word)
	n := romanValue(word)
	if n < 2 || n > mostRegnal || len(word) < 2 || !s.end(end) {
		return false
	}
	if before := s.faBefore(); before == "" || !faFirst(before[0]) {
		return false
	}
	s.at = end
	return s.number(numbers.Ordinal, "", itoa(n))
}

// faCalled reports whether a word before tells that a number is a telephone's.
func (s *scan) faCalled() bool {
	before := strings.TrimRight(s.text[max(0, s.at-24):s.at], " :")
	for _, word := range []string{"تلفن", "فکس", "نمابر", "تلفکس", "تلفن تماس", "شماره تماس", "شمارهٔ تماس"} {
		if strings.HasSuffix(before, word) {
			return true
		}
	}
	return false
}

// faLong reports whether the م right after a number is of metres: a word for a length stands
// shortly before, or right after it.
func (s *scan) faLong(end int) bool {
	t := faTables()
	if s.faNear(s.at, &t.lengths) {
		return true
	}
	if end >= len(s.text) || s.text[end] != ' ' {
		return false
	}
	word := s.text[end+1 : faWordEnd(s.text, end+1)]
	return t.lengths.has(word) || t.lengths.has(strings.TrimSuffix(word, "ی"))
}

// faPlate reports whether a letter and the number after it, at a place, are of a car's plate.
func (s *scan) faPlate(at int) bool {
	last := s.run(at, isDigit)
	return last == at+3 && s.at > 2 && s.text[s.at-1] == ' ' && isDigit(s.text[s.at-2]) && s.faNear(s.at, &faTables().plates)
}

// faOrdinalOf says the number of a day.
func (s *scan) faOrdinalOf(n int) bool { return s.number(numbers.Ordinal, "", itoa(n)) }

// faEra reports whether the م right after a number is of a year of the common era, and no
// ending of an ordinal: nothing is the 1960th.
func (s *scan) faEra(a amount) bool {
	if a.grouped || len(a.whole) < 3 || len(a.whole) > 4 || a.whole > "2100" && len(a.whole) == 4 {
		return false
	}
	before := s.faBefore()
	told := before == "سال" || before == "در" || before == "از" || before == "تا" || s.at > 0 && strings.IndexByte("(-", s.text[s.at-1]) >= 0
	return len(a.whole) == 4 && (told || !strings.HasSuffix(a.whole, "000")) || told && before != "در" && before != "تا" && before != "از"
}
