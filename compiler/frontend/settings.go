package frontend

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"voxpack/store"
	"voxpack/textnorm"
	"voxpack/textnorm/hftok"
)

// The stages that read text, by the names that roots and reports have for them.
const (
	StageText   = "text"
	StageTokens = "tokens"
)

// setting is a key under which a root says how its text was read.
type setting struct {
	name  string
	stage string // that reads it
	// write is the value in a root. "" of a rare key is left out: it came after the
	// first roots, and stands in none that does not use it.
	write func(c *Config) string
	rare  bool
	// read takes a value back from a root; nil: there is nothing to take, and a value
	// that write would not write is a difference.
	read func(c *Config, value string, root *source) error
	// free says why a value that write would not write is no difference; "" where it is one.
	free string
}

// settings are all keys of text. Their names and values are part of every root.
var settings = []setting{
	word("language", StageText, false, func(c *Config) *string { return &c.Language }),
	{name: "detector_rules", stage: StageText, rare: true,
		write: func(c *Config) string { return when(c.Language == LanguageAuto, textnorm.DetectVersion) }},
	{name: "speaker_languages", stage: StageText, rare: true, free: "who asks for a line names its language",
		write: func(c *Config) string { return speakerLanguages(c.SpeakerLanguages) }},
	{name: "text", stage: StageText,
		write: func(c *Config) string { return c.Text.Canonical() },
		read: func(c *Config, value string, _ *source) (err error) {
			c.Text, err = textnorm.ParseConfig(value)
			return err
		}},
	{name: store.LexiconSetting, stage: StageText, rare: true,
		write: func(c *Config) string {
			return when(c.Lexicon.Len() > 0, store.Sum([]byte(c.Lexicon.Canonical())).String())
		},
		read: func(c *Config, _ string, root *source) error {
			return stored(root, root.Lexicon(), &c.Lexicon, textnorm.ParseLexicon)
		}},
	{name: "lexicon_rules", stage: StageText, rare: true,
		write: func(c *Config) string { return when(c.Lexicon.Len() > 0, textnorm.LexiconVersion) }},
	word("tokenizer", StageTokens, false, func(c *Config) *string { return &c.Tokens.Kind }),
	{name: "symbols", stage: StageTokens, free: "the symbols themselves stand in the root",
		write: func(c *Config) string { return symbols(&c.Tokens) },
		read:  func(c *Config, _ string, root *source) error { c.Tokens.Symbols = root.Symbols; return nil }},
	{name: "specials", stage: StageTokens,
		write: func(c *Config) string {
			t := &c.Tokens
			return fmt.Sprintf("%q %q %q %q %q", t.Pad, t.Unk, t.BOS, t.EOS, t.Blank)
		},
		read: func(c *Config, value string, _ *source) error {
			t := &c.Tokens
			_, err := fmt.Sscanf(value, "%q %q %q %q %q", &t.Pad, &t.Unk, &t.BOS, &t.EOS, &t.Blank)
			return err
		}},
	word("unknown", StageTokens, false, func(c *Config) *string { return &c.Tokens.Unknown }),
	flag("add_blank", false, func(c *Config) *bool { return &c.Tokens.AddBlank }),
	flag("add_bos", false, func(c *Config) *bool { return &c.Tokens.AddBOS }),
	flag("add_eos", false, func(c *Config) *bool { return &c.Tokens.AddEOS }),
	{name: store.TokenizerSetting, stage: StageTokens, rare: true,
		write: func(c *Config) string {
			if c.Tokens.File == nil {
				return ""
			}
			return store.Sum([]byte(c.Tokens.File.Canonical())).String()
		},
		read: func(c *Config, _ string, root *source) error {
			return stored(root, root.Tokenizer(), &c.Tokens.File, hftok.Parse)
		}},
	{name: "tokenizer_rules", stage: StageTokens, rare: true,
		write: func(c *Config) string { return when(c.Tokens.File != nil, textnorm.FileVersion) }},
	flag("language_tag", true, func(c *Config) *bool { return &c.Tokens.LanguageTag }),
	word("space_symbol", StageTokens, true, func(c *Config) *string { return &c.Tokens.SpaceSymbol }),
	{name: "phonemes", stage: StageTokens, rare: true, free: "Speak compares it, where phonemes are wanted",
		write: func(c *Config) string { return c.Phonemes },
		read:  func(c *Config, value string, _ *source) error { c.Phonemes = value; return nil }},
}

