package textnorm

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TokensVersion is the version of the tokens stage. Unicode's is part of it,
// because its tables say what a silent character is. The table of symbols is
// not: it stands in the config's canonical text.
const TokensVersion = "tokens-1 unicode-" + unicode.Version

// nearRunes is the end of the code points that are looked up in an array: all
// of two UTF-8 bytes, which holds Latin, Greek, Cyrillic and Arabic.
const nearRunes = 0x800

// Tokenizer turns spoken text into ids and back.
type Tokenizer struct {
	config TokenizerConfig
	near   [nearRunes]int32      // id of the one-rune symbol, -1 for none
	far    map[rune]int32        // the same from nearRunes on
	long   map[rune][]longSymbol // symbols of several runes by their first one, longest first

	phonemes map[string]int32 // that texts write in braces; nil: none

	unk, bos, eos, blank int32 // -1 where the table has none
}

// longSymbol is a symbol of more than one code point.
type longSymbol struct {
	text string
	id   int32
}

// NewTokenizer checks c, joining all its errors, and builds the tokenizer.
func NewTokenizer(c TokenizerConfig) (*Tokenizer, error) {
	if errs := c.Check(); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	c = c.full()
	k, _ := c.kind()
	if c.File != nil {
		return newFileTokenizer(c), nil
	}
	c.Symbols = append([]string(nil), c.Symbols...)
	t := &Tokenizer{config: c, far: map[rune]int32{}, long: map[rune][]longSymbol{}}
	for i := range t.near {
		t.near[i] = -1
	}
	id := func(s string) int32 { return int32(slices.Index(c.Symbols, s)) }
	t.unk, t.bos, t.eos, t.blank = id(c.Unk), id(c.BOS), id(c.EOS), id(c.Blank)
	if k.braces {
		t.phonemes = map[string]int32{}
	}
	for i, s := range c.Symbols {
		if phoneme, ok := strings.CutPrefix(s, "@"); ok && k.braces {
			t.phonemes[phoneme] = int32(i)
		} else if !t.isSpecial(int32(i)) {
			t.add(s, int32(i))
		}
	}
	for _, l := range t.long {
		sort.Slice(l, func(i, j int) bool { return len(l[i].text) > len(l[j].text) })
	}
	return t, nil
}

// add enters one symbol into the tables of its length. The last one of the same
// text counts: see Repeated.
func (t *Tokenizer) add(s string, id int32) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case size < len(s):
		t.long[r] = append(slices.DeleteFunc(t.long[r], func(l longSymbol) bool { return l.text == s }), longSymbol{s, id})
	case r < nearRunes:
		t.near[r] = id
	default:
		t.far[r] = id
	}
}

// isSpecial reports whether id is a symbol that texts never match. The pad is 0.
func (t *Tokenizer) isSpecial(id int32) bool {
	return id == 0 || id == t.unk || id == t.bos || id == t.eos || id == t.blank
}

// Encode appends the ids of text to dst: bos, then each symbol with a blank in
// front, a last blank, eos, as far as the config asks for them. An unknown
// character gives a note with its offset in text, whatever becomes of it.
//
// The errors wrap ErrUnknown, ErrEmpty or ErrAllUnknown; dst then comes back as
// it was, with the notes of the whole text. White space alone does not count as
// known: a sentence of which only the spaces are left says nothing.
func (t *Tokenizer) Encode(dst []int32, text string) (ids []int32, notes []Note, err error) {
	if t.config.File != nil {
		return t.encodeFile(dst, text)
	}
	var book notebook
	var seen sighting
	var in span
	ids = dst
	if t.config.AddBOS {
		ids = append(ids, t.bos)
	}
	for i := 0; i < len(text); {
		id, size := t.next(text, i, &in)
		if id == silentSymbol {
			i += size
			continue
		}
		seen.add(id, text[i:i+size])
		if id < 0 {
			if i < in.end {
				notePhoneme(&book, i, text[i:i+size])
			} else {
				noteUnknown(&book, i, text[i:i+size])
			}
			id = t.substitute()
		}
		if id >= 0 {
			if t.config.AddBlank {
				ids = append(ids, t.blank)
			}
			ids = append(ids, id)
		}
		i += size
	}
	if t.config.AddBlank {
		ids = append(ids, t.blank)
	}
	if t.config.AddEOS {
		ids = append(ids, t.eos)
	}
	if err := seen.verdict(t.config.Unknown, book.notes); err != nil {
		return dst, book.notes, err
	}
	return ids, book.notes, nil
}

// Decode is the text of ids, without pad, bos, eos and blank. The unk symbol
// and an id outside the table become U+FFFD. Those of a tokenizer.json are
// written as its tokens, one after the other.
func (t *Tokenizer) Decode(ids []int32) string {
	if t.phonemes != nil {
		return t.decodePhonemes(ids)
	}
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(t.decodeOne(id))
	}
	return b.String()
}

func (t *Tokenizer) decodeOne(id int32) string {
	switch {
	case id == t.unk || id < 0 || int(id) >= len(t.config.Symbols):
		return string(utf8.RuneError)
	case t.isSpecial(id):
		return ""
	}
	return t.config.Symbols[id]
}

// Symbols is the table; the caller owns the copy.
func (t *Tokenizer) Symbols() []string { return append([]string(nil), t.config.Symbols...) }

// match finds the longest symbol at the start of s, which is not empty. Without
// one the id is -1 and the size that of the first character.
func (t *Tokenizer) match(s string) (id int32, size int) {
	if c := s[0]; c < utf8.RuneSelf && len(t.long) == 0 {
		return t.near[c], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	for _, l := range t.long[r] {
		if strings.HasPrefix(s, l.text) {
			return l.id, len(l.text)
		}
	}
	switch {
	case r == utf8.RuneError && size == 1:
		return -1, 1 // a raw byte, even where the table has U+FFFD
	case r < nearRunes:
		return t.near[r], size
	}
	if id, ok := t.far[r]; ok {
		return id, size
	}
	return -1, size
}

// substitute is the id that stands for an unknown character, -1 for none.
func (t *Tokenizer) substitute() int32 {
	if t.config.Unknown == UnknownUnk {
		return t.unk
	}
	return -1
}

func noteUnknown(book *notebook, at int, s string) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		book.raw(NoteUnknown, at, s[0])
		return
	}
	book.char(NoteUnknown, at, r)
}

// sighting is what decides whether a text says anything.
type sighting struct {
	heard   bool // a known symbol that is not silent
	unheard bool // an unknown character that is not silent
	unknown bool // any unknown character
}

func (s *sighting) add(id int32, symbol string) {
	if id >= 0 && s.heard {
		return // nothing left to learn; nearly every character ends here
	}
	r, _ := utf8.DecodeRuneInString(symbol)
	loud := !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r)
	s.heard = s.heard || loud && id >= 0
	s.unheard = s.unheard || loud && id < 0
	s.unknown = s.unknown || id < 0
}

func (s *sighting) verdict(policy string, notes []Note) error {
	switch {
	case s.unknown && policy == UnknownReject:
		return fmt.Errorf("%w %s at byte %d", ErrUnknown, notes[0].Detail, notes[0].At)
	case s.heard:
		return nil
	case s.unheard:
		return fmt.Errorf("%w: first %s at byte %d", ErrAllUnknown, notes[0].Detail, notes[0].At)
	}
	return ErrEmpty
}
