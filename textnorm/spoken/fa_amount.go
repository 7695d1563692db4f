package spoken

import (
	"strings"
	"unicode/utf8"
)

// faAmount reads a number with what stands after it: a share, money, a measure.
func faAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if s.inside() {
		a = amount{whole: s.text[s.at:s.run(s.at, isDigit)], start: s.at, end: s.run(s.at, isDigit)}
	}
	return s.faAmountWords(a)
}

// faAmountWords says an amount and what stands after it.
func (s *scan) faAmountWords(a amount) bool {
	at := a.end
	if at < len(s.text) && s.text[at] == ' ' {
		at++
	}
	rest := s.text[at:]
	if len(a.fraction) == 3 && !a.grouped && len(a.whole) <= 3 && a.whole[0] != '0' && faTables().whole.has(rest[:faWordEnd(rest, 0)]) {
		a.whole, a.fraction = a.whole+a.fraction, "" // the stop parts groups
	}
	switch r, n := utf8.DecodeRuneInString(rest); {
	case r == '%' || r == '‰':
		s.faSay(a)
		s.say(faTables().symbols[string(r)])
		s.at = at + n
		return s.faGap()
	case faTables().money[string(r)][0] != "" && !(at > a.end && len(rest) > n && isDigit(rest[n])):
		s.at = at + n
		s.faCents(a, faTables().money[string(r)])
		return s.faGap()
	}
	if at > a.end {
		word := s.word(at)
		if len(word) == 1 && len(rest) > 2 && rest[1] >= utf8.RuneSelf { // zł, Kč
			word = rest[:3]
		}
		if faTables().money[word][0] != "" && s.end(at+len(word)) {
			s.at = at + len(word)
			return s.faCents(a, faTables().money[word])
		}
	}
	if strings.HasPrefix(rest, "م ") && s.faPaid(at+len("م")) {
		return s.faMillions(a, at+len("م"))
	}
	if s.faArc(a) || s.faPower(a) {
		return true
	}
	if strings.HasPrefix(s.text[a.end:], "k ") && !faLatin(rune(s.peekAt(a.end+2))) { // ۱۰۰k عضو
		s.faSay(a)
		s.say("هزار")
		s.at = a.end + 1
		return true
	}
	if c := s.peekAt(a.end); (c == 'x' || c == '^') && isDigit(s.peekAt(a.end+1)) { // ۳x۴, ۱۰^۳
		s.faSay(a)
		s.say(map[byte]string{'x': "در", '^': "به توان"}[c])
		s.out = append(s.out, ' ')
		s.at = a.end + 1
		s.opens = s.at
		return true
	}
	if strings.HasPrefix(s.text[a.end:], "- درجه") && a.start > 0 && s.text[a.start-1] == ' ' { // written from right to left
		s.say("منفی")
		s.at = a.end + 1
		return s.faSay(a)
	}
	if at > a.end && (strings.HasPrefix(rest, "ونیم") && (s.end(at+len("ونیم")) || strings.HasPrefix(rest, "ونیمه"))) { // ۷ونیم
		s.faSay(a)
		s.say("و")
		s.out = append(s.out, ' ')
		s.at = at + len("و")
		return true
	}
	if name, end := s.faUnit(a.end); name != "" {
		s.faSay(a)
		s.say(name)
		s.at = end
		if s.peek(0) == ' ' && isDigit(s.peek(1)) && (strings.HasPrefix(s.text[a.end:end], "h") || strings.HasPrefix(s.text[a.end:end], " h")) && s.minutesAt(s.run(end+1, isDigit)) {
			s.say("و") // ۱h 45m
		}
		return s.faGap()
	}
	s.at = a.end
	return s.faSay(a) && s.faGap()
}

// faArc reads an angle in degrees, minutes and seconds, and where it lies: 35°42′N.
func (s *scan) faArc(a amount) bool {
	at, parts := a.end, []string{a.whole}
	for _, mark := range []string{"°", "′", "″"} {
		if len(parts) > 1 && (at >= len(s.text) || !isDigit(s.text[at])) {
			break
		}
		if len(parts) > 1 || mark != "°" {
			end := s.run(at, isDigit)
			parts = append(parts, s.text[at:end])
			at = end
		}
		if !strings.HasPrefix(s.text[at:], mark) {
			return false
		}
		if at += len(mark); mark == "°" && (at >= len(s.text) || !isDigit(s.text[at])) {
			return false
		}
	}
	if len(parts) < 2 || a.fraction != "" {
		return false
	}
	for i, part := range parts {
		if i > 0 {
			s.say("و")
		}
		s.faClock(part)
		s.say([]string{"درجه", "دقیقه", "ثانیه"}[i])
	}
	if s.at = at; s.end(at + 1) {
		if side := map[byte]string{'N': "شمالی", 'S': "جنوبی", 'E': "شرقی", 'W': "غربی"}[s.peek(0)]; side != "" {
			s.say(side)
			s.at++
		}
	}
	return s.faGap()
}

