package column

import (
	"errors"
	"io/fs"
	"sync"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// files is a source with a file for each row.
type files struct {
	Config
	folder  *clip.Folder
	tools   Tools
	decoder decoder
	buffers sync.Pool // of *[]byte, for hashing
}

// maxFile bounds a row's file, which is read whole: an array takes 64 MiB at most, and
// deflated ones take less.
const maxFile = array.MaxBytes + 1<<20

func (f *files) Find(r Row) (Found, error) {
	rel, err := f.path(r)
	if err != nil {
		return Found{}, err
	}
	at, err := f.folder.Look(rel)
	if err != nil {
		return Found{}, lookError(rel, err)
	}
	found := Found{File: rel, at: at}
	if at.Stamp.Size > maxFile {
		return Found{}, badf(kind.BadValue, "%s has %d MiB; the file of a value may have %d", rel, at.Stamp.Size>>20, int64(maxFile)>>20)
	}
	found.Digest, _, err = f.tools.Stats.Digest(at.Name, at.Stamp, func() (store.Digest, error) {
		buf, _ := f.buffers.Get().(*[]byte)
		if buf == nil {
			buf = new([]byte)
			*buf = make([]byte, 64<<10)
		}
		defer f.buffers.Put(buf)
		return at.Digest(*buf)
	})
	return found, readError(rel, err)
}

func (f *files) Read(r Row, at Found) (*array.Array, error) {
	b, err := at.at.Read()
	if err != nil {
		return nil, readError(at.File, err)
	}
	a, err := f.decoder.decode(f.Config, at.File, b, r)
	return a, badValue(err)
}

// badValue is the error of a decoder.
func badValue(err error) error {
	var bad *Bad
	switch {
	case err == nil || errors.As(err, &bad):
		return err
	case errors.Is(err, array.ErrAbsent):
		return &Bad{kind.NoValue, err}
	}
	return &Bad{kind.BadValue, err}
}

// lookError is the error of a file that was looked for.
func lookError(rel string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return badf(kind.NoValue, "%s is not there", rel)
	case intake.IsMachine(err) || errors.Is(err, clip.ErrChanged):
		return fault(rel, err)
	}
	return badf(kind.NoValue, "%w", err)
}

// readError is the error of a file that was found.
func readError(rel string, err error) error {
	switch {
	case err == nil:
		return nil
	case intake.IsMachine(err) || errors.Is(err, clip.ErrChanged):
		return fault(rel, err)
	}
	return &Bad{kind.BadValue, err}
}
