package spoken

import (
	"strings"
	"unicode/utf8"
)

// arAmounts reads a number with what stands after it: a share, money, a measure,
// a noun.
func arAmounts(s *scan) bool {
	if s.inside() && s.at > 0 && isDigit(s.text[s.at-1]) {
		return false
	}
	a, ok := s.arAmount(s.at)
	return ok && s.arAmountWords(a, arForm{oblique: s.arGoverned(s.at)})
}

// arAmountWords says an amount and what stands after it.
func (s *scan) arAmountWords(a amount, f arForm) bool {
	if at := a.end + gap(s.text, a.end); at < len(s.text) && (s.text[at] == '%' || strings.HasPrefix(s.text[at:], "‰")) {
		_, n := utf8.DecodeRuneInString(s.text[at:])
		ok := s.arSay(a, f)
		s.say(arTables().symbols[string(firstRune(s.text[at:]))])
		s.at = at + n
		return ok && s.arGap()
	}
	if m, end := s.arMagnitude(a.end); m.one != "" {
		return s.arMagnitudes(a, m, end, arNoun{}, f)
	}
	if pair, end := s.arCurrency(a.end); end > a.end {
		s.at = end
		s.arMoney(a, pair, f)
		return s.arStop() && s.arPer() && s.arGap()
	}
	if n, end := s.arUnit(a.end); end > a.end {
		s.at = end
		s.arNounAs(a, n, s.text[a.end:end], f)
		return s.arGap()
	}
	if s.arLabelled(a) {
		return true
	}
	s.at = a.end
	if next, _ := s.arNext(a.end); next != "" && !arTables().function.has(next) && a.fraction == "" && !strings.HasPrefix(next, "ال") {
		f.feminine, f.construct = s.arNounFeminine(a, next), true
	}
	return s.arSay(a, f) && (s.times("ضرب") || s.arGap())
}

// arLabelled reads the number of a chapter, a century, a round as an ordinal.
func (s *scan) arLabelled(a amount) bool {
	before, start := s.arBack(a.start)
	next, _ := s.arNext(a.end)
	counted := len(next) > len("ف") && !strings.HasPrefix(next, "وال") && !arTables().function.has(next) && !strings.HasPrefix(next, "ال") && before != "القرن" && before != "الدقيقة"
	if counted || s.at != a.start || !arTables().labels.has(before) || len(a.whole) > 2 || a.fraction != "" || !s.end(a.end) {
		return false
	}
	words, ok := arOrdinal(a.whole, arForm{feminine: arFeminine(before), oblique: s.arGoverned(start)})
	if ok {
		s.say(words)
		s.at = a.end
	}
	return ok
}

// arNounAs says an amount with its noun; a word that has the form that the number
// asks for already stays as it is written.
func (s *scan) arNounAs(a amount, n arNoun, written string, f arForm) bool {
	written = strings.TrimSpace(written)
	if !n.written || written == n.one {
		return s.arCounted(a, n, f)
	}
	if strings.TrimLeft(a.whole, "0") == "2" && a.fraction == "" && endsIn(written, "ان ين") {
		return s.arWord(written)
	}
	f.feminine, f.construct = n.feminine, a.fraction == ""
	return s.arSay(a, f) && s.arWord(written)
}

// arMagnitude is a word such as million after a number.
func (s *scan) arMagnitude(at int) (n arNoun, end int) {
	next := at + gap(s.text, at)
	end = arWordEnd(s.text, next, 40)
	if n = arTables().magnitudes[s.text[next:end]]; n.one == "" || !s.end(end) {
		return arNoun{}, at
	}
	return n, end
}

// arMagnitudes says an amount of millions, and of what; money is what a sign
// before the number told.
func (s *scan) arMagnitudes(a amount, m arNoun, end int, money arNoun, f arForm) bool {
	written := strings.TrimSpace(s.text[a.end:end])
	s.at = end
	what := money.one
	if what == "" {
		if pair, next := s.arCurrency(end); next > end {
			what, s.at = pair[0].one, next
		} else if n, next := s.arUnit(end); next > end {
			if what, s.at = n.one, next; n.written {
				what = strings.TrimSpace(s.text[end:next])
			}
		}
	}
	before := what != ""
	if !before {
		next, _ := s.arNext(end)
		before = next != "" && !arTables().function.has(next)
	}
	whole := strings.TrimLeft(a.whole, "0")
	tail := arTail(a.whole)
	switch {
	case a.fraction == "" && whole == "1":
		s.say(m.one)
	case a.fraction == "" && whole == "2" && written == m.one:
		words := m.two
		if before {
			words = arConstruct(words)
		}
		if f.oblique {
			words = arOblique(words)
		}
		s.say(words)
	case a.fraction != "" || written != m.one:
		if a.fraction == "" {
			f.construct = true
		}
		if !s.arSay(a, f) {
			return false
		}
		s.say(written)
	default:
		f.construct = true
		word := m.one
		if tail >= 3 && tail <= 10 {
			word = m.three
		} else if tail >= 11 && !before {
			word = m.eleven
		}
		if !s.arSay(a, f) {
			return false
		}
		s.say(word)
	}
	if what != "" {
		s.say(what)
	}
	return s.arStop() && s.arGap()
}

