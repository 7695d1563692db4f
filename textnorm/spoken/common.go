package spoken

import (
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// voice is what a language adds to the rules that all languages share: its words,
// in the forms in which they are said, from the tables of its folder below lang, and
// what no table can say, such as how nouns and numbers agree.
type voice struct {
	code    string
	decimal string   // mark before a fraction
	groups  []string // marks between groups of three digits
	slavic  bool     // nouns have four forms: one, few, many, of a fraction

	gendered     bool                                   // cardinals have a form for the gender of the noun beside them
	pointed      bool                                   // a decimal full stop is said otherwise than a comma
	gendersUpTo  int                                    // the largest number that agrees, 0 for every one
	fractionForm string                                 // form of cardinals with a fraction
	forms        string                                 // the forms that nouns have: "one|several"
	endings      map[string][]string                    // of ordinals: those of the masculine form, each before that of a form
	accusatives  string                                 // endings of feminine nouns and those of their accusative
	declined     map[string][4]string                   // cardinals, or -endings of theirs: genitive, dative, prepositional, instrumental
	nounEnds     [][4]string                            // endings of nouns after two; dative, prepositional, instrumental plural
	caseAfter    map[string][]caseRule                  // by the word before a number, "#1" and "#2" for any
	letters      func(text string) string               // one spelling of letters, see language; nil: they stay
	agree        func(digits, before, noun string) byte // gender that a word after a number asks for
	compounds    func(genitive string) string           // "двадцати": what stands in 20-летний; nil: no such words
	// part makes the noun of a fraction from the ordinal of its denominator: a fifth. nil, or no noun: it has none.
	part func(n int, ordinal func(form string) string) noun

	minus, plus, point, to, about, of string
	toForm                            string            // form of the cardinal after to
	score, scoreForm                  string            // said for the colon of 3:1, and the form of the second number
	version                           string            // said for the v of v2.0
	perMeasure                        string            // said for the slash of mg/l
	accAfter, accSaid, accNouns       string            // words after which one of a feminine noun is in the accusative; pairs of words and their accusative
	dativeAfter, dativeEnds           string            // words after which a noun is in the dative; endings of its plural, each before that of the dative
	halfOne                           string            // "полтора|полторы": 1½
	by                                string            // said for the × of 30 × 12 cm
	over, perWord                     string            // said for the slash of 3/7 and of 5 €/kg
	ratioWord                         cased             // said for the colon of 1:25.000, and the form of the number after it
	pressure                          string            // said for the slash of 145/90, which is no fraction
	perOf                             map[string]string // what is said for the word after a slash: "j" is jour
	days                              map[string]string // names of the days of the week by what is written
	dayFirst                          [256]bool         // bytes that they begin with
	dayTo, dayBetween                 string            // said between two of them, and the words that may stand there
	games                             string            // words that tell of a game, whose numbers with a hyphen or an x are a score
	each                              string            // said for the slash of 8/8 h
	power                             powerWords
	oneAfter                          map[string]string // what 1 is of a gender after a word: "fnach"
	halves                            string            // "y medio|y media": said after the whole of 2½, beside a noun of either gender
	aHalf                             string            // "medio|media": said for ½ before a noun
	half, quarter, third              noun
	partOf                            map[string]string // denominators that stand in front: of three, two parts
	genitiveAfter                     string            // words after which a number and its noun are in the genitive

	date     dateWords
	clock    clockWords
	slash    slashWords
	ordinals ordinalWords

	percentAt string // "yüzde": said before the number
	and       string // between an amount of money and its cents
	thousand  string // a word for it that no noun between it and the money has an "of"
	address   string // names of . / : @ - _ in that order
	regnal    romanWords

	unit      map[string]noun
	money     map[string][2]noun
	magnitude map[string]noun // "Mio."
	wordUnit  map[string]bool // units that are words too, where no measure is
	farUnit   map[string]bool // units that are words after a space
	symbol    map[string]string
	// abbreviations of each kind: those after which the sentence goes on, those that
	// may end it, those before a number.
	abbreviations [6][]pair

	short     map[byte][]pair // abbreviations by their first byte, the longest first
	labels    map[string]bool // words that a number follows: no ordinal stands there
	bareShort map[string]bool // abbreviations without a full stop, up to a hyphen
	heads     map[string]bool // words before the first full stop of abbreviations
	begins    [256]int        // bytes of the longest unit or currency that begins with a byte
	marks     []mark          // of ordinals
	signs     []string        // of currencies, the longest first
	signsBy   [256][]string   // the same by their first byte
}

// pair is an abbreviation and its words.
type pair struct {
	short, words string
	numbered     bool // stands before a number only
	closing      bool // may end a sentence
	book         bool // of scripture: chapter and verse stand behind it
	word, name   bool // is a word of the language, too: only where its sentence goes on, or before a capital
}

// noun is what is counted: its gender ('m', 'f', 'n') and its forms, one and
// several, or those of the Slavic languages.
type noun struct {
	gender byte
	forms  []string
}

// language reads the tables of a voice and puts the shared rules to it. The program
// has them inside it, and a test finds what is wrong with them before anybody else.
func (v *voice) language() *language {
	if err := v.read(tables); err != nil {
		panic(err)
	}
	return v.withRules()
}

// withRules puts the shared rules to a voice that has its words.
func (v *voice) withRules() *language {
	plain := v.plain
	if v.letters != nil {
		plain = func(text string) bool { return v.plain(text) && v.letters(text) == text }
	}
	return &language{
		code: v.code, decimal: v.decimal, groups: v.groups, rules: v.rules(), shared: true, letters: v.letters, plain: plain, voice: v, money: maps.Keys(v.money),
		noAbbreviation: func(w string) bool { return !v.heads[w] },
	}
}

// capital is a text with its first letter in upper case.
func capital(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// rules are the shared rules in the order in which they are tried.
func (v *voice) rules() []rule {
	return []rule{
		{"url", atLetter, false, v.readAddress},
		{"weekdays", func(c byte) bool { return v.dayFirst[c] }, false, v.readDays},
		{"abbreviation", func(c byte) bool { return v.short[c] != nil }, false, v.readAbbreviation},
		{"money", func(c byte) bool { return v.signsBy[c] != nil }, false, v.readSign},
		{"roman", func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 }, false, v.readRoman},
		{"marks", isDigit, false, v.readMarks},
		{"duration", isDigit, false, v.readDuration},
		{"ratio", isDigit, false, v.readRatio},
		{"length", isDigit, false, v.readLength},
		{"power", isDigit, false, v.readPower},
		{"hexadecimal", func(c byte) bool { return c == '0' }, false, v.readHex},
		{"date", isDigit, false, v.readDate},
		{"phone", func(c byte) bool { return isDigit(c) || c == '+' || c == '(' }, false, v.readPhone},
		{"time", isDigit, false, v.readTime},
		{"dotted number", isDigit, false, v.readDotted},
		{"score", isDigit, false, v.readScore},
		{"fraction", isDigit, false, v.readFraction},
		{"ordinal", isDigit, false, v.readOrdinal},
		{"code", isDigit, false, v.readCode},
		{"range", isDigit, false, v.readRange},
		{"year", isDigit, false, v.readYear},
		{"amount", isDigit, false, v.readAmount},
		{"sign", atSign, false, v.readBefore},
		{"symbol", atSign, true, v.readSymbol},
		{"letters and digits", func(c byte) bool { return !atSign(c) && c != ' ' || c >= 0x80 }, true, v.readMixed},
	}
}

// plain is true for words, spaces and the usual punctuation where no rule would
// look at a word.
func (v *voice) plain(text string) bool {
	start := 0 // of the word
	for i := 0; i <= len(text); i++ {
		c := byte(' ')
		if i < len(text) {
			c = text[i]
		}
		switch {
		case isUpper(c):
			// Two capitals, or one alone, may be a Roman numeral, and so may Xe.
			switch {
			case i+1 >= len(text), isUpper(text[i+1]):
				return false
			case text[i+1] == ' ' && i == start && romanDigit(c) == 0: // O carro
			case !isLetter(text[i+1]) && text[i+1] < 0x80:
				return false
			}
			if v.regnal.suffixes != "" && strings.IndexByte("IVX", c) >= 0 && strings.IndexByte("ersd\xc3", text[i+1]) >= 0 {
				return false
			}
		case isLetter(c):
		case c >= 0x80 && i+1 < len(text):
			if !plainLetter(c, text[i+1]) {
				return false
			}
			i++
		case c == '.':
			if i+1 < len(text) && text[i+1] != ' ' || i == start || v.heads[text[start:i]] {
				return false
			}
			start = i + 1
		case strings.IndexByte(" ,;!?\"()':-", c) >= 0:
			if i > start && v.bareShort[text[start:i]] { // each is a head too
				return false
			}
			if (c == ':' || c == '-') && i+1 < len(text) && isDigit(text[i+1]) {
				return false
			}
			start = i + 1
		default:
			return false
		}
	}
	return true
}

// plainLetter reports whether two bytes are a letter that no rule looks at.
func plainLetter(c, next byte) bool {
	switch c {
	case 0xc3:
		return next != 0x97 && next != 0xb7 // × ÷
	case 0xc4, 0xc5, 0xd0, 0xd1:
		return true
	case 0xca:
		return next == 0xbc // ʼ
	case 0xd2:
		return next == 0x90 || next == 0x91 // ґ
	}
	return false
}

// of is the form of a noun that goes with a number.
func (v *voice) nounOf(n noun, digits string) string {
	class := numbers.PluralClass(v.code, digits)
	several := n.forms[min(1, len(n.forms)-1)]
	if !v.slavic || len(n.forms) < 4 {
		switch class {
		case "one":
			return n.forms[0]
		case "many":
			return v.ofNoun(several)
		}
		return several
	}
	switch class {
	case "one":
		return n.forms[0]
	case "few":
		return several
	}
	// What CLDR calls many is the fraction in Czech and the rest in the others.
	if strings.Contains(digits, ".") {
		return n.forms[3]
	}
	return n.forms[2]
}

// several is the form after a word such as million.
func (v *voice) severalOf(n noun) string {
	if v.slavic && len(n.forms) == 4 {
		return n.forms[2]
	}
	return v.ofNoun(n.forms[len(n.forms)-1])
}

// ofNoun puts the word in front that the Romance languages say between a million
// and what there is a million of.
func (v *voice) ofNoun(word string) string {
	switch {
	case v.of == "":
		return word
	case v.code == "fr" && strings.IndexByte("aeiouh", word[0]) >= 0:
		return "d'" + word
	}
	return v.of + " " + word
}

// before is the last word before s.at, "" where a sentence has ended after it.
func (v *voice) before(s *scan) string {
	word := s.before()
	if word != "" && s.text[s.at-2] == '.' && !v.heads[word] && !v.heads[strings.ToLower(word)] {
		return ""
	}
	return word
}

// say writes words; after an apostrophe they follow at once.
func (v *voice) say(s *scan, words string) {
	v.space(s)
	s.out = append(s.out, words...)
}

func (v *voice) space(s *scan) {
	if len(s.out) > s.from && lastRune(s.out) != '’' {
		s.space()
	}
}

// speak says digits in a form, in the usual one where the language has no such.
func (v *voice) speak(s *scan, kind numbers.Kind, form, digits string) bool {
	v.space(s)
	out, ok := numbers.Append(s.out, v.code, kind, form, digits)
	if !ok && form != "" {
		out, ok = numbers.Append(s.out, v.code, kind, "", digits)
	}
	s.out = out
	return ok
}

// genderForms are the forms of cardinals beside a noun of a gender.
var genderForms = map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}

