package main

import (
	"slices"
	"strings"

	"voxpack/audio"
	"voxpack/compiler"
	"voxpack/internal/config"
	"voxpack/store"
	"voxpack/textnorm"
)

// dtypes are the element types of mels by the names that a config has for them.
var dtypes = map[string]store.DType{"f32": store.Float32, "f16": store.Float16, "bf16": store.BFloat16}

// translate turns what a config says into what the compiler takes. It is the
// only place that knows both. What the config's own checks could not see comes
// back as problems, each at the line of its key.
func translate(c config.Config) (compiler.Config, []config.Problem) {
	var problems []config.Problem
	language, ok := "", true
	if c.Rows.Language != "" {
		if language, ok = textnorm.ParseLanguage(c.Rows.Language); !ok {
			problems = append(problems, c.Problem("language", c.Rows.Language+" is not in the table of languages", "write a code of ISO 639-1, as in en or fa"))
		}
	}
	out := compiler.Config{
		Format:     c.Rows.Format,
		Language:   language,
		Speakers:   c.Rows.Speakers,
		SampleRate: c.Audio.SampleRate,
		Text:       textnorm.Config{Mojibake: c.Text.Mojibake},
		Tokens:     translateTokens(c.Tokens),
		Mel: audio.MelConfig{Variant: c.Mel.Variant, SampleRate: c.Audio.SampleRate, NFFT: c.Mel.NFFT, HopLength: c.Mel.HopLength,
			WinLength: c.Mel.WinLength, NMels: c.Mel.NMels, FMin: c.Mel.FMin, FMax: c.Mel.FMax},
		MelDType: dtypes[c.Mel.DType],
		Shape:    compiler.Shape{MaxTextLength: c.Shape.MaxTextLength, MaxMelFrames: c.Shape.MaxMelFrames, Overlong: compiler.Overlong(c.Shape.Overlong)},
		PerShard: c.Shards.RowsPerShard,
	}
	for _, err := range out.Mel.Check() {
		problems = append(problems, c.Problem(keyOf(err, "n_mels"), err.Error(), ""))
	}
	for _, err := range out.Tokens.Check() {
		problems = append(problems, c.Problem(keyOf(err, symbolsKey(c)), err.Error(), ""))
	}
	return out, problems
}

func translateTokens(t config.Tokens) textnorm.TokenizerConfig {
	return textnorm.TokenizerConfig{Kind: t.Tokenizer, Symbols: t.Symbols, Pad: t.Pad, Unk: t.Unk, BOS: t.BOS, EOS: t.EOS, Blank: t.Blank,
		Unknown: t.Unknown, AddBlank: t.AddBlank, AddBOS: t.AddBOS, AddEOS: t.AddEOS}
}

func symbolsKey(c config.Config) string {
	if c.Given("symbols_file") {
		return "symbols_file"
	}
	return "symbols"
}

// keyOf is the key that a message of a stage's check begins with, else other.
func keyOf(err error, other string) string {
	first, _, _ := strings.Cut(err.Error(), " ")
	first = strings.TrimSuffix(first, ":")
	if slices.ContainsFunc(config.Keys(), func(k config.Key) bool { return k.Name == first }) {
		return first
	}
	return other
}

// merge adds problems for keys that have none yet: a value that is out of range
// would otherwise be reported by every check that meets it.
func merge(found, more []config.Problem) []config.Problem {
	reported := map[string]bool{}
	for _, p := range found {
		reported[p.Key] = reported[p.Key] || !p.Warning
	}
	for _, p := range more {
		if !reported[p.Key] {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b config.Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return found
}
