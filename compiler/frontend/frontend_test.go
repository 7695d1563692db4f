package frontend

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"voxpack/compiler/kind"
	"voxpack/textnorm"
)

func made(t *testing.T, c Config) *FrontEnd {
	t.Helper()
	f, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// TestEncodeTakesTheStepsInOrder: the lexicon comes before the rules of the
// language, and each note says which step it is of.
func TestEncodeTakesTheStepsInOrder(t *testing.T) {
	lexicon, err := textnorm.ParseLexicon("lexicon", []byte("HMS\t2 ships\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := made(t, Config{Language: LanguageAuto, Lexicon: lexicon, Text: textnorm.Config{Verbalise: true}})
	line := f.Encode("The HMS\u0007 in the harbour \u2603.", LanguageAuto)
	if line.Err != nil || line.Language != "en" || line.Spoken != "The two ships in the harbour \u2603." {
		t.Fatalf("Encode = %+v", line)
	}
	var stages, kinds []string
	for _, n := range line.Notes {
		stages, kinds = append(stages, n.Stage), append(kinds, n.Kind)
	}
	if want := []string{StageLexicon, StageText, StageTokens}; !slices.Equal(slices.Compact(stages), want) {
		t.Errorf("notes are of %q (%q), want of %q", stages, kinds, want)
	}
	if kinds[0] != kind.Replaced || kinds[len(kinds)-1] != textnorm.NoteUnknown {
		t.Errorf("kinds of notes: %q", kinds)
	}
	if got, want := f.Decoder()(line.IDs), "The two ships in the harbour ."; got != want {
		t.Errorf("the ids give %q back, want %q", got, want)
	}
	again := f.EncodeSpoken(line.Spoken, "en")
	if !slices.Equal(again.IDs, line.IDs) || again.Spoken != line.Spoken {
		t.Errorf("EncodeSpoken = %+v, want the ids of %+v", again, line)
	}
}

// TestEncodeSaysWhyThereAreNoIDs: the error is one that a caller can tell, and ids
// are never half of a text.
func TestEncodeSaysWhyThereAreNoIDs(t *testing.T) {
	f := made(t, Config{Tokens: textnorm.TokenizerConfig{Unknown: textnorm.UnknownReject}})
	for text, want := range map[string]error{"": textnorm.ErrEmpty, " \u0007 ": textnorm.ErrEmpty, "snow \u2603": textnorm.ErrUnknown} {
		if line := f.Encode(text, "en"); !errors.Is(line.Err, want) || line.IDs != nil {
			t.Errorf("Encode(%q) = %+v, want error %v", text, line, want)
		}
	}
}

// TestAnEmptyTextIsRefusedAsOne, and not for what the tokenizer lacks for its language.
func TestAnEmptyTextIsRefusedAsOne(t *testing.T) {
	f := made(t, examples(t)["language_tag"])
	if line := f.Encode(" ", "is"); !errors.Is(line.Err, textnorm.ErrEmpty) || len(line.IDs) > 0 {
		t.Errorf("Encode = %+v, want error %v", line, textnorm.ErrEmpty)
	}
}

// TestManyGoroutinesShareAFrontEnd, as those of a build do.
func TestManyGoroutinesShareAFrontEnd(t *testing.T) {
	f := made(t, Config{Text: textnorm.Config{Verbalise: true, CodeSwitching: true}})
	texts := []string{"In 1905, 3 ships came.", "در سال ۱۹۰۵ سه کشتی آمدند.", "Am 3. Mai kamen 12 Schiffe."}
	var want []Line
	for _, text := range texts {
		want = append(want, f.Encode(text, LanguageAuto))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, text := range texts {
				if got := f.Encode(text, LanguageAuto); got.Spoken != want[i].Spoken || !slices.Equal(got.IDs, want[i].IDs) {
					t.Errorf("Encode(%q) = %+v, alone %+v", text, got, want[i])
				}
			}
		})
	}
	all.Wait()
}
