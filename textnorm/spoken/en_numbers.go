package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// enPhone reads numbers in the groups of North America and those with a country
// code, digit by digit, a comma between the groups.
func enPhone(s *scan) bool {
	at, groups := s.at, []string(nil)
	plus := s.text[at] == '+'
	if plus {
		at++
	}
	for at < len(s.text) && len(groups) < 6 {
		open := s.text[at] == '('
		if open {
			at++
		}
		end := s.run(at, isDigit)
		if end == at || end-at > 5 {
			break
		}
		groups = append(groups, s.text[at:end])
		at = end
		if open {
			if at >= len(s.text) || s.text[at] != ')' {
				return false
			}
			at++
		}
		next := at
		if next < len(s.text) && (s.text[next] == '-' || s.text[next] == '.' || s.text[next] == ' ' || s.text[next] == ')') {
			next++
		}
		if next >= len(s.text) || next == at && !open || !isDigit(s.text[next]) && s.text[next] != '(' {
			break
		}
		at = next
	}
	if !enPhoneGroups(groups, plus, s.text[s.at:at]) || !s.end(at) {
		return false
	}
	if plus {
		s.say("plus")
	}
	for i, g := range groups {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		if g == "800" {
			s.say("eight hundred")
			continue
		}
		s.digits(g)
	}
	s.at = at
	return true
}

// enPhoneGroups reports whether groups of digits are those of a telephone number.
func enPhoneGroups(groups []string, plus bool, form string) bool {
	var lengths strings.Builder
	for _, g := range groups {
		lengths.WriteByte(byte('0' + len(g)))
	}
	switch l := lengths.String(); {
	case plus:
		return len(groups) >= 2
	case l == "334":
		return !strings.Contains(form, " ") || strings.Contains(form, "(") || strings.Contains(form, "-")
	case l == "1334":
		return strings.HasPrefix(form, "1-") || strings.HasPrefix(form, "1 (") || strings.HasPrefix(form, "1.")
	case l == "34":
		return form[3] == '-'
	}
	return false
}

// enDate reads 3/14/2020, 2020-03-14, 14.3.2020 and "3 March 2020".
func enDate(s *scan) bool {
	first := s.run(s.at, isDigit)
	if first-s.at > 4 || first >= len(s.text) {
		return false
	}
	mark := s.text[first]
	if first-s.at <= 2 || mark != ' ' {
		if mark == '/' || mark == '-' || mark == '.' {
			return s.dateInDigits(first, mark)
		}
	}
	day, at := s.day(s.at)
	if day == "" || at >= len(s.text) || s.text[at] != ' ' {
		return false
	}
	next := at + 1
	if strings.HasPrefix(s.text[next:], "of ") {
		next += 3
	}
	word := s.word(next)
	month := enMonthOf[word]
	if month == 0 {
		month = enMonthShort[word]
	}
	end := next + len(word)
	if month == 0 || !s.end(end) || word == "May" && next == at+1 && !enMayIsMonth(s, end) {
		return false
	}
	if s.before() != "the" && s.before() != "The" {
		s.say("the")
	}
	if !s.number(numbers.Ordinal, "", day) {
		return false
	}
	s.say("of " + enMonths[month-1])
	s.at = end
	if s.peek(0) == '.' && enMonthOf[word] == 0 {
		s.stop(true)
	}
	s.commaYear()
	return true
}

// enMayIsMonth: "3 May 2020", "3 May," and not "section 3 may".
func enMayIsMonth(s *scan, end int) bool {
	year, _ := s.yearAt(min(end+1, len(s.text)))
	return year != "" || end >= len(s.text) || s.text[end] != ' '
}

// dateInDigits reads three numbers with one mark between them.
func (s *scan) dateInDigits(first int, mark byte) bool {
	second := s.run(first+1, isDigit)
	if second == first+1 || second >= len(s.text) || s.text[second] != mark {
		return false
	}
	third := s.run(second+1, isDigit)
	if third == second+1 || !s.end(third) {
		return false
	}
	a, b, c := s.text[s.at:first], s.text[first+1:second], s.text[second+1:third]
	year, month, day := c, a, b
	switch {
	case len(a) == 4 && len(b) <= 2 && len(c) <= 2:
		year, month, day = a, b, c
	case len(c) != 4 && (len(c) != 2 || mark != '/') || len(a) > 2 || len(b) > 2:
		return false
	case mark == '.' || atoi(a) > 12:
		month, day = b, a
	}
	if m, d := atoi(month), atoi(day); m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	if len(year) == 2 {
		if atoi(year) < 50 {
			year = "20" + year
		} else {
			year = "19" + year
		}
	}
	s.say(enMonths[atoi(month)-1])
	if !s.number(numbers.Ordinal, "", itoa(atoi(day))) {
		return false
	}
	s.out = append(s.out, ',')
	s.at = third
	return s.number(numbers.Year, "", year)
}

