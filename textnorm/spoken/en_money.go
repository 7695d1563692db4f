package spoken

import (
	"strings"
	"unicode/utf8"
)

// enMoney reads $5, $1.50, £3 million, US$20, 50¢ is an amount.
func enMoney(s *scan) bool {
	for _, sign := range []string{"US$", "C$", "CA$", "A$", "AU$", "HK$", "NZ$", "S$", "R$", "Rs.", "Rs", "$", "£", "€", "¥", "₹", "₽", "₩", "₺", "₴", "﷼", "₪"} {
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
		ok := s.money(enTables().money[sign])
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
		a = s.european()
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

// european is the amount at s.at, which may have the marks of the continent:
// €1.234,56, as nobody writes a decimal.
func (s *scan) european() amount {
	if s.exact {
		a, _ := s.amount(s.at)
		return a
	}
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	for len(whole) <= 12 && s.at2(end) == '.' && s.run(end+1, isDigit) == end+4 {
		whole, end = whole+s.text[end+1:end+4], end+4
	}
	if s.at2(end) == ',' && end > s.at+4 && s.run(end+1, isDigit) == end+3 && s.end(end+3) && len(whole) > 3 && strings.Contains(s.text[s.at:end], ".") {
		return amount{whole: whole, fraction: s.text[end+1 : end+3], start: s.at, end: end + 3}
	}
	a, _ := s.amount(s.at)
	return a
}

// magnitude is a word such as million after an amount of money.
func (s *scan) magnitude(at int) (word string, end int) {
	next := at
	if next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '-') {
		next++
	}
	w := s.word(next)
	m := enTables().magnitude[w]
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
	if next := s.run(s.at+1, isDigit); next > s.at+1 { // 20 g/100 g
		if u, _ := s.unitAt(next); u.many != "" {
			s.say("per")
			s.out = append(s.out, ' ')
			s.at++
		}
		return
	}
	if u, end := s.unitAt(s.at + 1); u.one != "" && end > s.at+1+len(word) && end-s.at > 3 && s.text[end-1] < utf8.RuneSelf { // $20/sq ft
		s.say("per")
		s.say(u.one)
		s.at = end
		return
	}
	if word == "" || !s.end(s.at+1+len(word)) {
		return
	}
	s.say("per")
	s.at += 1 + len(word)
	power, known := enPowers[s.runeAt(s.at)]
	if u, ok := enTables().units[word+string(s.runeAt(s.at))]; ok && known {
		s.say(u.one)
		s.at += len("²")
	} else if u, ok := enTables().units[word]; ok {
		s.say(u.one)
		if known {
			s.say(power)
			s.at += len("²")
		}
		if s.peek(0) == '.' && s.peek(1) != 0 && !s.sentenceEnd(s.at) {
			s.at++
		}
	} else {
		s.say(word)
	}
}

// enPowers stand after what is taken to a power.
var enPowers = map[rune]string{'²': "squared", '³': "cubed"}

// runeAt is the character at a place, 0 after the end.
func (s *scan) runeAt(at int) rune {
	if at >= len(s.text) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return r
}

// enShillings reads the old money of England: 10s. 6d., 56s. a quarter, 4d. apiece.
// Seconds have no stop, which alone tells them apart.
func enShillings(s *scan) bool {
	const most = 3 // digits
	end := s.run(s.at, isDigit)
	count := s.text[s.at:end]
	if len(count) > most || end+1 >= len(s.text) {
		return false
	}
	pence, after := s.pence(end + 1)
	stop := s.text[end+1] == '.' && s.peek(end+2-s.at) != 0 && !s.sentenceEnd(end+1)
	switch {
	case s.text[end] == 'd' && stop:
		s.cardinal(count)
		s.say(unit{"penny", "pence"}.of(count))
		s.at = end + 2
	case s.text[end] == 's' && pence != "":
		s.cardinal(count)
		s.say(unit{"shilling", "shillings"}.of(count))
		s.cardinal(pence)
		s.say("pence")
		s.at = after
		s.stop(true)
	case s.text[end] == 's' && stop && len(count) < most && (s.at == 0 || s.text[s.at-1] == ' '): // not of B-52s. and 911s.
		s.cardinal(count)
		s.say(unit{"shilling", "shillings"}.of(count))
		s.at = end + 2
	default:
		return false
	}
	return true
}

// pence are those after shillings at a place, and where they end.
func (s *scan) pence(at int) (count string, end int) {
	if at < len(s.text) && s.text[at] == '.' {
		at++
	}
	if at >= len(s.text) || s.text[at] != ' ' {
		return "", at
	}
	end = s.run(at+1, isDigit)
	if end == at+1 || end-at > 3 || end >= len(s.text) || s.text[end] != 'd' || !s.end(end+1) {
		return "", at
	}
	return s.text[at+1 : end], end + 1
}
