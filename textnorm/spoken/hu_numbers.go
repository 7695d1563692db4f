package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// readAmount reads a number and what is counted by it, with the ending after it.
func (h hu) readAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	from := len(s.out)
	if n, end := h.hungarianMagnitude(s, a); n.forms != nil {
		h.say2(s, a, true)
		if a.fraction == "" { // ötmillió
			s.out = append(s.out, n.forms[0]...)
		} else {
			h.say(s, n.forms[0])
		}
		s.at = end
		if unit, money, after := h.unitAt(s, end); after > end {
			if money[0].forms != nil {
				unit = money[0]
			}
			h.say(s, unit.forms[0])
			s.at = after
		}
		h.behind(s, from, "")
		return true
	}
	unit, money, end := h.unitAt(s, a.end)
	switch {
	case money[0].forms != nil:
		h.saySum(s, a, money)
		s.at = end
	case unit.forms != nil:
		h.say2(s, a, true)
		h.say(s, unit.forms[0])
		s.at = end
	default:
		return h.alone(s, a)
	}
	h.behind(s, from, a.String())
	return true
}

// hungarianMagnitude is a word such as million after a number; M and e are such
// only before money.
func (h hu) hungarianMagnitude(s *scan, a amount) (n noun, end int) {
	n, end = h.magnitudeAt(s, a.end)
	if n.forms == nil || end-a.end > 2 {
		return n, end
	}
	if _, money, _ := h.unitAt(s, end); money[0].forms == nil {
		return noun{}, a.end
	}
	return n, end
}

// behind reads what stands after a unit: an ending, or a slash and another unit.
// An adjective of a short number is one word with it: ötszázalékos.
func (h hu) behind(s *scan, from int, digits string) {
	if strings.HasPrefix(s.rest(), ",-") { // 500,- Ft
		s.at += 2
	}
	if s.peek(0) == '/' && isDigit(s.peek(1)) { // l/100 km
		h.say(s, "per ")
		s.at++
		return
	}
	h.perMoney(s)
	h.per(s, false)
	ending, _ := h.endingAt(s, s.at)
	if !h.ending(s, from, "unit") {
		s.stopUnit()
		return
	}
	said := string(s.out[from:])
	i := strings.LastIndexByte(said, ' ')
	if i > 0 && linking(ending) && strings.Contains(ending[:min(3, len(ending))], "s") && oneOf(digits, "1 2 3 4 5 6 7 8 9 10 20 30 40 50 60 70 80 90 100 1000") && hungarianSimple(said[i+1:]) {
		s.out = append(s.out[:from+i], said[i+1:]...)
	}
}

// perMoney reads the sign after the slash of Ft/€.
func (h hu) perMoney(s *scan) {
	if s.peek(0) != '/' || gap(s.text, s.at+1) > 0 {
		return
	}
	if _, money, end := h.unitAt(s, s.at+1); money[0].forms != nil {
		h.say(s, "per")
		h.say(s, money[0].forms[0])
		s.at = end
	}
}

// hungarianSimple reports whether the name of a unit is not put together.
func hungarianSimple(unit string) bool {
	for _, start := range []string{"százalék", "forint", "euró", "dollár", "cent", "fok", "méter", "gramm", "liter", "perc", "tonna", "watt", "volt"} {
		if strings.HasPrefix(unit, start) && !strings.HasPrefix(unit, "centi") {
			return true
		}
	}
	return false
}

// saySum says an amount of money, its two decimals as hundredths. An ending that
// was written for the whole is brought to the cents by its vowels.
func (h hu) saySum(s *scan, a amount, names [2]noun) {
	if len(a.fraction) != 2 || names[1].forms == nil {
		h.say2(s, a, true)
		h.say(s, names[0].forms[0])
		return
	}
	cents := strings.TrimLeft(a.fraction, "0")
	if whole := strings.TrimLeft(a.whole, "0"); whole != "" || cents == "" {
		h.say2(s, amount{whole: a.whole}, true)
		h.say(s, names[0].forms[0])
	}
	if cents != "" {
		h.say2(s, amount{whole: cents}, true)
		h.say(s, names[1].forms[0])
	}
}

