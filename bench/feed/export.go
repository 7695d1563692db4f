package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"voxpack/internal/npy"
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
	if c.DType == store.BFloat16 {
		return fmt.Errorf("column %v: NumPy has no such type", c)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err := w.Write(npy.Header(c.DType, append([]int{d.set.Len()}, c.Shape...)...)); err != nil {
		return err
	}
	for row := range uint32(d.set.Len()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, err := d.value(row, c)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Flush()
}