// count says an amount as it stands beside a noun of a gender, 0 for none.
func (v *voice) count(s *scan, a amount, gender byte) bool {
	if a.fraction != "" {
		return v.decimals(s, a)
	}
	if len(a.whole) > 1 && a.whole[0] == '0' || len(a.whole) > 15 {
		return v.spell(s, a.whole)
	}
	form := ""
	if v.gendered {
		form = genderForms[gender]
	}
	if v.gendersUpTo > 0 && (len(a.whole) > 3 || atoi(a.whole) > v.gendersUpTo) {
		form = ""
	}
	return v.speak(s, numbers.Cardinal, form, a.whole)
}

// decimals says an amount with a fraction; the mark is said as it is written where the
// language has two words for it.
func (v *voice) decimals(s *scan, a amount) bool {
	if a.pointed && v.pointed {
		if !v.speak(s, numbers.Cardinal, v.fractionForm, a.whole) {
			return false
		}
		v.say(s, v.point)
		return v.spell(s, a.fraction)
	}
	return v.speak(s, numbers.Cardinal, v.fractionForm, a.String())
}

// spell says each digit by itself.
func (v *voice) spell(s *scan, list string) bool {
	for i := range len(list) {
		if !v.speak(s, numbers.Cardinal, "", list[i:i+1]) {
			return false
		}
	}
	return true
}

