package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

func enRoman(s *scan) bool {
	c := s.text[s.at]
	if c != 'I' && c != 'V' && c != 'X' && c != 'L' && c != 'C' && c != 'M' {
		return false
	}
	word := s.word(s.at)
	n := romanValue(word)
	end := s.at + len(word)
	before := s.before()
	if n >= 1100 && n < 2100 && len(word) >= 4 && s.end(end) {
		s.at = end
		return s.year(itoa(n))
	}
	if word == "I" && (strings.HasPrefix(s.text[end:], ", II") || strings.HasPrefix(s.text[end:], " and II") || strings.HasPrefix(s.text[end:], " or II")) {
		s.at = end
		return s.cardinal("1")
	}
	if n == 0 || !s.end(end) || before == "" || end < len(s.text) && s.text[end] == '\'' && strings.HasPrefix(s.text[end:], "'m") {
		return false
	}
	if word == "I" && !isUpper(before[0]) && enPronoun(s.text[end:]) {
		return false
	}
	if word == "IV" && !s.numeral(before, end) {
		return false
	}
	if enCounted[before] || len(before) > 1 && before != "No" && before != "no" && enTables().numbered[before] != "" {
		if len(word) == 1 && word != "I" && word != "V" && word != "X" {
			return false
		}
		s.at = end
		return s.cardinal(itoa(n))
	}
	if !isUpper(before[0]) || n > mostRegnal || len(before) < 2 || strings.ToUpper(before) == before || enStarts[before] {
		return false
	}
	if len(word) == 1 && !enRegnal[before] {
		return false
	}
	s.at = end
	s.say("the")
	return s.number(numbers.Ordinal, "", itoa(n))
}

// numeral reports whether an IV is a numeral and no drip: a word before it is counted by
// numerals, another numeral stands beside it, or a name of two words or of a king does.
func (s *scan) numeral(before string, end int) bool {
	if end < len(s.text) && romanValue(s.word(min(len(s.text), end+len(s.rowMark(s.text[end:]))))) > 0 && s.rowMark(s.text[end:]) != "" {
		return true
	}
	text := s.text[:s.at]
	if strings.HasSuffix(text, "-") { // DSM-IV
		return true
	}
	for _, mark := range enRowMarks {
		if rest, ok := strings.CutSuffix(text, mark); ok {
			start := len(rest)
			for start > 0 && isLetter(rest[start-1]) {
				start--
			}
			if romanValue(rest[start:]) > 0 {
				return true
			}
		}
	}
	if before == "" {
		return false
	}
	low := strings.ToLower(before)
	if enRegnal[before] || enCounted[before] || enCounted[capital(low)] || enCounted[capital(strings.TrimSuffix(low, "s"))] || len(before) > 1 && enTables().numbered[low] != "" {
		return true
	}
	if !isUpper(before[0]) || len(before) < 2 || strings.ToUpper(before) == before {
		return false
	}
	back := *s
	back.at -= len(before) + 1
	first := back.before()
	return first != "" && isUpper(first[0]) && back.at > len(first)+1 && back.text[back.at-len(first)-3] != '.'
}

// enRowMarks stand between the numerals of a row.
var enRowMarks = []string{", and ", ", or ", " and ", " or ", " to ", ", ", "–", "/"}

// rowMark is the one that a text begins with, "" for none.
func (s *scan) rowMark(text string) string {
	for _, mark := range enRowMarks {
		if strings.HasPrefix(text, mark) {
			return mark
		}
	}
	if strings.HasPrefix(text, "-") {
		return "-"
	}
	return ""
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
	return !enBehindNumeral[word]
}

// enBehindNumeral are words in small letters that follow a numbered thing: chapter I
// of the book, part I is, act I and act II.
var enBehindNumeral = map[string]bool{"of": true, "is": true, "was": true, "and": true, "or": true, "to": true, "in": true, "on": true, "by": true, "for": true, "at": true, "with": true, "from": true,
	"the": true, "a": true, "has": true, "begins": true, "ends": true, "opens": true, "closes": true, "contains": true, "deals": true, "describes": true, "covers": true, "shows": true,
	"requires": true, "states": true, "tells": true, "gives": true, "as": true, "but": true, "which": true, "where": true, "when": true, "who": true, "diabetes": true, "only": true, "there": true, "scene": true, "section": true, "page": true, "were": true, "are": true, "through": true, "above": true, "below": true}

// mostRegnal is more kings of a name than any country had.
const mostRegnal = 39

// enRegnal are names of kings, queens and popes, after which one letter is a numeral.
var enRegnal = map[string]bool{"Elizabeth": true, "George": true, "Charles": true, "James": true, "Henry": true, "Edward": true, "Richard": true, "William": true, "Louis": true, "Philip": true, "Napoleon": true, "Pius": true, "Paul": true, "Nicholas": true, "Alexander": true, "Peter": true, "Ferdinand": true, "Francis": true, "Frederick": true, "Wilhelm": true, "Mary": true, "Leo": true, "Gregory": true, "Darius": true, "Xerxes": true, "Ramses": true, "Selim": true, "Suleiman": true, "Abbas": true, "Alfonso": true, "Isabella": true, "Catherine": true, "Victoria": true, "John": true, "Benedict": true, "Clement": true, "Urban": true, "Innocent": true, "Otto": true, "Leopold": true, "Umberto": true, "Christian": true, "Gustav": true}
