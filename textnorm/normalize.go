package textnorm

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/forms"
	"voxpack/textnorm/spoken"
)

// TextVersion is the version of the text stage. It holds the versions of the
// Unicode tables that the stage reads, because a new table can change a result.
const TextVersion = "text-1 unicode-" + unicode.Version + " norm-" + forms.Version

// Config is all that the text stage reads. The zero value is the default.
type Config struct {
	// Mojibake says what to do with text that was decoded wrongly once. "" and
	// "off" leave it alone; this version has nothing else.
	Mojibake string
	// Verbalise says numbers, abbreviations and signs in the words of the row's
	// language, where that has rules (see VerbalisedLanguages).
	Verbalise bool
}

// Canonical is every field with its label, one a line, defaults filled in. Two
// configs with the same canonical text give the same results.
func (c Config) Canonical() string {
	s := fmt.Sprintf("mojibake=%q\n", c.mojibake())
	if c.Verbalise {
		s += "verbalise=" + spoken.Version + "\n"
	}
	return s
}

func (c Config) mojibake() string {
	if c.Mojibake == "" {
		return "off"
	}
	return c.Mojibake
}

// Normalizer turns text into spoken text.
type Normalizer struct{ verbalise bool }

// NewNormalizer checks c and returns its normalizer.
func NewNormalizer(c Config) (*Normalizer, error) {
	if m := c.mojibake(); m != "off" {
		return nil, fmt.Errorf("mojibake %q: this version has only \"off\"", m)
	}
	return &Normalizer{verbalise: c.Verbalise}, nil
}

// Normalize returns the spoken form of text: composed (NFC), without control
// characters, direction marks and marks of no width, each run of white space
// one space, none at the ends. U+200C and U+200D stay, because they change what
// a Persian or an Indic word is. Everything removed has a note; white space has
// none, since folding it loses nothing that is spoken.
//
// Normalize(Normalize(x)) = Normalize(x). The result is valid UTF-8 whatever
// text is. The language is the row's code; with Config.Verbalise its rules say
// numbers, abbreviations and signs in words.
func (n *Normalizer) Normalize(text, language string) (spoken string, notes []Note) {
	spoken, notes = n.plain(text)
	if reader := n.reader(language); reader != nil {
		return verbalise(reader, spoken, notes)
	}
	return spoken, notes
}

// plain is what the rules of all languages make of a text.
func (n *Normalizer) plain(text string) (string, []Note) {
	if isPlain(text) || isClean(text) {
		return text, nil
	}
	var book notebook
	return Compose(sweep(text, &book)), book.notes
}

// isPlain reports whether text is printable ASCII that needs no change, which
// most lines of an English corpus are.
func isPlain(text string) bool {
	space := true // as if a space stood before the text
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return text == "" || !space
}

// sweep removes what is not spoken and folds white space. It comes before
// composition, so that a mark meets its letter once the junk between is gone.
func sweep(text string, book *notebook) string {
	var b strings.Builder
	b.Grow(len(text))
	gap := false // white space seen and not yet written
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			book.raw(NoteInvalid, i, text[i])
		} else if kind := noteOf(r); kind != "" {
			book.char(kind, i, r)
			if kind != NoteReplacement {
				i += size
				continue
			}
		}
		i += size
		if unicode.IsSpace(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// Compose is s in NFC, the form in which a letter and its marks are one
// character where Unicode has one; file names of macOS, for one, often are in
// another. The library puts U+034F into a letter with over 30 marks (UAX 15,
// stream-safe text); a second pass finds nothing more to do.
func Compose(s string) string { return forms.NFC(s) }

// isComposed reports whether s is in NFC.
func isComposed(s string) bool { return forms.IsNFC(s) }

// noteOf is the kind of note that r gives by itself, or "" for an ordinary
// character. U+200C and U+200D are ordinary: see Normalize.
func noteOf(r rune) string {
	switch {
	case r < utf8.RuneSelf && r >= ' ' && r != 0x7F:
		return ""
	case unicode.Is(unicode.Cc, r) && !unicode.IsSpace(r):
		return NoteControl
	case r == 0x061C, r == 0x200E, r == 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return NoteBidi
	case r == 0x00AD, r == 0x180E, r == 0x200B, r >= 0x2060 && r <= 0x2064, r >= 0x206A && r <= 0x206F, r == 0xFEFF:
		return NoteInvisible
	case r == utf8.RuneError:
		return NoteReplacement
	}
	return ""
}