// enTime reads 10:30, 10:30:15, 7pm, 10.30 a.m.
func enTime(s *scan) bool {
	end := s.run(s.at, isDigit)
	hour := s.text[s.at:end]
	if len(hour) > 2 || atoi(hour) > 24 {
		return false
	}
	minute, second := "", ""
	if end < len(s.text) && (s.text[end] == ':' || s.text[end] == '.') {
		next := s.run(end+1, isDigit)
		if next == end+3 && atoi(s.text[end+1:next]) < 60 {
			minute = s.text[end+1 : next]
			if s.text[end] == '.' {
				if half, _ := s.half(next); half == "" {
					return false
				}
			}
			end = next
			if end+2 < len(s.text) && s.text[end] == ':' && s.run(end+1, isDigit) == end+3 && atoi(s.text[end+1:end+3]) < 60 {
				second, end = s.text[end+1:end+3], end+3
			}
		}
	}
	half, after := s.half(end)
	if minute == "" && half == "" || !s.end(after) || minute != "" && end < len(s.text) && s.text[end] == ':' && end+1 < len(s.text) && isDigit(s.text[end+1]) {
		return false
	}
	s.cardinal(itoa(atoi(hour)))
	switch {
	case minute == "" || minute == "00" && half != "":
	case minute == "00" && second == "" && atoi(hour) <= 12 && atoi(hour) > 0:
		s.say("o'clock")
	case minute == "00":
		s.say("hundred")
	case minute[0] == '0':
		s.say("oh")
		s.cardinal(minute[1:])
	default:
		s.cardinal(minute)
	}
	if second != "" {
		s.say("and")
		s.cardinal(itoa(atoi(second)))
		s.say("seconds")
	}
	s.at = end
	if half != "" {
		s.say(half)
		s.at = after
		if s.text[after-1] == '.' && s.sentenceEnd(after-1) {
			s.out = append(s.out, '.')
		}
	}
	return true
}

// half is the half of the day at a place, spelled, and where it ends.
func (s *scan) half(at int) (words string, end int) {
	next := at
	if next < len(s.text) && s.text[next] == ' ' {
		next++
	}
	rest := s.text[next:]
	for _, h := range []string{"a.m.", "p.m.", "A.M.", "P.M.", "am", "pm", "AM", "PM", "a.m", "p.m"} {
		if strings.HasPrefix(rest, h) && s.end(next+len(h)) {
			return h[:1] + " " + strings.Trim(h[1:], ".")[:1], next + len(h)
		}
	}
	return "", at
}

// enDecade reads 1990s, '90s, 80s.
func enDecade(s *scan) bool {
	at := s.at
	short := false
	for _, mark := range []string{"'", "’", "‘"} {
		if strings.HasPrefix(s.text[at:], mark) {
			at += len(mark)
			short = true
		}
	}
	end := s.run(at, isDigit)
	digits := s.text[at:end]
	if len(digits) != 4 && len(digits) != 2 || digits[len(digits)-1] != '0' || short && len(digits) != 2 {
		if short && len(digits) == 2 && s.end(end) { // '76
			s.at = end
			if digits[0] == '0' {
				s.say("oh")
				digits = digits[1:]
			}
			return s.cardinal(digits)
		}
		return false
	}
	rest := s.text[end:]
	switch {
	case strings.HasPrefix(rest, "'s"):
		rest = rest[2:]
		end += 2
	case strings.HasPrefix(rest, "s"):
		rest = rest[1:]
		end++
	default:
		return false
	}
	if !s.end(end) {
		return false
	}
	if len(digits) == 4 {
		if digits[1:] == "000" {
			s.cardinal(digits)
			s.out = append(s.out, 's')
			s.at = end
			return true
		}
		s.cardinal(digits[:2])
		digits = digits[2:]
	}
	s.space()
	s.out = append(s.out, map[string]string{"00": "hundreds", "10": "tens", "20": "twenties", "30": "thirties", "40": "forties", "50": "fifties", "60": "sixties", "70": "seventies", "80": "eighties", "90": "nineties"}[digits]...)
	s.at = end
	return true
}

