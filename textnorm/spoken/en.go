package spoken

import (
	"maps"
	"slices"
	"strings"
)

// english is read as in the United States: months before days, feet and gallons,
// no "and" inside numbers.
func english() *language {
	t := enTables()
	return &language{
		code: "en", decimal: ".", groups: []string{","}, money: maps.Keys(t.money), cues: t.cues,
		plain:          enPlain,
		smallRoman:     true,
		letters:        enLetters,
		noAbbreviation: func(w string) bool { return len(w) > 1 && t.abbreviations[w] == "" && t.numbered[w] == "" },
		rules: []rule{
			{"url", atLetter, false, enURL},
			{"dotted", atLetter, false, enDottedWord},
			{"book", func(c byte) bool { return isUpper(c) || c >= '1' && c <= '3' }, false, enBook},
			{"month", isUpper, false, enMonthDate},
			{"numbered", atLetter, false, enNumberedWord},
			{"row of names", isUpper, false, enDays},
			{"title", isUpper, false, enTitle},
			{"small numeral", func(c byte) bool { return c == 'i' || c == 'v' || c == 'x' || c == 'l' }, false, enSmallRoman},
			{"initial", isUpper, false, enInitial},
			{"versus", func(c byte) bool { return c == 'v' }, false, enVersus},
			{"bare", func(c byte) bool { return c == 'v' || c == 'e' }, false, enBare},
			{"abbreviation", atLetter, false, enAbbreviation},
			{"currency code", isUpper, false, enCode},
			{"dollars of a country", func(c byte) bool { return strings.IndexByte("UCAHNSR", c) >= 0 }, false, enMoney},
			{"roman", func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 }, false, proposing(enRoman)},
			{"acronym", isUpper, false, enAcronym},
			{"slash word", atLetter, false, enSlashWord},
			{"version", func(c byte) bool { return c == 'v' || c == 'V' }, false, enVersionLetter},
			{"duration", isDigit, false, enDuration},
			{"phone", func(c byte) bool { return isDigit(c) || c == '(' || c == '+' }, false, enPhone},
			{"date", isDigit, false, enDate},
			{"colon", isDigit, false, proposing(enColon)},
			{"time", isDigit, false, enTime},
			{"cross", func(c byte) bool { return c == 'x' }, false, enCross},
			{"decade", func(c byte) bool { return isDigit(c) || c == '\'' || c == "’"[0] }, false, enDecade},
			{"number with a sign", isDigit, false, enSigned},
			{"dotted number", isDigit, false, enVersion},
			{"letters after digits", isDigit, false, proposing(enGlued)},
			{"feet and inches", isDigit, false, enFeet},
			{"stroke", isDigit, false, proposing(enStroke)},
			{"fraction", isDigit, false, enFraction},
			{"ordinal", isDigit, false, enOrdinal},
			{"range", isDigit, false, proposing(enRange)},
			{"money", atSign, true, enMoney},
			{"negative", atSign, true, enNegative},
			{"amount", isDigit, false, enAmount},
			{"symbol", atSign, true, enSymbol},
			{"letters and digits", func(c byte) bool { return isLetter(c) || isDigit(c) }, true, enMixed},
		},
	}
}

