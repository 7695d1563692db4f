package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"voxpack/compiler"
	"voxpack/internal/config"
	"voxpack/internal/espeak"
	"voxpack/store"
	"voxpack/textnorm"
	"voxpack/textnorm/hftok"
)

// textStages are the text stages with their settings.
type textStages struct {
	language   string
	normalizer *textnorm.Normalizer
	tokens     textnorm.TokenizerConfig
	tokenizer  *textnorm.Tokenizer
	lexicon    *textnorm.Lexicon
	pool       *espeak.Pool // nil: no phonemes are wanted
	explain    bool         // list the rules that fire
}

// textResult is what became of one line.
type textResult struct {
	output   string
	language string // where the line itself tells it
	sure     *float64
	spans    []textSpan
	ids      []int32
	phonemes string // that ids are made of
	notes    []textnorm.Note
	rules    []textnorm.Rule // that fired, where they are asked for
	err      error           // why there is no output
}

func newTextStages(ctx context.Context, o textOptions, stderr io.Writer) (*textStages, error) {
	if o.config != "" && o.store != "" {
		return nil, usagef("--config and --store: take one of them away")
	}
	c, err := loadConfig(o.config, stderr)
	if err != nil {
		return nil, err
	}
	end := frontEnd{language: c.compile.Language, text: c.compile.Text, tokens: c.compile.Tokens, lexicon: c.compile.Lexicon}
	if o.from != nil {
		if end, err = frontEndOf(o.from, stderr); err != nil {
			return nil, err
		}
	} else if o.store != "" {
		if end, err = settingsOf(o.store, stderr); err != nil {
			return nil, err
		}
	}
	if o.tokenizer != "" {
		if end.tokens, err = tokenizerOf(o.tokenizer, end.tokens, stderr); err != nil {
			return nil, err
		}
	}
	if o.language == compiler.LanguageAuto {
		end.language = o.language
	} else if o.language != "" {
		code, ok := textnorm.ParseLanguage(o.language)
		if !ok {
			return nil, usagef("--lang %s is not in the table of languages; write a code of ISO 639-1, as in en or fa", o.language)
		}
		end.language = code
	}
	if end.tokens.Marks() {
		end.text.Marked = textnorm.MarkedLeave
	}
	if end.text.Marked == textnorm.MarkedLeave {
		end.lexicon = end.lexicon.LeaveMarked()
	}
	if o.verbalise != nil {
		end.text.Verbalise = *o.verbalise
	}
	s := &textStages{explain: o.explain || o.json, language: orDefault(end.language, "und"), tokens: end.tokens, lexicon: end.lexicon}
	if s.normalizer, err = textnorm.NewNormalizer(end.text); err != nil {
		return nil, usageError{err}
	}
	if s.tokenizer, err = textnorm.NewTokenizer(end.tokens); err != nil {
		return nil, usageError{err}
	}
	if o.tokenizes {
		err = s.speak(ctx, end.phonemes, stderr)
	}
	return s, err
}

// tokenizerOf puts a tokenizer by its name, a tokenizer.json or a table of
// symbols, which is read as by the keys tokenizer and symbols_file, in the place of
// that of c.
func tokenizerOf(path string, c textnorm.TokenizerConfig, stderr io.Writer) (textnorm.TokenizerConfig, error) {
	if slices.Contains(tokenizerNames, path) {
		if c.Kind != path {
			c = textnorm.TokenizerConfig{Kind: path}
		}
		return c, nil
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return c, err
	}
	key := "symbols_file"
	if config.IsVocabulary(path) {
		key = "tokenizer"
	}
	read, problems := config.Load("--tokenizer", []byte("data:\n  "+key+": "+strconv.Quote(full)+"\n"))
	if err := judge(problems, stderr); err != nil {
		return c, err
	}
	if (c.File != nil) != (read.Tokens.File != nil) {
		c = textnorm.TokenizerConfig{} // settings of another kind of tokenizer
	}
	if c.Symbols = read.Tokens.Symbols; read.Tokens.File == nil {
		return c, nil
	}
	c.Kind = textnorm.KindJSON
	if c.File, err = hftok.Parse(path, read.Tokens.File); err != nil {
		return c, usagef("--tokenizer %v", err)
	}
	for _, note := range c.File.Notes() {
		fmt.Fprintf(stderr, "warning: %s: %s\n", path, note)
	}
	return c, nil
}

// frontEnd is all that text is read by.
type frontEnd struct {
	language string
	text     textnorm.Config
	tokens   textnorm.TokenizerConfig
	lexicon  *textnorm.Lexicon
	phonemes string // who made those of a store
}

// settingsOf takes the text settings from a snapshot's root.
func settingsOf(where string, stderr io.Writer) (end frontEnd, err error) {
	p, err := findPlace(where)
	if err != nil {
		return end, err
	}
	st, err := p.open()
	if err != nil {
		return end, err
	}
	defer st.Close()
	d, err := st.Dataset(p.ref)
	if err != nil {
		return end, err
	}
	return frontEndOf(d, stderr)
}

