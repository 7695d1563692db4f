package textnorm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/detect"
	"voxpack/textnorm/forms"
	"voxpack/textnorm/spoken"
)

// TextVersion is the version of the text stage. It holds the versions of the
// Unicode tables that the stage reads, because a new table can change a result.
const TextVersion = "text-4 unicode-" + unicode.Version + " norm-" + forms.Version

// What a normalizer does with text that was decoded wrongly once.
const (
	MojibakeOff    = "off"    // it is not looked for
	MojibakeReport = "report" // a note says where
	MojibakeRepair = "repair" // what can only have been one text becomes that, with a note
)

// What becomes of capitals, of punctuation, of vowel marks and of Latin words.
const (
	CaseKeep  = "keep"
	CaseLower = "lower" // by the language: İ and I are i and ı in Turkish

	PunctuationKeep  = "keep"
	PunctuationPlain = "plain" // typographic signs become the keyboard's
	PunctuationStrip = "strip" // none is left but what stands inside words

	MarksAuto  = "auto"  // Persian drops its vowel marks, Arabic keeps them
	MarksKeep  = "keep"  // in both
	MarksStrip = "strip" // in both

	LatinKeep    = "keep"    // Latin words in Persian text stay
	LatinPersian = "persian" // those that are known, and addresses, are written in Persian letters
)

// Config is all that the text stage reads. The zero value leaves text as it is
// written, in one composed form.
type Config struct {
	Mojibake string // "" is MojibakeOff
	// Verbalise says numbers, abbreviations and signs in the words of the row's
	// language, where that has rules (see VerbalisedLanguages).
	Verbalise bool
	// Languages are the codes among which the language of a text, and of a run in
	// another script, is looked for; nil is every one that is known.
	Languages []string
	// CodeSwitching reads a run in another script by the rules of its own language.
	CodeSwitching bool
	Case          string // "" is CaseKeep
	Punctuation   string // "" is PunctuationKeep
	VowelMarks    string // "" is MarksAuto
	Latin         string // "" is LatinKeep
	Marked        string // what stands in braces; "" is MarkedRead
}

// settings are the names that Canonical writes, each with its value and default.
// What is at its default came later than the first roots and stands in none.
func (c *Config) settings() []setting {
	return []setting{
		{"case", &c.Case, CaseKeep, []string{CaseKeep, CaseLower}},
		{"punctuation", &c.Punctuation, PunctuationKeep, []string{PunctuationKeep, PunctuationPlain, PunctuationStrip}},
		{"vowel_marks", &c.VowelMarks, MarksAuto, []string{MarksAuto, MarksKeep, MarksStrip}},
		{"latin", &c.Latin, LatinKeep, []string{LatinKeep, LatinPersian}},
		{"marked", &c.Marked, MarkedRead, []string{MarkedRead, MarkedLeave}},
	}
}

type setting struct {
	name    string
	value   *string
	byRule  string // what "" is
	choices []string
}

// Canonical is what the stage reads, one setting a line: two configs with the
// same canonical text give the same results.
func (c Config) Canonical() string {
	s := fmt.Sprintf("mojibake=%q\n", cmp.Or(c.Mojibake, MojibakeOff))
	if c.Verbalise {
		s += "verbalise=" + spoken.Version + "\n"
	}
	if c.Languages != nil {
		s += "languages=" + strings.Join(firstThenSorted(c.Languages), " ") + "\n"
	}
	if c.CodeSwitching {
		s += "code_switching=true\n"
	}
	for _, f := range c.settings() {
		if v := cmp.Or(*f.value, f.byRule); v != f.byRule {
			s += f.name + "=" + v + "\n"
		}
	}
	return s
}

// firstThenSorted keeps the place of the first code alone: it is that of a text
// that says too little, and the others are a set.
func firstThenSorted(codes []string) []string {
	codes = slices.Clone(codes)
	if len(codes) > 0 {
		slices.Sort(codes[1:])
	}
	return codes
}

// ParseConfig reads what Config.Canonical writes.
func ParseConfig(canonical string) (c Config, err error) {
	for line := range strings.Lines(canonical) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "mojibake":
			_, err = fmt.Sscanf(value, "%q", &c.Mojibake)
		case "verbalise":
			c.Verbalise = true // by which version, TextVersion's caller compares
		case "languages":
			c.Languages = strings.Fields(value)
		case "code_switching":
			c.CodeSwitching = true
		default:
			err = c.set(name, value)
		}
		if err != nil {
			return c, fmt.Errorf("text settings %q: %w", canonical, err)
		}
	}
	return c, nil
}

func (c *Config) set(name, value string) error {
	for _, f := range c.settings() {
		if f.name == name {
			*f.value = value
			return nil
		}
	}
	return fmt.Errorf("%q is not a setting of text", name)
}

// check says what of a config the normalizer cannot do.
func (c *Config) check() error {
	mojibake := setting{"mojibake", &c.Mojibake, MojibakeOff, []string{MojibakeOff, MojibakeReport, MojibakeRepair}}
	for _, f := range append([]setting{mojibake}, c.settings()...) {
		if *f.value != "" && !slices.Contains(f.choices, *f.value) {
			return fmt.Errorf("%s %q: it can be %s", f.name, *f.value, strings.Join(f.choices, ", "))
		}
	}
	for _, code := range c.Languages {
		if !slices.Contains(detect.Codes(), code) {
			return fmt.Errorf("language %q cannot be told from others; detection knows %s", code, strings.Join(detect.Codes(), " "))
		}
	}
	return nil
}

