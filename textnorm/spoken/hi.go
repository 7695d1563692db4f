package spoken

import (
	"maps"
	"strings"
	"unicode/utf8"
)

// hindi is read as the news are: years from 1100 to 1999 in hundreds, halves and
// quarters by the words that they have of their own. Its rules look for the digits
// 0-9 and the full stops of abbreviations that hiLetters leaves.
func hindi() *language {
	letter := func(c byte) bool { return c == 0xE0 || isLetter(c) }
	sign := func(c byte) bool { return atSign(c) && c != 0xE0 }
	return &language{
		code: "hi", decimal: ".", groups: []string{","}, money: maps.Keys(hiTables().money),
		letters: plainFormsOf("hi").with(func(text string) string { return enLakhs(hiLetters(text), "") }), plain: hiPlain,
		noAbbreviation: func(string) bool { return false },
		rules: []rule{
			{"url", isLetter, false, hiURL},
			{"roman", isUpper, false, hiRoman},
			{"money", func(c byte) bool { return !isDigit(c) && c != ' ' }, false, hiMoneyBefore},
			{"abbreviation", letter, false, hiAbbreviation},
			{"acronym", func(c byte) bool { return c == 0xE0 }, false, hiAcronym},
			{"letters and digits", letter, true, hiMixedWord},
			{"date", isDigit, false, hiDate},
			{"phone", func(c byte) bool { return isDigit(c) || c == '(' || c == '+' }, false, hiPhone},
			{"time", isDigit, false, hiTime},
			{"ordinal", isDigit, false, hiOrdinalRule},
			{"dotted number", isDigit, false, hiVersion},
			{"fraction", isDigit, false, hiFraction},
			{"range", isDigit, false, hiRange},
			{"year", isDigit, false, hiYear},
			{"sign of a number", sign, true, hiSign},
			{"amount", isDigit, true, hiAmount},
			{"symbol", sign, true, hiSymbol},
		},
	}
}

// hiLetters brings a text to the signs that the rules look for: digits 0-9, a full
// stop for the small circle of abbreviations and for the zero that stands for it,
// letters with a dot below as NFC has them.
func hiLetters(text string) string {
	at := hiFirstChange(text)
	if at < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)+8), text[:at]...)
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == '०' && hiLetter(lastRune(out)), r == '॰':
			out = append(out, '.')
		case r >= '०' && r <= '९':
			out = append(out, '0'+byte(r-'०'))
		case r >= 0x958 && r <= 0x95F:
			out = append(utf8.AppendRune(out, []rune("कखगजडढफय")[r-0x958]), "\u093c"...)
		case arUnseen(r):
		default:
			out = append(out, text[at:at+n]...)
		}
		at += n
	}
	return string(out)
}

// hiFirstChange is the place of the first character that hiLetters may change, -1
// for none.
func hiFirstChange(text string) int {
	for i := 0; i+1 < len(text); i++ {
		switch c := text[i]; {
		case c < utf8.RuneSelf:
		case c == 0xE0:
			if i+2 < len(text) && text[i+1] == 0xA5 && (text[i+2] >= 0x98 && text[i+2] <= 0x9F || text[i+2] >= 0xA6 && text[i+2] <= 0xB0) {
				return i
			}
			if i+2 < len(text) && text[i+1]&0xC0 == 0x80 && text[i+2]&0xC0 == 0x80 {
				i += 2
			}
		case c == 0xE2 || c == 0xEF || c == 0xD8:
			if r, _ := utf8.DecodeRuneInString(text[i:]); arUnseen(r) {
				return i
			}
		}
	}
	return -1
}

// hiLetter reports whether a character is a letter or a sign on one.
func hiLetter(r rune) bool { return r >= 0x900 && r <= 0x963 || r >= 0x971 && r <= 0x97F }

