package textnorm

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

// arabic says what it does to letters, as Persian does.
type arabic struct{ *spoken.Reader }

// persianMarks are the vowel marks that stay by a setting.
var persianMarks = map[string]spoken.Marks{MarksKeep: spoken.MarksAll, MarksStrip: spoken.MarksNone}

// makeReaders are the readers of all languages that have rules.
func (n *Normalizer) makeReaders() map[string]reader {
	m := map[string]reader{}
	for _, code := range spoken.Languages() {
		own, _ := spoken.New(code)
		if n.config.CodeSwitching {
			own = own.Switching(n.others(code))
		}
		m[code] = own
		if code == "ar" {
			m[code] = arabic{own}
		}
	}
	p := spoken.Persian{Marks: persianMarks[n.config.VowelMarks], Latin: n.config.Latin == LatinPersian}
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
	switch r := reader.(type) {
	case persian:
		was := text
		if text = r.Letters(text); text != was {
			notes = append(notes, changed(spoken.Changes(was, text))...)
		}
	case arabic:
		if letters := r.Letters(text); letters != text {
			notes = append(notes, changed(spoken.Changes(text, letters))...)
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

// changeNotes are the notes of what is changed in the letters of Persian and Arabic.
var changeNotes = [...]string{
	spoken.ChangedMark: NoteMarks, spoken.ChangedUnseen: NoteInvisible, spoken.ChangedRepeat: NoteRepeats,
	spoken.ChangedLetter: NoteLetter, spoken.ChangedJoin: NoteJoined, spoken.ChangedSign: NoteSign,
}

// changed notes each change of the letters of Persian at its place.
func changed(list []spoken.Change) (notes []Note) {
	for i, c := range list {
		detail := points(c.From) + " to " + points(c.To)
		switch {
		case c.Kind == spoken.ChangedJoin || c.From == "":
			detail = points(c.To)
		case c.To == "":
			detail = points(c.From)
		}
		if i == mostUnread {
			detail = fmt.Sprintf("and %d more", len(list)-i)
		}
		notes = append(notes, Note{changeNotes[c.Kind], c.At, detail})
		if i == mostUnread {
			break
		}
	}
	return notes
}

// points names the code points of a text.
func points(text string) string {
	return strings.Trim(fmt.Sprintf("%U", []rune(text)), "[]")
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
			book.notes = append(book.notes, Note{NoteUnread, wordAt(text, word), word})
		}
	}
	if more > 0 {
		book.notes = append(book.notes, Note{NoteUnread, 0, fmt.Sprintf("and %d more", more)})
	}
	return book.notes
}

// wordAt is the first place of a word in a text, where no letter of another word stands
// beside it; 0 where it is none.
func wordAt(text, word string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return max(0, strings.Index(text, word))
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			return at
		}
		from = at + len(word)
	}
}
