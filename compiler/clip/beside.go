package clip

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"voxpack/compiler/intake"
	"voxpack/store"
)

// Beside is a file of a corpus that is no recording: values of a column of the user's
// own. Look finds it.
type Beside struct {
	Name  string // below the corpus, after the corpus's name where there are several
	Stamp Stamp
	file  string
}

// Look finds a file below the corpus by its path with slashes. Links, of the file and of
// folders on the way, may lead where those of recordings may. fs.ErrNotExist: no such file.
func (f *Folder) Look(rel string) (Beside, error) {
	b := Beside{Name: f.IDOf(rel), file: f.Path(rel)}
	if err := f.confined(path.Dir(rel)); err != nil {
		return b, err
	}
	var err error
	if b.Stamp, err = f.stat(rel); errors.Is(err, ErrChanged) {
		err = fmt.Errorf("%s: %w", rel, fs.ErrNotExist)
	}
	return b, err
}

// confined refuses a folder that links lead out of the dataset to. Each is asked once.
func (f *Folder) confined(dir string) error {
	if dir == "." {
		return nil
	}
	if have, ok := f.besides.Load(dir); ok {
		err, _ := have.(error)
		return err
	}
	_, out, err := f.Links.Follow(f.Path(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	case err != nil:
		err = fmt.Errorf("folder %s: %w", dir, plain(err))
	case out:
		err = outside(dir)
	}
	if err == nil {
		f.besides.Store(dir, struct{}{})
	} else if !intake.IsMachine(err) {
		f.besides.Store(dir, err)
	}
	return err
}

// Digest is that of the file's bytes; ErrChanged where it is not what Look found.
func (b Beside) Digest(buf []byte) (store.Digest, error) {
	return Clip{file: b.file, stamp: b.Stamp}.Hash(buf)
}

// Read reads all of the file; ErrChanged where it is not what Look found.
func (b Beside) Read() ([]byte, error) { return Clip{file: b.file, stamp: b.Stamp}.read(nil) }

// Open opens the file for reading in places. Changed says, after it was read from,
// whether it is still what Look found.
func (b Beside) Open() (at interface {
	io.ReaderAt
	io.Closer
}, changed func() error, err error) {
	f, err := openSame(b.file, b.Stamp)
	if err != nil {
		return nil, nil, err
	}
	return f, f.checkSame, nil
}
