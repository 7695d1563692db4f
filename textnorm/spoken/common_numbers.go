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
	const most = 20 // of a line of nothing else each number looks at those after it
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
	if v.numbered2(s, a, b, next) {
		return true
	}
	if v.result(s, a, b, next, n) {
		return true
	}
	if v.yearsRange(s, a, b) {
		return true
	}
	v.front(s, n)
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

// numbered2 reads 00-950 and 123.456.789-00: no range ends with a number that a zero
// begins, and in Polish two digits and three before a name are those of a post office.
func (v *voice) numbered2(s *scan, a, b amount, next int) bool {
	if a.fraction+b.fraction != "" || next != a.end+1 || !s.end(b.end) || len(a.whole) == 4 || b.grouped || len(b.whole) < 2 {
		return false
	}
	post := v.code == "pl" && len(a.whole) == 2 && len(b.whole) == 3 && gap(s.text, b.end) > 0 && v.isUpper(letters(s.text, b.end+1))
	if b.whole[0] != '0' && !post {
		return false
	}
	v.spell(s, a.whole)
	s.out = append(s.out, ',')
	s.at = b.end
	return v.spell(s, b.whole)
}

// yearsRange reads 1941–1945 гг.
func (v *voice) yearsRange(s *scan, a, b amount) bool {
	at := b.end + gap(s.text, b.end)
	word := letters(s.text, at)
	with, ok := v.date.years[strings.ToLower(v.before(s))]
	if !ok {
		with = v.date.years[""]
	}
	if with.said == "" || len(a.whole) != 4 || len(b.whole) != 4 {
		return false
	}
	if !strings.HasPrefix(word, v.date.yearsStem) && word != v.date.yearsCut {
		alone := v.code == "ru" && word == "" && a.whole >= "1000" && a.whole < b.whole && b.whole < "2100"
		if before := strings.ToLower(v.before(s)); !alone && (before == "" || !strings.HasPrefix(before, v.date.yearsStem)) {
			return false
		}
	}
	v.speak(s, numbers.Year, with.form, a.whole)
	v.say(s, "–")
	s.out = append(s.out, ' ')
	v.speak(s, numbers.Year, with.form, b.whole)
	if s.at = b.end; word == v.date.yearsCut {
		v.say(s, with.said)
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

// readAmount reads a number and the measure, the money or the letters after it.
func (v *voice) readAmount(s *scan) bool {
	a, ok := s.amount(s.at)
	if !ok {
		return false
	}
	if n, end := v.magnitudeAt(s, a.end); n.forms != nil {
		return v.sayMagnitude(s, a, n, end)
	}
	unit, money, end := v.unitAt(s, a.end)
	if s.text[a.end:end] == "s" && v.pluralBehind(s, a) {
		s.at = end
		v.count(s, a, 0)
		if v.code == "de" || v.code == "nl" {
			s.out = append(s.out, 's')
		}
		return true
	}
	switch {
	case money[0].forms != nil:
		of := v.caseAt(s, a, true, "")
		accused := of == nominative && a.fraction == "" && v.isAccusative(s)
		if s.at = end; accused {
			v.countAccused(s, a, money[0])
		} else {
			v.sayMoneyIn(s, a, money, of)
		}
	case unit.forms != nil && v.percentAt != "" && s.text[end-1] == '%':
		v.say(s, v.percentAt)
		v.count(s, a, 0)
		s.at = end
		v.join(s)
		return true
	case unit.forms != nil:
		v.sayMeasure(s, a, unit)
		s.at = end
	default:
		s.at = a.end
		return v.bare(s, a)
	}
	if s.text[s.at-1] == '.' { // мм рт. ст.
		s.at--
		s.stopShort()
		return true
	}
	v.per(s, money[0].forms != nil)
	if !v.join(s) {
		s.stopUnit()
	}
	return true
}

// sayMagnitude says an amount of millions that end at a place, and what is counted in them.
func (v *voice) sayMagnitude(s *scan, a amount, n noun, end int) bool {
	if of := v.caseAt(s, a, true, ""); of == genitive {
		v.countGenitive(s, a, n.gender)
		v.say(s, v.genitiveOf(n, a.String()))
	} else if v.isAccusative(s) {
		v.countAccused(s, a, n)
	} else {
		v.count(s, a, n.gender)
		v.say(s, v.nounOf(n, a.String()))
	}
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

// sayMeasure says an amount of a measure in the case that the words before it ask for.
func (v *voice) sayMeasure(s *scan, a amount, unit noun) {
	v.front(s, unit)
	if of := v.caseAt(s, a, true, ""); of != nominative && v.nounInCase(unit, a.String(), of) != "" {
		v.countCase(s, a, unit.gender, of)
		v.say(s, v.nounInCase(unit, a.String(), of))
	} else if one, ok := v.oneAfter[string(unit.gender)+strings.ToLower(v.before(s))]; ok && a.isOne() {
		v.say(s, one)
		v.say(s, v.nounOf(unit, "1"))
	} else if v.isAccusative(s) {
		v.countAccused(s, a, unit)
	} else {
		v.count(s, a, unit.gender)
		v.say(s, v.dativeOf(s, v.nounOf(unit, a.String())))
	}
}

// pluralBehind reports whether the s right after a number makes several of what has it as
// its name: F-16s, 747s. The Romance languages write it and do not say it.
func (v *voice) pluralBehind(s *scan, a amount) bool {
	if a.fraction != "" || v.slavic {
		return false
	}
	if s.at > 1 && s.text[s.at-1] == '-' && isLetter(s.text[s.at-2]) {
		return true
	}
	before := v.before(s)
	return (v.code == "de" || v.code == "nl") && len(a.whole) == 3 && before != "" && !holds(germanTimes, strings.ToLower(before))
}

// germanTimes stand before a time in German and in Dutch.
const germanTimes = "in nach für um auf ab bis mit unter über ca circa etwa rund dauert dauerte dauerten binnen von zu alle je pro na voor op over met onder ongeveer duurt duurde elke per"

// front says what stands before the number of a speed: Turkish has no genders, and
// its hours and seconds a letter in their place.
func (v *voice) front(s *scan, unit noun) {
	switch {
	case v.code != "tr":
	case strings.HasSuffix(string(s.out[max(s.from, len(s.out)-5):]), " ila "): // of a range, whose first number has it
	case unit.gender == 'h':
		v.say(s, "saatte")
	case unit.gender == 's':
		v.say(s, "saniyede")
	}
}

// bare says a number that stands alone or before a word.
func (v *voice) bare(s *scan, a amount) bool {
	gender, noun := byte(0), ""
	s.at = a.start
	before := v.before(s)
	if n := gap(s.text, a.end); n > 0 {
		noun = letters(s.text, a.end+n)
	}
	if noun != "" && v.agree != nil && a.fraction == "" && !v.labels[strings.ToLower(before)] {
		gender = v.agree(strings.TrimLeft(a.whole, "0"), before, noun)
	}
	of := nominative
	if s.end(a.end) && (s.peekAt(a.end) != '.' || s.endsSentence(a.end)) {
		of = v.caseAt(s, a, false, noun)
	}
	if of == genitive && gender == 'f' && !v.genitive(s, a) && len(v.caseAfter[strings.ToLower(before)]) == 0 { // of persons
		gender = 'm'
	}
	word := noun1(gender)
	accused := of == nominative && (v.accusedWord(s, a, noun) || a.fraction != "" && v.isAccusative(s))
	if s.at = a.end; accused {
		word.gender = 'f'
	}
	if v.compound(s, a) {
		return true
	}
	if v.date.yearNext != nil && enIsYear(a) && strings.HasPrefix(s.text[a.end:], "er") { // 1990er
		v.speak(s, numbers.Year, "", a.whole)
	} else if one, ok := v.oneAfter[string(gender)+strings.ToLower(before)]; ok && a.isOne() {
		v.say(s, one)
	} else if half := v.oneAndHalf(a, noun); half != "" && of == nominative {
		v.say(s, half)
	} else if accused {
		v.countAccused(s, a, word)
	} else {
		v.countCase(s, a, gender, of)
	}
	if n := gap(s.text, s.at); strings.HasPrefix(s.text[s.at+n:], "x") { // 4 x 100
		next := s.at + n + 1
		if next += gap(s.text, next); next < len(s.text) && isDigit(s.text[next]) {
			if v.code == "pt" && portugueseResult(s, a, next) || len(a.whole) <= 2 && v.game(s, a.start) {
				v.say(s, v.score)
			} else if v.isSize(s, s.at+n, 1) {
				v.say(s, v.by)
			} else {
				v.say(s, v.symbol["×"])
			}
			s.out = append(s.out, ' ')
			s.at, s.opens = next, next
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

// noun1 is a noun of which no form is known.
func noun1(gender byte) noun { return noun{gender: gender} }

// compound reads 20-летний, 20-lecie and 20letý, whose number is joined to its word.
func (v *voice) compound(s *scan, a amount) bool {
	at, form, least := a.end, "masculine-genitive", 8
	switch v.code {
	case "pl":
		least = 4
	case "cs": // 20letý
		form, least = "", 4
	}
	if strings.HasPrefix(s.text[at:], "-") {
		at++
	} else if v.code != "cs" {
		return false
	}
	ending := letters(s.text, at)
	if v.compounds == nil || len(a.whole) > 3 || a.fraction != "" || len(ending) < least {
		return false
	}
	words, ok := numbers.SpeakForm(v.code, numbers.Cardinal, form, a.whole)
	if !ok {
		return false
	}
	if form == "" {
		words = v.decline(words, genitive)
	}
	v.say(s, v.compounds(words)+ending)
	s.at = at + len(ending)
	return true
}

// join puts the ending after a number to its last word: Turkish 5'i, German 80er.
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
	if v.code == "nl" && strings.HasPrefix(s.text[at:], "-") {
		ending := letters(s.text, at+1)
		for stem := range strings.FieldsSeq("jarig voudig daags delig kops hoekig maandelijks persoons") {
			if strings.HasPrefix(ending, stem) {
				s.out = append(s.out, ending...)
				s.at = at + 1 + len(ending)
				return true
			}
		}
	}
	if v.code == "de" {
		if strings.HasPrefix(s.text[at:], "x ") && !isDigit(s.peekAt(at+2)) { // 3x täglich
			s.out = append(s.out, "mal"...)
			s.at = at + 1
			return true
		}
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
	if dotted := v.versionEnd(s, end); dotted > end {
		return v.sayVersion(s, dotted)
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
