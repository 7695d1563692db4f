package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// What capitals that make a Roman numeral can be.
var (
	enCounted = &class{name: "counted", say: func(s *scan) bool { return s.take(s.cardinal) }}
	enRegnal  = &class{name: "regnal", say: func(s *scan) bool {
		s.say("the")
		return s.take(func(digits string) bool { return s.number(numbers.Ordinal, "", digits) })
	}}
	enRomanYear = &class{name: "year", say: func(s *scan) bool { return s.take(s.year) }}
	enSpelled   = &class{name: "letters", say: enSayLetters, safe: true}
)

// take says the numeral of a form and moves on.
func (s *scan) take(say func(digits string) bool) bool {
	s.at = s.form.end
	return say(itoa(romanValue(s.form.letters)))
}

func enSayLetters(s *scan) bool {
	for i := range len(s.form.letters) {
		s.say(s.form.letters[i : i+1])
	}
	s.at = s.form.end
	return true
}

// mostRegnal is more kings of a name than any country had.
const mostRegnal = 39

// enRoman proposes what a numeral is: of a chapter, of a king, a year, or letters.
func enRoman(s *scan) {
	if c := s.peek(1); c != 0 && classes[c&0x7F] != 0 && !isUpper(c) {
		return // Chapter, In
	}
	word := s.word(s.at)
	n, end := romanValue(word), s.at+len(word)
	if n == 0 || !s.end(end) || s.peekAt(end) == '\'' && s.peekAt(end+1) != 's' && isLetter(s.peekAt(end+1)) {
		return
	}
	before := s.before()
	if word == "I" && before == "" && s.peekAt(end) == ' ' && !s.inRow(end) {
		return
	}
	s.form = form{letters: word, end: end}
	counted := s.countedBy(before)
	switch {
	case n >= 1100 && n < 2100 && len(word) >= 4:
		s.may(enRomanYear, certain, "a year by its form")
	case len(word) == 1:
		s.oneNumeral(word, before, counted)
	case counted:
		s.may(enCounted, certain, "")
		s.may(enSpelled, 0, "")
	case n <= mostRegnal:
		s.numeral(word, before)
	}
}

// countedBy reports whether numerals count what a word names: chapter, part, vol.
func (s *scan) countedBy(before string) bool {
	return before != "" && (s.lang.cues.has(before, "counted") ||
		len(before) > 1 && before != "No" && before != "no" && enTables().numbered[before] != "")
}

// oneNumeral proposes what one letter is, which is a numeral after few words only.
func (s *scan) oneNumeral(word, before string, counted bool) {
	switch {
	case word == "I" && s.inRow(s.form.end):
		s.may(enCounted, certain, "numerals after it")
	case before == "" || word == "I" && !isUpper(before[0]) && enPronoun(s.text[s.form.end:]):
	case counted && (word == "I" || word == "V" || word == "X"):
		s.may(enCounted, certain, "the word before it")
	case isUpper(before[0]) && s.lang.cues.has(before, "regnal") && romanValue(word) <= mostRegnal:
		s.may(enRegnal, certain, "the name before it")
	}
}

// numeral proposes what several letters are that nothing counted stands before.
func (s *scan) numeral(word, before string) {
	name := len(before) > 1 && isUpper(before[0]) && strings.ToUpper(before) != before && !enStarts[before]
	also := enTables().letters[word] // IV, VI: letters as often
	counts, rules := usual, 0
	if name {
		counts, rules = possible, cueNext
	}
	if also {
		counts = possible
		if name && !s.twoNames(before) {
			rules = possible
		}
	}
	if s.at > 1 && s.text[s.at-1] == '-' && isUpper(s.text[s.at-2]) || s.inRow(s.form.end) || s.endsRow() { // DSM-IV, IV and V
		counts += cueNext
	}
	s.may(enCounted, counts, "a numeral by its form")
	s.may(enRegnal, rules, "a name before it")
	if also {
		s.may(enSpelled, possible, "")
	} else {
		s.may(enSpelled, 0, "")
	}
}

// twoNames reports whether a name of two words stands before, which begins no sentence.
func (s *scan) twoNames(before string) bool {
	back := *s
	back.at -= len(before) + 1
	first := back.before()
	return first != "" && isUpper(first[0]) && back.at > len(first)+2 && back.text[back.at-len(first)-3] != '.'
}

// enRowMarks stand between the numerals of a row.
var enRowMarks = []string{", and ", ", or ", " and ", " or ", " to ", ", ", "–", "/", "-"}

// inRow reports whether a mark of a row and another numeral stand at a place.
func (s *scan) inRow(at int) bool {
	for _, mark := range enRowMarks {
		if rest, ok := strings.CutPrefix(s.text[at:], mark); ok {
			word := s.word(len(s.text) - len(rest))
			return len(word) > 1 && romanValue(word) > 0 || len(word) == 1 && s.form.letters != "I" && romanValue(word) > 0
		}
	}
	return false
}

// endsRow reports whether another numeral and a mark of a row stand before.
func (s *scan) endsRow() bool {
	for _, mark := range enRowMarks {
		if rest, ok := strings.CutSuffix(s.text[:s.at], mark); ok {
			start := len(rest)
			for start > 0 && isLetter(rest[start-1]) {
				start--
			}
			return romanValue(rest[start:]) > 0
		}
	}
	return false
}

// enPronoun reports whether an I before this is a person: a word in small letters
// follows, as in "in the last chapter I have said", but for those that stand
// after a numeral as well.
func enPronoun(rest string) bool {
	word, ok := strings.CutPrefix(rest, " ")
	if !ok || word == "" || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	word = word[:strings.IndexFunc(word+" ", func(r rune) bool { return r < 'a' || r > 'z' })]
	return !enBehindNumeral.has(word)
}

// enBehindNumeral are words in small letters that follow a numbered thing: chapter I
// of the book, part I is, act I and act II.
var enBehindNumeral = wordSet("of is was and or to in on by for at with from the a has begins ends opens closes contains deals describes covers shows requires states tells gives as but which where when who diabetes only there scene section page were are through above below")
