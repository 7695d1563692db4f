package frontend

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/textnorm"
)

// TestALineIsReadInTheLanguageThatIsNamed: what a caller names counts; auto asks the
// text, and each text by itself.
func TestALineIsReadInTheLanguageThatIsNamed(t *testing.T) {
	f := made(t, Config{Language: LanguageAuto, Text: textnorm.Config{Verbalise: true, Languages: []string{"en", "de"}}})
	for _, c := range []struct{ text, language, want, spoken string }{
		{"The 3 ships came in the evening.", LanguageAuto, "en", "The three ships came in the evening."},
		{"Am Abend kamen die 3 Schiffe an.", LanguageAuto, "de", "Am Abend kamen die drei Schiffe an."},
		{"3", "de", "de", "drei"},
		{"3", "en", "en", "three"},
		{"The 3 ships came in the evening.", "de", "de", "The drei ships came in the evening."},
		{"3", "und", "und", "3"},
	} {
		line := f.Encode(c.text, c.language)
		if line.Language != c.want || line.Spoken != c.spoken || line.Err != nil {
			t.Errorf("%q in %s is %q in %s (%v), want %q in %s", c.text, c.language, line.Spoken, line.Language, line.Err, c.spoken, c.want)
		}
		if got := f.Language(c.text, c.language); got != c.want {
			t.Errorf("Language(%q, %s) = %s, want %s", c.text, c.language, got, c.want)
		}
	}
}

// TestStepsOneByOneAreEncode: a build takes the steps one by one, and trained models are
// asked by Encode; both must come to the same ids and notes.
func TestStepsOneByOneAreEncode(t *testing.T) {
	lexicon, err := textnorm.ParseLexicon("lexicon", []byte("GIF\tjiff\nDr.\tdoctor\ten\n"))
	if err != nil {
		t.Fatal(err)
	}
	configs := examples(t)
	configs["lexicon and case"] = Config{Lexicon: lexicon, Text: textnorm.Config{Case: "lower", Verbalise: true}}
	for name, c := range configs {
		if c.Tokens.Kind == textnorm.KindPhoneme || c.Tokens.Symbols != nil {
			continue // a program has to say them; six symbols spell no text
		}
		f := made(t, c.WithDefaults())
		for _, text := range []string{"Dr. Lee sent a GIF on May 3, 2020.", "snow \u2603 and ice", "", "\u0007", "  two  ships  "} {
			want := f.Encode(text, "en")
			replaced, _ := f.Replace(text, "en")
			spoken, _ := f.Normalize(replaced, "en")
			if spoken != want.Spoken {
				t.Errorf("%s, %q: the steps say %q, Encode %q", name, text, spoken, want.Spoken)
			}
			if spoken == "" {
				if !errors.Is(want.Err, textnorm.ErrEmpty) {
					t.Errorf("%s, %q: nothing is spoken, and Encode says %v", name, text, want.Err)
				}
				continue
			}
			dressed, err := f.Dress(spoken, "en")
			var ids []int32
			if err == nil {
				ids, _, err = f.Tokenize(nil, dressed)
			}
			if (err == nil) != (want.Err == nil) || !slices.Equal(ids, want.IDs) {
				t.Errorf("%s, %q: the steps give %v, %v, Encode %v, %v", name, text, ids, err, want.IDs, want.Err)
			}
			if before := []int32{7, 8}; err == nil {
				after, _, _ := f.Tokenize(before, dressed)
				if !slices.Equal(after, append([]int32{7, 8}, ids...)) {
					t.Errorf("%s, %q: Tokenize to a list that holds two gives %v", name, text, after)
				}
			}
			for _, id := range ids {
				if int(id) >= len(f.Symbols()) || id < 0 {
					t.Errorf("%s, %q: id %d of %d symbols", name, text, id, len(f.Symbols()))
				}
			}
		}
	}
}

// TestDefaultsAreFilledOnce: what is said stays, and defaults of defaults are themselves.
func TestDefaultsAreFilledOnce(t *testing.T) {
	for name, c := range examples(t) {
		once := c.WithDefaults()
		if twice := once.WithDefaults(); !reflect.DeepEqual(once.Settings(), twice.Settings()) {
			t.Errorf("%s: defaults of defaults differ:\n%v\n%v", name, once.Settings(), twice.Settings())
		}
		if errs := once.Check(); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
		if c.Language != "" && once.Language != c.Language || c.Tokens.Unk != "" && once.Tokens.Unk != c.Tokens.Unk || c.Tokens.Kind != "" && once.Tokens.Kind != c.Tokens.Kind {
			t.Errorf("%s: defaults took the place of what was said: %+v", name, once.Tokens)
		}
	}
	if c := (Config{}).WithDefaults(); c.Language != "und" || c.Tokens.Kind != "char" || c.Tokens.Unknown != textnorm.UnknownDrop {
		t.Errorf("the zero config is %+v", c)
	}
}

// TestCheckListsAllThatIsWrong, so that a user mends it in one go.
func TestCheckListsAllThatIsWrong(t *testing.T) {
	c := Config{Language: "klingon", Tokens: textnorm.TokenizerConfig{Kind: "runes", Unknown: "shrug"}}.WithDefaults()
	errs := c.Check()
	for _, word := range []string{"klingon", "runes", "shrug"} {
		if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), word) }) {
			t.Errorf("%v does not name %q", errs, word)
		}
	}
	if errs := (Config{}).WithDefaults().Check(); len(errs) > 0 {
		t.Errorf("the zero config is refused: %v", errs)
	}
	if _, err := New(c); err == nil {
		t.Error("New takes a config that Check refuses")
	}
}

// TestEachKeyIsOfOneStage: explain tells by it what an edit runs.
func TestEachKeyIsOfOneStage(t *testing.T) {
	seen := map[string]string{}
	for _, stage := range []string{StageText, StageTokens} {
		for _, name := range Keys(stage) {
			if other, twice := seen[name]; twice {
				t.Errorf("%s is a key of %s and of %s", name, other, stage)
			}
			seen[name] = stage
		}
	}
	for name, c := range examples(t) {
		for _, s := range c.WithDefaults().Settings() {
			if seen[s.Name] == "" {
				t.Errorf("%s: a root gets %s, which no stage reads", name, s.Name)
			}
		}
	}
	if names := Keys("mel"); len(names) > 0 {
		t.Errorf("the mel reads %q", names)
	}
}

// TestMarkedPhonemesAreLeftAlone by rules and lexicon, where the tokenizer reads braces.
func TestMarkedPhonemesAreLeftAlone(t *testing.T) {
	lexicon, err := textnorm.ParseLexicon("lexicon", []byte("HH\tage age\nships\tvessels\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Language: "en", Lexicon: lexicon, Text: textnorm.Config{Verbalise: true}, Tokens: textnorm.TokenizerConfig{Kind: textnorm.KindTacotron}}
	f := made(t, c.WithDefaults().KeepMarked())
	line := f.Encode("3 ships, {HH AH0 L OW1}", "en")
	if line.Err != nil || !strings.Contains(line.Spoken, "{HH AH0 L OW1}") || !strings.HasPrefix(line.Spoken, "three vessels") {
		t.Errorf("%q, %v", line.Spoken, line.Err)
	}
	c.Tokens = textnorm.TokenizerConfig{}
	if kept := c.WithDefaults().KeepMarked(); kept.Text.Marked == textnorm.MarkedLeave || kept.Lexicon != lexicon {
		t.Errorf("a tokenizer without braces: %+v", kept.Text)
	}
}
