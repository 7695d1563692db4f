package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// Persian reads Persian. Its texts come in many spellings of one word, so that
// letters are put right before a form is looked for.
type Persian struct {
	// KeepMarks leaves vowel marks where they are. They are dropped otherwise, but for
	// the tanwin of واقعاً, which is spelling: few texts have the others, and a model that
	// meets a word with and without learns it twice.
	KeepMarks bool
	// Others finds runs of other languages, as Reader.Switching does; nil: none.
	Others func(text string) []Other
}

// Changes counts what was put right in the letters of a text.
type Changes struct {
	Letters     int // other letters and digits for the same sound, pieces composed
	Marks       int // vowel marks and hamzas dropped
	Unseen      int // tatweel and marks of no width dropped
	Repeats     int // letters held long, cut to two
	Joined      int // words put together by a half space, or by the ezafe's hamza
	Punctuation int // signs and the spaces around them
}

// Removed is a character that Letters drops.
type Removed struct {
	At   int // bytes
	Char rune
	Kind RemovedKind
}

// RemovedKind is why a character is dropped.
type RemovedKind uint8

// The kinds of characters that are dropped.
const (
	RemovedMark   RemovedKind = iota // a vowel mark or a hamza
	RemovedUnseen                    // tatweel, a mark of no width
	RemovedRepeat                    // a letter written more than twice
)

// Removed lists what Letters drops of a text, in order.
func (p Persian) Removed(text string) []Removed {
	var c Changes
	pen := faPen{out: make([]byte, 0, len(text)+8), keep: p.KeepMarks, c: &c, removed: []Removed{}}
	pen.characters(text)
	return pen.removed
}

// Letters is a text in one spelling: Persian yeh, kaf and heh, one ezafe, digits
// 0-9, half spaces where the grammar has them, Persian signs with a space
// after and none in front. Letters of that is the same.
func (p Persian) Letters(text string) (string, Changes) {
	var c Changes
	text = faDigits(text, &c)
	// What one step puts right may show another something. Two rounds are enough
	// for nearly every text.
	for range faRounds {
		tidy, joins := faTidy(text)
		if tidy && !joins {
			break
		}
		was := text
		if !tidy {
			text = p.characters(text, &c)
			if tidy, joins = faTidy(text); !tidy {
				text = p.signs(text, &c)
			}
		}
		if joins || !tidy {
			text = faJoin(text, &c)
		}
		if text == was {
			break
		}
	}
	return text, c
}

// faRounds bounds how often a text is gone over until nothing changes.
const faRounds = 6

// Read appends the words of a text to dst, its letters put right. The places
// of the rules fired are those of what Letters makes of the text.
func (p Persian) Read(dst []byte, text string, trace bool) ([]byte, []Fired) {
	from := len(dst)
	r := faReader
	if p.Others != nil {
		r = r.Switching(p.Others)
	}
	text, _ = p.Letters(text)
	if r.Plain(text) {
		return append(dst, text...), nil
	}
	dst, fired := r.Read(dst, text, trace)
	// Words said may stand beside others so that a half space belongs between.
	for range faRounds {
		said := string(dst[from:])
		again, _ := p.Letters(said)
		if again == said {
			break
		}
		dst, _ = r.Read(dst[:from], again, false)
	}
	return dst, fired
}

// Classes of the characters U+0600 to U+06FF beside the letters that stay.
const (
	faDrop  = 0xFFFF - iota // never seen, never said
	faMark                  // vowel marks
	faEzafe                 // heh with hamza in one piece
	faHamza                 // hamza above, in a piece of its own
	faMadda
	faPoint // the decimal mark
)

// faMap says what becomes of U+0600 to U+06FF.
var faMap = func() (m [256]uint16) {
	for i := range m {
		m[i] = uint16(0x600 + i)
	}
	set := func(to uint16, from ...int) {
		for _, r := range from {
			m[r-0x600] = to
		}
	}
	for d := range 10 {
		set(uint16('0'+d), 0x660+d, 0x6F0+d)
	}
	for r := 0x64B; r <= 0x65F; r++ {
		set(faMark, r)
	}
	for r := 0x610; r <= 0x61A; r++ {
		set(faMark, r)
	}
	for r := 0x6D6; r <= 0x6ED; r++ {
		if r != 0x6DD && r != 0x6DE && r != 0x6E5 && r != 0x6E6 && r != 0x6E9 {
			set(faMark, r)
		}
	}
	set(faMark, 0x670)
	set(faMadda, 0x653)
	set(faHamza, 0x654)
	set(faDrop, 0x640, 0x61C)
	set('ی', 0x64A, 0x649, 0x6CE, 0x6D0, 0x6D1, 0x6CD, 0x6D2, 0x620, 0x63D)
	set('ئ', 0x678, 0x6D3)
	set('ؤ', 0x676)
	set('ک', 0x643, 0x6AA, 0x63B)
	set('ه', 0x6C1, 0x6D5, 0x6BE, 0x629, 0x6C3)
	set(faEzafe, 0x6C0, 0x6C2)
	set('ا', 0x625, 0x671, 0x672, 0x673, 0x675) // أ is a letter of its own: رأی is not رای
	set('%', 0x66A)
	set(faPoint, 0x66B)
	set(',', 0x66C)
	set('*', 0x66D)
	set('.', 0x6D4)
	return m
}()

