package spoken

import (
	"maps"
	"strings"
	"sync"
	"unicode/utf8"
)

// persian is read as in Iran: solar years, a fraction as parts of ten, the stroke
// as a decimal mark beside ٫. Its rules look for the digits 0-9 and the signs
// that [Persian.Letters] leaves.
func persian() *language {
	return &language{
		code: "fa", decimal: ".", groups: []string{","}, money: maps.Keys(faTables().money),
		plain:          faPlain,
		letters:        faSpacedGroups,
		noAbbreviation: func(string) bool { return true },
		rules: []rule{
			{"url", func(c byte) bool { return isLetter(c) }, false, faURL},
			{"account", func(c byte) bool { return c == 'I' }, false, faIBAN},
			{"roman", func(c byte) bool { return c == 'I' || c == 'V' || c == 'X' }, false, faRoman},
			{"currency code", isUpper, false, faCode},
			{"letters and digits", func(c byte) bool { return isLetter(c) || c >= 0xC2 }, true, faMixed},
			{"abbreviation", faFirst, false, faAbbreviation},
			{"honour", func(c byte) bool { return c == '(' }, true, faHonour},
			{"dialled code", func(c byte) bool { return c == '*' || c == '#' }, true, faStars},
			{"code", isDigit, false, faDashed},
			{"phone", func(c byte) bool { return isDigit(c) || c == '(' || c == '+' }, false, faPhone},
			{"date", isDigit, false, faDate},
			{"dotted number", isDigit, false, faParts},
			{"verse", isDigit, false, faVerse},
			{"time", isDigit, false, faTime},
			{"minute of a game", isDigit, false, faExtra},
			{"ordinal", isDigit, false, faOrdinal},
			{"stroke", isDigit, false, faStroke},
			{"range", isDigit, false, faRange},
			{"money", atSign, true, faMoneyBefore},
			{"sign of a number", atSign, true, faSign},
			{"amount", isDigit, true, faAmount},
			{"symbol", atSign, true, faSymbol},
		},
	}
}

var (
	faEntry  = &entry{code: "fa", make: persian}
	faReader = &Reader{of: faEntry}
)

// faFirst is true for the first byte of a Persian letter.
func faFirst(c byte) bool { return c >= 0xD8 && c <= 0xDB }

// faPlain is true for words and the usual punctuation, where no letter stands
// alone and no rule would look at a word.
func faPlain(text string) bool {
	for at := 0; at < len(text); {
		c := text[at]
		if faFirst(c) {
			end := faWordEnd(text, at)
			word := text[at:end]
			switch {
			case end == at:
				r, n := utf8.DecodeRuneInString(text[at:])
				if r != '،' && r != '؛' && r != '؟' {
					return false
				}
				at += n
				continue
			case len(word) == 2 && word != "و", len(word) <= 6 && faTables().short[word] != "":
				return false
			}
			at = end
			continue
		}
		switch {
		case c == ' ' || c == '!' || c == '"' || c == ')' || c == '\'' || c == '.' || c == ':':
			if (c == '.' || c == ':') && at+1 < len(text) && text[at+1] != ' ' {
				return false
			}
		case c == '(':
			if faTables().honours[text[at+1:faWordEnd(text, at+1)]] != "" {
				return false
			}
		case isLetter(c):
			if (c == 'I' || c == 'V' || c == 'X') && at+1 < len(text) && isUpper(text[at+1]) {
				return false // a numeral, perhaps
			}
			for at+1 < len(text) && isLetter(text[at+1]) {
				at++
			}
			if at+1 < len(text) && strings.IndexByte(" ,!)", text[at+1]) < 0 && !faFirst(text[at+1]) {
				return false
			}
		case c == 0xC2 && (strings.HasPrefix(text[at:], "«") || strings.HasPrefix(text[at:], "»")):
			at++
		case c == 0xE2 && strings.HasPrefix(text[at:], "…"):
			at += 2
		default:
			return false
		}
		at++
	}
	return true
}

// faLooked are the short words that a rule looks at, whatever stands beside them.
var faLooked = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{"ه": true} // ۶۵۶ ه ق
	for _, table := range []map[string]string{faTables().numbered, faTables().behind, faTables().short} {
		for word := range table {
			m[word] = true
		}
	}
	return m
})

