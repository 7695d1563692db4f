package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// enFraction reads 1½ and 1 ½.
func enFraction(s *scan) bool {
	end := s.run(s.at, isDigit)
	if r, n := utf8.DecodeRuneInString(s.text[end:]); vulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + n
		s.fraction(vulgar[r][0], vulgar[r][1], true)
		s.partOf(true, vulgar[r][0])
		return true
	}
	if r, n := utf8.DecodeRuneInString(s.text[min(end+1, len(s.text)):]); end < len(s.text) && s.text[end] == ' ' && vulgar[r][0] != "" {
		s.cardinal(s.text[s.at:end])
		s.say("and")
		s.at = end + 1 + n
		s.fraction(vulgar[r][0], vulgar[r][1], true)
		s.partOf(true, vulgar[r][0])
		return true
	}
	return false
}

// What two numbers with a stroke between them can be.
var (
	enFractional = &class{name: "fraction", say: enSayFraction}
	enDay        = &class{name: "date", say: enSayDay}
	enOutOf      = &class{name: "score", say: enBetween("out of")}
	enWickets    = &class{name: "wickets", say: enBetween("for")}
	enOver       = &class{name: "over", say: enSayOver}
	enDivided    = &class{name: "division", say: enBetween("divided by")}
	enPair       = &class{name: "pair", say: enBetween("")}
	enSeason     = &class{name: "year", say: enSaySeason}
	enStroked    = &class{name: "code", say: enBetween("slash"), safe: true}
)

// enStroke proposes what 3/4, 24/7, 120/80, 12/13 are.
func enStroke(s *scan) {
	at, end := s.at, s.run(s.at, isDigit)
	whole := ""
	if c := s.peekAt(end); c == ' ' || c == '-' {
		if over := s.run(end+1, isDigit); over > end+1 && s.peekAt(over) == '/' {
			whole, at, end = s.text[s.at:end], end+1, over
		}
	}
	if s.peekAt(end) != '/' {
		return
	}
	last := s.run(end+1, isDigit)
	top, bottom := s.text[at:end], s.text[end+1:last]
	if len(top) == 4 && whole == "" && len(bottom) == 2 && s.end(last) && itoa(atoi(top) + 1)[2:] == bottom { // 2019/20
		s.form = form{one: amount{whole: top, end: end}, two: amount{whole: bottom, start: end + 1}, end: last}
		s.may(enSeason, certain, "two years by their form")
		return
	}
	if len(bottom) > 0 && enOrdinalEnds.has(s.word(last)) && s.end(last+2) { // 1/100th
		last += 2
	}
	if bottom == "" || len(top) > 3 || len(bottom) > 4 || !s.end(last) || s.peekAt(last) == '/' {
		return
	}
	s.form = form{one: amount{whole: top, end: end}, two: amount{whole: bottom, start: end + 1}, letters: whole, end: last}
	if whole == "" && s.strokeRange(s.form) {
		return
	}
	n, of := atoi(top), atoi(bottom)
	part := of > 1 && top[0] != '0' && n < of
	if whole != "" {
		if part {
			s.may(enFractional, certain, "a whole number before it")
		}
		return
	}
	pair := enShares(top, bottom)
	switch {
	case strings.HasPrefix(strings.TrimPrefix(s.text[last:], " "), "="): // 10/2=5
		s.may(enDivided, certain, "an equals sign after it")
		return
	case pair:
		s.may(enPair, cueNext, "a pair by its form")
	case n == of && n > 1, n > 5 && of == 10 && s.plural(last):
		s.may(enOutOf, usual, "all of it, or of many")
	case n > of && of > 0 && of <= 10 && n > 12:
		s.may(enWickets, possible, "")
	case n > of && len(bottom) > 1:
		s.may(enOver, map[bool]int{true: usual, false: possible}[n >= 70 && n < 250 && of >= 40], "a blood pressure by its size")
	}
	if part {
		likely := s.partness(bottom, last)
		if of == 10 && n > 5 && s.plural(last) {
			likely = min(likely, possible)
		}
		s.may(enFractional, likely, "a part by its size")
		s.may(enOutOf, possible, "")
	}
	if n > 0 && n <= 12 && of > 0 && of <= 31 {
		s.may(enDay, map[bool]int{true: usual, false: possible}[of > 12 && of != n+1 && !enDivisors.has(bottom)], "a month and a day by their size")
	}
	if !pair {
		s.may(enPair, possible, "")
	}
	s.may(enStroked, possible, "")
}

// partness is how much two numbers look like a fraction: by a measure or what it is of, and
// by the number below, which people divide by.
func (s *scan) partness(bottom string, last int) int {
	if u, _ := s.unitAt(last); u.many != "" || strings.HasPrefix(s.text[last:], " of ") || s.peekAt(last) == '%' || s.inchMark(last) {
		return certain
	}
	if enDivisors.has(bottom) {
		return usual
	}
	return possible
}

