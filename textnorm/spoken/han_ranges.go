package spoken

import (
	"strings"
	"unicode/utf8"
)

// dashAt is the end of a dash between two numbers that begins at a place, with a
// space on both sides or on none, 0 for none.
func dashAt(text string, at int) int {
	n := gap(text, at)
	at += n
	r, size := utf8.DecodeRuneInString(text[min(at, len(text)):])
	if !strings.ContainsRune("-–—―−~～〜ー", r) || size == 0 {
		return 0
	}
	at += size
	if again, size := utf8.DecodeRuneInString(text[at:]); again == r && (r == '—' || r == '―') {
		at += size
	}
	if m := gap(text, at); (m > 0) != (n > 0) {
		return 0
	} else {
		return at + m
	}
}

// readRange reads 3-5天, 20~30%: the first number is said as what stands after the
// second asks for.
func (h *han) readRange(s *scan) bool {
	first, ok := h.quantity(s, s.at)
	if !ok {
		return false
	}
	dash := dashAt(s.text, first.end)
	if dash == 0 || !isDigit(s.peekAt(dash)) || s.at > 0 && isLetter(s.text[s.at-1]) {
		return false
	}
	second, _ := h.quantity(s, dash)
	before := s.text[:s.at]
	if h.isSum(s, second.end) { // 10-3=7
		h.count(s, first.amount, before, s.text[first.amount.end:])
		s.out = append(s.out, first.magnitude...)
		h.say(s, h.less)
		s.at = dash
		return true
	}
	if h.areYears(s, first, second) {
		h.count(s, first.amount, before, h.year)
		h.say(s, h.to)
		if s.at = dash; len(second.whole) == 4 {
			h.count(s, second.amount, before, h.year)
		} else {
			h.cutYear(s, second.whole)
		}
		s.at = second.amount.end
		return true
	}
	if words, end := h.percentAt(s, second.end); end > 0 {
		h.say(s, words[0])
		h.countAll(s, first, before, h.to)
		h.say(s, h.to)
		h.countAll(s, second, before, words[1])
		h.say(s, words[1])
		s.at = end
		return true
	}
	after := s.text[second.end:]
	if unit, end := h.unitAt(s, second.end); end > 0 {
		h.say(s, unit[0])
		h.countAll(s, first, before, unit[1])
		h.say(s, h.to)
		h.countAll(s, second, before, unit[1])
		h.say(s, unit[1])
		s.at = end
		h.skipSpace(s)
		return true
	}
	h.countAll(s, first, before, second.magnitude+after)
	h.say(s, h.to)
	s.at = dash
	return true
}

// areYears: a word after them says so, or both are of our time and nothing is
// counted after them; the second may be cut, as in 2019-20.
func (h *han) areYears(s *scan, first, second quantity) bool {
	after := s.text[second.end:]
	cut := len(second.whole) == 2 && second.fraction == "" && second.magnitude == "" && second.whole > first.whole[len(first.whole)-min(2, len(first.whole)):]
	if !isYear(first) || !cut && !isYear(second) {
		return false
	}
	if strings.HasPrefix(after, h.year) || h.seasons.begin(after) {
		return true
	}
	ours := func(year string) bool { return year >= "1900" && year < "2100" || len(year) == 2 }
	_, money := h.currencyAt(s, second.end)
	return ours(first.whole) && ours(second.whole) && first.whole < second.whole && money == 0 && !h.countable(s, second.end) && !strings.ContainsRune(h.counters, firstOf(after))
}

// cutYear says the two digits that are left of a year.
func (h *han) cutYear(s *scan, digits string) bool {
	if h.code == "zh" {
		return h.spell(s, digits)
	}
	return h.plainCount(s, amount{whole: digits})
}

// isYear: four digits of the last thousand years.
func isYear(q quantity) bool {
	return q.fraction == "" && q.magnitude == "" && !q.grouped && len(q.whole) == 4 && (q.whole[0] == '1' || q.whole[0] == '2' && q.whole[1] < '2')
}

// readDash reads the dash between two quantities of which the first has a unit:
// 5月1日-7日.
func (h *han) readDash(s *scan) bool {
	if s.at == 0 || !endsQuantity(s.text[:s.at]) {
		return false
	}
	dash := dashAt(s.text, s.at)
	if dash == 0 {
		return false
	}
	if !isDigit(s.peekAt(dash)) && !h.signedAt(s, dash) {
		return false
	}
	h.say(s, h.to)
	s.at = dash
	return true
}

// signedAt: a number with a sign before it stands at a place.
func (h *han) signedAt(s *scan, at int) bool {
	r, n := utf8.DecodeRuneInString(s.text[min(at, len(s.text)):])
	if word := h.leads.at(s.text[min(at, len(s.text)):]); word != "" { // 9時〜午後5時
		return isDigit(s.peekAt(at + len(word)))
	}
	if n := halfAt(s.text[min(at, len(s.text)):]); n > 0 {
		return isDigit(s.peekAt(at + n + gap(s.text, at+n)))
	}
	return (r == '-' || r == '−' || r == '+' || h.money[string(r)] != "") && isDigit(s.peekAt(at+n))
}

// endsQuantity: a text ends in a digit, or in a sign or at most three characters
// after one.
func endsQuantity(text string) bool {
	for i := range 5 {
		r, n := utf8.DecodeLastRuneInString(text)
		switch {
		case n == 0:
			return false
		case isASCIIDigit(r):
			return !hasLetters(text)
		case i < 3 && (isHan(r) || r == '%' || r == '℃' || r == '°'), i < 4 && r < utf8.RuneSelf && isLetter(byte(r)):
		default:
			return false
		}
		text = text[:len(text)-n]
	}
	return false
}
