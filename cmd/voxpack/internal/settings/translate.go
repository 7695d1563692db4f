package settings

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
	"voxpack/store"
	"voxpack/textnorm"
	"voxpack/textnorm/detect"
	"voxpack/textnorm/hftok"
)

// dtypes are the element types of mels by the names that a config has for them.
var dtypes = map[string]store.DType{"f32": store.Float32, "f16": store.Float16, "bf16": store.BFloat16}

// translate turns what a config says into what the compiler takes. It is the
// only place that knows both. What the config's own checks could not see comes
// back as problems, each at the line of its key.
func translate(c config.Config, found []config.Problem) (compiler.Config, []config.Problem) {
	problems := slices.Clone(found)
	language, ok := c.Rows.Language, true
	if language != "" && language != frontend.LanguageAuto && !anyOf(found, []string{"language"}) {
		if language, ok = textnorm.ParseLanguage(c.Rows.Language); !ok {
			problems = append(problems, c.Problem("language", c.Rows.Language+" is not in the table of languages", "write a code of ISO 639-1, as in en or fa"))
		}
	}
	columns, bad := translateColumns(c, found)
	problems = append(problems, bad...)
	text, bad := translateText(c)
	problems = append(problems, bad...)
	speakers, bad := translateSpeakerLanguages(c)
	problems = append(problems, bad...)
	filter, bad := translateFilter(c)
	if !anyOf(found, []string{"only_languages"}) {
		problems = append(problems, bad...)
	}
	out := compiler.Config{
		Config:     frontend.Config{Language: language, SpeakerLanguages: speakers, Text: text, Tokens: translateTokens(c.Tokens)},
		Format:     c.Rows.Format,
		Speakers:   c.Rows.Speakers,
		SampleRate: c.Audio.SampleRate, Channel: channelOf(c.Audio.Channel),
		Mel:      translateMel(c),
		Process:  translateProcess(c.Audio),
		Features: c.Audio.Features,
		Columns:  columns,
		Length:   compiler.Length{MinSeconds: c.Audio.MinSeconds, MaxSeconds: c.Audio.MaxSeconds, MaxClip: time.Duration(c.Audio.MaxClipMinutes * float64(time.Minute))},
		Filter:   filter,
		MelDType: dtypes[c.Mel.DType],
		Shape:    compiler.Shape{MaxTextLength: c.Shape.MaxTextLength, MaxMelFrames: c.Shape.MaxMelFrames, Overlong: compiler.Overlong(c.Shape.Overlong)},
		PerShard: c.Shards.RowsPerShard,
	}
	out.Raw, problems = translateRaw(c, problems)
	// A stage's check repeats what the config's own said of the same keys, so
	// it is asked only where that found nothing.
	if !anyOf(found, melKeys) {
		for _, err := range out.Mel.Check() {
			problems = append(problems, c.Problem(keyOf(err, "n_mels"), err.Error(), ""))
		}
	}
	if c.Tokens.File != nil {
		t, notes := readTokenizer(c)
		out.Tokens.File, problems = t, append(problems, notes...)
	}
	if !anyOf(problems, tokenKeys) {
		for _, err := range out.Tokens.Check() {
			problems = append(problems, c.Problem(keyOf(err, symbolsKey(c)), err.Error(), ""))
		}
	}
	for _, text := range out.Tokens.Repeated() {
		p := c.Problem(symbolsKey(c), text, "")
		p.Warning = true
		problems = append(problems, p)
	}
	for _, f := range c.Audio.Features {
		if !slices.Contains(compiler.FeatureNames(), f) {
			problems = append(problems, c.Problem("features", f+" is not a feature; known: "+strings.Join(compiler.FeatureNames(), ", "), ""))
		}
	}
	if _, err := audio.NewProcessor(out.Process, out.SampleRate); out.Process.On() && err != nil && !anyOf(found, processKeys) {
		problems = append(problems, c.Problem("normalize_to", err.Error(), ""))
	}
	if c.Text.Lexicon != nil {
		var err error
		if out.Lexicon, err = textnorm.ParseLexicon(c.Text.LexiconFile, c.Text.Lexicon); err != nil {
			problems = append(problems, c.Problem("lexicon", "cannot be used:\n"+err.Error(), ""))
		}
	}
	out.Config = out.KeepMarked()
	_, bad = translateCorpora(c)
	problems = append(problems, bad...)
	if cores := runtime.NumCPU(); c.Workers > cores {
		p := c.Problem("num_workers", fmt.Sprintf("%d is more than the %s of this machine; no more are used", c.Workers, term.Count(cores, "core")), "")
		p.Warning = true
		problems = append(problems, p)
	}
	inOrder(problems)
	return out, problems
}

