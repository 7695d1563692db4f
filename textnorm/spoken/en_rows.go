package spoken

import "strings"

// What a dash stands between where no numbers are: days, months, letters.

// enDays reads Mon–Fri, Jan-Mar and A–Z.
func enDays(s *scan) bool {
	const most = 5 // letters: Thurs, Sept.
	end := s.at + 1
	for end < len(s.text) && isLetter(s.text[end]) {
		if end++; end-s.at > most {
			return false
		}
	}
	if c := s.peekAt(end); c == 0 || end-s.at == 2 || c == ' ' && !isDigit(s.peekAt(end+1)) || strings.IndexByte(",;:?!)'", c) >= 0 {
		return false
	}
	word := s.text[s.at:end]
	if s.peekAt(end) == '.' {
		end++
	}
	if enWeekdays[word] && s.peekAt(end) == ' ' && isDigit(s.peekAt(end+1)) && s.text[end-1] != '.' { // Sat 10-2
		s.say(enTables().abbreviations[word])
		s.at = end
		return true
	}
	mark := s.dash(end)
	if mark == 0 || !isUpper(s.peekAt(end+mark)) {
		return false
	}
	last := s.word(end + mark)
	if !s.end(end + mark + len(last)) {
		return false
	}
	if len(word) == 1 && len(last) == 1 && (mark > 1 || word == "A" && last == "Z") && word < last {
		s.say(word)
		s.say("to")
		s.say(last)
		s.at = end + mark + 1
		return true
	}
	first, second := enDayOrMonth(word), enDayOrMonth(last)
	if first == "" || second == "" {
		return false
	}
	s.say(first)
	s.say("to")
	s.say(second)
	s.at = end + mark + len(last)
	s.stop(true)
	return true
}

// enDayOrMonth is the name of a day or a month that is cut.
func enDayOrMonth(word string) string {
	t := enTables()
	if enWeekdays[word] {
		return t.abbreviations[word]
	}
	if month := t.monthShort[word]; month > 0 {
		return t.months[month-1]
	}
	return ""
}

// enSmallRoman reads the small numerals of vol. iv, Scene ii and p. xiv.
func enSmallRoman(s *scan) bool {
	word := s.word(s.at)
	n := romanValue(strings.ToUpper(word))
	if n == 0 || n > 99 || word != strings.ToLower(word) || !s.end(s.at+len(word)) {
		return false
	}
	before := s.before()
	if before != "p" && before != "pp" && !s.countedBy(before) || before == "r" || before == "b" || before == "d" {
		return false
	}
	s.at += len(word)
	return s.cardinal(itoa(n))
}

// mayBeSmallRoman is a quick no for most words of small letters.
func mayBeSmallRoman(word string) bool {
	return len(word) > 1 && ofNumerals[word[0]] && ofNumerals[word[1]]
}

// ofNumerals are the letters of those numerals.
var ofNumerals = [256]bool{'i': true, 'v': true, 'x': true, 'l': true}

// typed reports whether a word shortly before tells of digits that are typed: a PIN, a
// password, the number that a text goes to.
func (s *scan) typed(a amount) bool {
	const words = 4
	if a.fraction != "" || a.grouped || len(a.whole) < 3 || len(a.whole) > 8 {
		return false
	}
	for at, distance := a.start, 1; distance <= words; distance++ {
		var word string
		word, at = s.wordBefore(at, distance)
		switch low := strings.ToLower(word); {
		case enTyped.has(low):
			return low != "text" && len(a.whole) > 3 || len(a.whole) == 5 || len(a.whole) == 6
		case word == "" || !enTypedTo.has(low) && (len(word) < 2 || word != strings.ToUpper(word)):
			return false
		}
	}
	return false
}

// enTyped are what is typed, and enTypedTo what stands between it and its digits.
var (
	enTyped   = wordSet("pin passcode password otp cvv ssn text")
	enTypedTo = wordSet("is isn t was wasn number code now to new the of my your his her")
)

// strokeRange reads 9/1-12/15 and 1/4–1/2: two dates, or two parts.
func (s *scan) strokeRange(f form) bool {
	mark := s.dash(f.end)
	if mark == 0 {
		return false
	}
	at := f.end + mark
	whole, top, bottom, last, ok := s.strokeAt(at)
	if !ok || whole != "" || !s.end(last) || s.peekAt(last) == '/' || bottom == "" {
		return false
	}
	a, b, c, d := atoi(f.one.whole), atoi(f.two.whole), atoi(top), atoi(bottom)
	switch parts := a < b && c < d && enDivisors.has(f.two.whole) && enDivisors.has(bottom); {
	case parts:
		s.may(enParts, certain, "two parts")
	case min(a, b, c, d) > 0 && a <= 12 && c <= 12 && b <= 31 && d <= 31:
		s.may(enDates, certain, "two days")
	default:
		return false
	}
	return true
}

// strokeAt takes apart what stands at a place.
func (s *scan) strokeAt(at int) (whole, top, bottom string, last int, ok bool) {
	if !isDigit(s.peekAt(at)) {
		return "", "", "", 0, false
	}
	next := *s
	next.at = at
	return next.stroke(0)
}

// What two pairs of numbers with strokes can be.
var (
	enParts = &class{name: "fraction", say: enSayPairs(func(s *scan, top, bottom string) { s.fraction(top, bottom, false) })}
	enDates = &class{name: "date", say: enSayPairs(enSayMonthDay)}
)

func enSayPairs(say func(s *scan, top, bottom string)) func(s *scan) bool {
	return func(s *scan) bool {
		f := s.form
		at := f.end + s.dash(f.end)
		_, top, bottom, last, _ := s.strokeAt(at)
		s.at = f.end
		say(s, f.one.whole, f.two.whole)
		s.say("to")
		s.at = last
		say(s, top, bottom)
		s.partOf(false, top)
		return true
	}
}

// points is what pts and bps after a number are: points of a game, of an interest.
func (s *scan) points(a amount) (words string, end int) {
	at := a.end + gap(s.text, a.end)
	if c := s.peekAt(at); c != 'p' && c != 'b' {
		return "", at
	}
	word := s.word(at)
	if end = at + len(word); !s.end(end) {
		return "", at
	}
	near := s.text[max(0, a.start-maxNear):min(len(s.text), end+maxNear)]
	switch word {
	case "pts":
		if enInTotal.has(s.before()) || enPatients.in(near) {
			return "", at
		}
		words = "points"
	case "bps":
		words = "basis points"
		if len(a.whole) > 3 || enLines.in(near) {
			words = "bits per second"
		}
	default:
		return "", at
	}
	if s.peekAt(end) == '.' && !s.sentenceEnd(end) {
		end++
	}
	return words, end
}

// maxNear is how many bytes beside a form are looked at for words.
const maxNear = 60

// in reports whether one of the words stands in a text.
func (w *wordList) in(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if w.has(strings.ToLower(strings.Trim(word, ".,;:()"))) {
			return true
		}
	}
	return false
}

var (
	enInTotal  = wordSet("in of")
	enPatients = wordSet("ward clinic hospital patients trial study diabetes cohort placebo milk cream water blood stock broth beer ale juice")
	enLines    = wordSet("modem baud serial uart")
)