// readSign reads money whose sign stands in front, and the ending after the
// number: $20-t.
func (h hu) readSign(s *scan) bool {
	for _, sign := range h.signs {
		if !strings.HasPrefix(s.rest(), sign) {
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
		from := len(s.out)
		if n, end := h.hungarianMagnitude(s, a); n.forms != nil {
			h.say2(s, a, true)
			h.say(s, n.forms[0])
			h.say(s, h.money[sign][0].forms[0])
			s.at = end
		} else {
			h.saySum(s, a, h.money[sign])
			s.at = a.end
		}
		h.behind(s, from, a.String())
		return true
	}
	return false
}

// alone says a number without a unit.
func (h hu) alone(s *scan, a amount) bool {
	if strings.HasPrefix(s.text[a.end:], ",-") { // 500,-
		unit, money, end := h.unitAt(s, a.end+2)
		if unit.forms == nil {
			unit = h.money["Ft"][0]
		}
		if money[0].forms != nil {
			unit = money[0]
		}
		h.say2(s, a, true)
		h.say(s, unit.forms[0])
		s.at = max(end, a.end+2)
		h.behind(s, len(s.out), "")
		return true
	}
	if next := h.timesAt(s, a.end); next > a.end && a.fraction == "" {
		h.space(s)
		from := len(s.out)
		h.count(s, a, 0)
		word := string(s.out[from:])
		s.out = append(s.out[:from], withEnding(word, timesEnding(word))...)
		if s.at, s.opens = next, next; isDigit(s.text[next-1]) || isDigit(s.peek(0)) {
			s.out = append(s.out, ' ')
		}
		return true
	}
	from := len(s.out)
	if !h.say2(s, a, h.counts(s, a.end)) {
		return false
	}
	s.at = a.end
	digits := a.whole
	if a.fraction != "" {
		digits = ""
	}
	if s.peek(0) == '/' && isUpper(s.peek(1)) && s.end(s.at+2) { // 12/B
		h.say(s, "per")
		h.say(s, s.text[s.at+1:s.at+2])
		s.at += 2
		return true
	}
	if !h.ending(s, from, digits) && !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
	return true
}

// timesAt is where the number begins that is multiplied: 3 × 4.
func (h hu) timesAt(s *scan, at int) int {
	next := at + gap(s.text, at)
	r, n := utf8.DecodeRuneInString(s.text[next:])
	if r != '×' && r != 'x' && (r != '*' || next > at) {
		return at
	}
	if r == 'x' && next == at && s.end(next+1) && !strings.HasPrefix(s.text[next+1:], "-") { // 10x
		if after := next + 1 + gap(s.text, next+1); after >= len(s.text) || !isDigit(s.text[after]) {
			return next + 1
		}
	}
	next += n
	next += gap(s.text, next)
	if s.run(next, isDigit) == next {
		return at
	}
	return next
}

// timesEnding is the ending of three times, with the vowel of the number.
func timesEnding(word string) string {
	switch {
	case harmony(word) == 'a':
		return "szor"
	case strings.HasSuffix(word, "öt"):
		return "ször"
	}
	return "szer"
}

// readBefore reads the sign before a number, ½, and '90-es.
func (h hu) readBefore(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		s.at += n
		h.sayFraction(s, "", f[0], f[1])
		return true
	}
	if r == '(' { // (3) bekezdés
		end := s.run(s.at+1, isDigit)
		if digits := s.text[s.at+1 : end]; digits != "" && len(digits) < 3 && strings.HasPrefix(s.text[end:], ") bek") {
			s.out = append(s.out, '(')
			s.at = end
			return h.speak(s, numbers.Ordinal, "", digits)
		}
		return false
	}
	if r == '\'' || r == '’' {
		at := s.at + n
		if end := s.run(at, isDigit); end == at+2 {
			if ending, _ := h.endingAt(s, end); ending != "" {
				s.at = at
				return h.readAmount(s)
			}
		}
	}
	return h.voice.readBefore(s)
}

// readFraction reads 3/4, 2 1/2 and 2½, and endings after them.
func (h hu) readFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if r, n := utf8.DecodeRuneInString(s.text[end+gap(s.text, end):]); vulgar[r][0] != "" {
		s.at = end + gap(s.text, end) + n
		h.sayFraction(s, whole, vulgar[r][0], vulgar[r][1])
		return true
	}
	whole, top, bottom, last, ok := s.stroke(anyLength)
	if !ok {
		return false
	}
	if len(top) == 4 && whole == "" && s.end(last) && (len(bottom) == 2 && atoi(bottom) == (atoi(top)+1)%100 || len(bottom) == 4 && atoi(bottom) == atoi(top)+1) {
		h.say2(s, amount{whole: top}, false) // 2019/20-as
		s.at = last
		from := len(s.out)
		h.say2(s, amount{whole: bottom}, h.counts(s, last))
		h.ending(s, from, "")
		return true
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 4 || top[0] == '0' || bottom[0] == '0' || atoi(bottom) < 2 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	s.at = last
	if top == "24" && bottom == "7" {
		return h.say2(s, amount{whole: top}, false) && h.say2(s, amount{whole: bottom}, false)
	}
	h.sayFraction(s, whole, top, bottom)
	return true
}

// sayFraction says a whole number, if any, and a fraction: két és fél, kétharmad.
func (h hu) sayFraction(s *scan, whole, top, bottom string) {
	if whole == "1" && top == "1" && bottom == "2" {
		h.say(s, "másfél")
		h.fractionEnd(s)
		return
	}
	if whole != "" {
		h.say2(s, amount{whole: whole}, true)
		h.say(s, "és")
	}
	if top == "1" && bottom == "2" {
		h.say(s, "fél")
		if ending, end := h.endingAt(s, s.at); oneOf(ending, "e ét ének én ével éig éhez éből éért") {
			s.out = append(s.out[:len(s.out)-len("fél")], "fel"+ending...) // az 1/2-e
			s.at = end
		}
		h.fractionEnd(s)
		return
	}
	h.say2(s, amount{whole: top}, true)
	part := hungarianPart(bottom)
	if atoi(top) > 10 || atoi(bottom) > 10 && bottom != "100" && bottom != "1000" {
		h.say(s, part)
	} else {
		s.out = append(s.out, part...)
	}
	h.fractionEnd(s)
}

func (h hu) fractionEnd(s *scan) {
	if unit, money, end := h.unitAt(s, s.at); end > s.at {
		if money[0].forms != nil {
			unit = money[0]
		}
		h.say(s, unit.forms[0])
		s.at = end
		h.behind(s, len(s.out), "")
		return
	}
	if !h.ending(s, len(s.out), "") && !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
}

// readSymbol reads signs that stand for words, and the ending after one: €-ban.
func (h hu) readSymbol(s *scan) bool {
	_, n := utf8.DecodeRuneInString(s.rest())
	sign := s.text[s.at : s.at+n]
	unit, ok := h.unit[sign]
	if money, isMoney := h.money[sign]; isMoney {
		unit, ok = money[0], true
	}
	if ending, _ := h.endingAt(s, s.at+n); !ok || ending == "" {
		return h.voice.readSymbol(s)
	}
	h.say(s, unit.forms[0])
	s.at += n
	return h.ending(s, len(s.out), "unit")
}
