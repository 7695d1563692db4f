package compiler

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"voxpack/audio"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// errChanged means that a source was written to while the build read it.
var errChanged = errors.New("the file changed while it was read")

// clipAt is where a clip's bytes are, and what the file was like when it was
// looked at.
type clipAt struct {
	file  string
	name  string // as messages say it, with the extension of what is in the bytes
	stamp stamp
	audio *intake.Audio // nil: the file is the clip
}

func (at clipAt) part() bool { return at.audio.Part() }

func (at clipAt) member() bool { return at.audio != nil && at.audio.Member > 0 }

func (at clipAt) stretch() audio.Part {
	return audio.Part{From: at.audio.From, Length: at.audio.Length}
}

// hash is the digest of the bytes: of the file, or of a container's member. It
// reads through buf.
func (at clipAt) hash(buf []byte) (store.Digest, error) {
	if !at.member() {
		if buf == nil {
			buf = make([]byte, hashBuffer)
		}
		return hashFile(at.file, at.stamp, buf)
	}
	b, err := at.read(nil)
	return store.Sum(b), err
}

// read reads the bytes into buf, growing it where it must.
func (at clipAt) read(buf []byte) ([]byte, error) {
	if !at.member() {
		return readWhole(at.file, at.stamp, buf)
	}
	f, err := openSame(at.file, at.stamp)
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	buf, err = intake.Member(f, at.stamp.Size, at.audio.Member-1, buf[:0])
	if err != nil {
		return buf[:0], &refusal{err}
	}
	return buf, checkSame(f, at.stamp)
}

// openSame opens a file that was looked at before; one that is another now, or
// gone, is errChanged.
func openSame(path string, want stamp) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errChanged // it was there when it was looked at
	}
	if err != nil {
		return nil, plain(err)
	}
	if err := checkSame(f, want); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// checkSame looks at an open file's stat again.
func checkSame(f *os.File, want stamp) error {
	var now syscall.Stat_t
	if err := uninterrupted(func() error { return syscall.Fstat(int(f.Fd()), &now) }); err != nil {
		return err
	}
	if newStamp(&now) != want {
		return errChanged
	}
	return nil
}

// hashFile is the digest of a file that was looked at, read through buf.
func hashFile(path string, want stamp, buf []byte) (store.Digest, error) {
	f, err := openSame(path, want)
	if err != nil {
		return store.Digest{}, err
	}
	defer f.Close()
	d, n, err := store.SumFrom(f, buf)
	if err != nil {
		return d, plain(err)
	}
	if n != want.Size {
		return d, errChanged
	}
	return d, checkSame(f, want)
}

// readWhole reads a file that was looked at into buf, growing it where it must.
func readWhole(path string, want stamp, buf []byte) ([]byte, error) {
	f, err := openSame(path, want)
	if err != nil {
		return buf[:0], err
	}
	defer f.Close()
	buf = slices.Grow(buf[:0], int(want.Size))[:want.Size]
	if _, err := io.ReadFull(f, buf); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return buf[:0], errChanged
		}
		return buf[:0], plain(err)
	}
	return buf, checkSame(f, want)
}
