package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/gpufeed/serve"
	"voxpack/store"
	"voxpack/textnorm"
	"voxpack/textnorm/hftok"
)

// servedWords are the answers of a feeder that need more than the store: its
// text is read as voxpack text does with --store, its rows are found as by show.
// What is made on the way lives as long as ctx; close ends it.
func servedWords(ctx context.Context, d *store.Dataset, p place) (words serve.Words, close func()) {
	p.ref = d.Digest.String() // a build may move the ref meanwhile
	var stages *textStages
	words = serve.Words{
		FrontEnd: func() (*serve.FrontEnd, error) {
			var said strings.Builder
			made, err := newTextStages(ctx, textOptions{from: d, tokenizes: true}, &said)
			if err != nil {
				return nil, err
			}
			stages = made
			front := &serve.FrontEnd{Encode: made.line, Decode: made.tokenizer.Decode}
			if made.tokens.File != nil {
				front.Decode = decoderOf(made.tokens).Decode
			}
			for line := range strings.Lines(said.String()) {
				front.Warnings = append(front.Warnings, strings.TrimPrefix(strings.TrimSpace(line), "warning: "))
			}
			return front, nil
		},
		Place: func(id string) string {
			page := rowPage{ID: id}
			page.findSource(p.dataset, store.Digest{})
			return page.Place
		},
		Missing: func(id string) (string, error) { return missingRow(d, p, id) },
		Page:    func() (any, error) { return newSetPage(d, p) },
	}
	return words, func() {
		if stages != nil {
			stages.pool.Close()
		}
	}
}

// line is what became of a text. The language is a code, auto or, as the config
// says, "".
func (s *textStages) line(ctx context.Context, text, language string) (serve.Line, error) {
	one := *s // the line's own language
	if language == compiler.LanguageAuto {
		one.language = language
	} else if language != "" {
		code, ok := textnorm.ParseLanguage(language)
		if !ok {
			return serve.Line{}, fmt.Errorf("language %q is not in the table of languages; write a code of ISO 639-1, as in en or fa, or auto", language)
		}
		one.language = code
	}
	read := one.normalize(text)
	one.language = read.language // told by the text as it came, and not again by what is spoken
	made := one.tokenize(read.output)
	if read.output == "" {
		made.err = fmt.Errorf("%w; a build would reject the row", textnorm.ErrEmpty)
	}
	line := serve.Line{IDs: append([]int32{}, made.ids...), Spoken: read.output, Language: read.language, Notes: []serve.LineNote{}, Phonemes: made.phonemes}
	if made.err != nil {
		line.IDs, line.Error = []int32{}, made.err.Error()
	}
	for stage, notes := range [2][]textnorm.Note{read.notes, made.notes} {
		for _, n := range notes {
			name := [2]string{"text", "tokens"}[stage]
			if n.Kind == "replaced" {
				name = "lexicon"
			}
			line.Notes = append(line.Notes, serve.LineNote{Stage: name, Kind: n.Kind, At: n.At, Detail: n.Detail})
		}
	}
	return line, ctx.Err()
}

// decoderOf puts the tokens of a tokenizer.json back together. What the config
// has put around the text is no part of it.
func decoderOf(c textnorm.TokenizerConfig) *hftok.Decoder {
	var ends []string
	if c.AddBOS {
		ends = append(ends, c.BOS)
	}
	if c.AddEOS {
		ends = append(ends, c.EOS)
	}
	return hftok.NewDecoder(c.File, c.SpaceSymbol, ends...)
}

// missingRow says why a dataset does not have a row.
func missingRow(d *store.Dataset, p place, id string) (string, error) {
	rejections, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(rejections, func(r store.Rejection) bool { return r.ID == id && id != "" }); i >= 0 {
		return fmt.Sprintf("row %q was rejected: %s", id, compiler.RejectedRowOf(&rejections[i])), nil
	}
	if other, bad := intake.ID(strings.Replace(id, "/wavs/", "/", 1)); bad == nil && other != id {
		if _, err := d.Find(other); !errors.Is(err, store.ErrNotFound) {
			return fmt.Sprintf("%s has no row %q; it is called %q", p.store, id, other), err
		}
	}
	return unknownID(d.Store, p, id)
}
