package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// ordinalWords is how a language writes ordinals: the marks after the digits
// and the forms that they stand for.
type ordinalWords struct {
	decades map[string]string // form of 90. after a word: "lat"
	// stop tells the form of "3." by the words beside it, false where the full
	// stop is one.
	stop func(before, earlier, next string) (form string, ok bool)
}

// readOrdinal reads 3º, 1er, 2-я, 3e; and 3. where the language writes that.
func (v *voice) readOrdinal(s *scan) bool {
	end := s.run(s.at, isDigit)
	digits := s.text[s.at:end]
	if len(digits) > 6 || digits[0] == '0' {
		return false
	}
	rest := s.text[end:]
	for _, m := range v.marks {
		n := len(m.mark)
		if !strings.HasPrefix(rest, m.mark) || m.said != "" && digits != "2" || !s.end(end+n) || !v.markFits(s, m.mark, end+n) {
			continue
		}
		if s.at = end + n; m.said != "" {
			v.say(s, m.said)
			return true
		}
		form := v.formOf(m.mark, m.form, digits)
		if form, ok := strings.CutPrefix(form, "cardinal "); ok { // 50-ти
			return v.sayCase(s, form, digits)
		}
		start := *s
		start.at = end - len(digits)
		ok := v.ordinal(s, form, digits)
		v.decadeYears(s, v.before(&start), form)
		return ok
	}
	if form, ok := v.ordinals.decades[strings.ToLower(v.before(s))]; ok && len(digits) == 2 && digits[1] == '0' { // lata 90.
		s.at = end
		if next := letters(rest, 1+gap(rest, 1)); next != "" && (!v.isUpper(next) || romanValue(next) > 0 || s.at <= len("W latach 80")) || strings.HasPrefix(rest, ".,") {
			s.at++
		}
		return v.ordinal(s, form, digits)
	}
	if v.ordinals.stop == nil || rest == "" || rest[0] != '.' || len(digits) > 3 {
		return false
	}
	n := gap(rest, 1)
	next := letters(rest, 1+n)
	switch {
	case v.slavic && (strings.HasPrefix(rest, ".,") || strings.HasPrefix(rest, ".;")) && n == 0:
	case n == 0 || next == "":
		return false
	}
	before := v.before(s)
	earlier := ""
	if before != "" {
		back := *s
		back.at -= len(before) + 1
		earlier = v.before(&back)
	}
	if v.labels[strings.ToLower(before)] {
		return false
	}
	if noun := s.secondOfRow(end + 1 + n + len(next)); noun != "" && holds(rowAnd, next) {
		next = noun
	}
	if holds(rowAnd, before) {
		if first := s.firstOfRow(before); first >= 0 {
			back := *s
			back.at = first
			before = v.before(&back)
		}
	}
	form, ok := v.ordinals.stop(before, earlier, next)
	if !ok {
		return false
	}
	s.at = end + 1
	return v.ordinal(s, form, digits)
}

// rowAnd are words between two ordinals of one noun: im 3. und 4. Quartal.
const rowAnd = "und oder bis a i do oraz lub nebo až"

// secondOfRow is the noun after the second of two ordinals, which begins after a
// space at a place.
func (s *scan) secondOfRow(at int) string {
	n := gap(s.text, at)
	end := s.run(min(at+n, len(s.text)), isDigit)
	if n == 0 || end == at+n || end-at-n > 3 || !strings.HasPrefix(s.text[end:], ". ") {
		return ""
	}
	return letters(s.text, end+2)
}

// firstOfRow is where the first of two ordinals begins, -1 where there is none before
// the word that stands before s.at.
func (s *scan) firstOfRow(and string) int {
	rest, ok := strings.CutSuffix(s.text[:s.at], ". "+and+" ")
	at := len(rest)
	for at > 0 && at > len(rest)-3 && isDigit(rest[at-1]) {
		at--
	}
	if !ok || at == len(rest) {
		return -1
	}
	return at
}

func (v *voice) isUpper(word string) bool { return unicode.IsUpper(firstRune(word)) }

// decadeYears reads the гг. after 1980-х, in the case of the ordinal.
func (v *voice) decadeYears(s *scan, before, form string) {
	cut := v.date.yearsCut
	at := s.at + gap(s.text, s.at)
	if cut == "" || at == s.at || letters(s.text, at) != cut || !strings.HasPrefix(s.text[at+len(cut):], ".") {
		return
	}
	with, ok := v.date.years[strings.ToLower(before)]
	if !ok || form == "plural" {
		with = v.date.years[""]
	}
	if !ok && form == "plural-genitive" {
		with = v.date.years["до"]
	}
	if with.said == "" {
		return
	}
	v.say(s, with.said)
	s.at = at + len(cut)
	s.stopShort()
}

