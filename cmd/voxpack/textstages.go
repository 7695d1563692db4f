package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"voxpack/internal/config"
	"voxpack/store"
	"voxpack/textnorm"
)

// textStages are the text stages with their settings.
type textStages struct {
	language   string
	normalizer *textnorm.Normalizer
	tokenizer  *textnorm.Tokenizer
}

// textResult is what became of one line.
type textResult struct {
	output   string
	language string // where the line itself tells it
	spans    []textSpan
	ids      []int32
	notes    []textnorm.Note
	err      error // why there is no output
}

func newTextStages(o textOptions, stderr io.Writer) (*textStages, error) {
	if o.config != "" && o.store != "" {
		return nil, usagef("--config and --store: take one of them away")
	}
	c, err := loadConfig(o.config, stderr)
	if err != nil {
		return nil, err
	}
	language, text, tokens := c.compile.Language, c.compile.Text, c.compile.Tokens
	if o.store != "" {
		if language, text, tokens, err = settingsOf(o.store, stderr); err != nil {
			return nil, err
		}
	}
	if o.tokenizer != "" {
		if tokens.Symbols, err = symbolsOf(o.tokenizer, stderr); err != nil {
			return nil, err
		}
	}
	if o.language != "" {
		code, ok := textnorm.ParseLanguage(o.language)
		if !ok {
			return nil, usagef("--lang %s is not in the table of languages; write a code of ISO 639-1, as in en or fa", o.language)
		}
		language = code
	}
	s := &textStages{language: orDefault(language, "und")}
	if s.normalizer, err = textnorm.NewNormalizer(text); err != nil {
		return nil, usageError{err}
	}
	if s.tokenizer, err = textnorm.NewTokenizer(tokens); err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// symbolsOf reads a table of symbols as the key symbols_file does.
func symbolsOf(path string, stderr io.Writer) ([]string, error) {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return nil, usagef("--tokenizer %s: this version has only tables of symbols, one a line", path)
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	c, problems := config.Load("--tokenizer", []byte("data:\n  symbols_file: "+strconv.Quote(full)+"\n"))
	if err := judge(problems, stderr); err != nil {
		return nil, err
	}
	return c.Tokens.Symbols, nil
}

// settingsOf takes the text settings from a snapshot's root.
func settingsOf(where string, stderr io.Writer) (language string, text textnorm.Config, tokens textnorm.TokenizerConfig, err error) {
	p, err := findPlace(where)
	if err != nil {
		return "", text, tokens, err
	}
	st, err := p.open()
	if err != nil {
		return "", text, tokens, err
	}
	defer st.Close()
	d, err := st.Dataset(p.ref)
	if err != nil {
		return "", text, tokens, err
	}
	for stage, mine := range map[string]string{"text": textnorm.TextVersion, "tokens": textnorm.TokensVersion} {
		if its := d.Root.Stage(stage); its != mine {
			fmt.Fprintf(stderr, "warning: %s was built with %s, this program has %s: a result can differ\n", p.store, its, mine)
		}
	}
	tokens, err = tokensOf(d.Root)
	if err != nil {
		return "", text, tokens, err
	}
	if _, err := fmt.Sscanf(d.Root.Setting("text"), "mojibake=%q", &text.Mojibake); err != nil {
		return "", text, tokens, fmt.Errorf("root of %s: text settings %q: %w", p.store, d.Root.Setting("text"), err)
	}
	return d.Root.Setting("language"), text, tokens, nil
}

// tokensOf is the tokenizer that a root was made with.
func tokensOf(root *store.Root) (textnorm.TokenizerConfig, error) {
	c := textnorm.TokenizerConfig{Kind: root.Setting("tokenizer"), Symbols: root.Symbols, Unknown: root.Setting("unknown"),
		AddBlank: root.Setting("add_blank") == "true", AddBOS: root.Setting("add_bos") == "true", AddEOS: root.Setting("add_eos") == "true"}
	_, err := fmt.Sscanf(root.Setting("specials"), "%q %q %q %q %q", &c.Pad, &c.Unk, &c.BOS, &c.EOS, &c.Blank)
	if err != nil {
		err = fmt.Errorf("root: specials %q: %w", root.Setting("specials"), err)
	}
	return c, err
}

func (s *textStages) normalize(line string) textResult {
	spoken, notes := s.normalizer.Normalize(line, s.language)
	return textResult{output: spoken, notes: notes}
}

// tokenize leaves the line empty where a build would reject the text.
func (s *textStages) tokenize(line string) textResult {
	if line == "" {
		return textResult{}
	}
	ids, notes, err := s.tokenizer.Encode(nil, line)
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
	return textResult{output: string(b), ids: ids, notes: notes, err: err}
}
