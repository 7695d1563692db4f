package spoken

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// unitAt is the unit or the currency behind a number, and where it ends; the
// place itself where there is none.
func (v *voice) unitAt(s *scan, at int) (n noun, money [2]noun, end int) {
	next := at + gap(s.text, at)
	rest := s.text[next:]
	if rest == "" {
		return n, money, at
	}
	for size := min(len(rest), v.begins[rest[0]]); size > 0; size-- {
		key := rest[:size]
		unit, isUnit := v.unit[key]
		pair, isMoney := v.money[key]
		if !isUnit && !isMoney {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(key)
		if inWord(last) && !s.end(next+size) || key == "°" && s.word(next+size) != "" {
			continue
		}
		if next > at && v.farUnit[key] {
			continue
		}
		if isMoney {
			return noun{}, pair, next + size
		}
		end = next + size
		if space := gap(s.text, end); key == "°" && space > 0 {
			if word := letters(s.text, end+space); slices.Contains(unit.forms, word) { // 20° gradi
				end += space + len(word)
			}
		}
		return unit, money, end
	}
	return n, money, at
}

// magnitudeAt is a word such as million behind a number.
func (v *voice) magnitudeAt(s *scan, at int) (n noun, end int) {
	next := at + gap(s.text, at)
	word := letters(s.text, next)
	end = next + len(word)
	if n, ok := v.magnitude[word+"."]; ok && end < len(s.text) && s.text[end] == '.' {
		return n, end + 1
	}
	if n, ok := v.magnitude[word]; ok && next > at {
		return n, end
	}
	return noun{}, at
}

// per reads the slash of 5 €/kg.
func (v *voice) per(s *scan) {
	if s.peek(0) == '.' && s.peek(1) == '/' && letters(s.text, s.at+2) != "" { // руб./кг
		s.at++
	}
	if s.peek(0) != '/' || v.perWord == "" {
		return
	}
	word := letters(s.text, s.at+1)
	end := s.at + 1 + len(word)
	if word == "" || !s.end(end) {
		return
	}
	v.say(s, v.perWord)
	if n, _, after := v.unitAt(s, s.at+1); n.forms != nil {
		v.say(s, v.accusative(n))
		end = after
	} else {
		v.say(s, word)
	}
	s.at = end
}

// accusative is one of a noun, as the word for per asks for it.
func (v *voice) accusative(n noun) string {
	for i := 0; i+1 < len(v.accusatives) && n.gender == 'f'; i += 2 {
		if stem, ok := strings.CutSuffix(n.forms[0], v.accusatives[i]); ok {
			return stem + v.accusatives[i+1]
		}
	}
	return n.forms[0]
}

// sayMoney says an amount of a currency with two digits behind the mark as
// hundredths.
func (v *voice) sayMoney(s *scan, a amount, names [2]noun) {
	if len(a.fraction) != 2 || names[1].forms == nil {
		v.count(s, a, names[0].gender)
		v.say(s, v.nounOf(names[0], a.String()))
		return
	}
	cents := strings.TrimLeft(a.fraction, "0")
	if whole := strings.TrimLeft(a.whole, "0"); whole != "" || cents == "" {
		v.count(s, amount{whole: a.whole}, names[0].gender)
		v.say(s, v.nounOf(names[0], a.whole))
		if cents != "" && v.and != "" {
			v.say(s, v.and)
		}
	}
	if cents != "" {
		v.count(s, amount{whole: cents}, names[1].gender)
		v.say(s, v.nounOf(names[1], cents))
	}
}

// readSign reads money whose sign stands in front: R$ 5, $3 millones.
func (v *voice) readSign(s *scan) bool {
	rest := s.rest()
	for _, sign := range v.signsBy[rest[0]] {
		if !strings.HasPrefix(rest, sign) {
			continue
		}
		at := s.at + len(sign)
		if last := sign[len(sign)-1]; gap(s.text, at) == 0 && isLetter(last) {
			continue
		}
		a, ok := s.amount(at + gap(s.text, at))
		if !ok {
			continue
		}
		if last := s.run(min(a.end+1, len(s.text)), isDigit); v.decimal == "," && a.fraction == "" && strings.HasPrefix(s.text[a.end:], ".") && last > a.end+1 && last <= a.end+3 {
			a.fraction, a.end = s.text[a.end+1:last], last // $1.5, as where the dollar is from
		}
		names := v.money[sign]
		s.at = a.end
		n, end := v.magnitudeAt(s, a.end)
		if n.forms == nil {
			v.sayMoney(s, a, names)
			v.per(s)
			return true
		}
		v.count(s, a, n.gender)
		v.say(s, v.nounOf(n, a.String()))
		v.say(s, v.severalOf(names[0]))
		if s.at = end; s.text[end-1] == '.' && end == len(s.text) {
			s.at--
		}
		return true
	}
	return false
}