// enVersion reads 1.2.3 and 192.168.0.1.
func enVersion(s *scan) bool {
	var parts []string
	at := s.at
	for {
		end := s.run(at, isDigit)
		if end == at {
			return false
		}
		parts = append(parts, s.text[at:end])
		at = end
		if at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1]) {
			break
		}
		at++
	}
	if len(parts) < 3 || !s.end(at) {
		return false
	}
	address := len(parts) == 4
	for i, p := range parts {
		if i > 0 {
			s.say(map[bool]string{true: "dot", false: "point"}[address])
		}
		if address {
			s.digits(p)
		} else {
			s.plainDigits(p)
		}
	}
	s.at = at
	return true
}

// plainDigits says a whole number; one with a zero in front, or of more digits
// than anybody reads as a number, digit by digit.
func (s *scan) plainDigits(digits string) bool {
	if len(digits) > 1 && digits[0] == '0' || len(digits) > 15 {
		return s.digits(digits)
	}
	return s.cardinal(digits)
}

// enFeet reads 5'10" and 6'.
func enFeet(s *scan) bool {
	end := s.run(s.at, isDigit)
	feet := s.text[s.at:end]
	rest := s.text[end:]
	mark := ""
	for _, m := range []string{"'", "’", "′"} {
		if strings.HasPrefix(rest, m) {
			mark = m
		}
	}
	if mark == "" || len(feet) > 2 {
		return false
	}
	at := end + len(mark)
	next := s.run(at, isDigit)
	inches := s.text[at:next]
	if inches == "" || atoi(inches) > 11 {
		return false
	}
	for _, m := range []string{"\"", "”", "″", "''", "’’"} {
		if strings.HasPrefix(s.text[next:], m) {
			s.cardinal(feet)
			s.say(map[bool]string{true: "foot", false: "feet"}[feet == "1"])
			s.cardinal(inches)
			s.at = next + len(m)
			return true
		}
	}
	return false
}

// enFraction reads 3/4, 2 1/2, 1½, 24/7.
func enFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := ""
	if r, n := utf8.DecodeRuneInString(s.text[end:]); enVulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + n
		s.fraction(enVulgar[r][0], enVulgar[r][1], true)
		return true
	}
	at := s.at
	if end < len(s.text) && (s.text[end] == ' ' || s.text[end] == '-') {
		if over := s.run(end+1, isDigit); over > end+1 && over < len(s.text) && s.text[over] == '/' {
			whole, at, end = s.text[s.at:end], end+1, over
		}
	}
	if end >= len(s.text) || s.text[end] != '/' {
		return false
	}
	last := s.run(end+1, isDigit)
	top, bottom := s.text[at:end], s.text[end+1:last]
	if bottom == "" || len(top) > 3 || len(bottom) > 4 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	switch form := top + "/" + bottom; {
	case whole == "" && (form == "24/7" || form == "9/11" || form == "7/11"):
		s.cardinal(top)
		s.cardinal(bottom)
		s.at = last
		return true
	case atoi(bottom) < 2 || top[0] == '0' || whole != "" && atoi(top) >= atoi(bottom):
		return false
	}
	if whole != "" {
		s.cardinal(whole)
		s.say("and")
	}
	s.at = last
	s.fraction(top, bottom, whole != "")
	return true
}

// fraction says a numerator and a denominator.
func (s *scan) fraction(top, bottom string, mixed bool) {
	one := atoi(top) == 1
	if name, ok := enFractions[bottom]; ok {
		if one && mixed {
			s.say("a")
		} else {
			s.cardinal(top)
		}
		s.say(map[bool]string{true: name.one, false: name.many}[one])
		return
	}
	s.cardinal(top)
	if atoi(bottom) > 100 && atoi(bottom)%100 != 0 || atoi(bottom)%10 == 1 && atoi(bottom) > 20 || atoi(bottom)%10 == 2 && atoi(bottom) > 20 {
		s.say("over")
		s.cardinal(bottom)
		return
	}
	s.number(numbers.Ordinal, "", bottom)
	if !one {
		s.out = append(s.out, 's')
	}
}

