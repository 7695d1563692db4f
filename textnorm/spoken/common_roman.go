package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// romanWords is what a language does with Roman numerals.
type romanWords struct {
	kings  string // names after which one letter is a numeral
	queens string // the same of women
	// kingEnds and queenEnds are the forms of the ordinal after a name that ends so, and articles
	// what is said before it after some words, "(s)" after a name with the ending of the genitive.
	kingEnds, queenEnds map[string]string
	articles            map[string]cased
	stems               map[string]byte // of the names: 'm' or 'f'
	queen               string          // form of their ordinals
	upTo                int             // kings are ordinals up to this, cardinals beyond
	article             string          // said before the ordinal of a king
	form                string
	capital             bool              // the ordinal of a king has a capital
	counted             string            // words before a numeral that is a cardinal
	behind              map[string]string // articles after which a numeral is an ordinal where another word follows, and its form: el III Congreso
	century             map[string]string // words after a numeral that is an ordinal, and its form: "wieku", "w+wieku" after w
	cut                 string            // the abbreviation of century
	cutWith             map[string]cased  // what a cut century is after a word
	suffixes            string            // endings of ordinals: "e"
}

// readRoman reads the numerals of kings, popes, centuries and chapters.
func (v *voice) readRoman(s *scan) bool {
	end := s.run(s.at, func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 })
	word := s.text[s.at:end]
	n := romanValue(word)
	if n == 0 {
		return false
	}
	if len(word) == 1 && end+1 < len(s.text) && s.text[end] == '.' && isDigit(s.text[end+1]) {
		// X.509 and V.90 are codes; their letter alone with its stop would be an ordinal.
		v.say(s, word)
		v.say(s, v.point)
		s.at = end + 1
		return true
	}
	digits := itoa(n)
	g := &v.regnal
	for suffix := range strings.FieldsSeq(g.suffixes) { // XXe siècle
		if strings.HasPrefix(s.text[end:], suffix) && s.end(end+len(suffix)) {
			// Le, Ces, Mes and Ver are words.
			if len(word) == 1 && (strings.IndexByte("LCM", word[0]) >= 0 || word != "I" && suffix != "e" && suffix != "ème") {
				return false
			}
			s.at = end + len(suffix)
			ok := v.ordinal(s, "", digits)
			if strings.HasPrefix(s.text[s.at:], " s.") && v.code == "fr" { // XVIIIe s.
				v.say(s, "siècle")
				s.at += len(" s")
				s.stopShort()
			}
			return ok
		}
	}
	if !s.end(end) {
		return false
	}
	if v.readCenturies(s, n, end) {
		return true
	}
	after := end
	if after < len(s.text) && s.text[after] == '.' {
		after++
	}
	if form, ok := v.centuryForm(letters(s.text, after+gap(s.text, after)), v.before(s)); ok && gap(s.text, after) > 0 {
		if after > end && !v.dotted() {
			return false
		}
		s.at = after
		return v.ordinal(s, form, digits)
	}
	before := v.before(s)
	if v.romanOfRow(s, word, before, end) {
		return true
	}
	if at := end + gap(s.text, end); at > end && g.cut != "" && strings.HasPrefix(s.text[at:], g.cut+".") {
		with := v.cutForm(before)
		v.ordinal(s, with.form, digits)
		v.say(s, with.said)
		s.at = at + len(g.cut)
		s.stopShort()
		return true
	}
	if before == "" || s.at >= 2 && s.text[s.at-2] == '.' {
		return false
	}
	if holds(g.counted, strings.ToLower(before)) {
		s.at = end
		return v.count(s, amount{whole: digits}, 0)
	}
	return v.king(s, word, before, end)
}

// romanBehind reads an abbreviation that stands before a number, and the Roman
// numeral after it: cap. IV.
func (v *voice) romanBehind(s *scan, words string, at int) bool {
	end := s.run(at, func(c byte) bool { return strings.IndexByte("IVXLC", c) >= 0 })
	n := romanValue(s.text[at:end])
	if n == 0 || n > 99 || end == at+1 && s.text[at] == 'L' || !s.end(end) {
		return false
	}
	words = inCase(words, v.before(s))
	if first, _ := utf8.DecodeRuneInString(s.rest()); unicode.IsUpper(first) && s.begins() {
		words = capital(words)
	}
	v.say(s, words)
	s.at = end
	return v.count(s, amount{whole: itoa(n)}, 0)
}

