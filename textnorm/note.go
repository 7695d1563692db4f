package textnorm

import "fmt"

// The kinds of notes. The names are part of reports and of kept results.
const (
	// NoteControl: a control character (category Cc, not white space) was removed.
	NoteControl = "control-character"
	// NoteInvisible: a mark without width or sound was removed, such as a byte
	// order mark, a zero width space or a soft hyphen.
	NoteInvisible = "invisible-character"
	// NoteBidi: a mark of writing direction was removed.
	NoteBidi = "bidi-mark"
	// NoteReplacement: U+FFFD stands in the text and was kept; an earlier tool
	// lost a character there.
	NoteReplacement = "replacement-character"
	// NoteInvalid: a byte that is not UTF-8 became U+FFFD.
	NoteInvalid = "invalid-utf8"
	// NoteMojibake: a run of the text was decoded wrongly once, and stays as it is;
	// the detail names the code page.
	NoteMojibake = "mojibake"
	// NoteRepaired: such a run was repaired.
	NoteRepaired = "mojibake-repaired"
	// NoteMixed: a run is written in another script than the row's language; the
	// detail is the code of its language.
	NoteMixed = "mixed-language"
	// NoteUnread: digits or signs that no rule of the language could read were kept.
	NoteUnread = "unread"
	// NoteAmbiguous: nothing tells which of two things a form is; it was said as it is written,
	// in letters and digits, and the detail has both readings.
	NoteAmbiguous = "ambiguous"
	// NoteMarks: a vowel mark or a hamza was dropped.
	NoteMarks = "vowel-mark"
	// NoteRepeats: a letter that was written three times or more was dropped once; two stay.
	NoteRepeats = "repeated-letter"
	// NoteLetter: a letter of Persian became another one, as U+0643 to U+06A9.
	NoteLetter = "changed-letter"
	// NoteJoined: words of Persian were put together by the character that the detail names.
	NoteJoined = "joined-words"
	// NoteSign: a sign in a Persian text became another one.
	NoteSign = "changed-sign"
	// NoteUnknown: the tokenizer has no symbol for the character.
	NoteUnknown = "unknown-character"
)

// Note reports something about one text. A character gives one note per text
// and kind, at its first place: reports count rows, and a text of ten thousand
// NULs must not become ten thousand notes. What the rules of a language drop has a
// note at each place, up to a bound.
type Note struct {
	Kind   string `json:"kind"`   // one of the Note constants
	At     int    `json:"at"`     // byte offset in the input
	Detail string `json:"detail"` // the code point as U+0007, or a raw byte as 0xFF
}

// String is the note for a person: "control-character U+0007 at byte 12".
func (n Note) String() string { return fmt.Sprintf("%s %s at byte %d", n.Kind, n.Detail, n.At) }

// NoteKinds lists every kind of note, in a fixed order.
func NoteKinds() []string {
	return []string{NoteControl, NoteInvisible, NoteBidi, NoteReplacement, NoteInvalid, NoteMojibake, NoteRepaired, NoteMixed, NoteUnread, NoteAmbiguous, NoteMarks, NoteRepeats, NoteLetter, NoteJoined, NoteSign, NoteUnknown}
}

// notebook collects the notes of one text. The set is made with the first note,
// because nearly all texts have none.
type notebook struct {
	notes []Note
	seen  map[mark]struct{}
}

// mark is what makes two notes of a text the same: the kind and the code point
// or raw byte.
type mark struct {
	kind string
	char rune
}

// char notes the code point r at a byte offset.
func (b *notebook) char(kind string, at int, r rune) {
	if b.fresh(mark{kind, r}) {
		b.notes = append(b.notes, Note{kind, at, fmt.Sprintf("U+%04X", r)})
	}
}

// raw notes a byte that is not UTF-8.
func (b *notebook) raw(kind string, at int, c byte) {
	// Bytes take negative numbers in the set, code points the others.
	if b.fresh(mark{kind, -1 - rune(c)}) {
		b.notes = append(b.notes, Note{kind, at, fmt.Sprintf("0x%02X", c)})
	}
}

func (b *notebook) fresh(m mark) bool {
	if _, ok := b.seen[m]; ok {
		return false
	}
	if b.seen == nil {
		b.seen = map[mark]struct{}{}
	}
	b.seen[m] = struct{}{}
	return true
}