// frontEndOf takes the text settings from the root of a dataset that is open.
func frontEndOf(d *store.Dataset, stderr io.Writer) (end frontEnd, err error) {
	st, where := d.Store, d.Store.Dir()
	end.language, end.phonemes = d.Root.Setting("language"), d.Root.Setting("phonemes")
	if end.tokens, err = tokensOf(d.Root); err != nil {
		return end, err
	}
	if digest := d.Root.Tokenizer(); !digest.IsZero() {
		src, err := st.Get(store.KindText, digest)
		if err == nil {
			end.tokens.File, err = hftok.Parse("tokenizer", src)
		}
		if err != nil {
			return end, fmt.Errorf("tokenizer of %s: %w", where, err)
		}
	}
	if end.text, err = textnorm.ParseConfig(d.Root.Setting("text")); err != nil {
		return end, fmt.Errorf("root of %s: %w", where, err)
	}
	if digest := d.Root.Lexicon(); !digest.IsZero() {
		src, err := st.Get(store.KindText, digest)
		if err == nil {
			end.lexicon, err = textnorm.ParseLexicon("lexicon", src)
		}
		if err != nil {
			return end, fmt.Errorf("lexicon of %s: %w", where, err)
		}
	}
	read := compiler.Config{Language: end.language, Text: end.text, Tokens: end.tokens, Lexicon: end.lexicon, Phonemes: end.phonemes}
	differ, err := read.TextChanges(d.Root)
	if err != nil {
		return end, fmt.Errorf("root of %s: %w", where, err)
	}
	for _, c := range differ {
		fmt.Fprintf(stderr, "warning: %s was built with %s: a result can differ\n", where, otherRules(c))
	}
	return end, nil
}

// otherRules says how a program differs from the one that built a store.
func otherRules(c compiler.Change) string {
	plain := func(value string) string {
		if strings.IndexFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			return strconv.Quote(value)
		}
		return value
	}
	name := c.Key + " "
	if strings.HasPrefix(c.Key, "version of ") {
		name = "" // a version begins with its stage's name
	}
	if c.Now == "" {
		return fmt.Sprintf("%s%s, which this program does not have", name, plain(c.Was))
	}
	return fmt.Sprintf("%s%s, this program has %s", name, orDefault(plain(c.Was), "nothing of the kind"), plain(c.Now))
}

// tokensOf is the tokenizer that a root was made with.
func tokensOf(root *store.Root) (textnorm.TokenizerConfig, error) {
	c := textnorm.TokenizerConfig{Kind: root.Setting("tokenizer"), Symbols: root.Symbols, Unknown: root.Setting("unknown"),
		AddBlank: root.Setting("add_blank") == "true", AddBOS: root.Setting("add_bos") == "true", AddEOS: root.Setting("add_eos") == "true",
		LanguageTag: root.Setting("language_tag") == "true", SpaceSymbol: root.Setting("space_symbol")}
	_, err := fmt.Sscanf(root.Setting("specials"), "%q %q %q %q %q", &c.Pad, &c.Unk, &c.BOS, &c.EOS, &c.Blank)
	if err != nil {
		err = fmt.Errorf("root: specials %q: %w", root.Setting("specials"), err)
	}
	return c, err
}

// languageOf is the language of a line, told by its text where nothing else does.
func (s *textStages) languageOf(line string) string {
	if s.language == compiler.LanguageAuto {
		return s.normalizer.Language(line)
	}
	return s.language
}

func (s *textStages) normalize(line string) textResult {
	language := s.languageOf(line)
	line, used := s.lexicon.Apply(line, language)
	spoken, notes := s.normalizer.Normalize(line, language)
	for i := len(used) - 1; i >= 0; i-- {
		u := used[i]
		notes = slices.Insert(notes, 0, textnorm.Note{Kind: "replaced", At: u.At, Detail: u.Written + " → " + u.Spoken})
	}
	result := textResult{output: spoken, notes: notes, language: language}
	if s.explain {
		result.rules = s.normalizer.Explain(line, language)
		for _, run := range s.normalizer.Spans(line, language) {
			result.spans = append(result.spans, textSpan{run.Start, run.End, run.Code})
		}
	}
	return result
}

// tokenize leaves the line empty where a build would reject the text.
func (s *textStages) tokenize(line string) textResult {
	if line == "" {
		return textResult{}
	}
	var ids []int32
	var notes []textnorm.Note
	language := s.languageOf(line)
	line, err := s.tokens.Dress(line, language)
	if err == nil {
		ids, notes, err = s.tokenizer.Encode(nil, line)
	}
	if err != nil {
		err = fmt.Errorf("%w; a build would reject the row", err)
	}
	var b []byte
	for i, id := range ids {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	result := textResult{output: string(b), ids: ids, notes: notes, language: language, err: err}
	if s.pool != nil {
		result.phonemes = line
	}
	return result
}
