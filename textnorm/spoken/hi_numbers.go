package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// hiSay says an amount. What is longer than a number gets, or begins with a zero,
// is said digit by digit.
func (s *scan) hiSay(a amount) bool {
	if a.fraction == "" && (len(a.whole) > 15 || len(a.whole) > 1 && a.whole[0] == '0') {
		return s.digits(a.whole)
	}
	return s.cardinal(a.String())
}

// hiAmountAt is a number at a place, in groups of two and three or of three.
func (s *scan) hiAmountAt(at int) (a amount, ok bool) {
	end := s.run(at, isDigit)
	if end == at {
		return a, false
	}
	a.whole, a.start, a.end = s.text[at:end], at, end
	if whole, next := s.hiGrouped(at, end); next > end {
		a.whole, a.end, a.grouped = whole, next, true
	}
	if strings.HasPrefix(s.text[a.end:], ".") {
		if next := s.run(a.end+1, isDigit); next > a.end+1 {
			a.fraction, a.end = s.text[a.end+1:next], next
		}
	}
	return a, true
}

// hiGrouped is a whole number in groups, 12,34,567 or 1,234,567, whose first group
// stands at a place.
func (s *scan) hiGrouped(at, end int) (whole string, next int) {
	if end-at > 3 || s.text[at] == '0' {
		return "", end
	}
	whole, next = s.text[at:end], end
	pairs, triples := 0, 0
	const most = 7
	for next < len(s.text) && s.text[next] == ',' && pairs+triples < most {
		last := s.run(next+1, isDigit)
		switch last - next - 1 {
		case 2:
			pairs++
		case 3:
			triples++
		default:
			return "", end
		}
		whole, next = whole+s.text[next+1:last], last
	}
	if triples == 0 || pairs > 0 && (triples > 1 || end-at > 2 || s.text[next-4] != ',') {
		return "", end
	}
	return whole, next
}

// hiYearSay says a year: those from 1100 to 1999 in hundreds.
func (s *scan) hiYearSay(year string) bool {
	if len(year) != 4 || year < "1100" || year > "1999" {
		return s.hiSay(amount{whole: year})
	}
	ok := s.cardinal(year[:2])
	s.say("सौ")
	if year[2:] != "00" {
		ok = ok && s.cardinal(itoa(atoi(year[2:])))
	}
	return ok
}

// hiIsYear reports whether digits may be a year.
func hiIsYear(digits string) bool {
	return len(digits) == 4 && digits >= "1100" && digits < "2100" && isDigit(digits[1]) && isDigit(digits[2]) && isDigit(digits[3])
}

// hiYear reads a number of four digits as a year where the words beside it say
// that it is one.
func hiYear(s *scan) bool {
	end := s.run(s.at, isDigit)
	digits := s.text[s.at:end]
	if era := s.hiEraAt(end); era > end && len(digits) <= 4 && digits[0] != '0' && s.end(end) {
		ok := s.hiYearSay(digits)
		s.say("ईस्वी")
		s.at = era
		return ok && s.arGap()
	}
	if !hiIsYear(digits) || !s.end(end) || end+1 < len(s.text) && strings.IndexByte(".,:/-", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return false
	}
	if !s.hiSaysYear(end) || !s.hiYearSay(digits) {
		return false
	}
	s.at = end
	return s.arGap()
}

// hiSaysYear reports whether the words beside a number from s.at to a place say
// that it is a year.
func (s *scan) hiSaysYear(end int) bool {
	before, _ := s.arBack(s.at)
	next, at := s.hiNext(end)
	after, _ := s.hiNext(at)
	bracket := s.at > 0 && s.text[s.at-1] == '(' && end < len(s.text) && s.text[end] == ')'
	switch {
	case hiTables().yearWords.has(before), hiTables().monthOf.has(before), bracket, hiTables().and.has(next) && hiIsYear(after), hiTables().and.has(before) && s.hiYearBehindAnd():
		return true
	case next == "में" && after == "से", next == "से" && oneOf(after, "अधिक ज़्यादा ज्यादा कम ऊपर भी"), next == "के" && oneOf(after, "करीब क़रीब लगभग आसपास"),
		next == "की" && oneOf(after, "संख्या आबादी राशि रकम"), oneOf(before, "लगभग क़रीब करीब कुल नंबर संख्या"):
		return false
	}
	return hiTables().yearEnds.has(next)
}

