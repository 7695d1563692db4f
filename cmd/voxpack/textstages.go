package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
	"voxpack/textnorm"
	"voxpack/textnorm/detect"
	"voxpack/textnorm/hftok"
)

// textStages are the text stages of a command's lines.
type textStages struct {
	*frontend.FrontEnd
	explain bool // list the rules that fire
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
		return nil, term.Usagef("--config and --store: take one of them away")
	}
	loaded, err := settings.Load(o.config, stderr)
	if err != nil {
		return nil, err
	}
	c := loaded.Compile.Config
	if o.store != "" {
		if c, err = storedFrontEnd(o.store, stderr); err != nil {
			return nil, err
		}
	}
	if o.tokenizer != "" {
		if c.Tokens, err = tokenizerOf(o.tokenizer, c.Tokens, stderr); err != nil {
			return nil, err
		}
	}
	if o.language != "" {
		if c.Language, err = lineLanguage(o.language); err != nil {
			return nil, term.Usagef("--lang %s %w", o.language, err)
		}
	}
	c = c.KeepMarked()
	if o.verbalise != nil {
		c.Text.Verbalise = *o.verbalise
	}
	end, warnings, err := newFrontEnd(ctx, c, o.tokenizes, o.store)
	for _, w := range warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	return &textStages{end, o.explain || o.json}, err
}

// newFrontEnd is the front end of a config. The warnings are about the phonemes of the
// dataset at where; they are made only where tokens are wanted.
func newFrontEnd(ctx context.Context, c frontend.Config, tokenizes bool, where string) (end *frontend.FrontEnd, warnings []string, err error) {
	if end, err = frontend.New(c); err != nil {
		return nil, nil, term.Usage{Err: err}
	}
	if tokenizes {
		differs, err := end.Speak(ctx)
		if err != nil {
			return nil, nil, term.Usage{Err: err}
		}
		if differs != nil {
			warnings = append(warnings, differs.Warning(where))
		}
	}
	return end, warnings, nil
}

// lineLanguage is the code that a person wrote, or auto.
func lineLanguage(tag string) (string, error) {
	if tag == frontend.LanguageAuto {
		return tag, nil
	}
	code, ok := textnorm.ParseLanguage(tag)
	if !ok {
		return "", errors.New("is not in the table of languages; write a code of ISO 639-1, as in en or fa")
	}
	return code, nil
}

// storedFrontEnd is what the text of the dataset at a place was read by.
func storedFrontEnd(where string, stderr io.Writer) (c frontend.Config, err error) {
	p, err := locate.Find(where)
	if err != nil {
		return c, err
	}
	d, err := p.OpenDataset()
	if err != nil {
		return c, err
	}
	defer d.Store.Close()
	c, differ, err := compiler.FrontEndOf(d)
	for _, s := range differ {
		fmt.Fprintf(stderr, "warning: %s\n", s.Warning(p.Store))
	}
	return c, err
}

// tokenizerNames are what --tokenizer takes beside files.
var tokenizerNames = []string{"char", textnorm.KindTacotron, textnorm.KindPhoneme}

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
	read, problems := config.Load("--tokenizer", []byte("data:\n  "+key+": "+strconv.Quote(full)+"\n"), intake.FormatNames())
	if err := settings.Judge(problems, stderr); err != nil {
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
		return c, term.Usagef("--tokenizer %v", err)
	}
	for _, note := range c.File.Notes() {
		fmt.Fprintf(stderr, "warning: %s: %s\n", path, note)
	}
	return c, nil
}

func (s *textStages) normalize(line string) textResult {
	language := s.Language(line, s.Config.Language)
	text, replaced := s.Replace(line, language)
	spoken, notes := s.Normalize(text, language)
	result := textResult{output: spoken, notes: append(replaced, notes...), language: language}
	if s.explain {
		var runs []detect.Span
		result.rules, runs = s.Rules(text, language)
		for _, run := range runs {
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
	made := s.EncodeSpoken(line, s.Config.Language)
	var b []byte
	for i, id := range made.IDs {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	result := textResult{output: string(b), ids: made.IDs, language: made.Language, phonemes: made.Phonemes, err: made.Err}
	for _, n := range made.Notes {
		result.notes = append(result.notes, n.Note)
	}
	return result
}
