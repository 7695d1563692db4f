package spoken

import "strings"

// What two numbers with a dash between them can be.
var (
	enRanged   = &class{name: "range", say: enSayTo("to")}
	enAbridged = &class{name: "range", say: enSayAbridged}
	enScored   = &class{name: "score", say: enSayTo("to")}
	enMinus    = &class{name: "minus", say: enSayTo("minus")}
	enMonth    = &class{name: "month", say: enSayMonth}
	enDashed   = &class{name: "code", say: enSayCode, safe: true}
)

// enRange proposes what 1990-1995, 10–20, 3-2, 17-1234 are.
func enRange(s *scan) {
	a, ok := s.amount(s.at)
	if !ok {
		return
	}
	mark := s.dash(a.end)
	if mark == 0 {
		return
	}
	b, ok := s.amount(a.end + mark)
	if !ok || (s.peekAt(b.end) == '-' || s.peekAt(b.end) == '/') && isDigit(s.peekAt(b.end+1)) {
		return
	}
	s.form = form{one: a, two: b, end: b.end}
	years := enIsYear(a) && len(a.whole) == 4
	whole := a.fraction+b.fraction == "" && !a.grouped && !b.grouped && s.end(b.end)
	switch month := atoi(b.whole); {
	case strings.HasPrefix(strings.TrimPrefix(s.text[b.end:], " "), "="): // 5-3=2
		s.may(enMinus, certain, "an equals sign after it")
		return
	case years && len(b.whole) == 2 && b.fraction == "" && month >= 1 && month <= 12 && a.whole > "2000" && month < atoi(a.whole[2:]) && s.end(b.end): // 2021-01
		s.may(enMonth, certain, "a year and a month by their form")
		return
	case !whole || len(a.whole) > 9 || len(b.whole) > 9:
		s.may(enRanged, certain, "decimals, a measure or marks of groups")
		return
	case years && len(b.whole) == 2 && b.whole[0] == '0' && b.whole > a.whole[2:]: // 2004-05
		s.may(enRanged, certain, "two years by their form")
		return
	case years:
		s.may(enRanged, cueNext, "a year before it")
	case len(b.whole) < len(a.whole) && b.whole > a.whole[len(a.whole)-len(b.whole):] && a.whole[0] != '0': // 204–07
		s.may(enAbridged, possible, "")
	}
	s.code(a.whole, b.whole)
}

// code proposes what two whole numbers with a dash are.
func (s *scan) code(a, b string) {
	x, y := atoi(a), atoi(b)
	padded := len(a) > 1 && a[0] == '0' || len(b) > 1 && b[0] == '0'
	if x < y && !padded {
		s.may(enRanged, usual, "the first is less")
	}
	if most := max(x, y); !padded {
		s.may(enScored, map[bool]int{true: usual, false: possible}[x >= y && most < 200], "the size of a score")
	}
	switch {
	case padded:
		s.may(enDashed, usual, "a zero in front")
	case len(b) > len(a)+1 && !strings.HasSuffix(b, "00"):
		s.may(enDashed, usual, "a long number after a short one")
	default:
		s.may(enDashed, possible, "")
	}
}

// enSayAbridged says a range whose end has its last digits only: pp. 204–07.
func enSayAbridged(s *scan) bool {
	a, b := s.form.one.whole, s.form.two.whole
	s.plainDigits(a)
	s.say("to")
	s.at = s.form.end
	return s.plainDigits(a[:len(a)-len(b)] + b)
}

// enSayTo says the first number and what is between; the second is read by itself.
func enSayTo(words string) func(s *scan) bool {
	return func(s *scan) bool {
		a, b := s.form.one, s.form.two
		years := enIsYear(a) && len(a.whole) == 4
		switch {
		case years:
			s.year(a.whole)
		case a.fraction == "":
			s.plainDigits(a.whole)
		default:
			s.cardinal(a.String())
		}
		s.say(words)
		s.out = append(s.out, ' ')
		s.at = b.start
		if years && len(b.whole) == 2 && b.fraction == "" && s.end(b.end) {
			s.at = b.end
			if b.whole[0] == '0' {
				s.say("oh")
				return s.cardinal(b.whole[1:])
			}
			return s.cardinal(b.whole)
		}
		return true
	}
}

func enSayMonth(s *scan) bool {
	s.say(enTables().months[atoi(s.form.two.whole)-1])
	s.at = s.form.end
	return s.year(s.form.one.whole)
}

// enSayCode says two numbers, a long one digit by digit.
func enSayCode(s *scan) bool {
	for i, digits := range []string{s.form.one.whole, s.form.two.whole} {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if len(digits) > 2 {
			s.digits(digits)
		} else {
			s.plainDigits(digits)
		}
	}
	s.at = s.form.end
	return true
}