// hiYearBehindAnd reports whether the word before the one before s.at is a year.
func (s *scan) hiYearBehindAnd() bool {
	_, start := s.arBack(s.at)
	end := start - 1
	return end >= 4 && s.text[end] == ' ' && hiIsYear(s.text[end-4:end]) && isDigit(s.text[end-4]) && (end == 4 || !isDigit(s.text[end-5]))
}

// hiEraAt is the end of the letter of the common era after a year, the place
// itself where there is none.
func (s *scan) hiEraAt(at int) int {
	next := at + gap(s.text, at)
	if end := next + len("ई."); strings.HasPrefix(s.text[next:], "ई.") && !strings.HasPrefix(s.text[end+gap(s.text, end):], "पू") && !strings.HasPrefix(s.text[end:], "स.") {
		return end
	}
	return at
}

// hiEra says the common era after a year.
func (s *scan) hiEra() bool {
	if end := s.hiEraAt(s.at); end > s.at {
		s.say("ईस्वी")
		s.at = end
	}
	return true
}

// hiOrdinal says an ordinal: masculine, feminine or oblique.
func (s *scan) hiOrdinal(digits string, form byte) bool {
	words, ok := numbers.SpeakForm("hi", numbers.Ordinal, "masculine", digits)
	stem, nasal := strings.CutSuffix(words, "ाँ")
	if !nasal {
		stem = strings.TrimSuffix(words, "ा")
	}
	switch {
	case form == 'f' && nasal:
		words = stem + "ीं"
	case form == 'f':
		words = stem + "ी"
	case form == 'o' && nasal:
		words = stem + "ें"
	case form == 'o':
		words = stem + "े"
	}
	if ok {
		s.say(words)
	}
	return ok
}

// hiOrdinalRule reads 1ला, 5वां, 12 वीं, 3rd.
func hiOrdinalRule(s *scan) bool {
	end := s.run(s.at, isDigit)
	digits := s.text[s.at:end]
	if len(digits) > 7 || digits[0] == '0' {
		return false
	}
	at := end
	if n := gap(s.text, at); n > 0 {
		at += n
	} else if at < len(s.text) && s.text[at] == '-' {
		at++
	}
	const longest = 30 // bytes
	last, _ := wordEnd(s.text[:min(len(s.text), at+longest)], at)
	form, ok := hiOrdinalEnds[s.text[at:last]]
	if !ok || at > end && !strings.HasPrefix(s.text[at:], "व") && !(strings.HasPrefix(s.text[at:], "र") && (digits == "2" || digits == "3")) || !s.end(last) {
		return false
	}
	if next, _ := s.hiNext(last); isLetter(s.text[at]) && hiIsFeminine(next) {
		form = 'f'
	}
	s.at = last
	return s.hiOrdinal(digits, form)
}

// hiIsFeminine reports whether a noun is feminine, as its ending shows.
func hiIsFeminine(noun string) bool {
	return hiTables().feminine.has(noun) || strings.HasSuffix(noun, "ी") && !hiTables().masculine.has(noun)
}

// hiUnit is the measure after a number.
func (s *scan) hiUnit(at int) (name string, end int) {
	key, end := s.hiNameAt(at, hiTables().unitNames)
	if key == "m" && s.minutesAt(at) {
		key = "मि."
	}
	if key == "मिली" {
		if next, _ := s.hiNext(end); next == "" || oneOf(next, "थी थीं है हैं और") { // got, not millilitres
			return "", at
		}
	}
	return hiTables().units[key], end
}

// hiCurrency is the money at a place.
func (s *scan) hiCurrency(at int) (names []string, end int) {
	key, end := s.hiNameAt(at, hiTables().moneyNames)
	return hiTables().money[key], end
}
