package spoken

import "strings"

// enMoney reads $5, $1.50, £3 million, US$20, 50¢ is an amount.
func enMoney(s *scan) bool {
	for _, sign := range []string{"US$", "C$", "A$", "$", "£", "€", "¥", "₹", "₽", "₩", "₺", "﷼", "₪"} {
		if !strings.HasPrefix(s.rest(), sign) {
			continue
		}
		at := s.at + len(sign)
		if at < len(s.text) && s.text[at] == ' ' {
			at++
		}
		if at >= len(s.text) || !isDigit(s.text[at]) && !(s.text[at] == '.' && at+1 < len(s.text) && isDigit(s.text[at+1])) {
			return false
		}
		if a, ok := s.amount(at); ok {
			_, end := s.magnitude(a.end)
			s.behind = s.adjective(end)
		}
		s.at = at
		ok := s.money(enCurrencies[sign])
		s.behind = false
		return ok
	}
	return false
}

// money reads the amount at s.at, of a currency.
func (s *scan) money(names [2]unit) bool {
	var a amount
	if s.peek(0) == '.' {
		end := s.run(s.at+1, isDigit)
		a = amount{whole: "0", fraction: s.text[s.at+1 : end], end: end}
	} else {
		a, _ = s.amount(s.at)
	}
	if mark := s.dash(a.end); mark > 0 { // $5-10
		at := a.end + mark
		if at < len(s.text) && s.text[at] == '$' {
			at++
		}
		if b, ok := s.amount(at); ok {
			s.amountWords(a)
			s.say("to")
			a = b
		}
	}
	at := a.end
	if word, end := s.magnitude(at); word != "" {
		s.amountWords(a)
		s.say(word)
		if s.behind {
			s.say(names[0].one)
		} else {
			s.say(names[0].many)
		}
		s.at = end
		s.per()
		return true
	}
	s.at = at
	switch {
	case len(a.fraction) == 2:
		dollars, cents := strings.TrimLeft(a.whole, "0"), strings.TrimLeft(a.fraction, "0")
		if dollars != "" || cents == "" {
			s.amountWords(amount{whole: a.whole})
			s.say(names[0].of(a.whole))
		}
		if cents != "" {
			if dollars != "" {
				s.say("and")
			}
			s.cardinal(cents)
			s.say(names[1].of(cents))
		}
	case a.fraction != "":
		s.amountWords(a)
		s.say(names[0].many)
	default:
		single := s.behind
		s.amountWords(a)
		if single {
			s.say(names[0].one)
		} else {
			s.say(names[0].of(a.whole))
		}
	}
	s.per()
	return true
}

func (u unit) of(digits string) string {
	if strings.TrimLeft(digits, "0") == "1" {
		return u.one
	}
	return u.many
}

func (s *scan) amountWords(a amount) bool {
	if a.fraction == "" {
		return s.plainDigits(a.whole)
	}
	return s.cardinal(a.String())
}

// magnitude is a word such as million behind an amount of money.
func (s *scan) magnitude(at int) (word string, end int) {
	next := at
	if next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '-') {
		next++
	}
	w := s.word(next)
	m := enMagnitudes[w]
	if m == "" || !s.end(next+len(w)) || next > at && len(w) <= 2 && w != "bn" && w != "mn" {
		return "", at
	}
	return m, next + len(w)
}

// per reads the slash of $5/hour and 60 km/h.
func (s *scan) per() {
	if s.peek(0) != '/' {
		return
	}
	word := s.word(s.at + 1)
	if word == "" || !s.end(s.at+1+len(word)) {
		return
	}
	s.say("per")
	if u, ok := enUnits[word]; ok {
		s.say(u.one)
	} else {
		s.say(word)
	}
	s.at += 1 + len(word)
}
