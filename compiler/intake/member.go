package intake

import (
	"errors"
	"fmt"
	"io"

	"voxpack/compiler/intake/parquet"
)

// Member appends the bytes of a container's member, counted from 0, to dst: of a
// Parquet file the recording of a row. It reads the footer and the page that
// holds the row; callers may run side by side, each with a reader of its own or
// with one that allows it. A damaged file is an error.
func Member(r io.ReaderAt, size int64, member int, dst []byte) ([]byte, error) {
	f, err := parquet.Open(r, size)
	if err != nil {
		return dst, err
	}
	a, err := embedded(f)
	if err != nil {
		return dst, err
	}
	if a.bytes == nil {
		return dst, errNoBytes
	}
	dst, ok, err := f.Value(a.bytes, int64(member), dst)
	if err == nil && !ok {
		err = errNoBytes
	}
	if err != nil {
		return dst, fmt.Errorf("row %d: %w", member+1, err)
	}
	return dst, nil
}

// errNoBytes is for a row whose recording is null: a build that read the metadata
// knows of it, so the file has changed since.
var errNoBytes = errors.New("the row holds no recording")
