package spoken

import (
	"strings"
	"unicode/utf8"
)

// Numbers that are no amounts: of telephones, accounts, plates, post, verses.

// faNear reports whether a word of a list stands shortly before a place.
func (s *scan) faNear(at int, list *wordList) bool {
	const most = 80 // bytes
	from := max(0, at-most)
	for from > 0 && from < at && s.text[from] != ' ' {
		from++
	}
	for _, end := range []string{"؛", ". ", "؟", "! "} {
		if cut := strings.LastIndex(s.text[from:at], end); cut >= 0 {
			from += cut + len(end)
		}
	}
	for word := range strings.FieldsSeq(s.text[from:at]) {
		word = strings.TrimRight(strings.Trim(word, "«(»):.،؛"), string(faKasre))
		if list.has(word) || list.has(strings.TrimSuffix(word, "ش")) {
			return true
		}
	}
	return false
}

// faPlayed reports whether a word of a list stands anywhere beside a place.
func (s *scan) faPlayed(list *wordList) bool {
	const before, after = 300, 80 // bytes
	from, end := max(0, s.at-before), min(len(s.text), s.at+after)
	for word := range strings.FieldsSeq(s.text[from:end]) {
		if list.has(strings.TrimRight(strings.Trim(word, "«(»):.،؛!"), string(faKasre))) {
			return true
		}
	}
	return false
}

// faStars reads *780#, which is dialled.
func faStars(s *scan) bool {
	end := s.run(s.at, func(c byte) bool { return isDigit(c) || c == '*' || c == '#' })
	form := s.text[s.at:end]
	if strings.Count(form, "*") == 0 || !strings.Contains(form, "#") || !s.end(end) || len(strings.Trim(form, "*#")) == 0 {
		return false
	}
	for at := s.at; at < end; {
		switch s.text[at] {
		case '*':
			s.say("ستاره")
			at++
		case '#':
			s.say("مربع")
			at++
		default:
			next := s.run(at, isDigit)
			s.faSay(amount{whole: s.text[at:next]})
			at = next
		}
	}
	s.at = end
	return true
}

// faIBAN reads the number of an account: IR and 24 digits, with spaces or without.
func faIBAN(s *scan) bool {
	if !strings.HasPrefix(s.rest(), "IR") {
		return false
	}
	var digits []byte
	end := s.at + 2
	for end < len(s.text) && len(digits) < 24 && (isDigit(s.text[end]) || s.text[end] == ' ' && len(digits) > 0 && isDigit(s.peekAt(end+1))) {
		if s.text[end] != ' ' {
			digits = append(digits, s.text[end])
		}
		end++
	}
	if len(digits) != 24 || !s.end(end) {
		return false
	}
	s.say("IR")
	s.digits(string(digits[:2]))
	for at := 2; at < len(digits); at += 4 {
		s.out = append(s.out, "،"...)
		s.digits(string(digits[at:min(at+4, len(digits))]))
	}
	s.at = end
	return true
}

// faDashed reads two numbers with a hyphen that are no range: of the post, a plate, a model.
func faDashed(s *scan) bool {
	end := s.run(s.at, isDigit)
	if s.peekAt(end) != '-' || !isDigit(s.peekAt(end+1)) || s.at > 0 && s.text[s.at-1] == '-' {
		return false
	}
	last := s.run(end+1, isDigit)
	a, b := s.text[s.at:end], s.text[end+1:last]
	if !s.end(last) || (s.peekAt(last) == '-' || s.peekAt(last) == '/') && isDigit(s.peekAt(last+1)) {
		return false
	}
	t := faTables()
	switch {
	case len(a) == 5 && len(b) == 5 && (s.faNear(s.at, &t.posted) || a[3:] != "00"), len(a) >= 4 && len(b) >= 4 && s.faNear(s.at, &t.posted):
		s.digits(a)
		s.out = append(s.out, "،"...)
		s.digits(b)
	case len(a) == 3 && len(b) == 2 && s.faNear(s.at, &t.plates):
		s.faSay(amount{whole: a})
		s.say("ایران")
		s.faSay(amount{whole: b})
	case len(a) == 3 && len(b) <= 3 && (a > b || len(b) < 3 || t.models.has(s.faBefore())):
		s.faSay(amount{whole: a})
		s.out = append(s.out, "،"...)
		s.faSay(amount{whole: b})
	default:
		return false
	}
	s.at = last
	return true
}

// faVerse reads a chapter and a verse after the name of a book: متی ۶:۹-۱۳.
func faVerse(s *scan) bool {
	colon := s.run(s.at, isDigit)
	if s.peekAt(colon) != ':' || !isDigit(s.peekAt(colon+1)) || colon-s.at > 3 {
		return false
	}
	t := faTables()
	bible, quran := t.gospels.has(s.faBefore()), t.suras.has(s.faBefore())
	if !bible && !quran {
		return false
	}
	end := s.run(colon+1, isDigit)
	if !s.end(end) || s.peekAt(end) == ':' {
		return false
	}
	if bible {
		s.say("باب")
	}
	s.cardinal(s.text[s.at:colon])
	mark := s.dash(end)
	last := s.run(end+mark, isDigit)
	if mark == 0 || last == end+mark {
		s.say("آیهٔ")
		s.at = end
		return s.cardinal(s.text[colon+1 : end])
	}
	s.say("آیه\u200cهای")
	s.cardinal(s.text[colon+1 : end])
	s.say("تا")
	s.at = last
	return s.cardinal(s.text[end+mark : last])
}