// faLetter reports whether a character is a letter of the Arabic script that stays.
func faLetter(r rune) bool {
	if r < 0x600 || r > 0x6FF {
		return false
	}
	return r >= 0x620 && r <= 0x64A && r != 0x640 || r >= 0x671 && r <= 0x6D3 || r == 0x6D5 || r >= 0x6FA && r <= 0x6FC || r == 0x6EE || r == 0x6EF
}

// faPen writes characters in their one spelling.
type faPen struct {
	out  []byte
	keep bool
	gap  bool // white space seen and not written
	half bool // half space seen and not written
	c    *Changes

	at, halfAt int       // of the character being read, of the half space
	removed    []Removed // nil: nobody asks
}

// drop counts a character that is not written.
func (p *faPen) drop(kind RemovedKind, at int, r rune) {
	switch kind {
	case RemovedMark:
		p.c.Marks++
	case RemovedUnseen:
		p.c.Unseen++
	case RemovedRepeat:
		p.c.Repeats++
	}
	if p.removed != nil {
		p.removed = append(p.removed, Removed{at, r, kind})
	}
}

// characters puts each letter, digit, mark and space right.
func (p Persian) characters(text string, c *Changes) string {
	pen := faPen{out: make([]byte, 0, len(text)+8), keep: p.KeepMarks, c: c}
	return pen.characters(text)
}

func (p *faPen) characters(text string) string {
	pen, c := p, p.c
	for i := 0; i < len(text); {
		if pen.straight(text[i:]) {
			i += 2
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		pen.at = i
		i += n
		switch {
		case r >= 0x600 && r <= 0x6FF:
			if faMap[r-0x600] == faPoint {
				r = '،'
				if i < len(text) && isDigit(pen.last()) && faDigitAt(text[i:]) {
					r = '.'
				}
				c.Letters++
			}
			pen.arabic(r)
		case r == '\u200c':
			if pen.half || pen.gap {
				pen.drop(RemovedUnseen, pen.at, r)
			}
			pen.half, pen.halfAt = true, pen.at
		case unicode.IsSpace(r):
			pen.gap = true
		case r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r < 0xFEFF:
			plain := strings.TrimPrefix(forms.NFKC(string(r)), " ")
			if r == '﷽' { // the one that Unicode does not take apart
				plain = "بسم الله الرحمن الرحیم"
			}
			for _, r := range plain {
				pen.arabic(r)
			}
			c.Letters++
		case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r == 0xAD:
			pen.drop(RemovedUnseen, pen.at, r)
		default:
			pen.write(r)
		}
	}
	return string(pen.out)
}

// straight writes a letter that is right after another one, which most
// characters are.
func (p *faPen) straight(text string) bool {
	if len(text) < 2 || text[0] < 0xD8 || text[0] > 0xDB || p.gap || p.half {
		return false
	}
	if faKinds[int(text[0]&0x03)<<6|int(text[1]&0x3F)] != 'a' {
		return false
	}
	if n := len(p.out); n >= 2 && p.out[n-1] == text[1] && p.out[n-2] == text[0] {
		return false // perhaps one too many
	}
	p.out = append(p.out, text[0], text[1])
	return true
}

// faDigits writes the digits of the other two scripts and the signs between them as
// those of the ASCII, which is all that most lines with numbers need. What depends
// on more than its neighbours is left for characters.
func faDigits(text string, c *Changes) string {
	at := 0
	for at < len(text) && !faForeign(text, at) {
		at++
	}
	if at == len(text) {
		return text
	}
	out := append(make([]byte, 0, len(text)), text[:at]...)
	for at < len(text) {
		if !faForeign(text, at) {
			out = append(out, text[at])
			at++
			continue
		}
		to := faMap[int(text[at]&0x03)<<6|int(text[at+1]&0x3F)]
		if to == faPoint {
			if len(out) == 0 || !isDigit(out[len(out)-1]) || !faDigitAt(text[at+2:]) {
				out = append(out, text[at], text[at+1])
				at += 2
				continue
			}
			to = '.'
		}
		out = append(out, byte(to))
		c.Letters++
		at += 2
	}
	return string(out)
}

// faForeign reports whether a digit of another script stands at a place, or ٪ ٫ ٬.
func faForeign(text string, at int) bool {
	switch text[at] {
	case 0xDB:
		return at+1 < len(text) && text[at+1] >= 0xB0 && text[at+1] <= 0xB9
	case 0xD9:
		return at+1 < len(text) && text[at+1] >= 0xA0 && text[at+1] <= 0xAC
	}
	return false
}

// faDigitAt reports whether a text begins with a digit of one of the three scripts.
func faDigitAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= '0' && r <= '9' || r >= 0x660 && r <= 0x669 || r >= 0x6F0 && r <= 0x6F9
}