// arKeyAt is the longest key of a table of units at a place, a space before it or not.
func (s *scan) arKeyAt(at int, names arNames) (key string, end int) {
	next := at + gap(s.text, at)
	if next >= len(s.text) {
		return "", at
	}
	for _, key := range names.at(s.text[next:]) {
		size := len(key)
		if !strings.HasPrefix(s.text[next:], key) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(key)
		if inWord(last) && !s.end(next+size) || next+size < len(s.text) && key[0] < utf8.RuneSelf && strings.IndexByte("@'-", s.text[next+size]) >= 0 {
			continue
		}
		return key, next + size
	}
	return "", at
}

// arUnit is the measure or the noun of the table after a number.
func (s *scan) arUnit(at int) (n arNoun, end int) {
	key, end := s.arKeyAt(at, arTables().unitNames)
	if key == "m" && s.minutesAt(at) {
		n = arTables().units["دقيقة"]
		n.written = false
		return n, end
	}
	if key == "" || key == "ل" && end < len(s.text) && s.text[end] == ' ' && end+1 < len(s.text) && isDigit(s.text[end+1]) {
		return n, at
	}
	return arTables().units[key], end
}

// arCurrency is the money after a number.
func (s *scan) arCurrency(at int) (pair [2]arNoun, end int) {
	key, end := s.arKeyAt(at, arTables().moneyNames)
	if key == "" || end < len(s.text) && isDigit(s.text[end]) && !isLetter(key[0]) && end > at+len(key) {
		return pair, at
	}
	return arTables().money[key], end
}

// arMoney says an amount of money; two digits after the mark are hundredths.
func (s *scan) arMoney(a amount, pair [2]arNoun, f arForm) bool {
	whole, cents := strings.TrimLeft(a.whole, "0"), strings.TrimLeft(a.fraction, "0")
	if len(a.fraction) != 2 || pair[1].one == "" || len(whole) > 15 {
		return s.arNounAs(a, pair[0], s.text[a.end:s.at], f)
	}
	if whole == "" && cents != "" {
		return s.arCounted(amount{whole: cents}, pair[1], f)
	}
	if whole == "" {
		whole = "0"
	}
	ok := s.arCounted(amount{whole: whole}, pair[0], f)
	if cents == "" || !ok {
		return ok
	}
	s.say("و")
	words := len(s.out)
	ok = s.arCounted(amount{whole: cents}, pair[1], f)
	s.out = append(s.out[:words], s.out[words+1:]...) // and is written to the number
	return ok
}

// arStop takes the full stop of an abbreviation; at the end of the text it stays.
func (s *scan) arStop() bool {
	if s.at >= 3 && s.peek(0) == '.' && s.peek(1) == ' ' && faFirst(s.peek(2)) && s.text[s.at-3] == '.' {
		s.at++
	}
	return true
}

// arMoneyBefore reads money whose sign or code stands before the number.
func arMoneyBefore(s *scan) bool {
	key, end := s.arKeyAt(s.at, arTables().moneyNames)
	if key == "" {
		return false
	}
	f := arForm{oblique: s.arGoverned(s.at)}
	a, ok := s.arAmount(end + gap(s.text, end))
	if !ok {
		return false
	}
	pair := arTables().money[key]
	if m, end := s.arMagnitude(a.end); m.one != "" {
		return s.arMagnitudes(a, m, end, pair[0], f)
	}
	s.at = a.end
	pair[0].written = false
	return s.arMoney(a, pair, f) && s.arPer() && s.arGap()
}

// arPer reads the stroke of 5 دولارات/كغ.
func (s *scan) arPer() bool {
	if s.peek(0) != '/' || gap(s.text, s.at+1) > 0 {
		return true
	}
	if n, end := s.arUnit(s.at + 1); end > s.at+1 {
		s.say("لكل")
		s.say(n.one)
		s.at = end
	}
	return true
}

// arSignedMoney are the signs that may stand before an amount.
const arSignedMoney = "$€£¥₹₽₺₪"
