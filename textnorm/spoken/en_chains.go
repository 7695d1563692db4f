package spoken

import (
	"strings"
	"unicode/utf8"
)

// enSigned reads a number by what stands right after it, looked up once for all
// rules that ask for a sign of their own.
func enSigned(s *scan) bool {
	end := s.run(s.at, isDigit)
	switch s.at2(end) {
	case 'x', 'X', "×"[0]:
		return enBy(s)
	case "°"[0]:
		return enArc(s)
	case '.':
		if enInches(s) || enBy(s) || enArc(s) || enExponent(s) {
			return true
		}
	case 'e', 'E':
		return enExponent(s)
	case '-':
		return enZip(s) || enChain(s)
	case '^':
		return enPower(s)
	case '"':
		return enInches(s)
	case 'd':
		return enShillings(s)
	}
	switch end - s.at {
	case 4:
		return enMilitary(s)
	case 5:
		return enZip(s)
	}
	return false
}

// enChain reads three numbers and more with dashes between them: 9-1-1, 4-4-2,
// 978-3-16-148410-0. With a long one among them, or a zero in front, it is a number
// of something, which is said digit by digit.
func enChain(s *scan) bool {
	const most = 8 // groups; no number of a book or a bank has more
	var groups []string
	at, long := s.at, false
	for len(groups) < most {
		end := s.run(at, isDigit)
		if end == at {
			return false
		}
		groups = append(groups, s.text[at:end])
		long = long || end-at > 2 || s.text[at] == '0' && end-at > 1
		at = end
		if at+1 >= len(s.text) || s.text[at] != '-' || !isDigit(s.text[at+1]) {
			break
		}
		at++
	}
	if len(groups) < 3 || !s.end(at) {
		return false
	}
	for i, g := range groups {
		if !long {
			s.cardinal(g)
			continue
		}
		if i > 0 {
			s.out = append(s.out, ',')
		}
		s.digits(g)
	}
	s.at = at
	return true
}

// enBy reads what a cross stands between: 3x3, 1920×1080, 8.5" x 11".
func enBy(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || a.end+1 >= len(s.text) {
		return false
	}
	mark, next := s.text[a.end], a.end+1
	switch {
	case (mark == 'x' || mark == 'X') && isDigit(s.text[next]):
		s.plainAmount(a)
		s.say("by")
		if b, _ := s.amount(next); len(b.whole) == 4 && s.end(b.end) { // 1920x1080
			s.at = b.end
			return s.plainAmount(b)
		}
		s.at, s.opens = next, next
	case strings.HasPrefix(s.text[a.end:], "×") && isDigit(s.at2(a.end+len("×"))):
		s.plainAmount(a)
		s.say(map[bool]string{true: "times", false: "by"}[strings.HasPrefix(s.text[a.end:], "×10^")]) // 6.02×10²³
		s.at = a.end + len("×")
	default:
		return false
	}
	s.out = append(s.out, ' ')
	return true
}

// What two numbers with a colon between them can be.
var (
	enClock  = &class{name: "time", say: enTime}
	enRatio  = &class{name: "ratio", say: enBetween("to")}
	enVerse  = &class{name: "verse", say: enSayVerse}
	enLength = &class{name: "duration", say: enSayLap}
	enColons = &class{name: "code", say: enSayCode, safe: true}
)

