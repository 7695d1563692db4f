package compiler

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"voxpack/store"
)

// errChanged means that a source was written to while the build read it.
var errChanged = errors.New("the file changed while it was read")

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
