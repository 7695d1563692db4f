package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// place is what an argument names.
type place struct {
	dataset string // folder; "" where the store stands by itself
	store   string // folder
	ref     string // "main" unless the argument says otherwise
	onlyRef bool   // the argument was @REF, and may have been meant as an id
}

// findPlace resolves a dataset's folder, a store, or either with @REF. "" is the
// nearest folder from here upwards that has a store in it.
func findPlace(arg string) (place, error) {
	dir, ref := arg, "main"
	if at := strings.LastIndexByte(arg, '@'); at >= 0 && !isFolder(arg) {
		dir, ref = arg[:at], arg[at+1:]
		if ref == "" {
			return place{}, usagef("%s: the name of a ref is missing behind @", arg)
		}
	}
	onlyRef := dir == "" && arg != ""
	if dir == "" {
		found, ok := nearest()
		if !ok {
			return place{}, fmt.Errorf("no %s in this folder or above; name the dataset's folder or the store: %w", compiler.StoreName, store.ErrNoStore)
		}
		dir = found
	}
	switch {
	case isStore(dir):
		p := place{store: dir, ref: ref, onlyRef: onlyRef}
		if full, err := filepath.Abs(dir); err == nil && filepath.Base(full) == compiler.StoreName {
			p.dataset = filepath.Dir(filepath.Clean(dir))
			if dir == "." {
				p.dataset = ".."
			}
		}
		return p, nil
	case isStore(filepath.Join(dir, compiler.StoreName)):
		return place{dataset: dir, store: filepath.Join(dir, compiler.StoreName), ref: ref, onlyRef: onlyRef}, nil
	case !isFolder(dir):
		return place{}, fmt.Errorf("%s: no such folder: %w", dir, store.ErrNoStore)
	}
	return place{}, fmt.Errorf("%s holds no store; make one with voxpack build %s: %w", dir, quoted(dir), store.ErrNoStore)
}

// hint adds to the error of an unknown ref how an id of that form is written.
func (p place) hint(err error) error {
	if !p.onlyRef || !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; an id that begins with @ stands behind --, as in -- %s", err, quoted("@"+p.ref))
}

// open opens the store of a place.
func (p place) open() (*store.Store, error) { return store.Open(p.store) }

// openDataset opens the store of a place and the dataset that its ref names; who is
// done with it closes its Store.
func (p place) openDataset() (*store.Dataset, error) {
	st, err := p.open()
	if err != nil {
		return nil, err
	}
	d, err := st.Dataset(p.ref)
	if err != nil {
		return nil, errors.Join(p.hint(err), st.Close())
	}
	return d, nil
}

// splitArgs tells a place from the ids behind it. The first argument is a place
// when it is a folder (with or without @REF); what stands behind -- never is.
// dash is the number of arguments before --, -1 without one.
func splitArgs(args []string, dash int) (where string, ids []string) {
	if len(args) == 0 || dash == 0 || dash < 0 && !namesPlace(args[0]) {
		return "", args
	}
	return args[0], args[1:]
}

func namesPlace(arg string) bool {
	if isFolder(arg) {
		return true
	}
	for _, start := range []string{"/", "./", "../"} { // no id begins so
		if strings.HasPrefix(arg, start) {
			return true
		}
	}
	at := strings.LastIndexByte(arg, '@')
	return at == 0 || at > 0 && isFolder(arg[:at])
}

// nearest is the closest folder from here upwards with a store in it.
func nearest() (string, bool) {
	here, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if isStore(filepath.Join(dir, compiler.StoreName)) {
			return dir, true
		}
		if up := filepath.Dir(here); up != here {
			here = up
			continue
		}
		return "", false
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isStore looks for the file that says what a store's layout is; whether it is
// a good one, opening tells.
func isStore(path string) bool {
	format := filepath.Join(path, "format")
	info, err := os.Stat(format)
	return err == nil && info.Mode().IsRegular() || err != nil && isThere(format)
}

// datasetHere is the folder that build takes when none is named: this one if it
// has metadata or a config, which may name corpora elsewhere, else the nearest
// one above with a store.
func datasetHere() (string, error) {
	err := intake.Found(intake.Corpus{Dir: "."})
	if err == nil || isThere(configName) {
		return ".", nil
	}
	if dir, ok := nearest(); ok {
		return dir, nil
	}
	return "", err
}

// quoted is a path as one can paste it into a shell.
func quoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@+,%~", r) || r > 0x7f
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