// Normalizer turns text into spoken text.
type Normalizer struct {
	config  Config
	readers map[string]reader // of the languages, nil where the text stays as it is written
}

// NewNormalizer checks c and returns its normalizer.
func NewNormalizer(c Config) (*Normalizer, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	n := &Normalizer{config: c}
	if c.Verbalise {
		n.readers = n.makeReaders()
	}
	return n, nil
}

// Normalize returns the spoken form of text: composed (NFC), without control
// characters, direction marks and marks of no width, each run of white space
// one space, none at the ends. U+200C and U+200D stay after letters of the
// scripts that join, because they change what a Persian or an Indic word is.
// Forms of letters that differ by their looks alone are the letters. Everything
// removed has a note; white space has none, since folding it loses nothing that is
// spoken.
//
// Normalize(Normalize(x)) = Normalize(x). The result is valid UTF-8 whatever
// text is. The language is the row's code; with Config.Verbalise its rules say
// numbers, abbreviations and signs in words. Offsets of notes count in the
// text, from its repair on in the repaired one.
func (n *Normalizer) Normalize(text, language string) (spoken string, notes []Note) {
	if n.config.Marked == MarkedLeave && strings.Contains(text, "{") {
		return n.around(text, language)
	}
	return n.normalize(text, language)
}

func (n *Normalizer) normalize(text, language string) (spoken string, notes []Note) {
	was := text
	text, notes = n.plain(text)
	whole := text == was && !slices.ContainsFunc(notes, func(n Note) bool { return n.Kind == NoteMojibake }) // plain has looked
	plain, early := text, len(notes)
	var reading []Note
	switch {
	case n.readers[language] == nil && n.config.Verbalise:
		reading = unread(text, text)
	case n.readers[language] != nil && (whole || !n.damaged(text)):
		text, reading = n.say(text, language, nil)
	}
	notes = append(append(notes, n.mixed(plain, text, language)...), reading...)
	n.atOrigin(notes[early:], was, plain)
	for i := range notes { // a round after the first counts in what the ones before it made
		notes[i].At = min(notes[i].At, max(0, len(was)-1))
	}
	return n.dress(text, language), notes
}

// say reads a text aloud. Words may part what joined, so that what a text may not
// have is looked for again.
func (n *Normalizer) say(text, language string, notes []Note) (string, []Note) {
	reader := n.readers[language]
	text, notes = verbalise(reader, text, notes)
	for range repairRounds {
		clean, _ := n.plain(text)
		if clean == text {
			break
		}
		text, _ = verbalise(reader, clean, nil)
	}
	return text, notes
}

// plain is what the rules of all languages make of a text.
func (n *Normalizer) plain(text string) (string, []Note) {
	if isPlain(text) {
		return text, nil
	}
	var book notebook
	text = n.mend(text, &book)
	for range repairRounds {
		if isClean(text) {
			break
		}
		was := text
		text = Compose(sweep(text, &book)) // first: offsets count in the text as it came
		text, _ = forms.Compat(text)
		if text == was {
			break
		}
		if n.config.Mojibake == MojibakeRepair {
			text = n.mend(text, &book)
		}
	}
	return text, book.notes
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
	gap := false      // white space seen and not yet written
	before := rune(0) // that was written last
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			book.raw(NoteInvalid, i, text[i])
			book.fresh(mark{NoteReplacement, r}) // which this one becomes
		} else if kind := noteOf(r, before); kind != "" {
			book.char(kind, i, r)
			if kind != NoteReplacement {
				i += size
				continue
			}
		}
		i += size
		if unicode.IsSpace(r) {
			gap, before = true, ' '
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap, before = false, r
		b.WriteRune(r)
	}
	return b.String()
}

// Compose is s in NFC, the form in which a letter and its marks are one
// character where Unicode has one; file names of macOS, for one, often are in
// another. The library puts U+034F into a letter with over 30 marks (UAX 15,
// stream-safe text); a second pass finds nothing more to do.
func Compose(s string) string { return forms.NFC(s) }

// noteOf is the kind of note that r gives after another character, or "" for an
// ordinary one.
func noteOf(r, before rune) string {
	switch {
	case r < utf8.RuneSelf && r >= ' ' && r != 0x7F:
		return ""
	case r == zwnj || r == zwj:
		if !joining(before) {
			return NoteInvisible
		}
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

const (
	zwnj = 0x200C
	zwj  = 0x200D
)

// joining reports whether a character is of a script in which U+200C and U+200D
// say how letters join: Arabic to N'Ko, those of India to Sinhala, Myanmar, Khmer
// and Mongolian. Between two of them only the first counts.
func joining(r rune) bool {
	return r >= 0x0600 && r < 0x0E00 || r >= 0x1000 && r < 0x10A0 || r >= 0x1780 && r < 0x18B0 || r >= 0xFB50 && r < 0xFDFE || r >= 0xFE70 && r < 0xFEFD
}
