package spoken

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unitAt is the unit at a place, a space before it or none, and its end, 0 for none.
func (h *han) unitAt(s *scan, at int) (words [2]string, end int) {
	if at >= len(s.text) {
		return words, 0
	}
	at += gap(s.text, at)
	if at >= len(s.text) {
		return words, 0
	}
	rest := s.text[at:]
	for n := min(h.longest[rest[0]], len(rest)); n > 0; n-- {
		words, ok := h.unit[rest[:n]]
		if !ok || !signEnds(s.text, at+n) || n == 1 && strings.IndexByte("ANJ", rest[0]) >= 0 && isIdeograph(firstOf(rest[1:])) { // 5A级
			continue
		}
		if n == 1 && isUpper(rest[0]) && s.modelBehind(at) { // F-35A
			break
		}
		if rest[:n] == "m" && s.minutesAt(at) {
			words = h.unit["min"]
		}
		return words, at + n
	}
	return words, 0
}

// isIdeograph: a character of Han that no grammar writes after a unit.
func isIdeograph(r rune) bool {
	return r >= 0x4E00 && r < 0xA000 && r != '的' && r != '电' && r != '電'
}

// currencyAt is the currency whose sign stands at a place.
func (h *han) currencyAt(s *scan, at int) (name string, end int) {
	if at >= len(s.text) {
		return "", 0
	}
	at += gap(s.text, at)
	if at >= len(s.text) {
		return "", 0
	}
	rest := s.text[at:]
	for n := min(h.longest[rest[0]], len(rest)); n > 0; n-- {
		if name, ok := h.money[rest[:n]]; ok && signEnds(s.text, at+n) {
			return name, at + n
		}
	}
	return "", 0
}

// signEnds: a sign that is a letter is not followed by another of the same script,
// nor by a digit.
func signEnds(text string, end int) bool {
	last := lastOf(text[:end])
	if !unicode.IsLetter(last) && last != '²' && last != '³' || end >= len(text) {
		return true
	}
	next := text[end]
	return !isLetter(next) && !(isDigit(next) && !(last >= 'a' && last <= 'z')) && !(strings.HasPrefix(text[end:], "²") || strings.HasPrefix(text[end:], "³"))
}

// skipSpace takes the space between a sign and a character.
func (h *han) skipSpace(s *scan) {
	if s.peek(0) == ' ' && isHan(firstOf(s.text[s.at+1:])) && isHan(lastOf(string(s.out[max(s.from, len(s.out)-4):]))) {
		s.at++
	}
}

// sayPaid says the number of an amount of money: 12.50 is 12.5.
func (h *han) sayPaid(s *scan, q quantity, before, name string) {
	if len(q.fraction) == 2 {
		q.fraction = strings.TrimRight(q.fraction, "0")
	}
	h.countAll(s, q, before, cmp.Or(h.coin, name))
}

// readSign reads the sign of a currency before its number, and a range of numbers.
func (h *han) readSign(s *scan) bool {
	if s.at > 0 && (isLetter(s.text[s.at-1]) || isDigit(s.text[s.at-1])) && isLetter(s.text[s.at]) {
		return false
	}
	name, at := "", 0
	rest := s.rest()
	for n := min(h.longest[rest[0]], len(rest)); n > 0 && name == ""; n-- {
		name, at = h.money[rest[:n]], s.at+n
	}
	if name == "" {
		return false
	}
	at += gap(s.text, at)
	q, ok := h.quantity(s, at)
	if !ok {
		return false
	}
	if name == "美元" && (strings.HasSuffix(s.text[:s.at], "币") || strings.HasSuffix(s.text[:s.at], "幣")) { // 港幣$500
		name = "元"
	}
	before, front, found := strings.Cut(name, "*")
	if !found {
		before, front = "", name
	}
	h.say(s, before)
	if dash := dashAt(s.text, q.end); dash > 0 && isDigit(s.peekAt(dash)) {
		second, _ := h.quantity(s, dash)
		h.sayPaid(s, q, "", second.magnitude+front)
		h.say(s, h.to)
		q = second
	}
	h.sayPaid(s, q, "", front)
	h.say(s, front)
	s.at = q.end
	rest = s.rest()
	switch {
	case strings.HasPrefix(rest, front) && front != "": // ¥5元
		s.at += len(front)
	case len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || rest[1] == ' ' || isHan(firstOf(rest[1:])) || strings.ContainsRune("。、，）」", firstOf(rest[1:]))): // ¥5-
		s.at++
	case s.text[q.end-1] < utf8.RuneSelf:
		h.skipSpace(s)
	}
	return true
}