// cutForm is the form of an ordinal before the abbreviation of century and what that
// stands for, after a word.
func (v *voice) cutForm(before string) cased {
	if with, ok := v.regnal.cutWith[strings.ToLower(before)]; ok {
		return with
	}
	return v.regnal.cutWith[""]
}

// readCenturies reads XVIII–XIX в.: both in the form that the word after asks for.
func (v *voice) readCenturies(s *scan, first, end int) bool {
	mark := s.dash(end)
	if mark == 0 || !v.slavic {
		return false
	}
	last := s.run(end+mark, func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 })
	second := romanValue(s.text[end+mark : last])
	at := last + gap(s.text, last)
	if second <= first || at == last {
		return false
	}
	form, ok := v.centuryForm(letters(s.text, at), v.before(s))
	noun := ""
	if cut := v.regnal.cut; !ok {
		more := ""
		if v.code == "ru" && strings.HasPrefix(s.text[at:], cut+cut+".") { // вв.
			more = cut
		}
		if cut == "" || !strings.HasPrefix(s.text[at:], cut+more+".") {
			return false
		}
		with := v.cutForm(v.before(s))
		if form, noun = with.form, with.said; more != "" {
			noun = map[string]string{"век": "века", "веке": "веках", "века": "веков"}[noun]
			at += len(more)
		}
	}
	if !v.ordinal(s, form, itoa(first)) {
		return false
	}
	v.say(s, "– ")
	if !v.ordinal(s, form, itoa(second)) {
		return false
	}
	if s.at = last; noun != "" {
		v.say(s, noun)
		s.at = at + len(v.regnal.cut)
		s.stopShort()
	}
	return true
}

// king reads the numeral of a king, a queen or a pope.
func (v *voice) king(s *scan, word, before string, end int) bool {
	n, g := romanValue(word), &v.regnal
	digits := itoa(n)
	first, _ := utf8.DecodeRuneInString(before)
	queen := holds(g.queens, before)
	king := queen || holds(g.kings, before)
	inCase := ""
	if !king {
		inCase = g.caseOf(before, len(word) > 1)
		king = inCase != ""
		if name, genitive := strings.CutSuffix(before, "s"); genitive && len(g.articles) > 0 && holds(g.kings, name) {
			king = true
		}
	}
	if !king && (len(word) == 1 || n > 30 || !unicode.IsUpper(first) || strings.ToUpper(before) == before || g.kings == "") {
		return false
	}
	start := s.at
	if s.at = end; n > g.upTo {
		return v.count(s, amount{whole: digits}, 0)
	}
	article, form, _ := strings.Cut(g.article, "|")
	if queen {
		article, form = form, g.queen
	} else {
		form = g.form
	}
	if inCase != "" {
		form = inCase
	}
	if with, ok := v.articleOf(s, start, before); ok {
		article, _, _ = strings.Cut(with.said, "|")
		if queen {
			_, article, _ = strings.Cut(with.said, "|")
		}
		form = with.form
	}
	if article != "" {
		v.say(s, article)
	}
	v.space(s)
	from := len(s.out)
	ok := v.ordinal(s, form, digits)
	if g.capital && from < len(s.out) && s.out[from] >= 'a' && s.out[from] <= 'z' {
		s.out[from] -= 'a' - 'A'
	}
	if v.dotted() {
		if next := letters(s.text, s.at+1+gap(s.text, s.at+1)); v.code == "de" && s.peek(0) == '.' && next != "" && !holds(germanBegins, next) {
			s.at++ // Friedrich I. König: nouns have a capital everywhere
		}
		s.stopShort()
	}
	return ok
}

// caseOf is the form of the ordinal after the name of a king or a queen that is not in its
// first form, "" where none is known; any name may have a numeral of several letters.
func (g *romanWords) caseOf(name string, any bool) string {
	const longest = 3 // letters of an ending
	end := len(name)
	for range longest {
		if _, n := utf8.DecodeLastRuneInString(name[:end]); n > 0 {
			end -= n
		}
		switch gender := g.stems[name[:end]]; {
		case gender == 'f' && g.queenEnds[name[end:]] != "":
			return g.queenEnds[name[end:]]
		case gender == 'm' && g.kingEnds[name[end:]] != "":
			return g.kingEnds[name[end:]]
		}
	}
	_, n := utf8.DecodeLastRuneInString(name)
	if first, _ := utf8.DecodeRuneInString(name); any && unicode.IsUpper(first) && strings.ToUpper(name) != name && len(g.kingEnds) > 0 && holds("а я a", name[len(name)-n:]) {
		return g.kingEnds[name[len(name)-n:]]
	}
	return ""
}

