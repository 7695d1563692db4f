package textnorm

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/textnorm/spoken"
)

// reader says texts of a language in words.
type reader interface {
	Plain(text string) bool
	Letters(text string) string
	Read(dst []byte, text string, trace bool) ([]byte, []spoken.Fired)
}

// persian brings letters to one spelling before it reads, so that no text is
// known to be plain by its forms alone.
type persian struct{ spoken.Persian }

func (persian) Plain(string) bool { return false }

func (p persian) Letters(text string) string {
	text, _ = p.Persian.Letters(text)
	return text
}

// makeReaders are the readers of all languages that have rules.
func (n *Normalizer) makeReaders() map[string]reader {
	m := map[string]reader{}
	for _, code := range spoken.Languages() {
		own, _ := spoken.New(code)
		if n.config.CodeSwitching {
			own = own.Switching(n.others(code))
		}
		m[code] = own
	}
	p := spoken.Persian{KeepMarks: n.config.VowelMarks == MarksKeep}
	if n.config.CodeSwitching {
		p.Others = n.others("fa")
	}
	m["fa"] = persian{p}
	return m
}

// VerbalisedLanguages lists the codes of the languages whose numbers,
// abbreviations and signs become words.
func VerbalisedLanguages() []string { return spoken.Languages() }

// Rule is one rule that read a part of a text.
type Rule struct {
	Name  string
	At    int // bytes of the text as it came out of the rules of all languages
	Form  string
	Words string
	// Of a form that can be several things: what it is, what told so, and where nothing did, its readings.
	Class, Evidence string
	Open            []Reading
	Table           string // file and line of the row that the words came from, "" where they came from none
}

// Reading is one way to say a form.
type Reading = spoken.Reading

// Explain lists what the rules of a language make of a text, in order.
func (n *Normalizer) Explain(text, language string) []Rule {
	reader := n.readers[language]
	if reader == nil {
		return nil
	}
	text, _ = n.plain(n.unmarked(text))
	if n.damaged(text) {
		return nil
	}
	text = reader.Letters(text)
	_, fired := reader.Read(nil, text, true)
	var list []Rule
	for _, f := range fired {
		form, words := text[f.Start:f.End], strings.TrimSpace(f.Words)
		list = append(list, Rule{f.Rule, f.Start, form, words, f.Class, f.Evidence, f.Open, spoken.Table(language, form, words)})
	}
	return list
}

// verbalise says a text that is plain in the language's words.
func verbalise(reader reader, text string, notes []Note) (string, []Note) {
	if p, ok := reader.(persian); ok {
		was := text
		var c spoken.Changes
		if text, c = p.Persian.Letters(text); c.Marks+c.Unseen+c.Repeats > 0 {
			notes = append(notes, removed(p.Persian.Removed(was))...)
		}
	}
	if reader.Plain(text) {
		return text, notes
	}
	out, open := reader.Read(make([]byte, 0, 2*len(text)+16), text, false)
	said := string(out)
	return said, slices.Concat(notes, ambiguous(open, reader.Letters, text), unread(said, text))
}

// ambiguous notes the forms that nothing tells the class of, each once a text with its readings.
func ambiguous(open []spoken.Fired, letters func(string) string, text string) []Note {
	if len(open) == 0 {
		return nil
	}
	var book notebook
	read := letters(text)
	for _, f := range open {
		form, at := read[f.Start:f.End], f.Start
		if read != text {
			at = max(0, strings.Index(text, form))
		}
		a, b := f.Open[0], f.Open[1]
		if book.fresh(mark{NoteAmbiguous + form, 0}) && len(book.notes) < mostUnread {
			book.notes = append(book.notes, Note{NoteAmbiguous, at, fmt.Sprintf("%q is %q (%s) or %q (%s)", form, a.Words, a.Class, b.Words, b.Class)})
		}
	}
	return book.notes
}

// mostUnread is how many words or removed letters of one text have notes of their
// own: a page of digits is one finding, and looking for each of them would take the
// square of its length.
const mostUnread = 32

// removed notes each character that the letters of Persian lose, at its place.
func removed(list []spoken.Removed) (notes []Note) {
	kinds := map[spoken.RemovedKind]string{spoken.RemovedMark: NoteMarks, spoken.RemovedUnseen: NoteInvisible, spoken.RemovedRepeat: NoteRepeats}
	for i, r := range list {
		if i == mostUnread {
			return append(notes, Note{kinds[r.Kind], r.At, fmt.Sprintf("and %d more", len(list)-i)})
		}
		notes = append(notes, Note{kinds[r.Kind], r.At, fmt.Sprintf("U+%04X", r.Char)})
	}
	return notes
}

// unread notes the words that no rule has read, each once, at its first place in
// the text before the rules.
func unread(said, text string) []Note {
	var book notebook
	more := 0
	for _, word := range spoken.Unread(said) {
		switch {
		case !book.fresh(mark{NoteUnread + word, 0}):
		case len(book.notes) == mostUnread:
			more++
		default:
			book.notes = append(book.notes, Note{NoteUnread, max(0, strings.Index(text, word)), word})
		}
	}
	if more > 0 {
		book.notes = append(book.notes, Note{NoteUnread, 0, fmt.Sprintf("and %d more", more)})
	}
	return book.notes
}
