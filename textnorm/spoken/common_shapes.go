package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// Shapes that look like a clock, a range or a fraction and are none.

// readRatio reads 1:25.000 and, beside a word such as scale, 1:50: never a time, and
// never cut at the mark of the thousands.
func (v *voice) readRatio(s *scan) bool {
	colon := s.run(s.at, isDigit)
	if s.peekAt(colon) != ':' || colon-s.at > 3 {
		return false
	}
	b, ok := s.amount(colon + 1)
	if !ok || b.fraction != "" || len(b.whole) > 15 || b.whole[0] == '0' || !s.end(b.end) || s.peekAt(b.end) == ':' {
		return false
	}
	if !v.ratio(s) && (s.text[s.at:colon] != "1" || len(b.whole) < 3) {
		return false
	}
	v.count(s, amount{whole: s.text[s.at:colon]}, 0)
	v.say(s, v.ratioWord.said)
	s.at = b.end
	return v.sayCase(s, v.ratioWord.form, b.whole)
}

// readLength reads 2:11:53, 2:12 min and 1:48 h, which last so long: hours, minutes and
// seconds by their nouns. Where a word for a time stands before, it is one.
func (v *voice) readLength(s *scan) bool {
	hours := s.run(s.at, isDigit)
	if s.peekAt(hours) != ':' || hours-s.at > 2 {
		return false
	}
	clock := holds(v.clock.words, strings.ToLower(v.before(s)))
	minutes := s.run(hours+1, isDigit)
	if minutes != hours+3 || s.text[hours+1:minutes] > "59" {
		return false
	}
	a, b := amount{whole: itoa(atoi(s.text[s.at:hours]))}, amount{whole: itoa(atoi(s.text[hours+1 : minutes]))}
	if seconds := s.run(min(minutes+1, len(s.text)), isDigit); s.peekAt(minutes) == ':' {
		if seconds != minutes+3 || s.text[minutes+1:seconds] > "59" || !s.end(seconds) || s.peekAt(seconds) == ':' {
			return false
		}
		if clock && (v.slavic || v.clock.and == "") { // um 10:30:15
			return false
		}
		end := seconds
		if word := letters(s.text, seconds+gap(s.text, seconds)); word == "h" || word != "" && holds(v.clock.length, word) {
			end = seconds + gap(s.text, seconds) + len(word)
		} else if holds(v.clock.cut, word) {
			return false
		}
		return v.sayLength(s, []part{{a, 'h'}, {b, 'm'}, {amount{whole: itoa(atoi(s.text[minutes+1 : seconds]))}, 's'}}, end)
	}
	word := letters(s.text, minutes+gap(s.text, minutes))
	end := minutes + gap(s.text, minutes) + len(word)
	switch before := strings.ToLower(v.before(s)); {
	case clock || word == "" || !s.end(end):
		return false
	case word == "min" || word == "Min" || word == "мин" || word == "хв" || word == "dk":
		return v.sayLength(s, []part{{a, 'm'}, {b, 's'}}, end)
	case (durationLetters[word] == 'h' || word == "Std") && holds(v.clock.after, before):
		return v.sayLength(s, []part{{a, 'h'}, {b, 'm'}}, end)
	}
	return false
}

// sayLength says the parts of a duration that end at a place; those that are nothing
// are left out but where nothing would be left.
func (v *voice) sayLength(s *scan, parts []part, end int) bool {
	before, accused := strings.ToLower(v.before(s)), v.isAccusative(s)
	for i, p := range parts {
		n := v.durationNoun(p.unit)
		if n.forms == nil {
			return false
		}
		if p.amount.whole == "0" && (i > 0 || len(parts) > 2) && i+1 < len(parts) {
			continue
		}
		if last := i+1 == len(parts); i > 0 && v.clock.last != "" {
			if last {
				v.say(s, v.clock.last)
			} else if len(parts) > 2 && parts[0].amount.whole != "0" {
				s.out = append(s.out, ',')
			}
		}
		if one, ok := v.oneAfter[string(n.gender)+before]; ok && i == 0 && p.amount.whole == "1" {
			v.say(s, one)
		} else if accused {
			v.countAccused(s, p.amount, n)
			continue
		} else {
			v.count(s, p.amount, n.gender)
		}
		v.say(s, v.nounOf(n, p.amount.whole))
	}
	s.at = end
	if isDigit(s.text[end-1]) {
		v.join(s)
		return true
	}
	s.stopUnit()
	return true
}

