package spoken

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// unitAt is the unit or the currency after a number, and where it ends; the
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
		if !s.isInch(key, at) || next > at && (v.farUnit[key] && !s.isFarUnit(key, at, next+size) || v.wordUnit[key] && !s.unitEnds(next+size, v.of)) {
			continue
		}
		if v.code == "pl" && key == "m" && next > at && strings.HasPrefix(s.text[next+size:], ". ") && isDigit(s.peekAt(next+size+2)) && polishStreet(s.text[:at]) {
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

// unitEnds reports whether nothing after a unit makes a word of it: 12 ha di bosco, but
// il treno 12 ha un'ora di ritardo.
func (s *scan) unitEnds(at int, of string) bool {
	rest := s.text[at:]
	return rest == "" || strings.IndexByte(".,;:)/", rest[0]) >= 0 || of != "" && strings.HasPrefix(rest, " "+of)
}

// magnitudeAt is a word such as million after a number.
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
func (v *voice) per(s *scan, paid bool) {
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
	if v.sayPer(s, word, paid) {
		s.at = end
		return
	}
	if n, _, after := v.unitAt(s, s.at+1); n.forms != nil {
		v.say(s, v.accusative(n))
		end = after
	} else {
		v.say(s, word)
	}
	s.at = end
}

// sayPer says the slash before a word, and the word where the tables have it.
func (v *voice) sayPer(s *scan, word string, paid bool) bool {
	said, ok := v.perOf[word]
	if own, found := strings.CutPrefix(said, "*"); found { // with a word for per of its own
		if _, said, _ = strings.Cut(own, " "); !paid {
			v.say(s, own)
			return true
		}
	}
	if v.perMeasure != "" && !paid {
		v.say(s, v.perMeasure)
	} else {
		v.say(s, v.perWord)
	}
	if ok {
		v.say(s, said)
	}
	return ok
}

// noCents takes the dash of € 49,- where hundredths would stand.
func (s *scan) noCents() {
	if s.peek(0) != ',' {
		return
	}
	if mark := s.dash(s.at + 1); mark > 0 && !isDigit(s.peekAt(s.at+1+mark)) {
		for s.at++; s.dash(s.at) > 0; {
			s.at += s.dash(s.at)
		}
	}
}

// accusative is one of a noun, as the word for per asks for it.
func (v *voice) accusative(n noun) string {
	ends := strings.Fields(v.accusatives)
	for i := 0; i+1 < len(ends) && n.gender == 'f'; i += 2 {
		if stem, ok := strings.CutSuffix(n.forms[0], ends[i]); ok {
			return stem + ends[i+1]
		}
	}
	return n.forms[0]
}

// sayMoney says an amount of a currency with two digits after the mark as
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

// sayMoneyIn is sayMoney in a case, of which the genitive is known.
func (v *voice) sayMoneyIn(s *scan, a amount, names [2]noun, of grammatical) {
	if of != genitive {
		v.sayMoney(s, a, names)
		return
	}
	cents := strings.TrimLeft(a.fraction, "0")
	if len(a.fraction) != 2 || names[1].forms == nil {
		v.countGenitive(s, a, names[0].gender)
		v.say(s, v.genitiveOf(names[0], a.String()))
		return
	}
	v.countGenitive(s, amount{whole: a.whole}, names[0].gender)
	v.say(s, v.genitiveOf(names[0], a.whole))
	if cents != "" {
		v.countGenitive(s, amount{whole: cents}, names[1].gender)
		v.say(s, v.genitiveOf(names[1], cents))
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
		if len(a.fraction) == 3 && !a.grouped && len(a.whole) <= 3 && a.whole[0] != '0' { // $1,000: no money has thousandths
			a.whole, a.fraction, a.grouped = a.whole+a.fraction, "", true
		}
		if last := s.run(min(a.end+1, len(s.text)), isDigit); v.decimal == "," && a.fraction == "" && strings.HasPrefix(s.text[a.end:], ".") && last > a.end+1 && last <= a.end+3 {
			a.fraction, a.end, a.pointed = s.text[a.end+1:last], last, true // $1.5, as where the dollar is from
		}
		names := v.money[sign]
		if pesos, ok := v.money["$MX"]; ok && sign == "$" && (a.pointed || a.grouped && strings.Contains(s.text[a.start:a.end], ",")) {
			names = pesos
		}
		s.at = a.end
		n, end := v.magnitudeAt(s, a.end)
		if word := letters(s.text, a.end+gap(s.text, a.end)); n.forms == nil && v.thousand != "" && word == v.thousand {
			if a.String() != "1" {
				v.count(s, a, names[0].gender)
			}
			v.say(s, word)
			s.at = a.end + gap(s.text, a.end) + len(word)
			names, s.at = v.moneyNamed(s, sign, names)
			v.say(s, v.nounOf(names[0], "2"))
			return true
		}
		if n.forms == nil {
			start := s.at
			names, end = v.moneyNamed(s, sign, names)
			s.at = start
			v.sayMoney(s, a, names)
			s.at = end
			s.noCents()
			v.per(s, true)
			return true
		}
		v.count(s, a, n.gender)
		v.say(s, v.nounOf(n, a.String()))
		s.at = end
		names, end = v.moneyNamed(s, sign, names)
		v.say(s, v.severalOf(names[0]))
		if s.at = end; s.text[end-1] == '.' && end == len(s.text) {
			s.at--
		}
		return true
	}
	return false
}

// moneyNamed is the currency that a word after an amount names, which says what a dollar
// sign stands for: $500 pesos. It is what the sign is for where there is no such word.
func (v *voice) moneyNamed(s *scan, sign string, names [2]noun) (named [2]noun, end int) {
	if sign != "$" {
		return names, s.at
	}
	at := s.at + gap(s.text, s.at)
	word := letters(s.text, at)
	if v.of != "" && word == v.of {
		at += len(word)
		at += gap(s.text, at)
		word = letters(s.text, at)
	}
	if word == "" || word == "$" {
		return names, s.at
	}
	for _, code := range []string{"$", "MXN"} {
		pair := v.money[code]
		if pair[0].forms != nil && holds(strings.Join(pair[0].forms, " "), word) {
			return pair, at + len(word)
		}
	}
	return names, s.at
}