func enOrdinal(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || a.fraction != "" {
		return false
	}
	for _, suffix := range []string{"st", "nd", "rd", "th", "ST", "ND", "RD", "TH"} {
		if strings.HasPrefix(s.text[a.end:], suffix) && s.end(a.end+2) {
			s.at = a.end + 2
			return s.number(numbers.Ordinal, "", a.whole)
		}
	}
	return false
}

// enRange reads 1990-1995, 10–20, 3-2: the first number and "to"; what follows
// is read by itself.
func enRange(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	mark := s.dash(a.end)
	if mark == 0 {
		return false
	}
	b, ok := s.amount(a.end + mark)
	if !ok || b.end < len(s.text) && (s.text[b.end] == '-' || s.text[b.end] == '/') && b.end+1 < len(s.text) && isDigit(s.text[b.end+1]) {
		return false
	}
	years := enIsYear(a) && len(a.whole) == 4
	if years {
		s.number(numbers.Year, "", a.whole)
	} else if a.fraction == "" {
		s.plainDigits(a.whole)
	} else {
		s.cardinal(a.String())
	}
	s.say("to")
	s.out = append(s.out, ' ')
	s.at = a.end + mark
	if years && len(b.whole) == 2 && b.fraction == "" && s.end(b.end) {
		s.at = b.end
		if b.whole[0] == '0' {
			s.say("oh")
			return s.cardinal(b.whole[1:])
		}
		return s.cardinal(b.whole)
	}
	return true
}

// dash is the length of a dash at a place, 0 where there is none.
func (s *scan) dash(at int) int {
	for _, d := range []string{"-", "–", "—", "‑", "−"} {
		if strings.HasPrefix(s.text[at:], d) {
			return len(d)
		}
	}
	return 0
}

// enIsYear reports whether a number is read as a year where nothing else tells.
func enIsYear(a amount) bool {
	if len(a.whole) != 4 || a.fraction != "" || a.grouped {
		return false
	}
	n := atoi(a.whole)
	return n >= 1100 && n < 2100
}

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
		s.at = at
		return s.money(enCurrencies[sign])
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
		s.say(names[0].many)
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
		s.amountWords(a)
		s.say(names[0].of(a.whole))
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

// enNegative reads the sign in front of a number: -5, −3.2, +4, ~20, ½.
func enNegative(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := enVulgar[r]; ok {
		s.at += n
		s.fraction(f[0], f[1], false)
		return true
	}
	next := s.peek(n)
	if !isDigit(next) && !(next == '.' && isDigit(s.peek(n+1))) && !(r == '-' && next == '$') {
		if r == '.' && isDigit(next) {
			return false
		}
		return false
	}
	clear := s.at == 0 || strings.ContainsRune(" ([{\"'“‘=<>", rune(s.text[s.at-1]))
	switch {
	case (r == '-' || r == '−' || r == '–') && clear:
		s.say("minus")
	case r == '.' && clear && isDigit(next):
		end := s.run(s.at+1, isDigit)
		s.cardinal("0." + s.text[s.at+1:end])
		s.at = end
		return true
	case r == '~' && clear:
		s.say("about")
	case r == '#':
		s.say("number")
	default:
		return false
	}
	s.out = append(s.out, ' ')
	s.at += n
	return true
}

