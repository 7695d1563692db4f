package frontend

import (
	"cmp"
	"fmt"
	"slices"

	"voxpack/compiler/kind"
	"voxpack/internal/espeak"
	"voxpack/textnorm"
	"voxpack/textnorm/detect"
	"voxpack/textnorm/hftok"
)

// FrontEnd reads text by a Config. It is safe for concurrent use once Speak, if it
// is called, has returned.
type FrontEnd struct {
	Config     Config
	normalizer *textnorm.Normalizer
	tokenizer  *textnorm.Tokenizer
	pool       *espeak.Pool // nil: Speak was not called, or no phonemes are wanted
}

// New is the front end of a Config.
func New(c Config) (*FrontEnd, error) {
	c.Language = cmp.Or(c.Language, "und")
	f := &FrontEnd{Config: c}
	var err error
	if f.normalizer, err = textnorm.NewNormalizer(c.Text); err != nil {
		return nil, err
	}
	if f.tokenizer, err = textnorm.NewTokenizer(c.Tokens); err != nil {
		return nil, err
	}
	return f, nil
}

// Line is the result of reading a text.
type Line struct {
	Language string
	Spoken   string
	Phonemes string // that the ids are made of, "" where they are not
	IDs      []int32
	Notes    []Note
	Err      error // why it has no ids
}

// Note is something that a step did to a text. The lexicon's have a stage of their own.
type Note struct {
	Stage string
	textnorm.Note
}

// StageLexicon is the stage of notes on what the lexicon replaced.
const StageLexicon = "lexicon"

// Encode runs all steps on a text in the given language, which may be LanguageAuto.
func (f *FrontEnd) Encode(text, language string) Line {
	language = f.Language(text, language)
	text, replaced := f.Replace(text, language)
	spoken, notes := f.Normalize(text, language)
	line := Line{Language: language}
	if spoken == "" {
		line.reject(textnorm.ErrEmpty)
	} else {
		line = f.EncodeSpoken(spoken, language)
	}
	line.Notes = slices.Concat(staged(StageLexicon, replaced), staged(StageText, notes), line.Notes)
	return line
}

// EncodeSpoken runs the steps that follow normalisation on spoken text.
func (f *FrontEnd) EncodeSpoken(spoken, language string) Line {
	line := Line{Language: f.Language(spoken, language), Spoken: spoken}
	dressed, err := f.Dress(spoken, line.Language)
	if f.Config.Tokens.Kind == textnorm.KindPhoneme {
		line.Phonemes = dressed
	}
	var notes []textnorm.Note
	if err == nil {
		line.IDs, notes, err = f.Tokenize(nil, dressed)
	}
	if line.Notes = staged(StageTokens, notes); err != nil {
		line.reject(err)
	}
	return line
}

func (l *Line) reject(err error) {
	l.Err = fmt.Errorf("%w; a build would reject the row", err)
}

func staged(stage string, notes []textnorm.Note) (list []Note) {
	for _, n := range notes {
		list = append(list, Note{stage, n})
	}
	return list
}

// Language is a line's code: language, unless that is LanguageAuto.
func (f *FrontEnd) Language(text, language string) string {
	if language == LanguageAuto {
		return f.normalizer.Language(text)
	}
	return language
}

// Replace puts the lexicon's words into a text, with a note for each.
func (f *FrontEnd) Replace(text, language string) (string, []textnorm.Note) {
	text, used := f.Config.Lexicon.Apply(text, language)
	var notes []textnorm.Note
	for _, u := range used {
		notes = append(notes, textnorm.Note{Kind: kind.Replaced, At: u.At, Detail: u.Written + " → " + u.Spoken})
	}
	return text, notes
}

// Normalize writes a text as it is spoken: the text stage.
func (f *FrontEnd) Normalize(text, language string) (spoken string, notes []textnorm.Note) {
	return f.normalizer.Normalize(text, language)
}

// Rules are those that Normalize applies to a text, and the runs of it in another
// script.
func (f *FrontEnd) Rules(text, language string) ([]textnorm.Rule, []detect.Span) {
	return f.normalizer.Explain(text, language), f.normalizer.Spans(text, language)
}

// Dress turns spoken text into what Tokenize cuts up. An error is a reason to
// reject the row.
func (f *FrontEnd) Dress(spoken, language string) (string, error) {
	return f.Config.Tokens.Dress(spoken, language)
}

// Tokenize appends the ids of a dressed text to dst: the tokens stage. An error is a
// reason to reject the row.
func (f *FrontEnd) Tokenize(dst []int32, dressed string) (ids []int32, notes []textnorm.Note, err error) {
	return f.tokenizer.Encode(dst, dressed)
}

// Symbols are those that ids stand for, by id.
func (f *FrontEnd) Symbols() []string { return f.tokenizer.Symbols() }

// Decoder is what turns ids back into text. What the Config has put around the text
// of a vocabulary's tokens is left out.
func (f *FrontEnd) Decoder() func(ids []int32) string {
	t := f.Config.Tokens
	if t.File == nil {
		return f.tokenizer.Decode
	}
	var ends []string
	if t.AddBOS {
		ends = append(ends, t.BOS)
	}
	if t.AddEOS {
		ends = append(ends, t.EOS)
	}
	return hftok.NewDecoder(t.File, t.SpaceSymbol, ends...).Decode
}