// last is the last byte written, 0 for none.
func (p *faPen) last() byte {
	if p.gap || len(p.out) == 0 {
		return 0
	}
	return p.out[len(p.out)-1]
}

// arabic writes a character that faMap knows, or another as it is.
func (p *faPen) arabic(r rune) {
	if r < 0x600 || r > 0x6FF {
		if r == ' ' {
			p.gap = true
			return
		}
		p.write(r)
		return
	}
	to := faMap[r-0x600]
	if rune(to) != r {
		p.c.Letters++
	}
	switch to {
	case faDrop:
		p.drop(RemovedUnseen, p.at, r)
	case faMark:
		p.mark(r)
	case faEzafe:
		p.write('ه')
		p.out = append(p.out, "\u0654"...)
	case faHamza, faMadda:
		p.compose(to)
	default:
		if to == 'ا' && rune(to) != r {
			p.drop(RemovedMark, p.at, r)
		}
		p.write(rune(to))
	}
}

// faTanwin is the mark of واقعاً, which is spelling.
const faTanwin = '\u064B'

// mark writes or drops a vowel mark. One that stands on no letter is dropped.
func (p *faPen) mark(r rune) {
	base := lastRune(p.out)
	if !p.keep && r != faTanwin || base == r || p.gap || p.half || len(p.out) == 0 || !faLetter(base) && !faVowel(base) {
		p.drop(RemovedMark, p.at, r)
		return
	}
	p.out = utf8.AppendRune(p.out, r)
}

// faVowel reports whether a character is a mark on a letter.
func faVowel(r rune) bool {
	return r >= 0x600 && r <= 0x6FF && (faMap[r-0x600] == faMark || faMap[r-0x600] == faHamza)
}

// compose puts hamza or madda on the letter before.
func (p *faPen) compose(mark uint16) {
	end := len(p.out)
	for end > 0 && faVowel(lastRune(p.out[:end])) && lastRune(p.out[:end]) != 0x654 {
		end -= 2
	}
	base := lastRune(p.out[:end])
	to := rune(0)
	switch {
	case p.gap || p.half && base != 'ه':
	case mark == faMadda && base == 'ا':
		to = 'آ'
	case mark == faHamza && base == 'ا':
		to = 'أ'
	case mark == faHamza && base == 'و':
		to = 'ؤ'
	case mark == faHamza && base == 'ی':
		to = 'ئ'
	case mark == faHamza && base == 'ه':
		p.half = false
		p.out = append(p.out[:end:end], append([]byte("\u0654"), p.out[end:]...)...)
		return
	}
	if to == 0 {
		p.drop(RemovedMark, p.at, map[uint16]rune{faHamza: 0x654, faMadda: 0x653}[mark])
		return
	}
	rest := string(p.out[end:])
	p.out = append(utf8.AppendRune(p.out[:end-2], to), rest...)
}

// write writes a character with the space or the half space before it, and a
// letter not more than twice.
func (p *faPen) write(r rune) {
	letter := faLetter(r)
	switch {
	case p.gap:
		if len(p.out) > 0 {
			p.out = append(p.out, ' ')
		}
	case p.half:
		before := lastRune(p.out)
		if letter && len(p.out) > 0 && (faLetter(before) || faVowel(before)) {
			p.out = append(p.out, "\u200c"...)
		} else {
			p.drop(RemovedUnseen, p.halfAt, 0x200C)
		}
	case letter && len(p.out) >= 4:
		if n := len(p.out); lastRune(p.out) == r && lastRune(p.out[:n-2]) == r {
			p.drop(RemovedRepeat, p.at, r)
			return
		}
	}
	p.gap, p.half = false, false
	p.out = utf8.AppendRune(p.out, r)
}