func translateMel(c config.Config) audio.MelConfig {
	return audio.MelConfig{Variant: c.Mel.Variant, SampleRate: c.Audio.SampleRate, NFFT: c.Mel.NFFT, HopLength: c.Mel.HopLength,
		WinLength: c.Mel.WinLength, NMels: c.Mel.NMels, FMin: c.Mel.FMin, FMax: c.Mel.FMax, Precision: c.Mel.Precision, PadMode: c.Mel.PadMode, Norms: c.Mel.Norms}
}

// translateFilter writes languages as codes, and takes an empty list for none:
// nobody wants a dataset without rows.
func translateFilter(c config.Config) (out compiler.Filter, problems []config.Problem) {
	f := c.Filter
	out = compiler.Filter{MinCharsPerSecond: f.MinCharsPerSecond, MaxCharsPerSecond: f.MaxCharsPerSecond, KeepIDs: f.KeepIDs, DropIDs: f.DropIDs}
	if len(f.OnlySpeakers) > 0 {
		out.OnlySpeakers = f.OnlySpeakers
	}
	if len(f.NotSpeakers) > 0 {
		out.NotSpeakers = f.NotSpeakers
	}
	for _, tag := range f.OnlyLanguages {
		code, ok := textnorm.ParseLanguage(tag)
		if !ok {
			problems = append(problems, c.Problem("only_languages", tag+" is not in the table of languages", "write codes of ISO 639-1, as in en or fa"))
			continue
		}
		out.OnlyLanguages = append(out.OnlyLanguages, code)
	}
	return out, problems
}

// translateText takes of the languages those that the detector knows; of another
// it says that no text is taken for it.
func translateText(c config.Config) (out textnorm.Config, problems []config.Problem) {
	t := c.Text
	out = textnorm.Config{Mojibake: t.Mojibake, Verbalise: t.Verbalise, CodeSwitching: t.CodeSwitching, Case: t.Case, Punctuation: t.Punctuation, VowelMarks: t.VowelMarks, Latin: t.Latin}
	for _, tag := range c.Rows.Languages {
		code, ok := textnorm.ParseLanguage(tag)
		switch {
		case !ok: // the config's own check has said so
		case !slices.Contains(detect.Codes(), code):
			p := c.Problem("languages", tag+" cannot be told from other languages by the text", "name it in a column of the metadata, in speaker_languages or in language")
			p.Warning = true
			problems = append(problems, p)
		case !slices.Contains(out.Languages, code):
			out.Languages = append(out.Languages, code)
		}
	}
	return out, problems
}

