package spoken

import "strings"

// enInitial drops the stop of an initial: J. K. Rowling, George W. Bush. The
// letter of a plan or a vitamin is none, and keeps the stop that ends its sentence.
func enInitial(s *scan) bool {
	if end := s.run(min(s.at+2, len(s.text)), isDigit); s.peek(1) == '.' && end >= s.at+5 && s.end(end) { // H.264
		letter, digits := s.text[s.at:s.at+1], s.text[s.at+2:end]
		s.say(letter)
		s.say("dot")
		s.at = end
		return s.digits(digits)
	}
	if s.peek(1) != '.' || s.peek(2) != ' ' || !isUpper(s.peek(3)) || s.sentenceEnd(s.at+1) {
		return false
	}
	letter, before := s.text[s.at:s.at+1], s.before()
	if enTables().points[letter] != "" && (s.behindNumber() || s.street(s.at+2)) {
		return false
	}
	chain := s.peek(4) == '.'
	if enLetterAfter.has(strings.ToLower(before)) || s.lang.cues.has(before, "counted") || s.lang.cues.has(before, "regnal") && romanValue(letter) > 0 && romanValue(letter) <= mostRegnal {
		return false
	}
	if letter == "I" && !chain && (before == "" || !isUpper(before[0])) {
		return false
	}
	s.say(letter)
	s.at += 2
	return true
}

// enLetterAfter stand before a letter that is no initial.
var enLetterAfter = wordSet("a an the plan vitamin type grade class section part appendix exhibit figure table model room option case point block unit letter hepatitis group b+ straight gate door platform company team channel")

// enVersus reads the v. between the two sides of a case at law.
func enVersus(s *scan) bool {
	before := s.before()
	if s.peek(1) != '.' || s.peek(2) != ' ' || !isUpper(s.peek(3)) || before == "" || !isUpper(before[0]) {
		return false
	}
	s.say("versus")
	s.at += 2
	return true
}

// house reads the number of a house: 123 Main Street, 1026 North Beckley Avenue.
func (s *scan) house(a amount) bool {
	if a.fraction != "" || a.grouped || len(a.whole) < 3 || len(a.whole) > 4 || !s.street(a.end) {
		return false
	}
	head, tail := a.whole[:len(a.whole)-2], a.whole[len(a.whole)-2:]
	switch {
	case tail == "00" && (len(head) == 1 || head[1] == '0'):
		return s.cardinal(a.whole)
	case tail == "00":
		return s.cardinal(head) && s.word2("hundred")
	case tail[0] == '0':
		return s.cardinal(head) && s.word2("oh") && s.cardinal(tail[1:])
	}
	return s.cardinal(head) && s.cardinal(tail)
}

func (s *scan) word2(word string) bool {
	s.say(word)
	return true
}

// street reports whether up to three names and a word for a street stand at a place.
func (s *scan) street(at int) bool {
	const most = 4
	for range most {
		if at >= len(s.text) || s.text[at] != ' ' {
			return false
		}
		word := s.word(at + 1)
		if word == "" || !isUpper(word[0]) {
			return false
		}
		if enStreets.has(word) {
			return true
		}
		at += 1 + len(word)
		if at < len(s.text) && s.text[at] == '.' {
			at++
		}
	}
	return false
}

// enStreets are the words that end the name of a street.
var enStreets = wordSet("Street St Avenue Ave Road Rd Boulevard Blvd Lane Ln Drive Dr Court Ct Place Pl Terrace Parkway Pkwy Square Highway Hwy Broadway Way Row Crescent")

// counts reports whether a number that could be a year counts what stands after it:
// "contained 1308 prisoners", and not "in 1984 prices rose".
func (s *scan) counts(a amount, before string) bool {
	if a.end >= len(s.text) || s.text[a.end] != ' ' || before == "" || !isLetter(before[0]) || isUpper(before[0]) || enDated.has(before) {
		return false
	}
	word := s.word(a.end + 1)
	if word == "" || isUpper(word[0]) || !s.end(a.end+1+len(word)) || strings.HasPrefix(s.text[a.end+1+len(word):], "'") {
		return false
	}
	switch word {
	case "men", "women", "people", "children", "feet":
		return true
	case "always", "perhaps", "besides", "across", "towards", "afterwards", "sometimes", "whereas", "does", "goes":
		return false
	}
	return len(word) > 4 && word[len(word)-1] == 's' && strings.IndexByte("siu", word[len(word)-2]) < 0
}

// enDated stand before years.
var enDated = wordSet("in since until till by during before after from to through of the year early late mid and his her its their our my your this that between around circa on")