// markFits: the sign of a degree is one of an ordinal only before a word that is
// no degree.
func (v *voice) markFits(s *scan, mark string, end int) bool {
	if mark != "°" {
		return true
	}
	n := gap(s.text, end)
	word := letters(s.text, end+n)
	return n > 0 && word != "" && !strings.HasPrefix(word, "gra") && unicode.IsLower([]rune(word)[0]) && len(word) > 2
}

// readAbbreviation reads Sr., p. ej., Nr. 5.
func (v *voice) readAbbreviation(s *scan) bool {
	rest := s.rest()
	if s.at > 1 && (s.text[s.at-1] == '.' || s.text[s.at-1] == '/') { // the P. of C.P. is no page, the min. of 72/min. no minimum
		return false
	}
	for _, p := range v.short[rest[0]] {
		if !strings.HasPrefix(rest, p.short) || v.initials(s, p) {
			continue
		}
		end := s.at + len(p.short)
		stopped := p.short[len(p.short)-1] == '.'
		next := end + gap(s.text, end)
		if !s.end(end) && !(p.numbered && isDigit(s.text[end])) {
			continue
		}
		if (v.code == "ru" || v.code == "cs" || v.code == "uk" && p.short == "м.") && !p.numbered && len(p.short) == 1+utf8.RuneLen(firstRune(p.short)) && !v.isUpper(p.short) && !v.isUpper(letters(s.text, next)) {
			continue // г. Псков, but no г. of its own
		}
		if p.numbered && (next >= len(s.text) || !isDigit(s.text[next])) {
			if next > end && v.romanBehind(s, p.words, next) {
				return true
			}
			continue
		}
		if p.word && s.endsSentence(end-1) || p.name && (next == len(s.text) || !v.isUpper(s.text[next:])) {
			continue
		}
		before := v.before(s)
		if p.numbered && s.rangeAt(next) && strings.Contains(p.words, "#=") {
			before = "#"
		}
		if before != "" && isDigit(before[0]) {
			before = "(number)"
		}
		words := inCase(p.words, before)
		if first, _ := utf8.DecodeRuneInString(p.short); unicode.IsUpper(first) && s.begins() {
			words = capital(words)
		}
		v.say(s, words)
		s.at = end
		switch {
		case p.book && v.readVerse(s, next):
		case p.numbered && next == end:
			s.out = append(s.out, ' ')
		case stopped && !p.numbered:
			s.at--
			if p.closing && s.endsSentence(s.at) || strings.TrimLeft(s.text[s.at+1:], "\"'”’»)") == "" {
				s.out = append(s.out, '.')
			}
			s.at++
		}
		return true
	}
	return false
}

// initials reports whether an abbreviation of one capital letter is the first of several:
// the D. of D. T. is no don.
func (v *voice) initials(s *scan, p pair) bool {
	if r, n := utf8.DecodeRuneInString(p.short); p.numbered || !unicode.IsUpper(r) || p.short[n:] != "." {
		return false
	}
	at := s.at + len(p.short)
	r, n := utf8.DecodeRuneInString(s.text[at+gap(s.text, at):])
	return unicode.IsUpper(r) && s.peekAt(at+gap(s.text, at)+n) == '.'
}

// rangeAt reports whether two numbers with a dash between them stand at a place.
func (s *scan) rangeAt(at int) bool {
	end := s.run(at, isDigit)
	mark := s.dash(end)
	return end > at && mark > 0 && end+mark < len(s.text) && isDigit(s.text[end+mark])
}

// cutStreet writes Goethestr. 12 in full. The full stop stays where it ends the text.
func cutStreet(text, street string) string {
	const cut = "str."
	at := strings.Index(text, cut)
	if at < 0 {
		return text
	}
	var out strings.Builder
	for from := 0; ; {
		before, n := utf8.DecodeLastRuneInString(text[from:at])
		end := at + len(cut)
		more := end < len(text) && text[end] == ' '
		if n > 0 && unicode.IsLower(before) && (more || end == len(text) || strings.IndexByte(",;)", text[end]) >= 0) {
			out.WriteString(text[from:at])
			out.WriteString(street)
			if end == len(text) {
				out.WriteByte('.')
			}
		} else {
			out.WriteString(text[from:end])
		}
		from = end
		if at = strings.Index(text[from:], cut); at < 0 {
			out.WriteString(text[from:])
			return out.String()
		}
		at += from
	}
}

// begins reports whether a sentence begins here.
func (s *scan) begins() bool {
	text := strings.TrimRight(s.text[:s.at], " \"'“‘«„(¿¡")
	return text == "" || strings.IndexByte(".!?:", text[len(text)-1]) >= 0
}