// copyPersian takes a word or a sign that no rule reads: the words of most texts.
func (s *scan) copyPersian() bool {
	end := faWordEnd(s.text, s.at)
	next := byte(' ')
	if end < len(s.text) {
		next = s.text[end]
	}
	switch n := end - s.at; {
	case n == 0:
		if sign := s.text[s.at:min(s.at+2, len(s.text))]; sign != "،" && sign != "؛" && sign != "؟" {
			return false
		}
		end += 2
	case isDigit(next) || isLetter(next), next >= utf8.RuneSelf && !s.end(end):
		return false
	case n == 2 && next == '.', n <= 6 && faLooked()[s.text[s.at:end]]: // no abbreviation has four letters
		return false
	}
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// faURL reads an address as in English, letter by letter where it must: its
// words are Latin and stay so.
func faURL(s *scan) bool {
	text, lang := s.text, s.lang
	in := func(c byte) bool { return c > ' ' && c < utf8.RuneSelf && c != '(' && c != '"' }
	if s.at > 0 && in(text[s.at-1]) {
		return false // not its beginning, which was looked at
	}
	end := s.run(s.at, in)
	if !strings.ContainsAny(text[s.at:end], ".@:") {
		return false
	}
	s.text, s.lang = text[:end], faLatinDigits
	ok := enURL(s)
	s.text, s.lang = text, lang
	if ok && s.peek(0) != 0 && s.peek(0) != ' ' && !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
	return ok
}

// faMixed parts the letters of another script from the digits after them.
func faMixed(s *scan) bool {
	end := faWordEnd(s.text, s.at)
	if end < len(s.text) && s.text[end] <= ' ' {
		return false
	}
	for end < len(s.text) && !isDigit(s.text[end]) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !inWord(r) {
			return false
		}
		end += n
	}
	if end >= len(s.text) {
		return false
	}
	s.out = append(append(s.out, s.text[s.at:end]...), ' ')
	s.at = end
	return true
}

// faLatinDigits says the digits of an address.
var faLatinDigits = &language{code: "en"}

// faAbbreviation reads letters with full stops, letters before and after a
// number, and the few words that stand for longer ones.
func faAbbreviation(s *scan) bool {
	end := faWordEnd(s.text[:min(s.at+8, len(s.text))], s.at)
	word := s.text[s.at:end]
	if len(word) > 6 { // no abbreviation has four letters
		return false
	}
	if len(word) == 2 {
		if form, end := s.faDottedAt(); form != "" {
			words := faTables().dotted[form]
			if form == "ق.م" && (faTables().articles.has(s.faNumbered()) || s.faNear(s.at, &faTables().articles)) {
				words = "قانون مدنی"
			}
			s.say(words)
			s.at = end
			s.faStop()
			return true
		}
		if s.faSpoons(word, end) || s.faLife(word, end) || s.faBehindNumber(word, end) || s.faInitials() {
			return true
		}
		if word == "د" && strings.HasPrefix(s.text[end:], ". ") && faWordEnd(s.text, end+2) > end+4 {
			s.say("دکتر")
			s.at = end + 1
			return true
		}
	}
	if name, ok := faTables().numbered[word]; ok {
		at := end
		if at < len(s.text) && s.text[at] == '.' {
			at++
		}
		if at < len(s.text) && s.text[at] == ' ' {
			at++
		}
		if at > end && at < len(s.text) && isDigit(s.text[at]) && (word != "س" && word != "ف" || s.text[end] == '.') && (word != "ب" || s.faNear(s.at, &faTables().verses)) && !(len(word) == 2 && s.faPlate(at)) {
			s.say(name)
			s.out = append(s.out, ' ')
			s.at = at
			return true
		}
	}
	if words := faTables().short[word]; words != "" && (word != "یس" || strings.HasPrefix(s.faBefore(), "سوره")) && !(word == "نک" && strings.HasPrefix(s.text[end:], " و ")) { // نک و ناله
		s.say(words)
		s.at = end
		if strings.HasSuffix(words, " به") && s.peek(0) == ':' && s.peek(1) == ' ' {
			s.at++
		}
		for _, again := range []string{". به ", " به "} { // نک. به
			if strings.HasSuffix(words, " به") && strings.HasPrefix(s.rest(), again) {
				s.at += len(again) - 1
			}
		}
		if word != "الخ" {
			s.faStop()
		}
		return true
	}
	return false
}

// faNumbered is the word before the number that stands before s.at.
func (s *scan) faNumbered() string {
	at := len(strings.TrimRight(s.text[:s.at], " "))
	from := at
	for from > 0 && isDigit(s.text[from-1]) {
		from--
	}
	if from == at {
		return ""
	}
	number := *s
	number.at = from
	return number.faBefore()
}

// faInitials reads letters with full stops before a name by their names: م. ا. نوری.
func (s *scan) faInitials() bool {
	var names []string
	at := s.at
	for {
		end := at + 2
		name := ""
		if end < len(s.text) && faWordEnd(s.text[:min(end+2, len(s.text))], at) == end {
			name = faTables().letters[s.text[at:end]]
		}
		if name == "" || s.text[end] != '.' || len(names) == mostInitials {
			break
		}
		names = append(names, name)
		if at = end + 1; at < len(s.text) && s.text[at] == ' ' {
			at++
		}
	}
	first := s.text[s.at : s.at+2]
	if len(names) == 0 || at >= len(s.text) || !faFirst(s.text[at]) || faWordEnd(s.text, at) <= at+2 {
		return false // no name follows
	}
	if s.at > 2 && s.text[s.at-1] == '.' && faFirst(s.text[s.at-3]) { // one of a chain that was left
		return false
	}
	if before := s.faBefore(); faTables().counts.has(before) || len(before) == 2 && before != "و" && faFirst(before[0]) { // ۲۵۰۰ م.ر.
		return false
	}
	if len(names) == 1 && faTables().numbered[first] != "" || s.at > 1 && s.text[s.at-1] == ' ' && isDigit(s.text[s.at-2]) {
		return false // a page, an era
	}
	s.say(strings.Join(names, " "))
	s.out = append(s.out, ' ')
	s.at = at
	return true
}

