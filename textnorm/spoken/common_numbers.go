package spoken

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// readDotted reads 1.2.3 and 192.168.0.1, and what has a full stop where the
// language writes a comma: 3.14.
func (v *voice) readDotted(s *scan) bool {
	const most = 20 // of a line of nothing else each number looks at those behind it
	var parts []string
	at := s.at
	for {
		end := s.run(at, isDigit)
		parts = append(parts, s.text[at:end])
		at = end
		if at+1 >= len(s.text) || s.text[at] != '.' || !isDigit(s.text[at+1]) || len(parts) == most {
			break
		}
		at++
	}
	if a, ok := s.amount(s.at); len(parts) < 2 || !s.end(at) || ok && a.end >= at && a.grouped {
		return false
	}
	if strings.HasPrefix(s.text[at:], v.decimal) && at+1 < len(s.text) && isDigit(s.text[at+1]) {
		return false
	}
	for i, part := range parts {
		if i > 0 {
			v.say(s, v.point)
		}
		v.count(s, amount{whole: part}, 0)
	}
	if s.at = at; len(parts) == 2 {
		v.unitBehind(s, parts[0])
	}
	return true
}

// readScore reads 3:1.
func (v *voice) readScore(s *scan) bool {
	first := s.run(s.at, isDigit)
	if first >= len(s.text) || s.text[first] != ':' || first-s.at > 3 {
		return false
	}
	last := s.run(first+1, isDigit)
	if last == first+1 || last-first > 4 || !s.end(last) || last < len(s.text) && s.text[last] == ':' {
		return false
	}
	v.count(s, amount{whole: s.text[s.at:first]}, 0)
	if v.score != "" {
		v.say(s, v.score)
	}
	v.count(s, amount{whole: s.text[first+1 : last]}, 0)
	s.at = last
	return true
}

// readFraction reads 3/4, 2 1/2 and 2½.
func (v *voice) readFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	whole := s.text[s.at:end]
	if r, n := utf8.DecodeRuneInString(s.text[end+gap(s.text, end):]); enVulgar[r][0] != "" {
		s.at = end + gap(s.text, end) + n
		v.mixed(s, whole, enVulgar[r][0], enVulgar[r][1])
		v.unitBehind(s, whole)
		if !s.end(s.at) {
			s.out = append(s.out, ' ')
		}
		return true
	}
	at := s.at
	if over := s.run(min(end+1, len(s.text)), isDigit); end+1 < over && s.text[end] == ' ' && over < len(s.text) && s.text[over] == '/' {
		at, end = end+1, over
	} else {
		whole = ""
	}
	if end >= len(s.text) || s.text[end] != '/' {
		return false
	}
	last := s.run(end+1, isDigit)
	top, bottom := s.text[at:end], s.text[end+1:last]
	if len(top) == 4 && len(bottom) == 2 && whole == "" && s.end(last) && atoi(bottom) == (atoi(top)+1)%100 { // 1990/91
		v.countOrYear(s, amount{whole: top}, 0)
		s.at = last
		return v.count(s, amount{whole: bottom}, 0)
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 3 || top[0] == '0' || atoi(bottom) < 2 || !s.end(last) || last < len(s.text) && s.text[last] == '/' {
		return false
	}
	s.at = last
	if top == "24" && bottom == "7" {
		return v.count(s, amount{whole: top}, 0) && v.count(s, amount{whole: bottom}, 0)
	}
	v.mixed(s, whole, top, bottom)
	return true
}

// mixed says a whole number, if any, and a fraction; the halves of a noun have
// words of their own.
func (v *voice) mixed(s *scan, whole, top, bottom string) {
	next := ""
	if n := gap(s.text, s.at); n > 0 {
		next = letters(s.text, s.at+n)
		if unit, _, end := v.unitAt(s, s.at); end > s.at && unit.forms != nil {
			next = unit.forms[0]
		}
	}
	gender := 0
	if v.agree != nil && next != "" && v.agree("1", "", strings.TrimSuffix(next, "s")) == 'f' || v.code == "it" && oneOf(next, "ore tazze") {
		gender = 1
	}
	half := top == "1" && bottom == "2"
	switch {
	case half && whole != "":
		v.count(s, amount{whole: whole}, map[int]byte{0: 0, 1: 'f'}[gender])
		word := strings.Split(v.halves, "|")[gender]
		if v.code == "de" { // zweieinhalb
			s.out = append(s.out, word...)
			return
		}
		v.say(s, word)
	case half && next != "":
		v.say(s, strings.Split(v.aHalf, "|")[gender])
	case whole != "":
		v.count(s, amount{whole: whole}, 0)
		v.say(s, v.symbol["½"])
		v.fraction(s, top, bottom)
	default:
		v.fraction(s, top, bottom)
	}
}

// unitBehind says the unit behind a number that is no amount: 2½ kg.
func (v *voice) unitBehind(s *scan, number string) {
	unit, _, end := v.unitAt(s, s.at)
	if end == s.at || unit.forms == nil || v.percentAt != "" {
		return
	}
	word := unit.forms[0]
	if v.slavic || number != "" {
		word = v.nounOf(unit, number+".5")
	}
	v.say(s, word)
	s.at = end
	s.stopUnit()
}

