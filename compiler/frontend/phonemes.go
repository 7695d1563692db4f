package frontend

import (
	"context"
	"errors"

	"voxpack/internal/espeak"
	"voxpack/textnorm"
)

// ErrNoEspeak says what to do where espeak-ng is missing.
var ErrNoEspeak = errors.New("phoneme needs espeak-ng, which is not installed: install it (apt-get install espeak-ng, brew install espeak-ng), or take tokenizer: char, or write the phonemes into the metadata and take tokenizer: char with symbols")

// FindEspeak looks for the program that says phonemes where Tokens want them, and
// sets Phonemes to its version, which roots and keys hold.
func (c *Config) FindEspeak(ctx context.Context) (espeak.Tool, error) {
	if c.Tokens.Kind != textnorm.KindPhoneme {
		return espeak.Tool{}, nil
	}
	tool, err := espeak.Find(ctx)
	if errors.Is(err, espeak.ErrMissing) {
		err = ErrNoEspeak
	}
	if err != nil {
		return tool, err
	}
	c.Phonemes = textnorm.PhonemesVersion + " " + tool.StageVersion()
	return tool, nil
}

// Speak gives f its phonemes where the tokenizer reads them, until ctx or Close ends
// it. The difference says that others made those of the root that f was made from;
// nil: there is none.
func (f *FrontEnd) Speak(ctx context.Context) (*Difference, error) {
	built := f.Config.Phonemes
	tool, err := f.Config.FindEspeak(ctx)
	if err != nil || f.Config.Tokens.Kind != textnorm.KindPhoneme {
		return nil, err
	}
	f.pool = espeak.NewPool(tool, 0)
	f.Config.Tokens.Phonemes = func(text, language string) (string, error) {
		return textnorm.Phonemize(text, func(clause string) (string, error) { return f.pool.Say(ctx, clause, language) })
	}
	if here := f.Config.Phonemes; built != "" && built != here {
		return &Difference{"phonemes", built, here}, nil
	}
	return nil, nil
}

// Close ends the programs that Speak started.
func (f *FrontEnd) Close() { f.pool.Close() }
