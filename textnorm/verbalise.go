package textnorm

import (
	"fmt"
	"strings"

	"voxpack/textnorm/spoken"
)

// NoteUnread: digits or signs that no rule of the language could read were kept.
const NoteUnread = "unread"

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

// readers are those of all languages that have rules.
var readers = func() map[string]reader {
	m := map[string]reader{}
	for _, code := range spoken.Languages() {
		if r, ok := spoken.New(code); ok {
			m[code] = r
		}
	}
	m["fa"] = persian{}
	return m
}()

// VerbalisedLanguages lists the codes of the languages whose numbers,
// abbreviations and signs become words.
func VerbalisedLanguages() []string { return spoken.Languages() }

// ParseConfig reads what Config.Canonical writes.
func ParseConfig(canonical string) (c Config, err error) {
	for line := range strings.Lines(canonical) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "mojibake":
			_, err = fmt.Sscanf(value, "%q", &c.Mojibake)
		case "verbalise":
			c.Verbalise = true // by which version, TextVersion's caller compares
		default:
			err = fmt.Errorf("%q is not a setting of text", name)
		}
		if err != nil {
			return c, fmt.Errorf("text settings %q: %w", canonical, err)
		}
	}
	return c, nil
}

// Rule is one rule that read a part of a text.
type Rule struct {
	Name  string
	At    int // bytes of the text as it came out of the rules of all languages
	Form  string
	Words string
}

// Explain lists what the rules of a language make of a text, in order.
func (n *Normalizer) Explain(text, language string) []Rule {
	reader := n.reader(language)
	if reader == nil {
		return nil
	}
	text, _ = n.plain(text)
	text = reader.Letters(text)
	_, fired := reader.Read(nil, text, true)
	var list []Rule
	for _, f := range fired {
		list = append(list, Rule{Name: f.Rule, At: f.Start, Form: text[f.Start:f.End], Words: strings.TrimSpace(f.Words)})
	}
	return list
}

// reader is the reader of a language, nil where the configuration or the table
// has none.
func (n *Normalizer) reader(language string) reader {
	if !n.verbalise {
		return nil
	}
	return readers[language]
}

// verbalise says a text that is plain in the language's words.
func verbalise(reader reader, text string, notes []Note) (string, []Note) {
	if reader.Plain(text) {
		return text, notes
	}
	out, _ := reader.Read(make([]byte, 0, 2*len(text)+16), text, false)
	said := string(out)
	for _, word := range spoken.Unread(said) {
		notes = append(notes, Note{Kind: NoteUnread, At: max(0, strings.Index(text, word)), Detail: word})
	}
	return said, notes
}