// hiPlain is true for words of Devanagari letters and the usual punctuation.
func hiPlain(text string) bool {
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == 0xE0:
			if hiDanda(text[at:]) {
				at += len("।")
				break
			}
			end := hiWordEnd(text, at)
			if end == at || hiComposed(text[at:end]) {
				return false
			}
			at = end
		case c == ' ' || strings.IndexByte(",!?\"')", c) >= 0:
			at++
		default:
			return false
		}
	}
	return true
}

// hiComposed reports whether letters of Devanagari have one with a dot below that
// hiLetters takes apart.
func hiComposed(word string) bool {
	for i := 0; i+2 < len(word); i += 3 {
		if word[i+1] == 0xA5 && word[i+2] >= 0x98 && word[i+2] <= 0x9F {
			return true
		}
	}
	return false
}

// hiNext is the word after a place, a space between.
func (s *scan) hiNext(at int) (word string, end int) {
	n := gap(s.text, at)
	if n == 0 {
		return "", at
	}
	const most = 60 // bytes; none of the words that are looked for is longer
	end, _ = wordEnd(s.text[:min(len(s.text), at+n+most)], at+n)
	return s.text[at+n : end], end
}

// hiSigns are the names of the signs of addresses.
var hiSigns = &voice{code: "hi", address: "डॉट|स्लैश|कोलन|ऐट|हाइफ़न|अंडरस्कोर"}

func hiURL(s *scan) bool {
	if s.at > 0 && s.text[s.at-1] > ' ' && s.text[s.at-1] < utf8.RuneSelf && s.text[s.at-1] != '(' && s.text[s.at-1] != '"' {
		return false // not its beginning, which was looked at
	}
	return hiSigns.readAddress(s) && s.arGap()
}

// hiMixedWord parts letters from the digits after them: A4.
func hiMixedWord(s *scan) bool {
	const most = 60 // bytes
	end := s.run(s.at, isLetter)
	if end == s.at {
		for end < len(s.text) && end-s.at < most {
			r, n := utf8.DecodeRuneInString(s.text[end:])
			if !hiLetter(r) {
				break
			}
			end += n
		}
	}
	if end == s.at || end >= len(s.text) || !isDigit(s.text[end]) {
		return false
	}
	s.out = append(append(s.out, s.text[s.at:end]...), ' ')
	s.at = end
	return true
}

// hiAbbreviation reads what hiShort has.
func hiAbbreviation(s *scan) bool {
	for _, p := range hiTables().short[hiHead(s.rest())] {
		if !strings.HasPrefix(s.rest(), p.short) {
			continue
		}
		end := s.at + len(p.short)
		next := end + gap(s.text, end)
		if p.numbered && (next >= len(s.text) || !isDigit(s.text[next])) {
			continue
		}
		s.say(p.words)
		if s.at = end; end < len(s.text) && s.text[end] != ' ' && strings.IndexByte(",:;!?)\"'/-", s.text[end]) < 0 && !strings.HasPrefix(s.text[end:], "।") {
			s.out = append(s.out, ' ')
		}
		return true
	}
	return false
}

// hiHead is what names in tables are looked up by: a Devanagari letter, or a byte.
func hiHead(text string) string {
	if text == "" || text[0] < 0xE0 {
		return text[:min(1, len(text))]
	}
	return text[:min(3, len(text))]
}

// hiAcronym reads names of letters with full stops between them: बी.जे.पी.
func hiAcronym(s *scan) bool {
	at, names := s.at, []string(nil)
	const most, longest = 8, 30 // names, bytes of one
	for range most {
		end, _ := wordEnd(s.text[:min(len(s.text), at+longest)], at)
		if end >= len(s.text) || s.text[end] != '.' || !hiTables().letterNames.has(s.text[at:end]) {
			break
		}
		names, at = append(names, s.text[at:end]), end+1
	}
	if len(names) == 0 {
		return false
	}
	switch end, _ := wordEnd(s.text[:min(len(s.text), at+longest)], at); {
	case hiTables().letterNames.has(s.text[at:end]):
		names, at = append(names, s.text[at:end]), end
	case len(names) == 1 || end > at:
		return false
	}
	s.say(strings.Join(names, " "))
	s.at = at
	return s.arGap()
}

