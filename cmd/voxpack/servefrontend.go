package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/show"
	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/gpufeed/serve"
	"voxpack/store"
)

// servedWords are the answers of a feeder that need more than the store: its
// text is read as voxpack text does with --store, its rows are found as by show.
// What is made on the way lives as long as ctx; close ends it.
func servedWords(ctx context.Context, d *store.Dataset, p locate.Place) (words serve.Words, close func()) {
	p.Ref = d.Digest.String() // a build may move the ref meanwhile
	var end *frontend.FrontEnd
	words = serve.Words{
		FrontEnd: func() (*serve.FrontEnd, error) {
			c, differ, err := compiler.FrontEndOf(d)
			if err != nil {
				return nil, err
			}
			made, warnings, err := newFrontEnd(ctx, c.KeepMarked(), true, p.Store)
			if err != nil {
				return nil, err
			}
			end = made
			front := &serve.FrontEnd{Decode: end.Decoder()}
			front.Encode = func(ctx context.Context, text, language string) (serve.Line, error) {
				return servedLine(ctx, made, text, language)
			}
			for _, s := range differ {
				front.Warnings = append(front.Warnings, s.Warning(p.Store))
			}
			front.Warnings = append(front.Warnings, warnings...)
			return front, nil
		},
		Place: func(id string) string {
			page := show.Row{ID: id}
			page.FindSource(p.Dataset, store.Digest{})
			return page.Place
		},
		Missing: func(id string) (string, error) { return missingRow(d, p, id) },
		Page:    func() (any, error) { return show.NewSet(d, p) },
	}
	return words, func() {
		if end != nil {
			end.Close()
		}
	}
}

// servedLine is what became of a text. The language is a code, auto or, as the config
// says, "".
func servedLine(ctx context.Context, end *frontend.FrontEnd, text, language string) (serve.Line, error) {
	code := end.Config.Language
	if language != "" {
		var err error
		if code, err = lineLanguage(language); err != nil {
			return serve.Line{}, fmt.Errorf("language %q %w, or auto", language, err)
		}
	}
	made := end.Encode(text, code)
	line := serve.Line{IDs: append([]int32{}, made.IDs...), Spoken: made.Spoken, Language: made.Language, Notes: []serve.LineNote{}, Phonemes: made.Phonemes}
	if made.Err != nil {
		line.Error = made.Err.Error()
	}
	for _, n := range made.Notes {
		line.Notes = append(line.Notes, serve.LineNote{Stage: n.Stage, Kind: n.Kind, At: n.At, Detail: n.Detail})
	}
	return line, ctx.Err()
}

// missingRow says why a dataset does not have a row.
func missingRow(d *store.Dataset, p locate.Place, id string) (string, error) {
	rejections, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(rejections, func(r store.Rejection) bool { return r.ID == id && id != "" }); i >= 0 {
		return fmt.Sprintf("row %q was rejected: %s", id, compiler.RejectedRowOf(&rejections[i])), nil
	}
	if other, bad := intake.ID(strings.Replace(id, "/wavs/", "/", 1)); bad == nil && other != id {
		if _, err := d.Find(other); !errors.Is(err, store.ErrNotFound) {
			return fmt.Sprintf("%s has no row %q; it is called %q", p.Store, id, other), err
		}
	}
	return locate.UnknownID(d.Store, p, id)
}