// faPower reads digits above the line after a number: 10⁻³.
func (s *scan) faPower(a amount) bool {
	minus, exponent, at := false, "", a.end
	for at < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[at:])
		if digit := strings.IndexRune("⁰¹²³⁴⁵⁶⁷⁸⁹", r); digit >= 0 {
			exponent += itoa(utf8.RuneCountInString("⁰¹²³⁴⁵⁶⁷⁸⁹"[:digit]))
		} else if r == '⁻' && at == a.end {
			minus = true
		} else {
			break
		}
		at += n
	}
	if exponent == "" || len(exponent) > 3 || !s.end(at) {
		return false
	}
	s.faSay(a)
	s.say("به توان")
	if minus {
		s.say("منفی")
	}
	s.at = at
	return s.faClock(exponent) && s.faGap()
}

// faUnit is the measure in Latin letters after a number, and where it ends.
func (s *scan) faUnit(at int) (name string, end int) {
	next := at
	if next < len(s.text) && s.text[next] == ' ' {
		next++
	}
	rest, units := s.text[next:], faTables().units
	for n := min(len(rest), mostFaUnit); n > 0; n-- {
		name, ok := units[rest[:n]]
		if !ok || rest[:n] != "°" && !s.end(next+n) {
			continue
		}
		if n < len(rest) && (rest[n] == '\'' || rest[n] == '-' || rest[n] == '/' || rest[n] == '@' || rest[n] == '.' && n+1 < len(rest) && isLetter(rest[n+1])) {
			continue
		}
		if rest[:n] == "m" && s.minutesAt(at) {
			name = units["min"]
		}
		return name, next + n
	}
	return "", at
}

// faCents says money: two digits after the mark are hundredths.
func (s *scan) faCents(a amount, names [2]string) bool {
	if len(a.fraction) != 2 || names[1] == "" || a.grouped && len(a.whole) > 15 {
		if !s.faSay(a) {
			return false
		}
		s.say(names[0])
		return true
	}
	if strings.Trim(a.whole, "0") != "" || a.fraction == "00" {
		s.faSay(amount{whole: a.whole})
		s.say(names[0])
		if a.fraction == "00" {
			return true
		}
		s.say("و")
	}
	s.faClock(a.fraction)
	s.say(names[1])
	return true
}

// faMoneyBefore reads a sign of money in front of its amount.
func faMoneyBefore(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	names := faTables().money[string(r)]
	if names[0] == "" || r == '¢' {
		return false
	}
	at := s.at + n
	if at < len(s.text) && s.text[at] == ' ' {
		at++
	}
	return s.faMoneyAt(at, names)
}

// faCode reads USD 5.
func faCode(s *scan) bool {
	word := s.word(s.at)
	at := s.at + len(word)
	if faTables().money[word][0] == "" || at >= len(s.text) {
		return false
	}
	if s.text[at] == ' ' {
		at++
	}
	return s.faMoneyAt(at, faTables().money[word])
}

// faMoneyAt reads an amount, perhaps with a magnitude, and says the money after it.
func (s *scan) faMoneyAt(at int, names [2]string) bool {
	a, ok := s.amount(at)
	if !ok {
		return false
	}
	s.at = a.end
	if words, end := s.faMagnitude(a.end); words != "" {
		s.faSay(a)
		s.say(words)
		s.say(names[0])
		s.at = end
		return s.faGap()
	}
	if strings.HasPrefix(s.rest(), " ") {
		for _, m := range faTables().magnitudes {
			if strings.HasPrefix(s.rest()[1:], m) && s.end(a.end+1+len(m)) {
				s.at += 1 + len(m)
				s.faSay(a)
				s.say(m)
				s.say(names[0])
				return true
			}
		}
	}
	return s.faCents(a, names) && s.faGap()
}

// faSign reads what stands in front of a number: -5, +4, %20, ~20, ½.
func faSign(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := faVulgar[r]; ok {
		s.at += n
		return s.faFraction(f[0], f[1], s.faHalf()) && s.faGap()
	}
	clear := s.at == 0 || strings.ContainsRune(" ([\"'=<>", rune(s.text[s.at-1])) || strings.HasSuffix(s.text[:s.at], "«")
	next := s.peek(n)
	if !clear || !isDigit(next) && !(next == '.' && isDigit(s.peek(n+1))) {
		return false
	}
	switch r {
	case '-', '−', '–':
		s.say("منفی")
	case '+':
		s.say("مثبت")
	case '~':
		s.say("حدود")
	case '%':
		a, _ := s.amount(s.at + n)
		if a.end == 0 {
			return false
		}
		s.faSay(a)
		s.say("درصد")
		s.at = a.end
		return s.faGap()
	default:
		return false
	}
	s.out = append(s.out, ' ')
	s.at += n
	return true
}