// hiPhone reads telephone numbers digit by digit, and the codes of letters.
func hiPhone(s *scan) bool {
	groups, form, end := s.phoneShape()
	if end == 0 || !isPhoneShape(groups, form, true) { // too few digits or too many
		return false
	}
	at := s.at
	if at > 1 && s.text[at-1] == ' ' && strings.IndexByte(":-.", s.text[at-2]) >= 0 {
		if at -= 2; at > 0 && s.text[at-1] == ' ' {
			at--
		}
	}
	label, start := s.arBack(at)
	if label == "नंबर" || label == "कोड" || label == "नम्बर" {
		label, _ = s.arBack(start)
	}
	mobile := len(groups) == 1 && len(form) == 10 && form[0] >= '6' && !strings.HasSuffix(form, "0000") || len(groups) == 2 && len(groups[0]) == 5 && len(groups[1]) == 5
	if _, unit := s.hiUnit(end); unit > end || end+1 < len(s.text) && strings.IndexByte(".,:/", s.text[end]) >= 0 && isDigit(s.text[end+1]) {
		return false
	}
	if next, _ := s.hiNext(end); hiTables().magnitudes.has(next) || hiTables().money[next] != nil || !mobile && !isPhoneShape(groups, form, hiTables().phoneWords.has(label)) {
		return false
	}
	if form[0] == '+' {
		s.say("प्लस")
	}
	if len(groups) == 1 && len(groups[0]) == 10 {
		groups = []string{groups[0][:5], groups[0][5:]}
	}
	s.at = end
	return s.sayGroups(groups, ",")
}

// hiRoman reads the numerals of kings, centuries and chapters.
func hiRoman(s *scan) bool {
	end := s.run(s.at, func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 })
	n := romanValue(s.text[s.at:end])
	before, _ := s.arBack(s.at)
	if n == 0 || n > 99 || !s.end(end) {
		return false
	}
	next, _ := s.hiNext(end)
	switch single := end-s.at == 1; {
	case next == "सदी" || next == "शताब्दी":
		s.hiOrdinal(itoa(n), 'f')
	case before == "" || s.text[s.at-1] != ' ' || before[0] != 0xE0:
		return false
	case oneOf(before, "अध्याय भाग खंड खण्ड कक्षा टाइप चरण अनुसूची पाठ युद्ध स्तर श्रेणी अंक सर्ग"):
		s.cardinal(itoa(n))
	case single && !oneOf(before, "लुई हेनरी जॉर्ज चार्ल्स जेम्स एडवर्ड फिलिप पोप"), hiTables().posts.has(before):
		return false
	case n <= len(hiTables().kings):
		s.say(hiTables().kings[n-1])
	case hiTables().posts.has(next):
		s.hiOrdinal(itoa(n), 'o')
	default:
		s.hiOrdinal(itoa(n), 'm')
	}
	s.at = end
	return true
}

// hiSymbol says a sign that stands for a word, and parts a word from the number
// after its hyphen.
func hiSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	words := hiTables().symbols[string(r)]
	switch {
	case r == '#':
		if words = "हैशटैग"; s.end(s.at + n) {
			return false
		}
	case r == '_' || (r == '-' || r == '–') && s.inside() && isDigit(s.peek(n)):
		if len(s.out) > s.from && lastRune(s.out) != ' ' {
			s.out = append(s.out, ' ')
		}
		s.at += n
		return true
	case words == "":
		return false
	}
	s.say(words)
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && strings.IndexByte(".,:;!?)", c) < 0 && !strings.HasPrefix(s.rest(), "।") {
		s.out = append(s.out, ' ')
	}
	return true
}
