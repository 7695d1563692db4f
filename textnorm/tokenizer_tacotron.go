package textnorm

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// silentSymbol is the id of what is part of a text and stands for nothing: the
// braces and spaces around phonemes.
const silentSymbol = -2

// span is where the phonemes that are being read end: after their brace. Where
// a brace has no other one after it, none that follows it has.
type span struct {
	end  int
	none bool
}

// begins reports whether phonemes in braces begin at byte i of a text.
func (in *span) begins(text string, i int) bool {
	if in.none || text[i] != '{' {
		return false
	}
	size := markedSpan(text[i:])
	in.none, in.end = size == 0, i+size
	return size > 0
}

// next is match in a text from byte i on. Where the tokenizer reads phonemes in
// braces, these are single symbols.
func (t *Tokenizer) next(text string, i int, in *span) (id int32, size int) {
	if t.phonemes == nil {
		return t.match(text[i:])
	}
	if i < in.end-1 {
		return t.nextPhoneme(text[i : in.end-1])
	}
	if i < in.end {
		return silentSymbol, 1 // the brace
	}
	if in.begins(text, i) {
		return silentSymbol, 1
	}
	return t.match(text[i:])
}

// nextPhoneme is the phoneme, or the space between two, at the start of inside.
func (t *Tokenizer) nextPhoneme(inside string) (id int32, size int) {
	if size = strings.IndexFunc(inside, unicode.IsSpace); size == 0 {
		_, size = utf8.DecodeRuneInString(inside)
		return silentSymbol, size
	}
	if size < 0 {
		size = len(inside)
	}
	if id, ok := t.phonemes[inside[:size]]; ok {
		return id, size
	}
	return -1, size
}

// notePhoneme notes what is no phoneme. Those with one first letter give one note.
func notePhoneme(book *notebook, at int, s string) {
	if r, _ := utf8.DecodeRuneInString(s); book.fresh(mark{"{" + NoteUnknown, r}) {
		book.notes = append(book.notes, Note{NoteUnknown, at, "{" + strings.ToValidUTF8(s[:min(len(s), 20)], "") + "}"})
	}
}

// markedSpan is the length of the phonemes in braces, both braces with them, that
// s begins with; 0: it begins with none. As in the front-end of Tacotron, there
// is something between the braces, were it a brace.
func markedSpan(s string) int {
	if s == "" || s[0] != '{' {
		return 0
	}
	_, first := utf8.DecodeRuneInString(s[1:])
	if end := strings.IndexByte(s[1+first:], '}'); end >= 0 {
		return 1 + first + end + 1
	}
	return 0
}

// decodePhonemes writes phonemes back into braces, those in a row into one pair.
func (t *Tokenizer) decodePhonemes(ids []int32) string {
	var b strings.Builder
	open := false
	for _, id := range ids {
		symbol := ""
		if id >= 0 && int(id) < len(t.config.Symbols) {
			symbol = t.config.Symbols[id]
		}
		phoneme, ok := strings.CutPrefix(symbol, "@")
		switch {
		case ok && open:
			b.WriteString(" ")
		case ok:
			b.WriteString("{")
		case open:
			b.WriteString("}")
		}
		if open = ok; ok {
			b.WriteString(phoneme)
			continue
		}
		b.WriteString(t.decodeOne(id))
	}
	if open {
		b.WriteString("}")
	}
	return b.String()
}