// superscripts are the digits and signs of an exponent.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// exponentAt is the exponent at a place, in usual digits, and where it ends.
func (s *scan) exponentAt(at int) (negative bool, digits string, end int) {
	if strings.HasPrefix(s.text[at:], "⁻") {
		negative, at = true, at+len("⁻")
	}
	for end = at; end < len(s.text); {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		i := strings.IndexRune(superscripts, r)
		if r < 0x80 || i < 0 {
			break
		}
		digits, end = digits+itoa(len([]rune(superscripts[:i]))), end+n
	}
	return negative, digits, end
}

// readPower reads 10⁸ and the sign and the number before it: 9,1·10⁻³¹ kg.
func (v *voice) readPower(s *scan) bool {
	at, end := s.at, s.run(s.at, isDigit)
	if end == len(s.text) || s.text[end] < 0x80 && s.text[end] != ',' && s.text[end] != '.' && s.text[end] != ' ' {
		return false
	}
	a, times := amount{}, 0
	if first, ok := s.amount(at); ok {
		sign := first.end + gap(s.text, first.end)
		for _, mark := range []string{"·", "×", "⋅", "∙", "x"} {
			if next := sign + len(mark); strings.HasPrefix(s.text[sign:], mark) {
				if next += gap(s.text, next); isDigit(s.peekAt(next)) {
					a, times, at = first, sign, next
					end = s.run(next, isDigit)
				}
				break
			}
		}
	}
	negative, digits, last := s.exponentAt(min(end, len(s.text)))
	if digits == "" || len(digits) > 3 || len(digits) > 1 && digits[0] == '0' || end-at > 4 || !s.end(last) || v.power.before+v.power.after == "" || times == 0 && !negative && len(digits) == 1 && digits < "4" && s.text[at:end] != "10" {
		return false
	}
	if times > 0 {
		v.count(s, a, 0)
		v.say(s, v.symbol["×"])
	}
	v.count(s, amount{whole: s.text[at:end]}, 0)
	v.sayPower(s, negative, digits)
	s.at = last
	if unit, _, after := v.unitAt(s, last); unit.forms != nil {
		v.say(s, v.nounOf(unit, "5"))
		s.at = after
		s.stopUnit()
	}
	return true
}

// sayPower says the exponent between the words of the language for it.
func (v *voice) sayPower(s *scan, negative bool, digits string) {
	if v.power.before != "" {
		v.say(s, v.power.before)
	}
	if negative {
		v.say(s, v.minus)
	}
	if v.power.form == "" {
		v.speak(s, numbers.Cardinal, "", digits)
	} else {
		v.ordinal(s, v.power.form, digits)
	}
	if v.power.after != "" {
		v.say(s, v.power.after)
	}
}

// powerWords are what is said around an exponent, and its form as an ordinal, "" for a cardinal.
type powerWords struct{ before, form, after string }

func (p *powerWords) take(beside, form, said string) error {
	around := aroundOf(said)
	*p = powerWords{strings.TrimSpace(around[0]), form, strings.TrimSpace(around[1])}
	return nil
}

// mostGroups is how many groups a code has: an ISBN has five.
const mostGroups = 8

