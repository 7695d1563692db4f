package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"voxpack/compiler"
	"voxpack/internal/espeak"
	"voxpack/textnorm"
)

// tokenizerNames are what --tokenizer takes beside files.
var tokenizerNames = []string{"char", textnorm.KindTacotron, textnorm.KindPhoneme}

// speak gives the tokenizer its phonemes where it wants them. was says who made
// those of the store that the settings are from, "" where they are from no store.
func (s *textStages) speak(ctx context.Context, was string, stderr io.Writer) error {
	if s.tokens.Kind != textnorm.KindPhoneme {
		return nil
	}
	tool, err := espeak.Find(ctx)
	if errors.Is(err, espeak.ErrMissing) {
		return usageError{compiler.ErrNoEspeak}
	}
	if err != nil {
		return usageError{err}
	}
	if mine := textnorm.PhonemesVersion + " " + tool.StageVersion(); was != "" && was != mine {
		fmt.Fprintf(stderr, "warning: the store's phonemes are of %q, those here of %q: a result can differ\n", was, mine)
	}
	s.pool = espeak.NewPool(tool, 0)
	s.tokens.Phonemes = func(text, language string) (string, error) {
		return textnorm.Phonemize(text, func(clause string) (string, error) { return s.pool.Say(ctx, clause, language) })
	}
	return nil
}
