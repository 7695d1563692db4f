package column

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// scriptEnds is the end of the name of a list of Kaldi, whose values lie in other files.
const scriptEnds = ".scp"

// script is a source with a list of Kaldi: for each row a place in an archive. As of an
// archive, values are named by their own type, shape and bytes; which there are is
// remembered by the digests of the list and of all files that it names.
type script struct {
	Config
	folder *clip.Folder
	tools  Tools

	look   sync.Once
	places map[string]array.Place
	files  map[string]*part // by their names in the list
	has    catalogue
	err    error // of the list
}

// part is a file that a list names. It is open while a value is read: a list may name more files than a
// process can have open.
type part struct {
	at  clip.Beside
	err error // of looking for it
}

func (s *script) Find(r Row) (Found, error) {
	s.look.Do(func() { s.err = s.list() })
	if s.err != nil {
		return Found{File: s.From}, s.err
	}
	return s.has.find(s.From, r.ID, clip.Beside{})
}

func (s *script) Read(r Row, at Found) (*array.Array, error) {
	v, err := s.read(r.ID)
	if err == nil && digestOf(v) != at.Digest {
		err = fault(at.File, clip.ErrChanged)
	}
	return v, err
}

// read reads the value of a place.
func (s *script) read(id string) (*array.Array, error) {
	p := s.places[id]
	f := s.files[p.File]
	if f.err != nil {
		return nil, f.err
	}
	at, changed, err := f.at.Open()
	if err != nil {
		return nil, readError(p.File, err)
	}
	defer at.Close()
	v, err := p.Read(at, f.at.Stamp.Size)
	if changed := changed(); changed != nil {
		return nil, fault(p.File, changed)
	}
	return v, readError(p.File, err)
}

// list finds out which values there are.
func (s *script) list() error {
	at, err := s.folder.Look(s.From)
	if err != nil {
		return lookError(s.From, err)
	}
	if at.Stamp.Size > maxFile {
		return badf(kind.BadValue, "%s has %d MiB; a list may have %d", s.From, at.Stamp.Size>>20, int64(maxFile)>>20)
	}
	b, err := at.Read()
	if err != nil {
		return readError(s.From, err)
	}
	if err := s.parse(b); err != nil {
		return readError(s.From, err)
	}
	recipe := new(store.Recipe).Start("values", "1").Text("reads", s.Reads()).Name("file", store.Sum(b))
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		f := s.files[name]
		if f.at, f.err = s.find(name); f.err != nil {
			if bad := (*Bad)(nil); !errors.As(f.err, &bad) {
				return f.err
			}
			continue
		}
		digest, _, err := s.tools.Stats.Digest(f.at.Name, f.at.Stamp, func() (store.Digest, error) { return f.at.Digest(nil) })
		if err != nil {
			return readError(name, err)
		}
		recipe = recipe.Text("part", name).Name("bytes", digest)
	}
	key := recipe.Key()
	if s.has.recall(s.tools, key) {
		return nil
	}
	return s.has.read(s.tools, key, maps.Keys(s.places), s.read)
}

// parse takes the lines of a list.
func (s *script) parse(b []byte) error {
	list, err := array.Places(bytes.NewReader(b))
	if err != nil {
		return err
	}
	s.places, s.files = map[string]array.Place{}, map[string]*part{}
	for _, p := range list {
		if _, twice := s.places[p.Name]; twice {
			return fmt.Errorf("%s stands there twice", p.Name)
		}
		s.places[p.Name], s.files[p.File] = p, &part{}
	}
	return nil
}

// find looks for a file of the list: below the corpus, else beside the list.
func (s *script) find(name string) (clip.Beside, error) {
	rel := name
	if path.IsAbs(name) {
		root, err := filepath.Abs(s.folder.Path("."))
		if below, err2 := filepath.Rel(root, name); err == nil && err2 == nil {
			rel = filepath.ToSlash(below)
		}
	}
	var err error
	for _, rel := range []string{path.Clean(rel), path.Join(path.Dir(s.From), rel)} {
		if path.IsAbs(rel) || rel == ".." || strings.HasPrefix(rel, "../") {
			return clip.Beside{}, badf(kind.NoValue, "%s names %s, which is not below the dataset", s.From, name)
		}
		var at clip.Beside
		if at, err = s.folder.Look(rel); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				err = lookError(name, err)
			}
			return at, err
		}
	}
	return clip.Beside{}, lookError(name, err)
}
