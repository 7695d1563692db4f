package locate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// Place is what an argument names.
type Place struct {
	Dataset string // folder; "" where the store stands by itself
	Store   string // folder
	Ref     string // "main" unless the argument says otherwise
	Named   bool   // the argument says so
	onlyRef bool   // the argument was @REF, and may have been meant as an id
}

// Find resolves a dataset's folder, a store, or either with @REF. "" is the
// nearest folder from here upwards that has a store in it.
func Find(arg string) (Place, error) {
	dir, ref := arg, "main"
	if at := strings.LastIndexByte(arg, '@'); at >= 0 && !IsFolder(arg) {
		dir, ref = arg[:at], arg[at+1:]
		if ref == "" {
			return Place{}, term.Usagef("%s: the name of a ref is missing behind @", arg)
		}
	}
	named, onlyRef := dir != arg, dir == "" && arg != ""
	if dir == "" {
		found, ok := nearest()
		if !ok {
			return Place{}, fmt.Errorf("no %s in this folder or above; name the dataset's folder or the store: %w", compiler.StoreName, store.ErrNoStore)
		}
		dir = found
	}
	switch {
	case IsStore(dir):
		p := Place{Store: dir, Ref: ref, Named: named, onlyRef: onlyRef}
		if full, err := filepath.Abs(dir); err == nil && filepath.Base(full) == compiler.StoreName {
			p.Dataset = filepath.Dir(filepath.Clean(dir))
			if dir == "." {
				p.Dataset = ".."
			}
		}
		return p, nil
	case IsStore(filepath.Join(dir, compiler.StoreName)):
		return Place{Dataset: dir, Store: filepath.Join(dir, compiler.StoreName), Ref: ref, Named: named, onlyRef: onlyRef}, nil
	case !IsFolder(dir):
		return Place{}, fmt.Errorf("%s: no such folder: %w", dir, store.ErrNoStore)
	}
	return Place{}, fmt.Errorf("%s holds no store; make one with voxpack build %s: %w", dir, term.Quoted(dir), store.ErrNoStore)
}

// Hint adds to the error of an unknown ref how an id of that form is written.
func (p Place) Hint(err error) error {
	if !p.onlyRef || !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return fmt.Errorf("%w; an id that begins with @ stands behind --, as in -- %s", err, term.Quoted("@"+p.Ref))
}

// Open opens the store of a place.
func (p Place) Open() (*store.Store, error) { return store.Open(p.Store) }

// OpenDataset opens the store of a place and the dataset that its ref names; who is
// done with it closes its Store.
func (p Place) OpenDataset() (*store.Dataset, error) {
	st, err := p.Open()
	if err != nil {
		return nil, err
	}
	d, err := st.Dataset(p.Ref)
	if err != nil {
		return nil, errors.Join(p.Hint(err), st.Close())
	}
	return d, nil
}

// SplitArgs tells a place from the ids behind it. The first argument is a place
// when it is a folder (with or without @REF); what stands behind -- never is.
// dash is the number of arguments before --, -1 without one.
func SplitArgs(args []string, dash int) (where string, ids []string) {
	if len(args) == 0 || dash == 0 || dash < 0 && !namesPlace(args[0]) {
		return "", args
	}
	return args[0], args[1:]
}

func namesPlace(arg string) bool {
	if IsFolder(arg) {
		return true
	}
	for _, start := range []string{"/", "./", "../"} { // no id begins so
		if strings.HasPrefix(arg, start) {
			return true
		}
	}
	at := strings.LastIndexByte(arg, '@')
	return at == 0 || at > 0 && IsFolder(arg[:at])
}

// nearest is the closest folder from here upwards with a store in it.
func nearest() (string, bool) {
	here, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if IsStore(filepath.Join(dir, compiler.StoreName)) {
			return dir, true
		}
		if up := filepath.Dir(here); up != here {
			here = up
			continue
		}
		return "", false
	}
}

// IsFolder reports whether path is a folder or leads to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// IsStore looks for the file that says what a store's layout is, or for all else of a
// store; whether it is a good one, opening tells.
func IsStore(path string) bool {
	format := filepath.Join(path, "format")
	info, err := os.Stat(format)
	return err == nil && info.Mode().IsRegular() || err != nil && (Exists(format) || store.LostFormat(path))
}

// Here is the folder that build takes when none is named: this one if it
// has metadata or a config, which may name corpora elsewhere, else the nearest
// one above with a store.
func Here() (string, error) {
	err := intake.Found(intake.Corpus{Dir: "."})
	if err == nil || Exists(ConfigName) {
		return ".", nil
	}
	if dir, ok := nearest(); ok {
		return dir, nil
	}
	return "", err
}

// ConfigName is the config file that a dataset's folder may have.
const ConfigName = "voxpack.yaml"

// Config is the config file to read: the given one, else the dataset's own; "" where
// there is none.
func (p Place) Config(given string) string {
	if own := filepath.Join(p.Dataset, ConfigName); given == "" && p.Dataset != "" && Exists(own) {
		return own
	}
	return given
}

// Exists says yes as well where the system does not tell: who opens it hears why.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}

// At is the place with a ref, as an argument says it.
func (p Place) At(ref string) string {
	where := cmp.Or(p.Dataset, p.Store)
	if where == "." {
		where = ""
	}
	return where + "@" + ref
}