// enColon proposes what 10:30, 16:9, 1:50 and 3:16 are.
func enColon(s *scan) {
	colon := s.run(s.at, isDigit)
	if s.peekAt(colon) != ':' || !isDigit(s.peekAt(colon+1)) {
		return
	}
	end := s.run(colon+1, isDigit)
	if f, ok := s.lap(colon, end); ok {
		s.form = f
		if s.may(enLength, map[bool]int{true: certain, false: possible}[f.letters == ""], "parts of a second"); f.letters != "" {
			s.may(enClock, usual, "hours, minutes and seconds by their form")
			s.may(enDigital, 0, "")
		}
		return
	}
	if !s.end(end) || s.peekAt(end) == ':' {
		return
	}
	if b, _ := s.amount(colon + 1); b.grouped && b.fraction == "" && s.end(b.end) { // 1:50,000
		s.form = form{one: amount{whole: s.text[s.at:colon], end: colon}, two: b, end: b.end}
		s.may(enRatio, certain, "thousands")
		return
	}
	if half, _ := s.half(end); half != "" {
		return
	}
	s.form = form{one: amount{whole: s.text[s.at:colon], end: colon}, two: amount{whole: s.text[colon+1 : end], start: colon + 1}, end: end}
	a, b := s.form.one.whole, s.form.two.whole
	if len(b) == 2 && len(a) <= 2 && atoi(a) <= 24 && atoi(b) < 60 {
		s.may(enClock, usual, "hours and minutes by their form")
		s.may(enRatio, possible, "")
	} else {
		s.may(enRatio, usual, "no time by its form")
	}
	s.may(enVerse, possible, "")
	s.may(enColons, 0, "")
}

// plainAmount says a number that is no year.
func (s *scan) plainAmount(a amount) bool {
	if len(a.whole) == 4 && !a.grouped && a.fraction == "" && a.whole[2:] != "00" && a.whole[0] != '0' { // 1920x1080
		head, tail := a.whole[:2], a.whole[2:]
		s.cardinal(head)
		if tail[0] == '0' {
			s.say("oh")
			return s.cardinal(tail[1:])
		}
		return s.cardinal(tail)
	}
	return s.amountWords(a)
}

// at2 is the byte at a place, 0 after the end.
func (s *scan) at2(at int) byte {
	if at >= len(s.text) {
		return 0
	}
	return s.text[at]
}

// enCross reads the x that stands alone between two numbers.
func enCross(s *scan) bool {
	if s.peek(1) != ' ' || !isDigit(s.peek(2)) || s.at < 2 || s.text[s.at-1] != ' ' {
		return false
	}
	if c := s.text[s.at-2]; !isDigit(c) && c != '"' && !(isLetter(c) && s.measured()) {
		return false
	}
	end := s.run(s.at+2, isDigit)
	s.say(map[bool]string{true: "times", false: "by"}[strings.HasPrefix(s.text[end:], " =")])
	s.at++
	return true
}

// measured reports whether the word before is a measure.
func (s *scan) measured() bool { return enTables().units[s.before()].many != "" }

// enInches reads the mark of inches after a number, where no quotation is open.
func enInches(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || !s.inchMark(a.end) {
		return false
	}
	s.amountWords(a)
	thing := a.end+2 < len(s.text) && s.text[a.end+1] == ' ' && s.text[a.end+2] >= 'a' && s.text[a.end+2] <= 'z' && s.text[a.end+2] != 'x' && !enNoNoun.has(s.word(a.end+2))
	if thing || a.isOne() {
		s.say("inch")
	} else {
		s.say("inches")
	}
	s.at = a.end + 1
	return true
}

// inchMark reports whether a place has the mark of inches, which is no end of a
// quotation.
func (s *scan) inchMark(at int) bool {
	if s.at2(at) != '"' || !s.end(at+1) {
		return false
	}
	open := false
	for i := max(0, s.at-maxQuoted); i < s.at; i++ {
		open = open != (s.text[i] == '"' && (i == 0 || open || !isDigit(s.text[i-1])))
	}
	return !open
}

// maxQuoted bounds how far back an open quotation is looked for.
const maxQuoted = 400