// ordinal says a number of a row in a form.
func (v *voice) ordinal(s *scan, form, digits string) bool {
	ends, ok := v.endings[form]
	if !ok {
		v.space(s)
		from := len(s.out)
		ok := v.speak(s, numbers.Ordinal, form, digits)
		if one := "одна тысяча "; v.code == "ru" && strings.HasPrefix(string(s.out[from:]), one) { // 1980-е
			s.out = append(s.out[:from], s.out[from+len("одна "):]...)
		}
		return ok
	}
	words, ok := numbers.SpeakForm(v.code, numbers.Ordinal, "masculine", digits)
	for word := range strings.FieldsSeq(words) {
		for i := 0; i < len(ends); i += 2 {
			if stem, ok := strings.CutSuffix(word, ends[i]); ok {
				word = stem + ends[i+1]
				break
			}
		}
		v.say(s, word)
	}
	return ok
}

// gap is the number of bytes of one space at a place, 0 for none.
func gap(text string, at int) int {
	for _, space := range []string{" ", "\u00a0", "\u202f"} {
		if strings.HasPrefix(text[min(at, len(text)):], space) {
			return len(space)
		}
	}
	return 0
}

// letters is the run of letters of any alphabet at a place.
func letters(text string, at int) string {
	end := at
	for i, r := range text[min(at, len(text)):] {
		if !inWord(r) || r < 0x80 && isDigit(byte(r)) {
			break
		}
		end = at + i + len(string(r))
	}
	return text[min(at, len(text)):min(end, len(text))]
}

// stopShort takes the full stop of an abbreviation, which stays where it ends
// the sentence.
func (s *scan) stopShort() {
	next := s.peek(1)
	if s.peek(0) != '.' || next != 0 && next != ' ' && strings.IndexByte("\"'),;:", next) < 0 {
		return
	}
	if s.endsSentence(s.at) {
		s.out = append(s.out, '.')
	}
	s.at++
}

// stopUnit is stopShort after a unit: a sign has no full stop of its own, nor has
// a letter or two before a number.
func (s *scan) stopUnit() {
	unit, runes := s.text[:s.at], 0
	for {
		r, n := utf8.DecodeLastRuneInString(unit)
		if !inWord(r) {
			break
		}
		unit, runes = unit[:len(unit)-n], runes+1
	}
	if next := s.peek(2); runes == 0 || runes < 3 && s.peek(1) == ' ' && isDigit(next) {
		return
	}
	s.stopShort()
}

// endsSentence reports whether the full stop at a place ends a sentence: nothing
// follows, or a word with a capital.
func (s *scan) endsSentence(at int) bool {
	rest := strings.TrimLeft(s.text[at+1:], " \"'”’»)(“‘«„¿¡")
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsUpper(r)
}
