package textnorm

import (
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"voxpack/textnorm/forms"
)

// Check lists everything that is wrong with c, symbols by position. A tokenizer
// is made only of a config without such errors.
func (c TokenizerConfig) Check() []error {
	var errs faults
	c = c.full()
	if _, ok := c.kind(); !ok {
		errs.add("tokenizer", "tokenizer %q: this version has \"char\", \"tacotron\", \"phoneme\" and tokenizer.json files", c.Kind)
	}
	if (c.Kind == KindJSON) != (c.File != nil) {
		errs.add("tokenizer", "tokenizer %q: a tokenizer.json has to be there for \"json\", and for nothing else", c.Kind)
		return errs
	}
	switch c.Unknown {
	case UnknownDrop, UnknownUnk, UnknownReject:
	default:
		errs.add("unknown", "unknown %q: want drop, unk or reject", c.Unknown)
	}
	if c.File != nil {
		return append(errs, c.checkFile()...)
	}
	if k, _ := c.kind(); k.fixed && !slices.Equal(c.Symbols, k.table()) {
		errs.add("symbols", "symbols: tokenizer %q has its own, %s, and no others", c.Kind, k.symbols)
		return errs
	}
	if c.LanguageTag || c.SpaceSymbol != "" {
		errs.add("language_tag", "language_tag and space_symbol are for tokenizer.json files")
	}
	k, _ := c.kind()
	errs = append(errs, checkSymbols(c.Symbols, k.form)...)
	return append(errs, c.checkSpecials()...)
}

// checkSymbols is given the form in which texts come, nil for NFC. In any other a
// symbol could never match.
func checkSymbols(symbols []string, form func(string) string) []error {
	var errs faults
	if len(symbols) > maxSymbols {
		errs.add("symbols", "symbols: %d of them, at most %d", len(symbols), maxSymbols)
		return errs
	}
	for i, s := range symbols {
		switch {
		case s == "":
			errs.add("symbols", "symbol %d is empty", i)
		case !utf8.ValidString(s):
			errs.add("symbols", "symbol %d %q is not UTF-8", i, s)
		case form == nil && !forms.IsNFC(s):
			errs.add("symbols", "symbol %d %q is not in composed form: write %q", i, s, Compose(s))
		case form != nil && form(s) != s:
			errs.add("symbols", "symbol %d %q is not in the form of phonemes, marks behind their letters: write %q", i, s, form(s))
		}
	}
	return errs
}

// Repeated says which symbols are there more than once. The table of VITS, which
// Matcha and others took over, has its apostrophe twice, and a Python dict made of
// it has the last number.
func (c TokenizerConfig) Repeated() (notes []string) {
	c = c.full()
	if c.File != nil {
		return nil // its reader looks at that
	}
	for i, at := range repeated(c.Symbols) {
		notes = append(notes, fmt.Sprintf("symbol %d %q is there before, as symbol %d: texts get the last number, as from {s: i for i, s in enumerate(symbols)} "+
			"in the models of VITS and Matcha; one that calls symbols.index gets the first", i, c.Symbols[i], at))
	}
	return notes
}

// repeated is where symbols come once more, and where they were first.
func repeated(symbols []string) iter.Seq2[int, int] {
	return func(yield func(i, first int) bool) {
		seen := make(map[string]int, len(symbols))
		for i, s := range symbols {
			first, again := seen[s]
			if !again {
				seen[s] = i
			} else if !yield(i, first) {
				return
			}
		}
	}
}

// checkSpecials finds a pad that is not what shards are padded with, a special
// that is needed and missing, and one symbol with two meanings.
func (c TokenizerConfig) checkSpecials() []error {
	var errs faults
	switch at := slices.Index(c.Symbols, c.Pad); {
	case at < 0:
		errs.add("symbols", "symbols have no pad %q: put it at position 0, because shards are padded with 0", c.Pad)
	case at > 0:
		errs.add("symbols", "pad %q is symbol %d: it must be symbol 0, because shards are padded with 0", c.Pad, at)
	}
	uses := []struct {
		name, symbol, key string
		needed            bool
	}{
		{"unk", c.Unk, "unknown: unk", c.Unknown == UnknownUnk},
		{"bos", c.BOS, "add_bos", c.AddBOS},
		{"eos", c.EOS, "add_eos", c.AddEOS},
		{"blank", c.Blank, "add_blank", c.AddBlank},
	}
	taken := map[string]string{c.Pad: "pad"}
	for _, u := range uses {
		if u.needed && slices.Index(c.Symbols, u.symbol) < 0 {
			errs.add("symbols", "symbols have no %s %q, which %s needs", u.name, u.symbol, u.key)
		}
		if other, ok := taken[u.symbol]; ok && !(u.name == "blank" && other == "pad") {
			errs.add("symbols", "%q is both %s and %s", u.symbol, other, u.name)
		}
		taken[u.symbol] = u.name
	}
	for i, first := range repeated(c.Symbols) {
		if name, special := taken[c.Symbols[i]]; special {
			errs.add("symbols", "%s %q is symbol %d and symbol %d: one number has to be its own", name, c.Symbols[i], first, i)
		}
	}
	return errs
}

// settingError is an error of Check.
type settingError struct{ setting, text string }

// Error is the text, which begins with the setting where that reads well.
func (e *settingError) Error() string { return e.text }

// Setting is the key of the configuration that the error is about; "symbols" is the
// table, wherever that stands.
func (e *settingError) Setting() string { return e.setting }

// faults are the errors of Check, in the order in which they are found.
type faults []error

func (f *faults) add(setting, format string, args ...any) {
	*f = append(*f, &settingError{setting, fmt.Sprintf(format, args...)})
}
