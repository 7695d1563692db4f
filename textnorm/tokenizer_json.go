package textnorm

import (
	"fmt"
	"strings"
	"unicode"
)

// newFileTokenizer is a tokenizer whose work the reader of tokenizer.json does.
func newFileTokenizer(c TokenizerConfig) *Tokenizer {
	t := &Tokenizer{config: c, unk: -1, bos: -1, eos: -1, blank: -1}
	if c.AddBOS {
		t.bos, _ = c.File.ID(c.BOS)
	}
	if c.AddEOS {
		t.eos, _ = c.File.ID(c.EOS)
	}
	return t
}

// checkFile finds what cannot be obeyed beside a tokenizer.json. Which token has
// number 0 is no question: samples are padded with 0 whatever it is, as the
// trainers of such models do, and text_len says where a text ends.
func (c TokenizerConfig) checkFile() []error {
	var errs faults
	if c.AddBlank {
		errs.add("add_blank", "add_blank: the tokens of a tokenizer.json are parts of words, between which no blank belongs")
	}
	if c.File.IsSentencePiece() && c.SpaceSymbol != "" {
		errs.add("space_symbol", "space_symbol: a SentencePiece model has its own sign for a space; take it away")
		return errs
	}
	for _, u := range []struct {
		key, name, symbol string
		needed            bool
	}{{"add_bos", "bos_symbol", c.BOS, c.AddBOS}, {"add_eos", "eos_symbol", c.EOS, c.AddEOS}, {"space_symbol", "space_symbol", c.SpaceSymbol, c.SpaceSymbol != ""}} {
		if _, ok := c.File.ID(u.symbol); u.needed && !ok {
			errs.add(u.key, "%s: the file has no token %q; name one of its own in %s", u.key, u.symbol, u.name)
		}
	}
	return errs
}

// Dress makes of a spoken text what its model wants to see: its phonemes for
// KindPhoneme; around others the token of the language and another sign for
// spaces, as far as c asks for them. The error says what the language lacks.
func (c TokenizerConfig) Dress(text, language string) (string, error) {
	if c.Kind == KindPhoneme {
		if c.Phonemes == nil {
			return "", ErrNoPhonemes
		}
		return c.Phonemes(text, language)
	}
	if c.SpaceSymbol != "" {
		text = strings.ReplaceAll(text, " ", c.SpaceSymbol)
	}
	if !c.LanguageTag || c.File == nil {
		return text, nil
	}
	tag := "[" + language + "]"
	if _, ok := c.File.InText(tag); !ok && language == "zh" {
		tag = "[zh-cn]" // XTTS's name of Chinese
	}
	if _, ok := c.File.InText(tag); !ok {
		return "", fmt.Errorf("language_tag: the tokenizer has no token %s for the row's language", tag)
	}
	return tag + text, nil
}

func (t *Tokenizer) encodeFile(dst []int32, text string) (ids []int32, notes []Note, err error) {
	ids = dst
	if t.bos >= 0 {
		ids = append(ids, t.bos)
	}
	ids, unknown, heard := t.config.File.Encode(ids, text, t.config.Unknown != UnknownDrop)
	if t.eos >= 0 {
		ids = append(ids, t.eos)
	}
	notes = unknownNotes(text, unknown)
	seen := sighting{heard: heard, unknown: len(unknown) > 0}
	for _, r := range unknown {
		seen.unheard = seen.unheard || !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r)
	}
	if err := seen.verdict(t.config.Unknown, notes); err != nil {
		return dst, notes, err
	}
	return ids, notes, nil
}

// unknownNotes places the characters that have no token, in one pass. One that
// only a normalizer of the file made is not in the text, and stands at its
// beginning.
func unknownNotes(text string, unknown []rune) []Note {
	if len(unknown) == 0 {
		return nil
	}
	missing := make(map[rune]bool, len(unknown))
	for _, r := range unknown {
		missing[r] = true
	}
	var book notebook
	for i, r := range text {
		if _, ok := missing[r]; !ok {
			continue
		}
		missing[r] = false
		noteUnknown(&book, i, text[i:])
	}
	for _, r := range unknown {
		if missing[r] { // not met in the text
			book.char(NoteUnknown, 0, r)
		}
	}
	return book.notes
}