// enAmount reads a number with what stands behind it: a measure, a percent sign,
// a currency, letters; else a year or a number.
func enAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if u, end := s.unitAt(a.end); u.many != "" {
		s.amountWords(a)
		if a.isOne() {
			s.say(u.one)
		} else {
			s.say(u.many)
		}
		s.at = end
		if s.text[end-1] != '.' && s.peek(0) == '.' && s.peek(1) != 0 && !s.sentenceEnd(s.at) {
			s.at++
		}
		s.per()
		return true
	}
	rest := s.text[a.end:]
	for _, sign := range []string{"%", " %", "‰", "¢", "€", "£", "$", " €", " £"} {
		if !strings.HasPrefix(rest, sign) {
			continue
		}
		s.at = a.end + len(sign)
		switch sign[len(sign)-1] {
		case '%':
			s.amountWords(a)
			s.say("percent")
			return true
		}
		switch strings.TrimSpace(sign) {
		case "‰":
			s.amountWords(a)
			s.say("per mille")
			return true
		case "¢":
			s.amountWords(a)
			s.say(unit{"cent", "cents"}.of(a.whole))
			return true
		}
		end := s.at
		s.at = a.start
		if !s.money(enCurrencies[strings.TrimSpace(sign)]) {
			return false
		}
		s.at = max(s.at, end)
		return true
	}
	if word := s.word(min(a.end+1, len(s.text))); rest != "" && rest[0] == ' ' && len(word) == 3 && s.end(a.end+1+len(word)) {
		if names, ok := enCurrencies[word]; ok {
			end := a.end + 4
			if !s.money(names) {
				return false
			}
			s.at = max(s.at, end)
			return true
		}
	}
	s.at = a.end
	if !s.end(a.end) {
		return s.gluedLetters(a)
	}
	if enIsYear(a) {
		return s.number(numbers.Year, "", a.whole)
	}
	return s.amountWords(a)
}

// unitAt is the measure behind a number, and where it ends.
func (s *scan) unitAt(at int) (u unit, end int) {
	next := at
	if next < len(s.text) && (s.text[next] == ' ' || s.text[next] == '-') {
		next++
	}
	rest := s.text[next:]
	for n := min(len(rest), 6); n > 0; n-- {
		u, ok := enUnits[rest[:n]]
		if !ok || !s.end(next+n) && rest[:n] != "°" || rest[:n] == "°" && n < len(rest) && isLetter(rest[n]) && s.end(next+n+1) {
			continue
		}
		if next > at && enUnitsNear[rest[:n]] {
			if rest[:n] != "in" || n >= len(rest) || rest[n] != '.' || s.sentenceEnd(next+n) {
				continue
			}
		}
		if n < len(rest) && rest[n] == '\'' || s.text[at:next] == "-" && n < 2 {
			continue
		}
		return u, next + n
	}
	return unit{}, at
}

// gluedLetters reads 4K, 1080p, 3D, 10x.
func (s *scan) gluedLetters(a amount) bool {
	letters := s.word(a.end)
	end := a.end + len(letters)
	if letters == "" || !s.end(end) {
		if !s.amountWords(a) {
			return false
		}
		s.out = append(s.out, ' ')
		return true
	}
	s.amountWords(a)
	switch {
	case letters == "x" || letters == "X":
		s.say("times")
	case len(letters) <= 3 && strings.ToUpper(letters) == letters, len(letters) == 1:
		for i := range len(letters) {
			s.say(letters[i : i+1])
		}
	default:
		s.say(letters)
	}
	s.at = end
	return true
}

// enSymbol says a sign that stands for a word.
func enSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words, ok := enSymbols[r]
	if !ok {
		if r == '#' && isLetter(s.peek(n)) {
			words, ok = "hashtag", true
		} else if r == '/' && s.at > 0 && isDigit(s.text[s.at-1]) && isDigit(s.peek(1)) {
			words, ok = "slash", true
		}
	}
	if !ok {
		return false
	}
	s.say(words)
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && strings.IndexByte(".,;:!?)", c) < 0 {
		s.out = append(s.out, ' ')
	}
	return true
}

// enMixed reads a word of letters and digits: B2B, A4, H2O, MP3.
func enMixed(s *scan) bool {
	end := s.at
	digits, letters := false, false
	for end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		if isDigit(s.text[end]) {
			digits = true
		} else {
			letters = true
		}
		end++
	}
	if !digits || !s.end(end) {
		return false
	}
	if !letters {
		return s.takeDigits(end)
	}
	for s.at < end {
		if isDigit(s.text[s.at]) {
			if !s.takeDigits(s.run(s.at, isDigit)) {
				return false
			}
			continue
		}
		word := s.word(s.at)
		if strings.ToUpper(word) == word && len(word) <= 3 {
			for i := range len(word) {
				s.say(word[i : i+1])
			}
		} else {
			s.say(word)
		}
		s.at += len(word)
	}
	return true
}

func (s *scan) takeDigits(end int) bool {
	digits := s.text[s.at:end]
	s.at = end
	if len(digits) <= 2 {
		return s.plainDigits(digits)
	}
	return s.digits(digits)
}
