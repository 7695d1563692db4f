package column

import (
	"errors"
	"io"
	"path"
	"slices"
	"sync"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// archive is a source with one file for all rows. A value is named by its own type, shape
// and bytes, so that a file that was written anew touches the rows whose values differ.
// What values a file has is remembered by the file's digest: a build with nothing to do
// looks at the file's stat, and reads of the memory 32 bytes a value.
type archive struct {
	Config
	folder *clip.Folder
	tools  Tools

	look sync.Once
	at   clip.Beside
	has  catalogue
	err  error // of the whole file

	open    sync.Once
	members members
	handle  io.Closer
	changed func() error
	openErr error
}

func (a *archive) Find(r Row) (Found, error) {
	a.look.Do(func() { a.err = a.list() })
	if bad := (*Bad)(nil); errors.As(a.err, &bad) && bad.Kind == kind.BadValue {
		return Found{File: a.From}, a.err
	}
	if a.err != nil {
		return Found{}, a.err
	}
	return a.has.find(a.From, r.ID, a.at)
}

func (a *archive) Read(r Row, at Found) (*array.Array, error) {
	v, err := a.read(r.ID)
	if err != nil {
		return nil, err
	}
	if digestOf(v) != at.Digest {
		return nil, fault(at.File, clip.ErrChanged)
	}
	if d, _ := decoderOf(a.From); d.settle != nil {
		v, err = d.settle(a.Config, v, r)
		return v, badValue(err)
	}
	return v, nil
}

// read reads a value of the file, which is opened once.
func (a *archive) read(id string) (*array.Array, error) {
	a.open.Do(func() { a.openErr = a.openFile() })
	if a.openErr != nil {
		return nil, a.openErr
	}
	v, err := a.members.Read(id)
	if changed := a.changed(); changed != nil {
		return nil, fault(a.From, changed)
	}
	if err != nil {
		return nil, readError(a.From+": "+id, err)
	}
	return v, nil
}

// Close closes the file, and what was made of it.
func (a *archive) Close() error {
	if made, ok := a.members.(io.Closer); ok {
		made.Close()
	}
	if a.handle == nil {
		return nil
	}
	return a.handle.Close()
}

func (a *archive) openFile() error {
	at, changed, err := a.at.Open()
	if err != nil {
		return readError(a.From, err)
	}
	a.handle, a.changed = at, changed
	d, _ := decoderOf(a.From)
	a.members, err = d.open(a.Config, path.Base(a.From), at, a.at.Stamp.Size)
	return readError(a.From, err)
}

// list finds out which values the file has.
func (a *archive) list() (err error) {
	if a.at, err = a.folder.Look(a.From); err != nil {
		return lookError(a.From, err)
	}
	digest, _, err := a.tools.Stats.Digest(a.at.Name, a.at.Stamp, func() (store.Digest, error) { return a.at.Digest(nil) })
	if err != nil {
		return readError(a.From, err)
	}
	key := new(store.Recipe).Start("values", "1").Text("reads", a.Reads()).Text("field", a.Field).Name("file", digest).Key()
	if a.has.recall(a.tools, key) {
		return nil
	}
	a.open.Do(func() { a.openErr = a.openFile() })
	if a.openErr != nil {
		return a.openErr
	}
	return a.has.read(a.tools, key, slices.Values(a.members.Names()), a.read)
}
