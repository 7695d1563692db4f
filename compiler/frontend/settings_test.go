package frontend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"voxpack/store"
	"voxpack/textnorm"
	"voxpack/textnorm/hftok"
)

// examples have a config for each key of the table that writes a value for it other
// than the default's.
func examples(t *testing.T) map[string]Config {
	t.Helper()
	lexicon, err := textnorm.ParseLexicon("lexicon", []byte("ships\tvessels\n"))
	if err != nil {
		t.Fatal(err)
	}
	vocabulary, err := os.ReadFile(filepath.Join("..", "..", "textnorm", "hftok", "testdata", "xtts.json"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := hftok.Parse("xtts.json", vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	tokens := func(c textnorm.TokenizerConfig) Config { return Config{Tokens: c} }
	own := []string{"P", "U", "B", "E", "K", "a b"}
	byFile := textnorm.TokenizerConfig{Kind: textnorm.KindJSON, File: file}
	tagged, spaced := byFile, byFile
	tagged.LanguageTag, spaced.SpaceSymbol = true, "[SPACE]"
	return map[string]Config{
		"language":             {Language: "fa"},
		"detector_rules":       {Language: LanguageAuto},
		"speaker_languages":    {SpeakerLanguages: map[string]string{"ada \"": "de", "bo": "fa"}},
		"text":                 {Text: textnorm.Config{Mojibake: "repair", Verbalise: true, Languages: []string{"en", "fa"}, CodeSwitching: true, Case: "lower", Punctuation: "strip", VowelMarks: "keep", Latin: "persian", Marked: "leave"}},
		store.LexiconSetting:   {Lexicon: lexicon},
		"lexicon_rules":        {Lexicon: lexicon},
		"tokenizer":            tokens(textnorm.TokenizerConfig{Kind: textnorm.KindTacotron}),
		"symbols":              tokens(textnorm.TokenizerConfig{Symbols: own, Pad: "P"}),
		"specials":             tokens(textnorm.TokenizerConfig{Symbols: own, Pad: "P", Unk: "U", BOS: "B", EOS: "E", Blank: "K"}),
		"unknown":              tokens(textnorm.TokenizerConfig{Unknown: textnorm.UnknownReject}),
		"add_blank":            tokens(textnorm.TokenizerConfig{AddBlank: true}),
		"add_bos":              tokens(textnorm.TokenizerConfig{AddBOS: true}),
		"add_eos":              tokens(textnorm.TokenizerConfig{AddEOS: true}),
		store.TokenizerSetting: tokens(byFile),
		"tokenizer_rules":      tokens(byFile),
		"language_tag":         tokens(tagged),
		"space_symbol":         tokens(spaced),
		"phonemes":             {Tokens: textnorm.TokenizerConfig{Kind: textnorm.KindPhoneme}, Phonemes: "phonemes-1 espeak-ng 1.52"},
	}
}

// rooted is a root that a build with c makes, as far as text goes, with the texts that it names.
func rooted(t *testing.T, c Config) (*store.Root, func(store.Kind, [32]byte) ([]byte, error)) {
	t.Helper()
	tokenizer, err := textnorm.NewTokenizer(c.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	root := &store.Root{Config: c.Settings(), Symbols: tokenizer.Symbols(),
		Stages: []store.Named{{Name: StageText, Value: textnorm.TextVersion}, {Name: StageTokens, Value: textnorm.TokensVersion}}}
	texts := map[[32]byte][]byte{}
	keep := func(text string) { texts[store.Sum([]byte(text))] = []byte(text) }
	keep(c.Lexicon.Canonical())
	if c.Tokens.File != nil {
		keep(c.Tokens.File.Canonical())
	}
	return root, func(kind store.Kind, name [32]byte) ([]byte, error) {
		if text, ok := texts[name]; ok && kind == store.KindText {
			return text, nil
		}
		return nil, store.ErrNotFound
	}
}

// TestEverySettingIsWrittenAndReadBack: for each key of the table, what a root says
// of a config gives the config back, so that no text is read otherwise.
func TestEverySettingIsWrittenAndReadBack(t *testing.T) {
	all := examples(t)
	byDefault := Config{}.WithDefaults().Settings()
	for _, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			c, ok := all[s.name]
			if !ok {
				t.Fatal("the test has no example of it")
			}
			c = c.WithDefaults()
			root, get := rooted(t, c)
			if value := root.Setting(s.name); value == "" || slices.Contains(byDefault, store.Named{Name: s.name, Value: value}) {
				t.Fatalf("the root has %q, as by default", value)
			}
			back, differ, err := FromRoot(root, get)
			if err != nil || len(differ) > 0 {
				t.Fatalf("FromRoot: %v, differences %v", err, differ)
			}
			for _, other := range settings {
				if other.name == "symbols" || other.name == "speaker_languages" {
					continue // compared below, and not taken from a root
				}
				if got, want := other.write(&back), other.write(&c); got != want {
					t.Errorf("%s comes back as %q, want %q", other.name, got, want)
				}
			}
			if got, want := back.Tokens.Canonical(), c.Tokens.Canonical(); got != want {
				t.Errorf("the tokenizer comes back as\n%s\nwant\n%s", got, want)
			}
			if s.name == "text" && !reflect.DeepEqual(back.Text, c.Text) {
				t.Errorf("the text rules come back as %+v, want %+v", back.Text, c.Text)
			}
		})
	}
	for name := range all {
		if !slices.ContainsFunc(settings, func(s setting) bool { return s.name == name }) {
			t.Errorf("an example of %s, which is no key", name)
		}
	}
}

// TestEveryFieldIsASetting: a field that changes how text is read changes what a
// root says.
func TestEveryFieldIsASetting(t *testing.T) {
	all := examples(t)
	used := func(of func(c Config) reflect.Value, at int) bool {
		for _, c := range all {
			if !of(c).Field(at).IsZero() {
				return true
			}
		}
		return false
	}
	for name, of := range map[string]func(c Config) reflect.Value{
		"Config":          func(c Config) reflect.Value { return reflect.ValueOf(c) },
		"Text":            func(c Config) reflect.Value { return reflect.ValueOf(c.Text) },
		"TokenizerConfig": func(c Config) reflect.Value { return reflect.ValueOf(c.Tokens) },
	} {
		kind := of(Config{}).Type()
		for at := range kind.NumField() {
			field := kind.Field(at)
			if field.Name != "Phonemes" && !used(of, at) { // of a TokenizerConfig it is a function
				t.Errorf("%s.%s: no key of the table has an example with it; a root has to say it", name, field.Name)
			}
		}
	}
}

// TestAnotherProgramIsSaid: where a root was made by other rules of text than this
// program has, FromRoot says so.
func TestAnotherProgramIsSaid(t *testing.T) {
	all := examples(t)
	for _, key := range []string{"detector_rules", "lexicon_rules", "tokenizer_rules"} {
		root, get := rooted(t, all[key].WithDefaults())
		for i, n := range root.Config {
			if n.Name == key {
				root.Config[i].Value = "another/9"
			}
		}
		here := root.Setting(key)
		_, differ, err := FromRoot(root, get)
		if err != nil || len(differ) != 1 || differ[0].Setting != key || differ[0].Built != here || differ[0].Here == "" {
			t.Errorf("%s is another program's: %v, differences %v", key, err, differ)
		}
	}
	root, get := rooted(t, all["text"].WithDefaults())
	root.Stages = []store.Named{{Name: StageText, Value: "text-0"}, {Name: StageTokens, Value: "tokens-0"}}
	_, differ, err := FromRoot(root, get)
	want := []Difference{{"", "text-0", textnorm.TextVersion}, {"", "tokens-0", textnorm.TokensVersion}}
	if err != nil || !slices.Equal(differ, want) {
		t.Errorf("other stages: %v, differences %v, want %v", err, differ, want)
	}
	said := fmt.Sprintf("s was built with text-0, this program has %s: a result can differ", textnorm.TextVersion)
	if got := want[0].Warning("s"); got != said {
		t.Errorf("Warning = %q, want %q", got, said)
	}
}

// TestARootThatCannotBeReadBy is an error: no text may be read by half of a config.
func TestARootThatCannotBeReadBy(t *testing.T) {
	all := examples(t)
	for key, value := range map[string]string{"language": "xx", "specials": "P", "text": "spelling=new\n", "tokenizer": "runes", "unknown": "shrug"} {
		root, get := rooted(t, all["specials"].WithDefaults())
		for i, n := range root.Config {
			if n.Name == key {
				root.Config[i].Value = value
			}
		}
		if c, _, err := FromRoot(root, get); err == nil {
			t.Errorf("%s %q: FromRoot = %+v, want an error", key, value, c)
		}
	}
	for _, key := range []string{store.LexiconSetting, store.TokenizerSetting} {
		root, _ := rooted(t, all[key].WithDefaults())
		_, _, err := FromRoot(root, func(store.Kind, [32]byte) ([]byte, error) { return nil, store.ErrNotFound })
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the text of %s is gone: error %v, want ErrNotFound", key, err)
		}
	}
}
