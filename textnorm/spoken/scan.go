package spoken

import (
	"strings"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// Version is that of all rules and words; it changes whenever a text may be read
// otherwise.
const Version = "spoken/6"

// Reader reads texts of one language. It is never changed and safe for
// concurrent use.
type Reader struct {
	of     *entry
	others func(text string) []Other
}

// Other is a run of a text that another language's rules read: a Latin name in
// Persian text.
type Other struct {
	Start, End int // bytes
	Reader     *Reader
}

// Switching is a reader that hands over the runs which others finds in a text,
// where no rule of its own reads them.
func (r *Reader) Switching(others func(text string) []Other) *Reader {
	return &Reader{r.of, others}
}

// New is the reader of a language, false where there is none.
func New(code string) (*Reader, bool) {
	e := entryOf(code)
	return &Reader{of: e}, e != nil
}

// Languages lists the codes of the languages that are read.
func Languages() []string {
	var codes []string
	for _, l := range table {
		codes = append(codes, l.code)
	}
	return codes
}

// Fired is a rule that read a part of a text.
type Fired struct {
	Rule       string
	Start, End int    // bytes of the text
	Words      string // what it says there
	// Of a rule that proposes: the class that it is of, what spoke for it, and where nothing
	// spoke for one of two, both.
	Class, Evidence string
	Open            []Reading
}

// Plain reports whether nothing in a text could be read otherwise than it is
// written: letters, spaces and the usual punctuation, and no word that a rule
// looks at. It is a quick answer for most lines, never a wrong yes.
func (r *Reader) Plain(text string) bool {
	lang := r.of.language()
	return lang.plain != nil && lang.plain(text) && (r.others == nil || len(r.others(text)) == 0)
}

// Letters is a text in the one spelling that the language's rules look for. The
// places of rules fired are those in it.
func (r *Reader) Letters(text string) string {
	lang := r.of.language()
	if lang.letters == nil {
		return text
	}
	return lang.letters(text)
}

// Read appends the words of a text to dst. trace: rules fired are listed; without it those
// alone that left open what a form is. What
// was read is read again until it says itself, so that reading it once more
// changes nothing: "7ft." is first seven and a word, then a measure.
func (r *Reader) Read(dst []byte, text string, trace bool) ([]byte, []Fired) {
	from := len(dst)
	dst, fired := r.pass(dst, r.Letters(text), trace)
	const most = 6
	for range most {
		if r.Plain(string(dst[from:])) {
			break
		}
		said := string(dst[from:])
		if dst, _ = r.pass(dst[:from], r.Letters(said), false); string(dst[from:]) == said {
			break
		}
	}
	return dst, fired
}

// pass reads a text once.
func (r *Reader) pass(dst []byte, text string, trace bool) ([]byte, []Fired) {
	lang := r.of.language()
	s, _ := lang.scans.Get().(*scan)
	if s == nil {
		s = new(scan)
	}
	*s = scan{text: text, out: dst, lang: lang, trace: trace, from: len(dst)}
	if r.others != nil {
		s.others = r.others(text)
	}
	for s.at < len(text) {
		s.step()
	}
	out, fired := s.out, s.fired
	*s = scan{} // of nobody's text
	lang.scans.Put(s)
	return out, fired
}

// scan is one reading of a text.
type scan struct {
	text   string
	at     int  // what stands before is read
	behind bool // the amount stands before what it measures
	exact  bool // no mark of another country: three digits after a point are decimals
	out    []byte
	from   int // where out begins
	lang   *language
	trace  bool
	fired  []Fired
	others []Other // that are not read yet
	// chained is where a chain of numbers with points between ends in a letter, so that
	// no part of it is read as one: a long chain is looked at once.
	chained int
	proposals
	opens int   // a form may begin here, though a letter stands before: the 100 of 4x100 m
	loud  uint8 // of English: 0 nobody asked, 1 no, 2 the text is in capitals
}

// step reads what stands at s.at: a form by the first rule that fits, else one
// word or one character as it is written.
func (s *scan) step() {
	c := s.text[s.at]
	if c == ' ' {
		s.out = append(s.out, ' ')
		s.at++
		return
	}
	inside := s.inside()
	if !inside && len(s.others) == 0 && (c >= 'a' && c <= 'z' && !s.lang.readsSmall && s.copySmall() || s.lang.quick.starts[c] && s.copyQuick()) {
		return
	}
	if c < utf8.RuneSelf && s.lang.quick.mute[c] && !isDigit(s.peek(1)) {
		s.out = append(s.out, c)
		s.at++
		return
	}
	start, words := s.at, len(s.out)
	for _, rule := range s.lang.byFirst[c] {
		if inside && !rule.inside {
			continue
		}
		if rule.read(s) {
			if s.trace && string(s.out[words:]) != s.text[start:s.at] || s.readings != nil {
				s.fired = append(s.fired, s.firing(rule.name, start, words))
			}
			return
		}
		s.at, s.out = start, s.out[:words]
	}
	if !s.other() {
		s.copy()
	}
}

// firing is what a rule did from a place of the text and of the words on.
func (s *scan) firing(rule string, start, words int) Fired {
	f := Fired{Rule: rule, Start: start, End: s.at, Words: string(s.out[words:])}
	if c := s.decided.class; c != nil {
		f.Class, f.Evidence = c.name, s.decided.why
	}
	f.Open, s.readings, s.decided = s.readings, nil, token{}
	return f
}

// other reads a run of another language. One that goes on into digits or letters
// of this language stays what it is.
func (s *scan) other() bool {
	for len(s.others) > 0 && s.others[0].End <= s.at {
		s.others = s.others[1:]
	}
	if len(s.others) == 0 || s.others[0].Start != s.at {
		return false
	}
	o := s.others[0]
	if r, _ := utf8.DecodeRuneInString(s.text[o.End:]); o.End < len(s.text) && inWord(r) {
		return false
	}
	text, before := s.text[o.Start:o.End], len(s.out)
	s.out, _ = o.Reader.Read(s.out, text, false)
	if s.trace && string(s.out[before:]) != text {
		s.fired = append(s.fired, Fired{Rule: "code switching", Start: o.Start, End: o.End, Words: string(s.out[before:])})
	}
	s.at = o.End
	return true
}

// copySmall takes a word of small letters after which nothing stands that a rule
// would look at: most words of most texts.
func (s *scan) copySmall() bool {
	end := s.at
	for end < len(s.text) && s.text[end] >= 'a' && s.text[end] <= 'z' {
		end++
	}
	if w := s.text[s.at:end]; len(w) < 4 && (w == "vs" || w == "etc" || w == "x") {
		return false // words without the stop that they should have
	} else if len(w) > 1 && len(w) < 7 && ofNumerals[w[0]] && ofNumerals[w[1]] && s.lang.smallRoman {
		return false // scene ii
	} else if len(w) > 0 && len(w) < 5 && s.lang.quick.looked[w[0]]&(1<<len(w)) != 0 && s.lang.voice != nil && s.lang.voice.bareShort[w] {
		return false // dr Lis
	}
	if end < len(s.text) {
		switch s.text[end] {
		case ' ', ',', ';', '?', '!', ')', '"', '\'':
		case '-': // no-reply@example.com
			for i := end; i < min(len(s.text), end+maxURL) && s.text[i] != ' '; i++ {
				if c := s.text[i]; c == '@' || c == '.' && i+1 < len(s.text) && isLetter(s.text[i+1]) {
					return false
				}
			}
		case '.':
			if end-s.at <= 6 && !(end+1 < len(s.text) && s.text[end+1] == ' ' && s.lang.noAbbreviation(s.text[s.at:end])) {
				return false
			}
			if end+1 < len(s.text) && s.text[end+1] != ' ' {
				return false
			}
		default:
			return false
		}
	}
	s.out = append(s.out, s.text[s.at:end]...)
	s.at = end
	return true
}

// copy takes a word, or one character, as it is written.
func (s *scan) copy() {
	start := s.at
	if s.at, _ = wordEnd(s.text, start); s.at == start {
		_, n := utf8.DecodeRuneInString(s.text[start:])
		s.at += n
	}
	s.out = append(s.out, s.text[start:s.at]...)
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// rule reads one kind of form.
type rule struct {
	name   string
	first  func(c byte) bool  // whether a form can begin with a byte
	inside bool               // also after a character of the same word
	read   func(s *scan) bool // writes words and moves s.at, or is false
}

// Ways in which forms begin.
func atLetter(c byte) bool { return isLetter(c) }
func atSign(c byte) bool   { return !isDigit(c) && !isLetter(c) && c != ' ' }

// inside reports whether the characters before belong to the same word.
func (s *scan) inside() bool {
	if s.at == s.opens {
		return false
	}
	if c := s.text[s.at-1]; c < utf8.RuneSelf {
		return classes[c] != 0
	}
	r, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	return inWord(r)
}

// peek is the byte n places after s.at, 0 after the end.
func (s *scan) peek(n int) byte {
	if s.at+n < len(s.text) && s.at+n >= 0 {
		return s.text[s.at+n]
	}
	return 0
}

// rest is what is not read yet.
func (s *scan) rest() string { return s.text[s.at:] }

// say writes words, with a space before them where a word stands there.
func (s *scan) say(words string) {
	s.space()
	s.out = append(s.out, words...)
}

func (s *scan) space() {
	n := len(s.out)
	if n <= s.from || s.out[n-1] == ' ' || s.out[n-1] < utf8.RuneSelf && classes[s.out[n-1]] == 0 && strings.IndexByte("([{<\"'-/", s.out[n-1]) >= 0 {
		return
	}
	if s.out[n-1] < utf8.RuneSelf || !strings.ContainsRune("“‘«–—", lastRune(s.out)) {
		s.out = append(s.out, ' ')
	}
}

// number says digits, with "." as the decimal mark and perhaps "-" in front.
func (s *scan) number(kind numbers.Kind, form, digits string) bool {
	s.space()
	var ok bool
	s.out, ok = numbers.Append(s.out, s.lang.code, kind, form, digits)
	return ok
}

func (s *scan) cardinal(digits string) bool { return s.number(numbers.Cardinal, "", digits) }

// digits says each digit by itself.
func (s *scan) digits(list string) bool {
	for i := range len(list) {
		if isDigit(list[i]) && !s.cardinal(list[i:i+1]) {
			return false
		}
	}
	return true
}

// end reports whether a form may end at a place of the text: no letter or digit
// stands there.
func (s *scan) end(at int) bool {
	if at >= len(s.text) {
		return true
	}
	if c := s.text[at]; c < utf8.RuneSelf {
		return classes[c] == 0
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return !inWord(r)
}

// run is the end of the bytes from at on that is says are in.
func (s *scan) run(at int, is func(byte) bool) int {
	for at < len(s.text) && is(s.text[at]) {
		at++
	}
	return at
}

// word is the run of letters of the ASCII at a place.
func (s *scan) word(at int) string { return s.text[at:s.run(at, isLetter)] }

// before is the last word that stands before s.at, "" for none; what is between
// must be one space.
func (s *scan) before() string {
	end := s.at
	if end == 0 || s.text[end-1] != ' ' {
		return ""
	}
	end--
	if end > 0 && s.text[end-1] == '.' {
		end--
	}
	start := end
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if !inWord(r) {
			break
		}
		start -= n
	}
	return s.text[start:end]
}

// amount is a number as it is written: digits without the marks of groups, and
// those after the decimal mark.
type amount struct {
	whole, fraction string
	grouped         bool
	pointed         bool // the full stop parts the fraction where the language has a comma
	start, end      int  // in the text
}

// String is the amount as package numbers takes it.
func (a amount) String() string {
	if a.fraction == "" {
		return a.whole
	}
	return a.whole + "." + a.fraction
}

func (a amount) isOne() bool { return a.fraction == "" && strings.TrimLeft(a.whole, "0") == "1" }

// amount reads a number at a place by the marks of the language. A mark that no
// digit follows is punctuation.
func (s *scan) amount(at int) (a amount, ok bool) {
	end := s.run(at, isDigit)
	if end == at {
		return a, false
	}
	if s.lang.decimal == "," && s.peekAt(end) == ',' {
		if b, ok := s.commaGroups(at, end); ok {
			return b, true
		}
	}
	a.whole, a.start = s.text[at:end], at
	if mark, n := s.groupMark(end); n > 0 && len(a.whole) <= 3 && a.whole[0] != '0' {
		var whole strings.Builder
		whole.WriteString(a.whole)
		for strings.HasPrefix(s.text[end:], mark) {
			next := s.run(end+n, isDigit)
			if next-end-n != 3 {
				break
			}
			whole.WriteString(s.text[end+n : next])
			end, a.grouped = next, true
		}
		a.whole = whole.String()
	}
	if mark := s.lang.decimal; strings.HasPrefix(s.text[end:], mark) {
		if next := s.run(end+len(mark), isDigit); next > end+len(mark) {
			a.fraction, end = s.text[end+len(mark):next], next
		}
	}
	a.end = end
	return a, true
}

// commaGroups reads 1,234,567 and 1,234.56 where a comma is the decimal mark: two commas,
// or a full stop after one, are those of a country where it parts groups.
func (s *scan) commaGroups(at, end int) (a amount, ok bool) {
	if end-at > 3 || s.text[at] == '0' {
		return a, false
	}
	a.whole, a.start = s.text[at:end], at
	commas := 0
	for s.peekAt(end) == ',' && s.run(end+1, isDigit) == end+4 {
		a.whole, end, commas = a.whole+s.text[end+1:end+4], end+4, commas+1
	}
	a.end, a.grouped = end, true
	if next := s.run(min(end+1, len(s.text)), isDigit); commas > 0 && s.peekAt(end) == '.' && next > end+1 && s.end(next) && s.peekAt(next) != ',' {
		a.fraction, a.end, a.pointed = s.text[end+1:next], next, true
		return a, true
	}
	return a, commas > 1 && s.end(end)
}

// groupMark is the mark of groups at a place, where three digits follow it.
func (s *scan) groupMark(at int) (mark string, n int) {
	for _, m := range s.lang.groups {
		if strings.HasPrefix(s.text[at:], m) && s.run(at+len(m), isDigit) == at+len(m)+3 {
			return m, len(m)
		}
	}
	return "", 0
}