// enArc reads degrees with minutes and seconds, and the point of the compass after.
func enArc(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || !strings.HasPrefix(s.text[a.end:], "°") {
		return false
	}
	at := a.end + len("°")
	parts := []string{}
	for _, marks := range [][]string{{"′", "'", "’"}, {"″", "\"", "”"}} {
		next := s.run(at, isDigit)
		if next == at {
			break
		}
		length := 0
		for _, m := range marks {
			if strings.HasPrefix(s.text[next:], m) {
				length = len(m)
			}
		}
		if length == 0 {
			return false
		}
		parts = append(parts, s.text[at:next])
		at = next + length
	}
	point := at
	if s.at2(point) == ' ' {
		point++
	}
	compass := ""
	if r, _ := utf8.DecodeRuneInString(s.text[min(point, len(s.text)):]); strings.ContainsRune("NSEW", r) && s.end(point+1) {
		compass = strings.ToLower(enTables().points[string(r)])
	}
	if len(parts) == 0 && compass == "" {
		return false
	}
	s.amountWords(a)
	s.say(map[bool]string{true: "degree", false: "degrees"}[a.isOne()])
	for i, p := range parts {
		s.cardinal(strings.TrimLeft(p[:len(p)-1], "0") + p[len(p)-1:])
		s.say([]unit{{"minute", "minutes"}, {"second", "seconds"}}[i].of(p))
	}
	s.at = at
	if compass != "" {
		s.say(compass)
		s.at = point + 1
	}
	return true
}

// enPower reads what stands after the sign of a power: 10^6.
func enPower(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok || s.at2(a.end) != '^' {
		return false
	}
	at := a.end + 1
	minus := s.at2(at) == '-'
	if minus {
		at++
	}
	end := s.run(at, isDigit)
	if end == at || !s.end(end) {
		return false
	}
	s.amountWords(a)
	s.say("to the power of")
	if minus {
		s.say("minus")
	}
	s.at = end
	ok = s.plainDigits(s.text[at:end])
	s.measureBehind()
	return ok
}

// enMilitary reads the hours of armies and railways: 0530 hours, the 0800 train.
func enMilitary(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end-s.at != 4 || !s.end(end) || s.text[s.at:s.at+2] > "24" || s.text[s.at+2] > '5' {
		return false
	}
	hours := strings.HasPrefix(s.text[end:], " hours") || strings.HasPrefix(s.text[end:], " hrs")
	if !hours && s.text[s.at] != '0' {
		return false
	}
	switch s.before() {
	case "at", "At", "the", "The", "by", "By", "until", "from", "From", "after", "before", "to", "and", "between":
	default:
		if !hours {
			return false
		}
	}
	hour, minute := s.text[s.at:s.at+2], s.text[s.at+2:end]
	if hour[0] == '0' {
		s.say(map[bool]string{true: "zero", false: "oh"}[hour == "00"])
		hour = hour[1:]
	}
	s.cardinal(hour)
	switch {
	case minute == "00":
		s.say("hundred")
	case minute[0] == '0':
		s.say("oh")
		s.cardinal(minute[1:])
	default:
		s.cardinal(minute)
	}
	s.at = end
	return true
}

// enZip reads the number of a post office where a word before tells of it.
func enZip(s *scan) bool {
	end := s.run(s.at, isDigit)
	if end-s.at != 5 {
		return false
	}
	before := strings.ToLower(s.text[max(0, s.at-16):s.at])
	told := false
	for _, words := range []string{"zip ", "zip: ", "zip code ", "zip code: ", "zip code is ", "zip is ", "zip code of "} {
		told = told || strings.HasSuffix(before, words)
	}
	plus := s.at2(end) == '-' && s.run(end+1, isDigit) == end+5 && s.end(end+5)
	if !told && !(plus && enTables().states[s.before()] != "") || !plus && !s.end(end) {
		return false
	}
	s.digits(s.text[s.at:end])
	s.at = end
	if plus {
		s.out = append(s.out, ',')
		s.digits(s.text[end+1 : end+5])
		s.at = end + 5
	}
	return true
}

// enBare reads abbreviations that often have no stop.
func enBare(s *scan) bool {
	word := s.word(s.at)
	words := map[string]string{"vs": "versus", "etc": "et cetera"}[word]
	if words == "" || !s.end(s.at+len(word)) || s.peek(len(word)) == '.' {
		return false
	}
	s.say(words)
	s.at += len(word)
	return true
}

