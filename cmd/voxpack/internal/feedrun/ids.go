package feedrun

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"voxpack/gpufeed/plan"
)

// idFile writes the ids of what is delivered, one a line.
type idFile struct {
	rows *plan.Rows
	file *os.File // nil: stdout, which stays open
	w    *bufio.Writer
	told bool // that writing failed
}

// newIDFile begins a file; "-" is stdout.
func newIDFile(path string, stdout io.Writer, rows *plan.Rows) (*idFile, error) {
	if path == "-" {
		return &idFile{rows: rows, w: bufio.NewWriterSize(stdout, 64<<10)}, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("--ids: %w", err)
	}
	return &idFile{rows: rows, file: f, w: bufio.NewWriterSize(f, 64<<10)}, nil
}

// add writes the ids of a batch; at once where batches are slow, so that one can
// watch the file grow.
func (f *idFile) add(rows []uint32, now bool) error {
	for _, row := range rows {
		id, err := f.rows.ID(row)
		if err != nil {
			return err
		}
		f.w.WriteString(id)
		// The writer keeps the first error and gives it to all calls behind.
		if err := f.w.WriteByte('\n'); err != nil {
			return f.failed(err)
		}
	}
	if now {
		return f.failed(f.w.Flush())
	}
	return nil
}

// close ends the file. It does not repeat what add said. A nil file is none.
func (f *idFile) close() error {
	if f == nil {
		return nil
	}
	told := f.told
	err := f.w.Flush()
	if f.file != nil {
		if closed := f.file.Close(); err == nil {
			err = closed
		}
	}
	if told {
		return nil
	}
	return f.failed(err)
}

// failed is the error of a write.
func (f *idFile) failed(err error) error {
	if err == nil {
		return nil
	}
	f.told = true
	return fmt.Errorf("--ids: %w", err)
}