// fraction says a numerator and a denominator; those that have no name of their
// own are said one over the other.
func (v *voice) fraction(s *scan, top, bottom string) {
	var name noun
	switch bottom {
	case "2":
		name = v.half
	case "3":
		name = v.third
	case "4":
		name = v.quarter
	}
	if v.code == "tr" { // dörtte üç
		if words, ok := turkishOf[bottom]; ok {
			v.say(s, words)
			v.count(s, amount{whole: top}, 0)
			return
		}
	}
	if name.forms == nil && v.part != nil {
		name = v.part(atoi(bottom), func(form string) string {
			words, _ := numbers.SpeakForm(v.code, numbers.Ordinal, form, bottom)
			return words
		})
	}
	if name.forms == nil {
		v.count(s, amount{whole: top}, 0)
		v.say(s, v.over)
		v.count(s, amount{whole: bottom}, 0)
		return
	}
	v.count(s, amount{whole: top}, name.gender)
	v.say(s, v.nounOf(name, top))
}

// readRange reads 10–20: both numbers with the word between them, and the noun
// that belongs to both by itself.
func (v *voice) readRange(s *scan) bool {
	a, _ := s.amount(s.at)
	at := a.end + gap(s.text, a.end)
	mark := s.dash(at)
	if mark == 0 || at > a.end && gap(s.text, at+mark) == 0 {
		return false
	}
	next := at + mark
	if at > a.end {
		if s.text[at] == '-' {
			return false
		}
		next += gap(s.text, next)
	}
	b, ok := s.amount(next)
	if !ok || b.end+1 < len(s.text) && (s.text[b.end] == '-' || s.text[b.end] == '/') && isDigit(s.text[b.end+1]) {
		return false
	}
	n, pair, _ := v.unitAt(s, b.end)
	if pair[0].forms != nil {
		n = pair[0]
	}
	if v.yearsRange(s, a, b) {
		return true
	}
	v.countOrYear(s, a, n.gender)
	if v.to == "-" && max(len(a.whole), len(b.whole)) > 2 {
		v.say(s, "– ")
	} else {
		v.sayTo(s)
	}
	s.at = next
	if v.toForm == "" || b.fraction != "" || len(b.whole) > 15 || b.whole[0] == '0' {
		if a.fraction == "" && b.fraction == "" && len(a.whole) == 4 && len(b.whole) == 4 && v.date.yearNext != nil && s.end(b.end) {
			s.at = b.end
			v.countOrYear(s, b, n.gender)
			return true
		}
		if v.to != "-" {
			s.out = append(s.out, ' ')
		}
		return true
	}
	v.speak(s, numbers.Cardinal, v.toForm, b.whole)
	s.at = b.end
	if n.forms != nil {
		_, _, s.at = v.unitAt(s, b.end)
		v.say(s, v.severalOf(n))
		s.stopUnit()
	}
	return true
}

// yearsRange reads 1941–1945 гг.
func (v *voice) yearsRange(s *scan, a, b amount) bool {
	at := b.end + gap(s.text, b.end)
	word := letters(s.text, at)
	with, ok := v.date.years[strings.ToLower(v.before(s))]
	if !ok {
		with = v.date.years[""]
	}
	form, noun, _ := strings.Cut(with, " ")
	if noun == "" || len(a.whole) != 4 || len(b.whole) != 4 || !strings.HasPrefix(word, v.date.yearsStem) && word != v.date.yearsCut {
		return false
	}
	v.speak(s, numbers.Year, form, a.whole)
	v.say(s, "–")
	s.out = append(s.out, ' ')
	v.speak(s, numbers.Year, form, b.whole)
	if s.at = b.end; word == v.date.yearsCut {
		v.say(s, noun)
		s.at = at + len(word)
		s.stopShort()
	}
	return true
}

// sayTo says what stands between the ends of a range.
func (v *voice) sayTo(s *scan) {
	if v.to == "-" {
		s.out = append(s.out, '-')
		return
	}
	v.say(s, v.to)
}

// countOrYear says a number of a range: two of four digits are years.
func (v *voice) countOrYear(s *scan, a amount, gender byte) {
	if v.date.yearNext != nil && gender == 0 && enIsYear(a) && a.whole < "2000" {
		v.speak(s, numbers.Year, "", a.whole)
		return
	}
	v.count(s, a, gender)
}