// enLetters brings the small digits of formulas to the line, and writes a power of
// several signs after one of its own.
func enLetters(text string) string {
	if strings.Contains(text, "\xe2\x82") {
		text = enSubscripts.Replace(text)
	}
	if strings.Contains(text, " 000") {
		text = enGroups(text)
	}
	if strings.Contains(text, "₹") || strings.Contains(text, "Rs") {
		text = enLakhs(text, ",")
	}
	if strings.IndexByte(text, 0xC2) < 0 && !strings.Contains(text, "\xe2\x81") {
		return text
	}
	var out []byte
	done := 0 // what stands before is in out
	for from := 0; ; {
		at := strings.IndexFunc(text[from:], func(r rune) bool { return strings.ContainsRune(enRaised, r) })
		if at < 0 {
			break
		}
		at += from
		var power []byte
		from = at
		for _, r := range text[at:] {
			n := strings.IndexRune(enRaised, r)
			if n < 0 {
				break
			}
			power = append(power, "-0123456789"[utf8.RuneCountInString(enRaised[:n])])
			from += utf8.RuneLen(r)
		}
		if at > 0 && isDigit(text[at-1]) && isDigit(power[len(power)-1]) && string(power) != "2" && string(power) != "3" {
			out = append(append(append(out, text[done:at]...), '^'), power...)
			done = from
		}
	}
	if out == nil {
		return text
	}
	return string(append(out, text[done:]...))
}

// enGroups writes 60 000 and 1 250 000 with commas. The last group is of zeros, or nothing
// would tell such a number from two that stand side by side.
func enGroups(text string) string {
	out := []byte(text)
	for from := 0; ; {
		at := strings.Index(text[from:], " 000")
		if at < 0 {
			return string(out)
		}
		at += from
		from = at + 1
		if end := at + len(" 000"); end < len(text) && classes[text[end]&0x7F] != 0 && text[end] < utf8.RuneSelf {
			continue
		}
		start, groups := at, []int{at}
		for start > 0 && isDigit(text[start-1]) {
			if start--; at-start == 3 && start > 1 && text[start-1] == ' ' && isDigit(text[start-2]) {
				start--
				at = start
				groups = append(groups, at)
			}
		}
		if at-start < 1 || at-start > 3 || text[start] == '0' || start > 0 && text[start-1] != ' ' && strings.IndexByte("$£€(\"", text[start-1]) < 0 {
			if start == 0 || text[start] == '0' || at == start || at-start > 3 || text[start-1] < utf8.RuneSelf {
				continue
			}
		}
		for _, g := range groups {
			out[g] = ','
		}
	}
}

// enLakhs writes the groups of ₹1,00,000 with a mark after every third digit.
func enLakhs(text, mark string) string {
	var out []byte
	done := 0
	for at := 0; at < len(text); at++ {
		if !isDigit(text[at]) || at > 0 && (isDigit(text[at-1]) || text[at-1] == ',' || text[at-1] == '.') {
			continue
		}
		end := at
		for end < len(text) && (isDigit(text[end]) || text[end] == ',' && end+1 < len(text) && isDigit(text[end+1])) {
			end++
		}
		if !strings.Contains(text[at:end], ",") {
			at = end - 1
			continue
		}
		groups := strings.Split(text[at:end], ",")
		last := len(groups) - 1
		indian := last > 1 && len(groups[0]) < 3 && len(groups[last]) == 3
		for _, g := range groups[1:max(1, last)] {
			indian = indian && len(g) == 2
		}
		if !indian {
			continue
		}
		out = append(out, text[done:at]...)
		digits := strings.Join(groups, "")
		for i := range len(digits) {
			if i > 0 && (len(digits)-i)%3 == 0 {
				out = append(out, mark...)
			}
			out = append(out, digits[i])
		}
		at, done = end, end
	}
	if out == nil {
		return text
	}
	return string(append(out, text[done:]...))
}

// enRaised are the signs of powers, in the order of "-0123456789".
const enRaised = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"

var enSubscripts = strings.NewReplacer("₀", "0", "₁", "1", "₂", "2", "₃", "3", "₄", "4", "₅", "5", "₆", "6", "₇", "7", "₈", "8", "₉", "9")
