package spoken

import "strings"

// hiAmount reads a number with what stands after it: a share, money, a measure.
func hiAmount(s *scan) bool {
	if s.at > 0 && isDigit(s.text[s.at-1]) {
		return false
	}
	a, ok := s.hiAmountAt(s.at)
	return ok && s.hiAmountWords(a, nil)
}

// hiAmountWords says an amount and what stands after it; money is what a sign
// before it told.
func (s *scan) hiAmountWords(a amount, money []string) bool {
	magnitudes, end := "", a.end
	for range 2 { // लाख करोड़
		word, next := s.hiNext(end)
		if !hiTables().magnitudes.has(word) {
			break
		}
		magnitudes, end = magnitudes+" "+word, next
	}
	if names, next := s.hiCurrency(end); money == nil && next > end && !(next < len(s.text) && isDigit(s.text[next])) {
		if word := strings.TrimSpace(s.text[end:next]); oneOf(word, "रुपए रूपये रूपए") { // other spellings of one word
			names = append([]string{names[0], word}, names[2:]...)
		}
		money, end = names, next
	}
	switch {
	case money != nil && magnitudes == "":
		s.at = end
		return s.hiMoney(a, money) && s.hiOnly() && s.hiPer() && s.arGap()
	case magnitudes != "":
		s.at = end
		if !s.hiSay(a) {
			return false
		}
		s.say(magnitudes[1:])
		if money != nil {
			s.say(money[1])
			return s.hiOnly() && s.arGap()
		}
	default:
		s.at = a.end
		if !s.hiSay(a) {
			return false
		}
	}
	if unit, next := s.hiUnit(s.at); next > s.at {
		s.say(unit)
		s.at = next
	}
	return s.times("गुणा") || s.arGap()
}

// hiOnly takes the stroke and dash that close an amount of money on a cheque.
func (s *scan) hiOnly() bool {
	if strings.HasPrefix(s.rest(), "/-") && s.end(s.at+2) {
		s.at += len("/-")
	}
	return true
}

// hiPer reads the stroke of ₹50/किलो.
func (s *scan) hiPer() bool {
	if s.peek(0) != '/' || gap(s.text, s.at+1) > 0 {
		return true
	}
	if unit, end := s.hiUnit(s.at + 1); end > s.at+1 {
		s.say("प्रति")
		s.say(unit)
		s.at = end
	} else if s.peek(1) == 0xE0 {
		s.say("प्रति")
		s.at++
	}
	return true
}

// hiMoney says an amount of money; two digits after the mark are hundredths.
func (s *scan) hiMoney(a amount, names []string) bool {
	next, _ := s.hiNext(s.at)
	form := func(n string, one, several string) string {
		if n == "1" && !hiTables().posts.has(next) {
			return one
		}
		return several
	}
	whole, cents := strings.TrimLeft(a.whole, "0"), strings.TrimLeft(a.fraction, "0")
	if len(a.fraction) != 2 || len(names) < 4 {
		ok := s.hiSay(a)
		s.say(form(a.String(), names[0], names[1]))
		return ok
	}
	if whole != "" || cents == "" {
		if whole == "" {
			whole = "0"
		}
		s.hiSay(amount{whole: whole})
		s.say(form(whole, names[0], names[1]))
	}
	if cents != "" {
		s.cardinal(cents)
		s.say(form(cents, names[2], names[3]))
	}
	return true
}

// hiMoneyBefore reads money whose sign or code stands before the number.
func hiMoneyBefore(s *scan) bool {
	names, end := s.hiCurrency(s.at)
	if end == s.at {
		return false
	}
	a, ok := s.hiAmountAt(min(end+gap(s.text, end), len(s.text)))
	if !ok {
		return false
	}
	if mark := s.dash(a.end); mark > 0 { // ₹500-600
		if b, ok := s.hiAmountAt(a.end + mark); ok && s.end(b.end) {
			s.hiSay(a)
			s.say("से")
			return s.hiAmountWords(b, names)
		}
	}
	return s.hiAmountWords(a, names)
}

// hiRange reads two numbers with a dash or a colon between: from one to the other,
// or the result of a game, whose numbers stand side by side.
func hiRange(s *scan) bool {
	a, _ := s.hiAmountAt(s.at)
	at := a.end
	if at < len(s.text) && s.text[at] == '%' {
		at++
	}
	spaced := gap(s.text, at)
	at += spaced
	mark, ratio := s.dash(at), false
	if mark == 0 && spaced == 0 && at == a.end && at < len(s.text) && s.text[at] == ':' {
		mark, ratio = 1, true
	}
	next := at + mark
	if mark == 0 || (spaced > 0) != (gap(s.text, next) > 0) {
		return false
	}
	minus := spaced > 0 && mark == 1 // where the second is not the larger
	next += gap(s.text, next)
	b, ok := s.hiAmountAt(next)
	if !ok || b.end+1 < len(s.text) && strings.IndexByte("-/:", s.text[b.end]) >= 0 && isDigit(s.text[b.end+1]) || ratio && !s.end(b.end) || minus && (len(b.whole) < len(a.whole) || len(b.whole) == len(a.whole) && b.whole <= a.whole) {
		return false
	}
	if s.at > 1 && strings.IndexByte("-:/", s.text[s.at-1]) >= 0 && isDigit(s.text[s.at-2]) {
		return false
	}
	return s.hiRangeWords(a, b, next, ratio, spaced > 0)
}

// hiRangeWords says both ends of a range, of which the second stands at a place.
func (s *scan) hiRangeWords(a, b amount, next int, ratio, spaced bool) bool {
	_, unit := s.hiUnit(b.end)
	_, money := s.hiCurrency(b.end)
	counted := unit > b.end || money > b.end || a.grouped || b.grouped || a.fraction != "" || b.fraction != ""
	small := len(a.whole) <= 2 && len(b.whole) <= 2 && !counted
	years := hiIsYear(a.whole) && !counted
	switch {
	case years && len(b.whole) == 2 && atoi(b.whole) == (atoi(a.whole)+1)%100: // 1984-85
		s.hiYearSay(a.whole)
	case years && (hiIsYear(b.whole) || len(b.whole) == 2):
		s.hiYearSay(a.whole)
		s.say("से")
	case small && (ratio || !spaced && atoi(a.whole) >= atoi(b.whole)):
		s.hiSay(a)
		if ratio {
			s.say("अनुपात")
		}
	default:
		s.hiSay(a)
		s.say("से")
	}
	s.at = next
	if years && hiIsYear(b.whole) && s.end(b.end) {
		s.at = b.end
		return s.hiYearSay(b.whole) && s.hiEra() && s.arGap()
	}
	return s.hiAmountWords(b, nil)
}
