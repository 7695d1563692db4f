package main

import (
	"fmt"
	"os"

	"voxpack/store"
)

// showColumn writes one column of a kept row to files.
func showColumn(d *store.Dataset, p place, o showOptions) error {
	row, err := findShown(d, p, o.id)
	if err != nil {
		return err
	}
	if row.Rejected != "" {
		return findingsError("row " + row.Rejected)
	}
	s, err := readSample(d, row.ID, o.column)
	if err != nil {
		return err
	}
	if o.npy != "" {
		if err := o.writeNPY(s); err != nil {
			return err
		}
	}
	if o.png != "" {
		if err := o.writePNG(d, s, row.Row); err != nil {
			return err
		}
	}
	if o.wav != "" {
		return o.writeWAV(d, p, s)
	}
	return nil
}

func (o showOptions) writeNPY(s *sample) error {
	if err := replaceFile(o.npy, func(f *os.File) error { return s.writeNPY(f, o.padded) }); err != nil {
		return fmt.Errorf("write %s: %w", o.npy, err)
	}
	if s.column.DType == store.BFloat16 {
		fmt.Fprintln(o.stderr, "note: NumPy has no bfloat16; the array is uint16 with the upper half of each float32")
	}
	return nil
}

func (o showOptions) writePNG(d *store.Dataset, s *sample, row store.OriginRow) error {
	p, err := newPicture(d, s, row)
	if err != nil {
		return err
	}
	if err := replaceFile(o.png, func(f *os.File) error { return p.encode(f) }); err != nil {
		return fmt.Errorf("write %s: %w", o.png, err)
	}
	return nil
}