func translateSpeakerLanguages(c config.Config) (out map[string]string, problems []config.Problem) {
	for _, name := range slices.Sorted(maps.Keys(c.Rows.SpeakerLanguages)) {
		tag := c.Rows.SpeakerLanguages[name]
		code, ok := textnorm.ParseLanguage(tag)
		if !ok {
			p := c.Problem("speaker_languages", fmt.Sprintf("%q is not in the table of languages", tag), "write a code of ISO 639-1, as in en or fa")
			p.Part = "." + name
			problems = append(problems, p)
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = code
	}
	return out, problems
}

// translateCorpora turns the items of `datasets` into corpora. A weight is for
// feed alone.
func translateCorpora(c config.Config) (list []intake.Corpus, problems []config.Problem) {
	for i, d := range c.Dataset.Datasets {
		bad := func(part, message, hint string) {
			p := c.Problem("datasets", message, hint)
			p.Part, p.Line, p.Col = fmt.Sprintf("[%d]%s", i, part), d.Line, d.Col
			problems = append(problems, p)
		}
		language, ok := "", true
		if d.Language != "" {
			language, ok = textnorm.ParseLanguage(d.Language)
		}
		if !ok {
			bad(".language", d.Language+" is not in the table of languages", "write a code of ISO 639-1, as in en or fa")
		}
		list = append(list, intake.Corpus{Name: d.Name, Dir: d.Path, Metadata: d.Metadata, Format: d.Format, Language: language, Speaker: d.Speaker, Columns: d.Columns})
	}
	return list, problems
}

// translateRaw is what files without a header hold, nil where nothing is said.
func translateRaw(c config.Config, problems []config.Problem) (*codec.Raw, []config.Problem) {
	if c.Audio.Raw == "" {
		return nil, problems
	}
	raw, err := codec.ParseRaw(c.Audio.Raw)
	if err != nil {
		return nil, append(problems, c.Problem("raw_audio", err.Error(), ""))
	}
	return raw, problems
}

// channelOf is the number of a channel, 0 for the mean of all.
func channelOf(name string) int {
	switch name {
	case "mix":
		return 0
	case "left":
		return 1
	case "right":
		return 2
	}
	n, _ := strconv.Atoi(name) // the table of keys has no other values
	return n
}

func translateProcess(c config.Audio) audio.Process {
	p := audio.Process{PreEmphasis: c.PreEmphasis}
	if c.TrimSilence {
		p.TrimDB, p.TrimMargin = c.TrimDB, c.TrimMargin
	}
	if c.Normalize {
		p.Normalize, p.PeakDB, p.LUFS = c.NormalizeTo, c.PeakDB, c.LUFS
	}
	return p
}

// The keys that the checks of a stage look at.
var (
	processKeys = []string{"trim_db", "trim_margin", "normalize_to", "peak_db", "loudness_lufs", "pre_emphasis", "sample_rate"}
	melKeys     = []string{"mel_variant", "mel_norms", "sample_rate", "n_fft", "hop_length", "win_length", "n_mels", "fmin", "fmax"}
	tokenKeys   = []string{"tokenizer", "language_tag", "space_symbol", "symbols", "symbols_file", "pad_symbol", "unk_symbol", "bos_symbol", "eos_symbol", "blank_symbol", "unknown"}
)

// anyOf reports whether a problem that is no warning stands at one of keys.
func anyOf(problems []config.Problem, keys []string) bool {
	return slices.ContainsFunc(problems, func(p config.Problem) bool {
		_, key, _ := strings.Cut(p.Key, ".")
		return !p.Warning && slices.Contains(keys, key)
	})
}

// inOrder puts problems into the order of the file.
func inOrder(problems []config.Problem) {
	slices.SortStableFunc(problems, func(a, b config.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}

// readTokenizer reads the vocabulary that c names. Its notes are what the file
// asks for and does not get.
func readTokenizer(c config.Config) (*hftok.Tokenizer, []config.Problem) {
	t, err := hftok.Parse(c.Tokens.FilePath, c.Tokens.File)
	if err != nil {
		return nil, []config.Problem{c.Problem("tokenizer", "cannot be used: "+err.Error(), "")}
	}
	var notes []config.Problem
	for _, text := range t.Notes() {
		p := c.Problem("tokenizer", text, "")
		p.Warning = true
		notes = append(notes, p)
	}
	return t, notes
}

func translateTokens(t config.Tokens) textnorm.TokenizerConfig {
	return textnorm.TokenizerConfig{Kind: t.Tokenizer, Symbols: t.Symbols, Pad: t.Pad, Unk: t.Unk, BOS: t.BOS, EOS: t.EOS, Blank: t.Blank,
		Unknown: t.Unknown, AddBlank: t.AddBlank, AddBOS: t.AddBOS, AddEOS: t.AddEOS, LanguageTag: t.LanguageTag, SpaceSymbol: t.SpaceSymbol}
}

func symbolsKey(c config.Config) string {
	if c.Given("symbols_file") {
		return "symbols_file"
	}
	return "symbols"
}

// keyOf is the key that an error of a stage's check is about, else other.
func keyOf(err error, other string) string {
	var of interface{ Setting() string }
	if errors.As(err, &of) && of.Setting() != "symbols" { // other says which key has the symbols
		return of.Setting()
	}
	return other
}
