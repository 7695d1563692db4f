package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"voxpack/store"
)

// export writes each column of a dataset as DIR/COLUMN.npy, whose n-th entry is
// that of row number n, and last DIR/dataset, which names the root: a folder
// that has the same name in it is left as it is.
func export(ctx context.Context, o options, say func(string, ...any)) (err error) {
	d, err := openDataset(o, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	mark := filepath.Join(o.export, "dataset")
	name := d.data.Snapshot.Root.String() + "\n"
	if have, err := os.ReadFile(mark); err == nil && string(have) == name {
		say("%s has these samples already", o.export)
		return nil
	}
	if err := os.MkdirAll(o.export, 0o777); err != nil {
		return err
	}
	for _, c := range d.data.Root.Schema {
		say("writing %s", filepath.Join(o.export, c.Name+".npy"))
		if err := exportColumn(ctx, d, c, filepath.Join(o.export, c.Name+".npy")); err != nil {
			return err
		}
	}
	return os.WriteFile(mark, []byte(name), 0o666)
}

func exportColumn(ctx context.Context, d *dataset, c store.Column, path string) (err error) {
	header, err := npyHeader(c, d.set.Len())
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := w.Write(header); err != nil {
		return err
	}
	for row := range uint32(d.set.Len()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b []byte
		if c.Inline() {
			v, err := d.data.Scalar(d.set.At(row), c.Name)
			if err != nil {
				return err
			}
			b = binary.LittleEndian.AppendUint32(nil, uint32(v))
		} else if b, err = d.data.Value(d.set.At(row), c.Name); err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Flush()
}

// npyTypes are the names that NumPy has for ours; it has none for bf16.
var npyTypes = map[store.DType]string{store.Int32: "<i4", store.Float32: "<f4", store.Float16: "<f2", store.Int16: "<i2"}

// npyHeader is the front of a .npy file of format 1.0: magic, version, length
// of the text, and the text, a dictionary of Python padded with blanks so that
// the data begins at a multiple of 64.
func npyHeader(c store.Column, rows int) ([]byte, error) {
	kind, ok := npyTypes[c.DType]
	if !ok {
		return nil, fmt.Errorf("column %v: NumPy has no such type", c)
	}
	shape := strconv.Itoa(rows) + ","
	for _, n := range c.Shape {
		shape += fmt.Sprintf(" %d,", n)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape)
	const fixed = 10 // bytes in front of the text
	text += strings.Repeat(" ", (64-(fixed+len(text)+1)%64)%64) + "\n"
	return append([]byte{0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, byte(len(text)), byte(len(text) >> 8)}, text...), nil
}
