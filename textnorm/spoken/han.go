package spoken

import (
	"maps"
	"slices"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// han is what a language that writes without spaces adds to the rules that
// Chinese and Japanese share. Its forms stand right beside letters, so that every
// rule may read inside a word, and what is said is joined. Numbers are said in Han
// numerals: the counter after them decides how they sound, which whoever reads
// the characters knows. Tables are written as text, one entry a line.
type han struct {
	code string

	minus, less, point, to, over, and, versus, per, about string
	percent, permille                                     [2]string // said before and after the number
	section                                               string    // said after the number of a §
	dot                                                   string    // said for the mark of 9·11
	zero                                                  string    // of digits that are said one by one
	pause                                                 string    // between the groups of a telephone number
	dash                                                  string    // between the numbers of a house
	positive                                              string    // said for the plus of a number
	plus                                                  string    // of a country code
	number                                                string    // said for the No. before a number
	power                                                 [2]string // said on both sides of an exponent
	page                                                  [2]string // said before and after the number of p. 5
	hour, minute, second, year, month, day                string
	am, pm                                                string
	noMinutes                                             string // between hours and minutes below ten

	coin     string    // what the number of every currency is counted by; "" for its name
	address  string    // names of . / : @ - _
	seasons  *hanWords // words after 2022/23
	padded   *hanWords // words before which 05 is 5
	labels   *hanWords // words before digits that are said one by one
	leads    *hanWords // words before the second number of a range
	events   *hanWords // words after a day that is a name: 5.12地震
	models   *hanWords // words before a hyphen that is no minus
	counters string    // characters that begin what is counted
	named    *hanWords // words after three or more of them
	phones   *hanWords // words before telephone numbers
	houses   *hanWords // words before the numbers of a house
	scores   *hanWords // words before a score
	won      *hanWords // words after a score
	weekdays string    // characters of weekdays in brackets

	// count says a number as it stands between what is before and what is after it.
	count func(s *scan, a amount, before, after string) bool
	// ordinal says a number with an English ending, 1st.
	ordinal func(s *scan, digits string)
	// adapt brings words said, from a byte of s.out on, to the characters of the text.
	adapt   func(s *scan, from int)
	scripts [2]*language // of Chinese: simplified and traditional
	more    []rule       // of this language alone, tried first
	// change reports whether a text without digits and signs holds what more reads.
	change func(text string) bool

	unit    map[string][2]string
	money   map[string]string
	symbol  map[string]string
	longest [256]int // bytes of the longest unit or currency that begins with a byte
}

// places are what the names of words.tsv fill in.
func (h *han) places() map[string]any {
	return map[string]any{
		"minus": &h.minus, "less": &h.less, "plus": &h.plus, "positive": &h.positive, "point": &h.point, "dot": &h.dot, "to": &h.to,
		"over": &h.over, "and": &h.and, "versus": &h.versus, "per": &h.per, "about": &h.about, "section": &h.section, "zero": &h.zero,
		"number": &h.number, "coin": &h.coin, "address": parts{&h.address, 6}, "phone.pause": &h.pause, "house.dash": &h.dash,
		"hour": &h.hour, "minute": &h.minute, "second": &h.second, "year": &h.year, "month": &h.month, "day": &h.day,
		"am": &h.am, "pm": &h.pm, "minutes.none": &h.noMinutes,
		"percent": around{&h.percent}, "permille": around{&h.permille}, "power": around{&h.power}, "page": around{&h.page},
		"sign": saidOf(h.symbol), "season.before": &h.seasons, "padded.before": &h.padded, "label": &h.labels,
		"range.after": &h.leads, "day.name": &h.events, "model": &h.models, "counter": &h.counters, "name.before": &h.named,
		"phone": &h.phones, "place": &h.houses, "score.after": &h.scores, "score.before": &h.won, "weekday": &h.weekdays,
	}
}

// sheets are the files of the language and what takes their rows.
func (h *han) sheets() []sheet {
	h.unit, h.money, h.symbol = map[string][2]string{}, map[string]string{}, map[string]string{}
	return []sheet{
		signSheet("units.tsv", func(sign, said string) error { return put(h.unit, sign, aroundOf(said)) }),
		signSheet("money.tsv", func(sign, said string) error { return put(h.money, sign, said) }),
		wordSheet(h.places(), new(string)),
	}
}

// read fills in the words of the language.
func (h *han) read() *han {
	mustRead(h.code, h.sheets()...)
	for sign := range h.unit {
		h.longest[sign[0]] = max(h.longest[sign[0]], len(sign))
	}
	for sign := range h.money {
		h.longest[sign[0]] = max(h.longest[sign[0]], len(sign))
	}
	return h
}

// language puts the shared rules to the words.
func (h *han) language() *language {
	return &language{
		code: h.code, decimal: ".", groups: []string{","}, rules: h.rules(), letters: plainFormsOf(h.code).with(hanLetters), money: maps.Keys(h.money),
		plain:          func(text string) bool { return hanPlain(text) && !h.change(text) },
		noAbbreviation: func(string) bool { return true },
	}
}

// rules are the shared rules in the order in which they are tried.
func (h *han) rules() []rule {
	digit := func(name string, read func(s *scan) bool) rule { return rule{name, isDigit, true, read} }
	dash := func(c byte) bool { return c == '-' || c == '~' || c == 0xE2 || c == 0xE3 || c == 0xEF }
	word := func(c byte) bool { return isLetter(c) || isDigit(c) }
	return append(slices.Clone(h.more), []rule{
		{"url", word, true, h.readAddress},
		{"money", func(c byte) bool { return !isDigit(c) && h.longest[c] > 0 }, true, h.readSign},
		{"number sign", func(c byte) bool { return c == 'N' || c == 'n' || c == 0xE2 }, true, h.readNumbered},
		{"page", func(c byte) bool { return c|0x20 == 'p' }, true, h.readPage},
		{"roman", func(c byte) bool { return c == 'I' || c == 'V' || c == 'X' }, true, h.readRoman},
		{"phone", func(c byte) bool { return isDigit(c) || c == '+' || c == '(' || c == 0xEF }, true, h.readPhone},
		digit("date", h.readDate),
		digit("time", h.readTime),
		digit("dotted number", h.readDotted),
		digit("numbers of a house", h.readChain),
		digit("score", h.readScore),
		digit("fraction", h.readFraction),
		digit("range", h.readRange),
		digit("amount", h.readAmount),
		{"range", dash, true, h.readDash},
		{"sign", dash, true, h.readMinus},
		{"symbol", func(c byte) bool { return atSign(c) && (c < 0xE4 || c > 0xED) }, true, h.readSymbol},
		{"letters", func(c byte) bool { return isLetter(c) || c >= 0xC2 }, true, readLetters},
	}...)
}

// readLetters takes letters up to those of another script or to digits.
func readLetters(s *scan) bool {
	ascii := isLetter(s.text[s.at])
	end := s.at
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !inWord(r) {
			return false
		}
		if (r < utf8.RuneSelf) != ascii || isDigit(s.text[end]) {
			break
		}
		end += n
	}
	if end == s.at || end >= len(s.text) {
		return false
	}
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// say writes words beside what stands there.
func (h *han) say(s *scan, words string) {
	from := len(s.out)
	s.out = append(s.out, words...)
	h.adapt(s, from)
}

// speak says digits, with "." as the decimal mark.
func (h *han) speak(s *scan, digits string) bool {
	from := len(s.out)
	out, ok := numbers.Append(s.out, h.code, numbers.Cardinal, "", digits)
	s.out = out
	h.adapt(s, from)
	return ok
}

const hanDigits = "零一二三四五六七八九"

// spell says each digit by itself and no other sign.
func (h *han) spell(s *scan, list string) bool {
	for i := range len(list) {
		switch c := list[i]; {
		case c == '0' && h.zero != "":
			s.out = append(s.out, h.zero...)
		case isDigit(c):
			n := 3 * int(c-'0')
			s.out = append(s.out, hanDigits[n:n+3]...)
		}
	}
	return true
}

// plainCount says an amount that nothing beside it changes.
func (h *han) plainCount(s *scan, a amount) bool {
	if len(a.whole) > 1 && a.whole[0] == '0' || len(a.whole) > 15 {
		h.spell(s, a.whole)
		if a.fraction != "" {
			h.say(s, h.point)
			h.spell(s, a.fraction)
		}
		return true
	}
	return h.speak(s, a.String())
}

// isHan reports whether a character is of those that stand without spaces.
func isHan(r rune) bool {
	return r >= 0x2E80 && (inWord(r) || r == '〇') && r < 0xFF00 || r >= 0x20000
}

// lastOf and firstOf are the characters at the edges of a text, 0 for none.
func lastOf(text string) rune {
	if text == "" {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}

func firstOf(text string) rune {
	if text == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r
}