// readAmount reads a number and the measure, the money or the letters behind it.
func (v *voice) readAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if n, end := v.magnitudeAt(s, a.end); n.forms != nil {
		v.count(s, a, n.gender)
		v.say(s, v.nounOf(n, a.String()))
		s.at = end
		if unit, money, after := v.unitAt(s, end); after > end {
			if money[0].forms != nil {
				unit = money[0]
			}
			v.say(s, v.severalOf(unit))
			s.at = after
			s.stopUnit()
		} else if s.text[end-1] == '.' && end == len(s.text) {
			s.at--
		}
		return true
	}
	unit, money, end := v.unitAt(s, a.end)
	switch {
	case money[0].forms != nil:
		s.at = end
		v.sayMoney(s, a, money)
	case unit.forms != nil && v.percentAt != "" && s.text[end-1] == '%':
		v.say(s, v.percentAt)
		v.count(s, a, 0)
		s.at = end
		v.join(s)
		return true
	case unit.forms != nil:
		v.count(s, a, unit.gender)
		v.say(s, v.nounOf(unit, a.String()))
		s.at = end
	default:
		s.at = a.end
		return v.bare(s, a)
	}
	v.per(s)
	if !v.join(s) {
		s.stopUnit()
	}
	return true
}

// bare says a number that stands alone or before a word.
func (v *voice) bare(s *scan, a amount) bool {
	gender := byte(0)
	if n := gap(s.text, a.end); n > 0 && v.agree != nil && a.fraction == "" {
		if noun := letters(s.text, a.end+n); noun != "" {
			s.at = a.start
			gender = v.agree(strings.TrimLeft(a.whole, "0"), v.before(s), noun)
			s.at = a.end
		}
	}
	if v.compound(s, a) {
		return true
	}
	if v.date.yearNext != nil && enIsYear(a) && strings.HasPrefix(s.text[a.end:], "er") { // 1990er
		v.speak(s, numbers.Year, "", a.whole)
	} else {
		v.count(s, a, gender)
	}
	if n := gap(s.text, s.at); strings.HasPrefix(s.text[s.at+n:], "x") { // 4 x 100
		next := s.at + n + 1
		if next += gap(s.text, next); next < len(s.text) && isDigit(s.text[next]) {
			v.say(s, v.symbol["×"])
			s.out = append(s.out, ' ')
			s.at = next
			return true
		}
	}
	if !s.end(a.end) && !v.join(s) {
		s.out = append(s.out, ' ')
	} else {
		v.join(s)
	}
	return true
}

// compound reads the Russian 20-летний, whose number is joined to its word.
func (v *voice) compound(s *scan, a amount) bool {
	ending := letters(s.text, min(a.end+1, len(s.text)))
	if v.compounds == nil || len(a.whole) > 3 || a.fraction != "" || !strings.HasPrefix(s.text[a.end:], "-") || len(ending) < 8 {
		return false
	}
	words, ok := numbers.SpeakForm(v.code, numbers.Cardinal, "masculine-genitive", a.whole)
	if !ok {
		return false
	}
	v.say(s, v.compounds(words)+ending)
	s.at = a.end + 1 + len(ending)
	return true
}

// join puts the ending behind a number to its last word: Turkish 5'i, German 80er.
func (v *voice) join(s *scan) bool {
	at := s.at
	if v.code == "tr" {
		for _, mark := range []string{"'", "’"} {
			if strings.HasPrefix(s.text[at:], mark) && letters(s.text, at+len(mark)) != "" {
				at += len(mark)
				ending := letters(s.text, at)
				s.at = at + len(ending)
				if bytes.HasSuffix(s.out, []byte("lira")) { // TL is spelled te le, its endings are those of that
					ending = strings.NewReplacer("e", "a", "i", "ı").Replace(ending)
				}
				s.out = append(s.out, ending...)
				return true
			}
		}
	}
	if v.code == "de" {
		if strings.HasPrefix(s.text[at:], "-") {
			at++
		}
		ending := letters(s.text, at)
		for _, joined := range []string{"er", "fach", "mal", "jährig", "stündig", "minütig", "tägig", "köpfig", "teilig", "prozentig", "seitig", "stellig"} {
			if strings.HasPrefix(ending, joined) && (joined != "er" || at == s.at) {
				s.out = append(s.out, ending...)
				s.at = at + len(ending)
				return true
			}
		}
	}
	return false
}

// readMixed reads a word of letters and digits: A4, MP3, B2B.
func (v *voice) readMixed(s *scan) bool {
	end := s.at
	digits := false
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !inWord(r) {
			break
		}
		digits = digits || r < 0x80 && isDigit(byte(r))
		end += n
	}
	if !digits {
		return false
	}
	for s.at < end {
		if next := s.run(s.at, isDigit); next > s.at {
			digits := s.text[s.at:next]
			s.at = next
			if len(digits) > 4 || len(digits) > 1 && digits[0] == '0' {
				v.spell(s, digits)
			} else {
				v.count(s, amount{whole: digits}, 0)
			}
			continue
		}
		word := s.text[s.at:end]
		if i := strings.IndexFunc(word, func(r rune) bool { return r < 0x80 && unicode.IsDigit(r) }); i >= 0 {
			word = word[:i]
		}
		if word = strings.TrimSpace(word); strings.ContainsFunc(word, func(r rune) bool { return unicode.IsDigit(r) }) {
			return false
		}
		v.say(s, word)
		s.at += len(word)
	}
	return true
}
