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
	Marks Marks
	Latin bool // Latin words and addresses are written in Persian letters
	// Others finds runs of other languages, as Reader.Switching does; nil: none.
	Others func(text string) []Other
}

// Marks says which vowel marks of a text stay.
type Marks uint8

// Vowel marks that stay. Those of MarksSpelt are heard as a sound of their own and are
// what editors write: the tanwin of واقعاً, the kasre of an ezafe at a word's end. Few
// texts have the others, and a model that meets a word with and without learns it twice.
const (
	MarksSpelt Marks = iota
	MarksAll
	MarksNone
)

// Letters is a text in one spelling: Persian yeh, kaf and heh, one ezafe, digits
// 0-9, half spaces where the grammar has them, Persian signs with a space
// after and none in front. Letters of that is the same. [Changes] tells what it did.
func (p Persian) Letters(text string) string {
	text = faBehindDigits(faDigits(text))
	if p.Marks == MarksNone {
		text = strings.Map(func(r rune) rune {
			if r >= 0x600 && r <= 0x6FF && faMap[r-0x600] == faMark {
				return -1
			}
			return r
		}, text)
	}
	// What one step puts right may show another something. Two rounds are enough
	// for nearly every text.
	for range faRounds {
		tidy, joins := faTidy(text)
		if tidy && !joins {
			break
		}
		was := text
		if !tidy {
			text = p.characters(text)
			if tidy, joins = faTidy(text); !tidy {
				text = p.signs(text)
			}
		}
		if joins || !tidy {
			text = faJoin(text)
		}
		if text == was {
			break
		}
	}
	return text
}

// faRounds bounds how often a text is gone over until nothing changes.
const faRounds = 6

// Read appends the words of a text to dst, its letters put right. The places
// of the rules fired are those of what Letters makes of the text.
func (p Persian) Read(dst []byte, text string, trace bool) ([]byte, []Fired) {
	from := len(dst)
	r := faReader
	if p.Latin {
		r = faLatinReader
	}
	if p.Others != nil {
		r = r.Switching(p.Others)
	}
	text = p.Letters(text)
	if r.Plain(text) {
		return append(dst, text...), nil
	}
	dst, fired := r.Read(dst, text, trace)
	// Words said may stand beside others so that a half space belongs between.
	for range faRounds {
		said := string(dst[from:])
		again := p.Letters(said)
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
	keep Marks
	rest string // what comes after the character
	gap  bool   // white space seen and not written
	half bool   // half space seen and not written
	held bool   // an alef written three times is one now
}

// characters puts each letter, digit, mark and space right.
func (p Persian) characters(text string) string {
	pen := faPen{out: make([]byte, 0, len(text)+8), keep: p.Marks}
	for i := 0; i < len(text); {
		if pen.straight(text[i:]) {
			i += 2
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		pen.rest = text[i:]
		switch {
		case r >= 0x600 && r <= 0x6FF:
			if faMap[r-0x600] == faPoint {
				r = '،'
				if i < len(text) && isDigit(pen.last()) && faDigitAt(text[i:]) {
					r = '.'
				}
			}
			pen.arabic(r)
		case r == '\u200c':
			pen.half = true
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
		case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r == 0xAD:
		default:
			pen.write(r)
		}
	}
	return string(pen.out)
}

// straight writes a letter that is right after another one, which most
// characters are.
func (p *faPen) straight(text string) bool {
	if len(text) < 2 || text[0] < 0xD8 || text[0] > 0xDB || p.gap || p.half || p.held {
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
func faDigits(text string) string {
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
	switch to := faMap[r-0x600]; to {
	case faDrop:
	case faMark:
		p.mark(r)
	case faEzafe:
		p.write('ه')
		p.out = append(p.out, "\u0654"...)
	case faHamza, faMadda:
		p.compose(to)
	default:
		p.write(rune(to))
	}
}

// faKasre is the ezafe where somebody wrote it.
const faKasre = '\u0650'

// mark writes or drops a vowel mark. One that stands on no letter is dropped.
func (p *faPen) mark(r rune) {
	base := lastRune(p.out)
	if p.keep != MarksAll && !faSpelt(r, p.rest) || base == r || p.gap || p.half || len(p.out) == 0 || !faLetter(base) && !faVowel(base) {
		return
	}
	p.out = utf8.AppendRune(p.out, r)
}

// faSpelt reports whether a vowel mark with a text after it is one of MarksSpelt.
func faSpelt(r rune, rest string) bool {
	if r >= 0x64B && r <= 0x64D { // the three tanwins
		return true
	}
	if r != faKasre {
		return false
	}
	for at, next := range rest {
		if faVowel(next) && at < 8 {
			continue
		}
		return !faLetter(next)
	}
	return true
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
		return
	}
	rest := string(p.out[end:])
	p.out = append(utf8.AppendRune(p.out[:end-2], to), rest...)
}

// write writes a character with the space or the half space before it, and a
// letter not more than twice: held long it is one or two (خیلی, جایی), an alef is one.
func (p *faPen) write(r rune) {
	if p.held && r == 'ا' && !p.gap && !p.half {
		return
	}
	p.held = false
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
		}
	case letter && len(p.out) >= 4:
		if n := len(p.out); lastRune(p.out) == r && lastRune(p.out[:n-2]) == r {
			if r == 'ا' {
				p.out, p.held = p.out[:n-2], true
			}
			return
		}
	}
	p.gap, p.half = false, false
	p.out = utf8.AppendRune(p.out, r)
}