// word is the setting of a text that stands in a root as it is.
func word(name, stage string, rare bool, of func(c *Config) *string) setting {
	return setting{name: name, stage: stage, rare: rare,
		write: func(c *Config) string { return *of(c) },
		read:  func(c *Config, value string, _ *source) error { *of(c) = value; return nil }}
}

// flag is the setting of a bool. A rare one is written only where it is true.
func flag(name string, rare bool, of func(c *Config) *bool) setting {
	return setting{name: name, stage: StageTokens, rare: rare,
		write: func(c *Config) string {
			if rare {
				return when(*of(c), "true")
			}
			return strconv.FormatBool(*of(c))
		},
		read: func(c *Config, value string, _ *source) error { *of(c) = value == "true"; return nil }}
}

func when(used bool, value string) string {
	if used {
		return value
	}
	return ""
}

// symbols is the name of a table of symbols, or of one that the user wrote the
// digest.
func symbols(t *textnorm.TokenizerConfig) string {
	switch {
	case t.File != nil:
		return store.TokenizerSetting
	case t.Symbols != nil:
		return store.Sum([]byte(strings.Join(t.Symbols, "\x00"))).Short()
	}
	return t.Table()
}

func speakerLanguages(codes map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		list = append(list, fmt.Sprintf("%q=%s", name, codes[name]))
	}
	return strings.Join(list, " ")
}

// Keys are the settings that a stage reads.
func Keys(stage string) (names []string) {
	for _, s := range settings {
		if s.stage == stage {
			names = append(names, s.name)
		}
	}
	return names
}

// Settings is c as a root has it, each setting with its value. Defaults are filled in.
func (c Config) Settings() (list []store.Named) {
	for _, s := range settings {
		if value := s.write(&c); value != "" || !s.rare {
			list = append(list, store.Named{Name: s.name, Value: value})
		}
	}
	return list
}

// source is a root with a way to read the texts that it names.
type source struct {
	*store.Root
	get func(store.Kind, [32]byte) ([]byte, error)
}

// stored parses a text that a root names; the zero digest names none.
func stored[T any](root *source, d store.Digest, to *T, parse func(name string, text []byte) (T, error)) error {
	if d.IsZero() {
		return nil
	}
	text, err := root.get(store.KindText, d)
	if err == nil {
		*to, err = parse(d.Short(), text)
	}
	return err
}

// FromRoot is the Config by which a build made a root. get reads what the root
// names: a lexicon, a tokenizer's file. The differences say where this program would
// read text otherwise than that build did.
func FromRoot(root *store.Root, get func(store.Kind, [32]byte) ([]byte, error)) (c Config, differ []Difference, err error) {
	from := source{root, get}
	for _, s := range settings {
		if s.read == nil {
			continue
		}
		if err := s.read(&c, root.Setting(s.name), &from); err != nil {
			return c, nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	full := c.WithDefaults()
	if errs := full.Check(); len(errs) > 0 {
		return c, nil, errors.Join(errs...)
	}
	for _, v := range []store.Named{{Name: StageText, Value: textnorm.TextVersion}, {Name: StageTokens, Value: textnorm.TokensVersion}} {
		if its := root.Stage(v.Name); its != v.Value {
			differ = append(differ, Difference{Built: its, Here: v.Value})
		}
	}
	for _, s := range settings {
		if its, here := root.Setting(s.name), s.write(&full); its != here && s.free == "" {
			differ = append(differ, Difference{Setting: s.name, Built: its, Here: here})
		}
	}
	return c, differ, nil
}

// Difference is something by which the build that made a root read text, and this
// program does not.
type Difference struct {
	Setting     string // "" is the version of a stage, whose value begins with the stage's name
	Built, Here string // "" is nothing of the kind
}

// Warning says it of the root at a place, for people.
func (d Difference) Warning(where string) string {
	plain := func(value string) string {
		if strings.IndexFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			return strconv.Quote(value)
		}
		return value
	}
	here := "which this program does not have"
	if d.Here != "" {
		here = "this program has " + plain(d.Here)
	}
	was := strings.TrimSpace(d.Setting + " " + cmp.Or(plain(d.Built), "nothing of the kind"))
	return fmt.Sprintf("%s was built with %s, %s: a result can differ", where, was, here)
}