// inCase picks from "godzina;o po=godzinie" what is said after a word.
func inCase(words, before string) string {
	words, cases, _ := strings.Cut(words, ";")
	for one := range strings.SplitSeq(cases, ";") {
		if list, word, ok := strings.Cut(one, "="); ok && holds(list, strings.ToLower(before)) {
			return word
		}
	}
	return words
}

// readAddress reads an address of the web or of mail.
func (v *voice) readAddress(s *scan) bool {
	// Nobody reads a longer address, and each word of a line without spaces looks for one.
	const most = 1000
	form, _, _ := strings.Cut(s.text[s.at:min(len(s.text), s.at+most)], " ")
	form = strings.TrimRight(form, ".,;:!?)\"'”’»")
	if !isAddress(form) {
		return false
	}
	names := strings.Split(v.address, "|")
	for i := 0; i < len(form); {
		r, n := utf8.DecodeRuneInString(form[i:])
		switch mark := strings.IndexRune("./:@-_", r); {
		case mark >= 0:
			v.say(s, names[mark])
		case isDigit(form[i]):
			v.speak(s, numbers.Cardinal, "", form[i:i+1])
		case inWord(r):
			for n = 0; i+n < len(form); {
				r, size := utf8.DecodeRuneInString(form[i+n:])
				if !inWord(r) || r < 0x80 && isDigit(byte(r)) {
					break
				}
				n += size
			}
			enURLWord(s, form[i:i+n])
		default:
			words, ok := v.symbol[string(r)]
			if !ok {
				words = string(r)
			}
			v.say(s, words)
		}
		i += n
	}
	s.at += len(form)
	return true
}

// readBefore reads the sign in front of a number, and fractions of one character.
func (v *voice) readBefore(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	if f, ok := vulgar[r]; ok {
		s.at += n
		v.mixed(s, "", f[0], f[1])
		if !s.end(s.at) {
			s.out = append(s.out, ' ')
		}
		return true
	}
	at := s.at + n
	if r == '%' && v.percentAt != "" {
		if a, ok := s.amount(at + gap(s.text, at)); ok {
			v.say(s, v.percentAt)
			v.count(s, a, 0)
			s.at = a.end
			v.join(s)
			return true
		}
	}
	if at >= len(s.text) || !isDigit(s.text[at]) || s.at > 0 && strings.IndexByte(" ([{\"'=<>", s.text[s.at-1]) < 0 {
		return false
	}
	words := ""
	switch r {
	case '-', '−', '–':
		words = v.minus
	case '~', '≈':
		words = v.about
	}
	if (r == '\'' || r == '’') && s.run(at, isDigit) == at+2 && s.end(at+2) && strings.IndexByte("'’"[:1], s.peekAt(at+2)) < 0 {
		s.at = at // anni '90
		return v.count(s, amount{whole: s.text[at : at+2]}, 0) && s.to(at+2)
	}
	if words == "" {
		return false
	}
	v.say(s, words)
	s.out = append(s.out, ' ')
	s.at = at
	return true
}

func (s *scan) peekAt(at int) byte {
	if at < len(s.text) {
		return s.text[at]
	}
	return 0
}

func (s *scan) to(at int) bool {
	s.at = at
	return true
}

// readSymbol says a sign that stands for a word; that of a currency alone is said
// as several of it.
func (v *voice) readSymbol(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	sign := string(r)
	words, ok := v.symbol[sign]
	if r == '#' && ok && s.peekAt(s.at+n) != 0 && letters(s.text, s.at+n) != "" {
		if words = "hashtag"; v.code == "ru" || v.code == "uk" {
			words = map[string]string{"ru": "хештег", "uk": "хештег"}[v.code]
		}
	}
	if pair, isMoney := v.money[sign]; !ok && isMoney && !inWord(r) {
		words, ok = pair[0].forms[min(2, len(pair[0].forms)-1)], true
	}
	if pct := v.unit[sign]; !ok && (r == '%' || r == '°') && pct.forms != nil {
		words, ok = pct.forms[min(2, len(pct.forms)-1)], true
	}
	if word := letters(s.text, s.at+n); r == '/' && v.perOf[word] != "" && v.perWord != "" && s.end(s.at+n+len(word)) { // 72/min, 3×/j
		v.sayPer(s, word, false)
		s.at += n + len(word)
		return true
	}
	if r == '/' && v.readHours(s) {
		return true
	}
	if r == '/' && ok && !(s.at > 0 && isDigit(s.text[s.at-1]) && isDigit(s.peek(1))) || sign == "½" {
		return false
	}
	if !ok {
		return false
	}
	if r == '×' && v.isSize(s, s.at, n) {
		words = v.by
	}
	v.say(s, words)
	s.at += n
	if c := s.peek(0); c != 0 && c != ' ' && strings.IndexByte(".,;:!?)", c) < 0 {
		s.out = append(s.out, ' ')
	}
	return true
}