// mostInitials is how many letters stand before a name at most.
const mostInitials = 4

// faDottedAt is the abbreviation with full stops that stands at s.at, and its
// end; a space may follow a stop.
func (s *scan) faDottedAt() (form string, end int) {
	var letters strings.Builder
	at := s.at
	for range 3 {
		next := at + 2
		if at >= len(s.text) || !faFirst(s.text[at]) || faWordEnd(s.text[:min(next+2, len(s.text))], at) != next {
			break
		}
		if letters.Len() > 0 {
			letters.WriteByte('.')
		}
		letters.WriteString(s.text[at:next])
		if faTables().dotted[letters.String()] != "" {
			form, end = letters.String(), next
		}
		if letters.String() == "ه" && next+2 < len(s.text) && s.text[next] == ' ' && s.at > 1 && isDigit(s.text[s.at-2]) { // ۶۵۶ ه ق
			at = next + 1
			continue
		}
		if next >= len(s.text) || s.text[next] != '.' {
			break
		}
		at = next + 1
		if at < len(s.text) && s.text[at] == ' ' {
			at++
		}
	}
	if end+1 < len(s.text) && end > 0 && s.text[end] == '.' && faFirst(s.text[end+1]) && faWordEnd(s.text[:min(end+5, len(s.text))], end+1) == end+3 {
		return "", 0 // one letter more: another abbreviation
	}
	return form, end
}

// faBehindNumber reads a letter that says of which calendar the year before it is.
func (s *scan) faBehindNumber(word string, end int) bool {
	words := faTables().behind[word]
	if words == "" || s.at < 4 || s.text[s.at-1] != ' ' || !isDigit(s.text[s.at-2]) {
		return false
	}
	if s.peekAt(end) == '.' && faFirst(s.peekAt(end+1)) { // م.ر
		return false
	}
	digits := 0
	for at := s.at - 2; at >= 0 && isDigit(s.text[at]); at-- {
		digits++
	}
	if digits < 3 || digits > 4 {
		if word != "م" || digits > 2 {
			return false
		}
		words = "متر"
	}
	s.say(words)
	s.at = end
	s.faStop()
	return true
}

// faStop takes the full stop of an abbreviation; at the end of the text it stays.
func (s *scan) faStop() {
	if s.peek(0) == '.' && s.at+1 < len(s.text) && s.text[s.at+1] != '"' && !strings.HasPrefix(s.text[s.at+1:], "»") {
		s.at++
		if !s.end(s.at) {
			s.out = append(s.out, ' ')
		}
	}
}

// faHonour reads a blessing in brackets after a name.
func faHonour(s *scan) bool {
	end := faWordEnd(s.text, s.at+1)
	words := faTables().honours[s.text[s.at+1:end]]
	if words == "" || end >= len(s.text) || s.text[end] != ')' {
		return false
	}
	s.say(words)
	s.at = end + 1
	if !s.end(s.at) {
		s.out = append(s.out, ' ')
	}
	return true
}

// faPer reads the stroke of a rate: کیلومتر/ساعت.
func (s *scan) faPer() bool {
	from := s.at
	for from > 0 && s.text[from-1] >= utf8.RuneSelf {
		from--
	}
	if !faTables().measures.has(s.text[from:s.at]) || !faTables().per.has(s.text[s.at+1:faWordEnd(s.text, s.at+1)]) {
		return false
	}
	s.say("بر")
	s.out = append(s.out, ' ')
	s.at++
	return true
}

// faSymbol says a sign that stands for a word.
func faSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words := faTables().symbols[string(r)]
	next, _ := utf8.DecodeRuneInString(s.text[s.at+n:])
	switch {
	case r == '/' && s.faPer():
		return true
	case r == '#':
		if words = "شماره"; faLetter(next) || faLatin(next) {
			words = "هشتگ"
		}
	case r == '_':
		words = " "
		if len(s.out) == s.from || lastRune(s.out) == ' ' {
			words = ""
		}
		s.out = append(s.out, words...)
		s.at += n
		return true
	case words == "":
		return false
	}
	s.say(words)
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && !strings.ContainsRune(".:!?)،؛؟…»", next) {
		s.out = append(s.out, ' ')
	}
	return true
}