// readyNames makes the stems of names: Павел is in the genitive Павла, and Петро Петра.
func (g *romanWords) readyNames() {
	if len(g.kingEnds)+len(g.queenEnds) == 0 {
		return
	}
	g.stems = map[string]byte{}
	for name := range strings.FieldsSeq(g.kings) {
		last, n := utf8.DecodeLastRuneInString(name)
		if strings.ContainsRune("йьоаo", last) {
			g.stems[name[:len(name)-n]] = 'm'
			continue
		}
		g.stems[name] = 'm'
		if before, size := utf8.DecodeLastRuneInString(name[:len(name)-n]); before == 'е' || before == 'e' {
			g.stems[name[:len(name)-n-size]+string(last)] = 'm'
		}
	}
	for name := range strings.FieldsSeq(g.queens) {
		_, n := utf8.DecodeLastRuneInString(name)
		g.stems[name[:len(name)-n]] = 'f'
	}
}

// articleOf is the article before the ordinal of a name that ends before a place, by a
// word before the name or its titles: mit Kaiser Wilhelm II.
func (v *voice) articleOf(s *scan, at int, name string) (with cased, ok bool) {
	if len(v.regnal.articles) == 0 {
		return with, false
	}
	if with, ok = v.regnal.articles["(s)"]; ok && strings.HasSuffix(name, "s") && !holds(v.regnal.kings, name) && !holds(v.regnal.queens, name) {
		return with, true
	}
	back := *s
	back.at = at
	for word, n := name, 0; n < 3 && word != ""; n++ {
		if back.at -= len(word) + 1; back.at <= 0 || s.text[back.at] == '.' {
			return with, false
		}
		word = back.before()
		if with, ok = v.regnal.articles[strings.ToLower(word)]; ok {
			return with, true
		}
		if !v.isUpper(word) {
			return with, false
		}
	}
	return with, false
}

// romanOfRow reads II. liga, XIV. Louis and w III kwartale: ordinals before a noun.
func (v *voice) romanOfRow(s *scan, word, before string, end int) bool {
	at := end
	dot := strings.HasPrefix(s.text[at:], ".")
	if dot {
		at++
	}
	n := romanValue(word)
	next := letters(s.text, at+gap(s.text, at))
	if gap(s.text, at) == 0 || next == "" || n > 30 || len(word) == 1 && n > 10 ||
		holds(v.regnal.kings, before) || holds(v.regnal.queens, before) || holds(v.regnal.counted, strings.ToLower(before)) {
		return false
	}
	form := ""
	switch v.code {
	case "tr":
		if !dot || len(word) == 1 && v.isUpper(next) {
			return false
		}
	case "cs", "pl":
		ok := false
		if form, ok = v.ordinals.stop(before, "", next); !ok || !dot && (v.code == "cs" || !holds("w we na po od do z ze przy przez przed podczas", strings.ToLower(before))) || v.isUpper(before) && !s.leads(before) {
			return false
		}
	default:
		ok := false
		if form, ok = v.regnal.behind[strings.ToLower(before)]; !ok || dot {
			return false
		}
		if v.code == "es" && n > 10 {
			s.at = at
			return v.count(s, amount{whole: itoa(n)}, 0)
		}
	}
	s.at = at
	return v.ordinal(s, form, itoa(n))
}

// leads reports whether the word before s.at is the first of the text.
func (s *scan) leads(word string) bool { return s.at == len(word)+1 }

// dotted reports whether the language marks ordinals with a full stop.
func (v *voice) dotted() bool { return v.ordinals.stop != nil }

// centuryForm is the form of an ordinal between a word such as in and one such as century.
func (v *voice) centuryForm(next, before string) (form string, ok bool) {
	if form, ok = v.regnal.century[strings.ToLower(before)+"+"+next]; ok || next == "" {
		return form, ok
	}
	form, ok = v.regnal.century[next]
	return form, ok
}