// enPlain is true for words of small letters with a capital in front, spaces and
// the usual punctuation, where no rule would look at a word.
func enPlain(text string) bool {
	t := enTables()
	word := 0    // letters of the word so far
	before := "" // the word before
	for i := 0; i <= len(text); i++ {
		c := byte(' ')
		if i < len(text) {
			c = text[i]
		}
		if c >= 'a' && c <= 'z' {
			word++
			continue
		}
		if isUpper(c) {
			if word++; word > 1 {
				return false
			}
			continue
		}
		if word > 0 {
			w := text[i-word : i]
			capital := isUpper(w[0])
			if capital && word <= 6 && (t.titles[w] != "" || t.monthShort[w] > 0 || word == 1 && before != "" && w != "A" && w != "O" &&
				(isUpper(before[0]) || t.cues.has(before, "counted") || t.numbered[before] != "")) {
				return false
			}
			if c == '.' && word <= 6 && (word == 1 || t.abbreviations[w] != "" || t.numbered[w] != "") {
				return false
			}
			if w == "vs" || w == "etc" {
				return false
			}
			before = w
		}
		word = 0
		switch c {
		case ' ', ',', ';', '?', '!', '"', '(', ')', '-':
		case '\'':
		case ':', '.':
			if i+1 < len(text) && text[i+1] != ' ' {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// sentenceEnd reports whether the full stop of an abbreviation ends the sentence
// too: nothing follows, or a word that begins sentences and no name.
func (s *scan) sentenceEnd(at int) bool {
	rest := strings.TrimLeft(s.text[at+1:], "\"'”’)")
	if rest == "" {
		return true
	}
	if rest[0] != ' ' {
		return false
	}
	rest = strings.TrimLeft(rest, " \"'“‘(")
	end := 0
	for end < len(rest) && isLetter(rest[end]) {
		end++
	}
	return enStarts[rest[:end]]
}

// stop takes the full stop of an abbreviation: it stays where it ends the sentence.
func (s *scan) stop(ends bool) {
	if s.peek(0) != '.' {
		return
	}
	if ends && s.sentenceEnd(s.at) {
		s.out = append(s.out, '.')
	}
	s.at++
}

func enDottedWord(s *scan) bool {
	end := s.at
	const most = 32 // bytes; no name has so many initials
	for end+1 < len(s.text) && end-s.at < most && isLetter(s.text[end]) {
		n := s.run(end, isLetter)
		if n >= len(s.text) || s.text[n] != '.' || n-end > 2 {
			break
		}
		end = n + 1
	}
	form := s.text[s.at:end]
	if strings.Count(form, ".") < 2 {
		return false
	}
	words, ok := enTables().dotted[form]
	if !ok {
		// Initials: J.R.R. Tolkien.
		letters := strings.Split(strings.TrimSuffix(form, "."), ".")
		if letters[0] == "LL" { // laws, in the plural
			letters[0] = "L L"
		}
		if slices.ContainsFunc(letters, func(l string) bool { return l != "L L" && (len(l) != 1 || !isUpper(l[0])) }) {
			return false
		}
		words = strings.Join(letters, " ")
	}
	s.say(words)
	s.at = end - 1
	s.stop(form != "i.e." && form != "e.g." && form != "c.f.")
	return true
}

func enNumberedWord(s *scan) bool {
	word := s.word(s.at)
	words, ok := enTables().numbered[word]
	at := s.at + len(word)
	if !ok || at+1 >= len(s.text) || s.text[at] != '.' && word != "Mk" {
		return false
	}
	next := at
	if s.text[at] == '.' {
		next++
	}
	if s.text[next] == ' ' {
		next++
	}
	if next >= len(s.text) || s.behindCut(word) || !isDigit(s.text[next]) && !s.smallNumeral(next) && !(word != "p" && word != "c" && isUpper(s.text[next]) && romanValue(s.word(next)) > 0) {
		return false
	}
	if (word == "c" || word == "b" || word == "d" || word == "r" || word == "fl") && s.run(next, isDigit) < next+3 || (word == "No" || word == "no") && s.text[next] == 'I' && s.end(next+1) {
		return false // a chapter of an act, and "No. I would not"
	}
	s.say(words)
	if s.at = next; s.text[next-1] == ' ' {
		s.at--
	} else {
		s.out = append(s.out, ' ')
	}
	return true
}

// smallNumeral reports whether a numeral of small letters stands at a place: p. xiv.
func (s *scan) smallNumeral(at int) bool {
	word := s.word(at)
	return mayBeSmallRoman(word) && romanValue(strings.ToUpper(word)) > 0 && s.end(at+len(word))
}

// behindCut reports whether a capital P stands after a word that is cut as well, where it
// is no page: Fed. R. Civ. P. 12.
func (s *scan) behindCut(word string) bool {
	return word == "P" && s.at > 1 && s.text[s.at-2] == '.' && isUpper(s.before()[0])
}

func enTitle(s *scan) bool {
	word := s.word(s.at)
	words, ok := enTables().titles[word]
	at := s.at + len(word)
	if !ok || !s.end(at) {
		return false
	}
	dot := at < len(s.text) && s.text[at] == '.'
	next := at
	if dot {
		next++
	}
	name := next+1 < len(s.text) && s.text[next] == ' ' && (isUpper(s.text[next+1]) || s.text[next+1] >= 0x80) && !(dot && s.sentenceEnd(at))
	if !dot && (!name || enNamesToo.has(word)) {
		return false
	}
	if word == "St" || word == "Dr" {
		if street := map[string]string{"St": "Street", "Dr": "Drive"}[word]; s.behindName() && (!name || s.houseNumber()) {
			s.say(street)
			s.at = at
			s.stop(true)
			return true
		}
	}
	if !name && !dot || isDigit(s.peekAt(next+1)) && s.text[next] == ' ' { // Rev. 2 is no priest
		return false
	}
	if !name && (word == "Gen" || word == "Sec" || word == "Col" || word == "Fr") {
		return false
	}
	s.say(words)
	s.at = at
	s.stop(!name)
	return true
}

// enNamesToo are titles and names only with a full stop: Jos Buttler, Geo News.
var enNamesToo = wordSet("Gen Rep Pres Sec Fr Sen Col Hon Det Geo Jas Jos Edw Wm")

// behindName reports whether a word with a capital stands right before, which
// does not begin the sentence.
func (s *scan) behindName() bool {
	w := s.before()
	if w == "" || s.at < 2 || s.text[s.at-2] == '.' {
		return false
	}
	if w == "s" && s.at > 3 && (s.text[s.at-3] == '\'' || strings.HasSuffix(s.text[:s.at-2], "’")) { // St. Mary's St.
		start := s.at - 3
		for start > 0 && s.text[start-1] != ' ' {
			start--
		}
		w = s.text[start : s.at-1]
	}
	if isDigit(w[0]) { // 42nd St.
		return true
	}
	if !isUpper(w[0]) {
		return false
	}
	start := s.at - 1 - len(w)
	return start > 0 || !enStarts[w]
}

// enStarts are words that begin sentences and are no names of streets.
var enStarts = map[string]bool{"They": true, "We": true, "You": true, "This": true, "That": true, "These": true, "Those": true, "There": true, "Then": true, "His": true, "Her": true, "Their": true, "My": true, "Our": true, "Its": true, "If": true, "So": true, "No": true, "Yes": true, "What": true, "Who": true, "Why": true, "How": true, "Where": true, "After": true, "Before": true, "Since": true, "While": true, "With": true, "Not": true, "One": true, "An": true, "Some": true, "All": true, "Now": true, "Later": true, "Today": true, "Yet": true, "Or": true, "Nobody": true, "Everyone": true, "Is": true, "Are": true, "Was": true, "Do": true, "Did": true, "Please": true, "The": true, "A": true, "In": true, "At": true, "On": true, "And": true, "But": true, "When": true, "To": true, "By": true, "For": true, "From": true, "As": true, "I": true, "He": true, "She": true, "It": true}

// houseNumber reports whether a number stands one or two words before the name.
func (s *scan) houseNumber() bool {
	words := strings.Fields(s.text[max(0, s.at-60):s.at])
	for i := max(0, len(words)-4); i < len(words)-1; i++ {
		if isDigit(words[i][0]) {
			return true
		}
	}
	return false
}

func enAbbreviation(s *scan) bool {
	word := s.word(s.at)
	words, ok := enTables().abbreviations[word]
	at := s.at + len(word)
	if !ok || at >= len(s.text) || s.text[at] != '.' || !s.end(at) {
		return false
	}
	if !s.end(at + 1) {
		return false
	}
	if mark := s.dash(at + 1); mark > 0 && enWeekdays[word] { // Mon.–Fri.
		s.say(words)
		s.at = at + 1
		s.toNext(mark)
		return true
	}
	switch word {
	case "c": // 17th c.
		if before := s.before(); before == "" || !isDigit(before[0]) || !isLetter(before[len(before)-1]) {
			return false
		}
	case "ed":
		if words = s.edited(at + 1); words == "" {
			return false
		}
	case "Sat", "Sun", "Mass", "Co", "al", "max", "min", "est", "temp", "Ct", "Pl", "Ter":
		// Words of their own at the end of a sentence.
		if word != "Co" && word != "al" && s.sentenceEnd(at) {
			return false
		}
	}
	s.say(words)
	s.at = at
	s.stop(true)
	return true
}

// edited is what "ed." stands for: an edition after 2nd, an editor before a name.
func (s *scan) edited(end int) string {
	before := s.before()
	switch next := s.text[min(end+1, len(s.text)):]; {
	case before != "" && isDigit(before[0]) || before == "rev":
		return "edition"
	case strings.HasPrefix(next, "by "):
		return "edited"
	case next != "" && isUpper(next[0]) && s.at > 1 && strings.IndexByte(",;(", s.text[s.at-2]) >= 0:
		return "edited by"
	}
	return ""
}

// enCode reads "USD 5".
func enCode(s *scan) bool {
	word := s.word(s.at)
	names, ok := enTables().money[word]
	at := s.at + len(word)
	if !ok || len(word) != 3 || at+1 >= len(s.text) || s.text[at] != ' ' || !isDigit(s.text[at+1]) {
		return false
	}
	if next := s.word(min(s.run(at+1, isDigit)+1, len(s.text))); word == "TRY" && len(next) > 2 && next == strings.ToUpper(next) {
		return false // a verb in capitals: TRY 3 TIMES
	}
	s.at = at + 1
	return s.money(names)
}

// choice reports whether the slash at a place stands between two things to choose from,
// and not in a path or between letters.
func (s *scan) choice(at int, next string) bool {
	end := at + 1 + len(next)
	if s.at > 0 && s.text[s.at-1] == '/' || end < len(s.text) && s.text[end] == '/' && isLetter(s.peekAt(end+1)) && s.at > 0 && s.text[s.at-1] != ' ' {
		return false
	}
	both := s.text[s.at:end]
	return (at-s.at > 1 || isUpper(s.text[s.at])) && len(next) > 1 && both != strings.ToUpper(both) // TV/radio was T V/radio
}

// enWeekdays are the abbreviations of the days, between which a dash is a range.
var enWeekdays = map[string]bool{"Mon": true, "Tue": true, "Tues": true, "Wed": true, "Thu": true, "Thur": true, "Thurs": true, "Fri": true, "Sat": true, "Sun": true}

// behindUnit reports whether a measure stands at a place and the word before is none.
func (s *scan) behindUnit(word string, at int) bool {
	t := enTables()
	unit := s.word(at)
	return len(word) > 2 && t.units[word].many == "" && !t.near[unit] && unit != "ha" && unit != "hp" && unit != "mi" && t.units[unit].many != ""
}

// enPerUnits are measures that others are divided by.
var enPerUnits = wordSet("s h hr min sec day dl mol")

// enPerHead are what shares are counted by, and enOverTime what a change is counted against.
var (
	enPerHead  = wordSet("person day night week month year hour head serving capita household employee minute mile gallon")
	enOverTime = map[string]string{"y": "year", "q": "quarter", "m": "month"}
)

// enSlashWord reads the slash between two words.
func enSlashWord(s *scan) bool {
	end := s.run(s.at, isLetter)
	if end >= len(s.text) || s.text[end] != '/' {
		return false
	}
	word := strings.ToLower(s.text[s.at:end])
	next := strings.ToLower(s.word(end + 1))
	switch {
	case word == "w" && next == "o":
		s.say("without")
		s.at = end + 2
	case word == "w":
		s.say("with")
		s.at = end + 1
	case word == "n" && next == "a":
		s.say("not applicable")
		s.at = end + 2
	case word == "and" && next == "or":
		s.say("and or")
		s.at = end + 3
	case word == "c" && next == "o":
		s.say("care of")
		s.at = end + 3
	case enPerUnits.has(next) && enTables().units[s.text[s.at:end]].many != "" && !enTables().near[s.text[s.at:end]]: // in km/h
		s.say(enTables().units[s.text[s.at:end]].many)
		s.at = end
		s.per()
	case len(next) > 1 && s.behindUnit(word, end+1): // people/km²
		s.say(s.text[s.at:end])
		s.at = end
		s.per()
	case next == word && enOverTime[word] != "": // y/y
		s.say(enOverTime[word] + " over " + enOverTime[word])
		s.at = end + 2
	case enPerHead.has(next) && !enPerHead.has(word) && s.end(end+1+len(next)):
		s.say(s.text[s.at:end])
		s.say("per")
		s.out = append(s.out, ' ')
		s.at = end + 1
	case next != "" && s.choice(end, next):
		s.say(s.text[s.at:end])
		s.say("or")
		s.out = append(s.out, ' ')
		s.at = end + 1
	case next != "" && len(word) < 4 && s.text[s.at:end+1+len(next)] == strings.ToUpper(word+"/"+next): // AC/DC
		for i := range len(word) {
			s.say(s.text[s.at+i : s.at+i+1])
		}
		s.out = append(s.out, ' ')
		s.at = end + 1
	case next != "" || end+1 < len(s.text) && isDigit(s.text[end+1]):
		s.say(s.text[s.at:end])
		s.say("slash")
		s.out = append(s.out, ' ')
		s.at = end + 1
	default:
		return false
	}
	return true
}