// readNumbered reads No. 5 and № 5.
func (h *han) readNumbered(s *scan) bool {
	rest := s.rest()
	n := 0
	for _, sign := range []string{"No.", "NO.", "no.", "№"} {
		if strings.HasPrefix(rest, sign) {
			n = len(sign)
		}
	}
	if n == 0 || s.at > 0 && isLetter(s.text[s.at-1]) && rest[0] < 0x80 {
		return false
	}
	n += gap(rest, n)
	if n >= len(rest) || !isDigit(rest[n]) {
		return false
	}
	h.say(s, h.number)
	s.at += n
	return true
}

// readPage reads p. 25 and pp. 25-30.
func (h *han) readPage(s *scan) bool {
	rest := s.rest()
	n := 1
	if strings.HasPrefix(rest, "pp") {
		n = 2
	}
	if n >= len(rest) || rest[n] != '.' || s.at > 0 && (isLetter(s.text[s.at-1]) || isDigit(s.text[s.at-1])) {
		return false
	}
	at := s.at + n + 1
	at += gap(s.text, at)
	a, ok := s.amount(at)
	if !ok || a.fraction != "" || isLetter(s.peekAt(a.end)) {
		return false
	}
	h.say(s, h.page[0])
	h.plainCount(s, a)
	if dash := dashAt(s.text, a.end); dash > 0 && isDigit(s.peekAt(dash)) {
		h.say(s, h.to)
		if a, _ = s.amount(dash); a.end > 0 {
			h.plainCount(s, a)
		}
	}
	h.say(s, h.page[1])
	s.at = a.end
	h.skipSpace(s)
	return true
}

// readMinus reads the sign in front of a number.
func (h *han) readMinus(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words := ""
	switch r {
	case '-', '−', '–':
		words = h.minus
	case '~', '～', '∼', '≈':
		words = h.about
	}
	if words == "" || s.at+n >= len(s.text) {
		return false
	}
	if next := firstOf(s.text[s.at+n:]); !isASCIIDigit(next) && h.money[string(next)] == "" {
		return false
	}
	before := lastOf(s.text[:s.at])
	if before < utf8.RuneSelf && (isLetter(byte(before)) || isDigit(byte(before)) || before == ')' || before == '/' || before == '_' || before == '-') && before != 0 || before == '—' {
		return false
	}
	if before != ' ' && isHan(before) && h.models.end(s.text[:s.at]) { // 歼-20
		return false
	}
	h.say(s, words)
	s.at += n
	return true
}

// readSymbol says a sign that stands for a word.
func (h *han) readSymbol(s *scan) bool {
	if h.readVulgar(s) || h.readNumeral(s) {
		return true
	}
	r, n := utf8.DecodeRuneInString(s.rest())
	before, after := lastOf(s.text[:s.at]), firstOf(s.text[s.at+n:])
	switch {
	case r == '/' && h.per != "" && isHan(after) && endsQuantity(s.text[:s.at]) && isHan(before): // 5元/斤
		h.say(s, h.per)
		s.at += n
		return true
	case (r == '·' || r == '・') && isASCIIDigit(before) && isASCIIDigit(after):
		h.say(s, h.dot)
		end := s.run(s.at+n, isDigit)
		return h.spell(s, s.text[s.at+n:end]) && s.to(end)
	case (r == '\'' || r == '’') && s.run(s.at+n, isDigit) == s.at+n+2 && strings.HasPrefix(s.text[s.at+n+2:], "年"):
		a := amount{whole: s.text[s.at+n : s.at+n+2]}
		return h.count(s, a, string(r), s.text[s.at+n+2:]) && s.to(s.at+n+2)
	case r == '§' && isDigit(s.peekAt(s.at+n+gap(s.text, s.at+n))):
		s.at += n + gap(s.text, s.at+n)
		a, _ := s.amount(s.at)
		h.say(s, "第")
		h.plainCount(s, a)
		h.say(s, h.section)
		s.at = a.end
		return true
	}
	if words := h.beforeNumber(s, r, n, before); words != "" {
		h.say(s, words)
		if s.at += n; r == '.' {
			end := s.run(s.at, isDigit)
			return h.spell(s, s.text[s.at:end]) && s.to(end)
		}
		return true
	}
	if (r == '²' || r == '³') && (strings.ContainsRune(enRaised, before) || strings.ContainsRune(enRaised, after)) { // 10⁻³
		return false
	}
	words, ok := h.symbol[string(r)]
	if unit, is := h.unit[string(r)]; !ok && is && !inWord(r) {
		words, ok = unit[0]+unit[1], true
	}
	if name, is := h.money[string(r)]; !ok && is {
		words, ok = strings.Replace(name, "*", "", 1), true
	}
	if r == '+' && (after == '+') != (before == '+') && isLetterRune(lastOf(strings.TrimRight(s.text[max(0, s.at-2):s.at], "+"))) { // C++
		h.say(s, words)
		return s.to(s.at + n)
	}
	if !ok || r == before || r == after {
		return false
	}
	if strings.ContainsRune("=<>*/", r) && !h.between(s, n) {
		return false
	}
	if strings.ContainsRune("&+=×÷*<>≥≤≧≦≈±", r) && len(s.out) > s.from && s.out[len(s.out)-1] == ' ' && s.peekAt(s.at+n) == ' ' {
		s.out = append(s.out, words...)
		h.adapt(s, len(s.out)-len(words))
		s.at += n
		return true
	}
	h.say(s, words)
	s.at += n
	return true
}