// faExtra reads the minutes of a game that came on top, in either order of the eye: ۹۰+۴, ۴+۹۰.
func faExtra(s *scan) bool {
	plus := s.run(s.at, isDigit)
	if s.peekAt(plus) != '+' || plus-s.at > 3 {
		return false
	}
	end := s.run(plus+1, isDigit)
	a, b := s.text[s.at:plus], s.text[plus+1:end]
	if end == plus+1 || !s.end(end) || !faHalves.has(b) || faHalves.has(a) || !s.faNear(s.at, faMinute) {
		return false
	}
	s.cardinal(b)
	s.say("به\u200cعلاوه")
	s.at = end
	return s.cardinal(a)
}

// faHalves end the halves of a game.
var (
	faHalves = wordSet("45 90 105 120")
	faMinute = wordSet("دقیقه دقیقهٔ دقیقه\u200cی دقایق")
)

// faLife reads what stands before the year of a life, in brackets: (د. ۱۳۴۰).
func (s *scan) faLife(word string, end int) bool {
	words := faTables().lives[word]
	if words == "" || s.at == 0 || s.text[s.at-1] != '(' && !strings.HasSuffix(s.text[:s.at], "، ") && !strings.HasSuffix(s.text[:s.at], "؛ ") || !strings.HasPrefix(s.text[end:], ". ") {
		return false
	}
	if year := s.run(end+2, isDigit); year < end+5 || year > end+6 {
		return false
	}
	s.say(words)
	s.at = end + 1
	return true
}

// faSpoons reads the spoons of recipes: ۱ ق چ, ۲ ق.غ.
func (s *scan) faSpoons(word string, end int) bool {
	if word != "ق" || s.at < 2 || s.text[s.at-1] != ' ' || !isDigit(s.text[s.at-2]) && !strings.HasSuffix(s.text[:s.at-1], "½") && !strings.HasSuffix(s.text[:s.at-1], "¼") {
		return false
	}
	at := end + s.run(end, func(c byte) bool { return c == '.' }) - end
	at += gap(s.text, at)
	for letter, spoon := range map[string]string{"چ": "قاشق چای\u200cخوری", "غ": "قاشق غذاخوری", "م": "قاشق مرباخوری"} {
		if strings.HasPrefix(s.text[at:], letter) && s.end(at+len(letter)) && (letter != "م" || s.text[end] != '.') {
			s.say(spoon)
			s.at = at + len(letter)
			s.faStop()
			return true
		}
	}
	return false
}

// faGrade reads marks of all that there are: ۱۰/۱۰, and ۸/۱۰ of a film.
func (s *scan) faGrade(top, bottom string, last int) bool {
	if !s.end(last) || len(top) > 3 || top[0] == '0' || s.faMeasured(last) || faTables().dated.has(s.faBefore()) {
		return false
	}
	all := bottom == "10" || bottom == "20" || bottom == "100"
	if !(top == bottom && (all || !s.faToldBefore(&faTables().decimals))) && !(all && atoi(top) < atoi(bottom) && s.faNear(s.at, &faTables().graded)) {
		return false
	}
	s.faSay(amount{whole: top})
	s.say("از")
	s.at = last
	return s.faSay(amount{whole: bottom})
}

// faDayMonth reads a day and a month after the day of a week: دوشنبه ۵/۷.
func (s *scan) faDayMonth(top, bottom string, last int) bool {
	month, day := atoi(bottom), atoi(top)
	if !s.end(last) || len(top) > 2 || len(bottom) > 2 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	before := s.faBefore()
	if before != "جمعه" && !strings.HasSuffix(before, "شنبه") {
		return false
	}
	s.at = last
	s.faOrdinalOf(day)
	s.say(faTables().jalali[month-1])
	return true
}

// faMagnitude is the Latin letter of a magnitude right after an amount of money: $2.5B.
func (s *scan) faMagnitude(at int) (words string, end int) {
	letter := s.word(at)
	if letter == "" || !s.end(at+len(letter)) {
		return "", at
	}
	return faTables().latinMagnitudes[letter], at + len(letter)
}

// faBehindDigits writes the tatweel between two numbers as the dash that it stands for, and the
// ه‌ق and ه‌ش after a year, whose letters a half space parts, with a full stop.
func faBehindDigits(text string) string {
	const tatweel, heh = "ـ", "ه\u200c"
	for at := 1; at < len(text); at++ {
		if !isDigit(text[at-1]) || isDigit(text[at]) {
			continue
		}
		next := at + gap(text, at)
		if rest := text[next:]; len(rest) < 3 || rest[0] != 0xD9 {
			continue
		}
		if after, ok := strings.CutPrefix(text[next:], tatweel); ok {
			if isDigit(strings.TrimPrefix(after+" ", text[at:next])[0]) {
				text = text[:next] + "-" + after
			}
			continue
		}
		if after, ok := strings.CutPrefix(text[next:], heh); ok && (strings.HasPrefix(after, "ق") || strings.HasPrefix(after, "ش")) {
			if r, _ := utf8.DecodeRuneInString(after[2:]); !faLetter(r) && r != '\u200c' {
				text = text[:next] + "ه." + after
			}
		}
	}
	return text
}

// faSpacedGroups writes ۶۰ ۰۰۰ with a comma.
func faSpacedGroups(text string) string {
	if strings.Contains(text, "000") && strings.Contains(text, " 000") {
		return enGroups(text)
	}
	return text
}
