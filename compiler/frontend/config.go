package frontend

import (
	"cmp"
	"fmt"

	"voxpack/textnorm"
)

// LanguageAuto is the Config.Language that is told from each line's text.
const LanguageAuto = "auto"

// Config is all that text is read by.
type Config struct {
	Language string // of rows whose metadata names none; "" is und, LanguageAuto tells it from the text
	// SpeakerLanguages are the codes of speakers' rows whose metadata names none.
	SpeakerLanguages map[string]string
	Text             textnorm.Config
	Lexicon          *textnorm.Lexicon // applied before the text stage; nil: none
	Tokens           textnorm.TokenizerConfig
	Phonemes         string // who says phonemes, with versions; FindEspeak sets it where Tokens want them
}

// WithDefaults fills the zero fields.
func (c Config) WithDefaults() Config {
	t := &c.Tokens
	c.Language = cmp.Or(c.Language, textnorm.Undetermined)
	t.Kind, t.Unknown = cmp.Or(t.Kind, "char"), cmp.Or(t.Unknown, textnorm.UnknownDrop)
	t.Pad, t.Unk = t.PadSymbol(), cmp.Or(t.Unk, textnorm.SpecialUnk)
	t.BOS, t.EOS = cmp.Or(t.BOS, textnorm.SpecialBOS), cmp.Or(t.EOS, textnorm.SpecialEOS)
	t.Blank = cmp.Or(t.Blank, textnorm.SpecialBlank)
	return c
}

// KeepMarked leaves phonemes in braces alone where the tokenizer reads them: no
// rule of the text and no word of the lexicon may touch them.
func (c Config) KeepMarked() Config {
	if c.Tokens.Marks() {
		c.Text.Marked = textnorm.MarkedLeave
	}
	if c.Text.Marked == textnorm.MarkedLeave {
		c.Lexicon = c.Lexicon.LeaveMarked()
	}
	return c
}

// Check lists everything that is wrong with c.
func (c Config) Check() (errs []error) {
	if _, ok := textnorm.LanguageIndex(c.Language); !ok && c.Language != LanguageAuto {
		errs = append(errs, fmt.Errorf("language %q is not a known code", c.Language))
	}
	return append(errs, c.Tokens.Check()...)
}