// readNumeral reads Roman numerals, numbers in circles, and exponents and indices
// that are characters of their own.
func (h *han) readNumeral(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	before := lastOf(s.text[:s.at])
	switch {
	case r >= 'Ⅰ' && r <= 'Ⅻ':
		return h.speak(s, itoa(int(r-'Ⅰ')+1)) && s.to(s.at+n)
	case r >= 'ⅰ' && r <= 'ⅻ':
		return h.speak(s, itoa(int(r-'ⅰ')+1)) && s.to(s.at+n)
	case r == '^' && isDigit(s.peekAt(s.at+1)) && (isASCIIDigit(before) || isLetterRune(before)):
		end := s.run(s.at+1, isDigit)
		h.say(s, h.power[0])
		h.plainCount(s, amount{whole: s.text[s.at+1 : end]})
		h.say(s, h.power[1])
		return s.to(end)
	case r >= '⁴' && r <= '⁹':
		h.say(s, h.power[0])
		h.plainCount(s, amount{whole: itoa(int(r-'⁴') + 4)})
		h.say(s, h.power[1])
		return s.to(s.at + n)
	case r >= '₀' && r <= '₉':
		return h.plainCount(s, amount{whole: itoa(int(r - '₀'))}) && s.to(s.at+n)
	case r >= '①' && r <= '⑳':
		return h.speak(s, itoa(int(r-'①')+1)) && s.to(s.at+n)
	}
	return false
}

// beforeNumber is how a sign is said that stands before a number and after none.
func (h *han) beforeNumber(s *scan, r rune, n int, before rune) string {
	if !isDigit(s.peekAt(s.at+n)) || r == before || isLetterRune(before) || isASCIIDigit(before) || before == ')' || endsQuantity(s.text[:s.at]) {
		return ""
	}
	switch r {
	case '+':
		return h.positive
	case '.': // 打率.325
		end := s.run(s.at+1, isDigit)
		if (before == 0 || before == ' ' || isHan(before)) && s.peekAt(end) != '.' && end > s.at+2 && !isLetter(s.peekAt(end)) {
			return h.point
		}
	case '<', '>', '≤', '≥', '≦', '≧':
		return h.symbol[string(r)]
	}
	return ""
}

func isLetterRune(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

// between: words or digits stand on both sides of a sign of n bytes, which a
// stroke needs to be digits.
func (h *han) between(s *scan, n int) bool {
	left := strings.TrimRight(s.text[:s.at], " ")
	right := strings.TrimLeft(s.text[s.at+n:], " ")
	l, r := lastOf(left), firstOf(right)
	if s.text[s.at] == '/' || s.text[s.at] == '*' {
		return isASCIIDigit(l) && isASCIIDigit(r)
	}
	return (inWord(l) || l == ')' || l == '%' || l == '²') && (inWord(r) || h.signedAt(s, len(s.text)-len(right)) || h.money[string(r)] != "" || r == '(')
}