// readCode reads numbers with hyphens between that are no range: 1232-1, which goes down,
// CVE-2023-24329, of a word, and what a label such as no. stands before.
func (v *voice) readCode(s *scan) bool {
	end := s.run(s.at, isDigit)
	if s.peekAt(end) != '-' || !isDigit(s.peekAt(end+1)) {
		return false
	}
	var groups []string
	at := s.at
	for {
		last := s.run(at, isDigit)
		groups = append(groups, s.text[at:last])
		if at = last; s.peekAt(at) != '-' || !isDigit(s.peekAt(at+1)) {
			break
		}
		if len(groups) == mostGroups {
			return false
		}
		at++
	}
	if !s.end(at) || s.peekAt(at) != 0 && strings.IndexByte(":/", s.text[at]) >= 0 && isDigit(s.peekAt(at+1)) || !v.isCode(s, groups, at) {
		return false
	}
	name := strings.Split(v.address, "|")[4]
	for i, group := range groups {
		if i > 0 {
			v.say(s, name)
		}
		if group[0] == '0' || len(group) > 6 {
			v.spell(s, group)
			continue
		}
		v.count(s, amount{whole: group}, 0)
	}
	s.at = at
	return true
}

// isCode reports whether numbers with hyphens between them are parts of a name.
func (v *voice) isCode(s *scan, groups []string, end int) bool {
	if s.at > 1 && s.text[s.at-1] == '-' {
		r, _ := utf8.DecodeLastRuneInString(s.text[:s.at-1])
		return inWord(r)
	}
	if unit, money, _ := v.unitAt(s, end); unit.forms != nil || money[0].forms != nil {
		return false
	}
	if s.peekAt(end) == '.' && s.peekAt(end+1) != ' ' && s.peekAt(end+1) != 0 || s.peekAt(end) == ',' && isDigit(s.peekAt(end+1)) {
		return false
	}
	a, b := groups[0], groups[len(groups)-1]
	switch {
	case len(groups) > 3:
		return true
	case len(groups) == 3:
		return len(a) != 4 && len(b) != 4 // a date in figures
	case len(a) > 6 || len(b) > 6:
		return true
	case len(a) > 2 && len(b) == 2 && a[len(a)-2:] < b: // 1998-99
		return false
	}
	return atoi(a) > atoi(b) && len(a) > 2
}

// game reports whether a word shortly before a place tells of a game.
func (v *voice) game(s *scan, at int) bool {
	const most = 60 // bytes before it
	if v.games == "" {
		return false
	}
	for word := range strings.FieldsSeq(strings.ToLower(s.text[max(0, at-most):at])) {
		if holds(v.games, strings.Trim(word, ",.:;()")) {
			return true
		}
	}
	return false
}

// readDays reads Mo.–Fr. and lun. a ven.: two days of the week together are no titles.
func (v *voice) readDays(s *scan) bool {
	first, at := v.dayOfWeek(s, s.at)
	if first == "" {
		return false
	}
	next := at + gap(s.text, at)
	if mark := s.dash(next); mark > 0 {
		next += mark
		next += gap(s.text, next)
	} else if word, _, ok := strings.Cut(s.text[next:], " "); ok && next > at && holds(v.dayBetween, word) {
		next += len(word) + 1
	} else {
		return false
	}
	last, end := v.dayOfWeek(s, next)
	if last == "" {
		return false
	}
	if v.say(s, first); v.dayTo == "–" {
		s.out = append(s.out, v.dayTo...)
	} else {
		v.say(s, v.dayTo)
	}
	v.say(s, last)
	if s.at = end; s.text[end-1] == '.' {
		s.at--
		s.stopShort()
	}
	return true
}

// dayOfWeek is the day whose abbreviation stands at a place, and where it ends.
func (v *voice) dayOfWeek(s *scan, at int) (name string, end int) {
	word := letters(s.text, at)
	name, ok := v.days[word]
	if end = at + len(word); !ok || !s.end(end) {
		return "", at
	}
	if s.peekAt(end) == '.' {
		end++
	}
	return name, end
}

// readHex reads 0x80070005 letter by letter.
func (v *voice) readHex(s *scan) bool {
	if !strings.HasPrefix(s.rest(), "0x") {
		return false
	}
	end := s.run(s.at+2, func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' })
	if end < s.at+4 || !s.end(end) {
		return false
	}
	for i := s.at; i < end; i++ {
		if isDigit(s.text[i]) {
			v.speak(s, numbers.Cardinal, "", s.text[i:i+1])
			continue
		}
		v.say(s, s.text[i:i+1])
	}
	s.at = end
	return true
}