// plural reports whether a word of several things stands at a place: 9/10 dentists.
func (s *scan) plural(at int) bool {
	word := s.word(min(at+1, len(s.text)))
	return len(word) > 3 && word[0] >= 'a' && word[len(word)-1] == 's' && word[len(word)-2] != 's' && !enNoNoun.has(word)
}

// enDivisors are what things are divided by.
var enDivisors = wordSet("2 3 4 5 6 8 10 16 20 32 64 100 1000")

func enSayFraction(s *scan) bool {
	f := s.form
	if f.letters != "" {
		s.cardinal(f.letters)
		s.say("and")
	}
	s.at = f.end
	s.fraction(f.one.whole, f.two.whole, f.letters != "")
	s.partOf(f.letters != "", f.one.whole)
	return true
}

func enSayDay(s *scan) bool {
	s.at = s.form.end
	enSayMonthDay(s, s.form.one.whole, s.form.two.whole)
	return true
}

func enSayMonthDay(s *scan, month, day string) {
	s.say(enTables().months[atoi(month)-1])
	s.number(numbers.Ordinal, "", itoa(atoi(day)))
}

// enBetween says two numbers with words between them.
func enBetween(words string) func(s *scan) bool {
	return func(s *scan) bool {
		s.plainDigits(s.form.one.whole)
		if words != "" {
			s.say(words)
		}
		s.at = s.form.end
		return s.plainDigits(s.form.two.whole)
	}
}

// enSaySeason says the two years of 2019/20.
func enSaySeason(s *scan) bool {
	s.at = s.form.end
	s.year(s.form.one.whole)
	if two := s.form.two.whole; two[0] == '0' {
		s.say("oh")
		return s.cardinal(two[1:])
	}
	return s.cardinal(s.form.two.whole)
}

func enSayOver(s *scan) bool {
	enBetween("over")(s)
	if u, end := s.unitAt(s.at); u.many != "" { // 120/80 mmHg
		s.say(u.many)
		s.at = end
	}
	return true
}

// enShares reports whether two numbers with a stroke are said one after the
// other: shares of a hundred, what eyes see, all days of the week, a day of 2001, a shop.
func enShares(top, bottom string) bool {
	if form := top + "/" + bottom; form == "24/7" || form == "9/11" || form == "7/11" {
		return true
	}
	if len(top) != 2 || len(bottom) < 2 {
		return false
	}
	return atoi(top)+atoi(bottom) == 100 || top == "20" && bottom[len(bottom)-1] == '0'
}

// partOf reads the measure after a fraction: "three quarters of an inch".
func (s *scan) partOf(mixed bool, top string) {
	u, end := s.unitAt(s.at)
	if u.many == "" && s.inchMark(s.at) {
		u, end = enTables().units["in"], s.at+1
	}
	switch {
	case u.many == "":
		s.perSign()
		return
	case mixed:
		s.say(u.many)
	case s.adjectiveFrom(s.start, end):
		s.say(u.one)
	case atoi(top) == 1 || s.text[s.at] == '-':
		s.say(u.one)
	case strings.IndexByte("aeiou", u.one[0]) >= 0 || u.one == "hour":
		s.say("of an " + u.one)
	default:
		s.say("of a " + u.one)
	}
	s.at = end
	if s.peek(0) == '.' && s.peek(1) != 0 && !s.sentenceEnd(s.at) {
		s.at++
	}
	s.per()
}

// perSign reads a sign of percent after a fraction.
func (s *scan) perSign() {
	if s.peek(0) == '%' {
		s.say("percent")
		s.at++
	}
}

// fraction says a numerator and a denominator.
func (s *scan) fraction(top, bottom string, mixed bool) {
	one := atoi(top) == 1
	if name, ok := enFractions[bottom]; ok {
		if u, end := s.unitAt(s.at); !one && !mixed && (u.many != "" || s.inchMark(s.at)) && s.adjectiveFrom(s.start, max(end, s.at+1)) { // a 3/4" pipe
			s.cardinal(top)
			s.say(name.one)
			return
		}
		if one && mixed {
			s.say("a")
		} else {
			s.cardinal(top)
		}
		s.say(map[bool]string{true: name.one, false: name.many}[one])
		return
	}
	s.cardinal(top)
	if behind := s.rest(); !strings.HasPrefix(behind, " of ") && !strings.HasPrefix(behind, " inch") && !strings.HasPrefix(behind, " second") && atoi(bottom) > 100 && atoi(bottom)%100 != 0 {
		s.say("over")
		s.cardinal(bottom)
		return
	}
	s.number(numbers.Ordinal, "", bottom)
	if !one {
		s.out = append(s.out, 's')
	}
}
