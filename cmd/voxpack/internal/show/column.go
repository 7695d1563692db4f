package show

import (
	"fmt"
	"io"
	"os"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/picture"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/explain"
	"voxpack/internal/atomicfile"
	"voxpack/store"
)

// showColumn writes one column of a kept row to files. Each flag names its own
// file; after an error the files written before it stay, whole.
func showColumn(d *store.Dataset, p locate.Place, row *explain.RowExplanation, o Options) error {
	// No sample was stored for it. The reason is the answer.
	if row.Rejected != "" {
		return term.Findings("row " + row.Rejected)
	}
	s, err := readSample(d, row.ID, o.Column)
	if err != nil {
		return err
	}
	if o.NPY != "" {
		if err := o.writeNPY(s); err != nil {
			return err
		}
	}
	if o.PNG != "" {
		if err := o.writePNG(d, s, row.Row); err != nil {
			return err
		}
	}
	if o.WAV != "" {
		return o.writeWAV(d, p, s)
	}
	return nil
}

// writeNPY replaces the file as a whole: after an interrupted write the old file is
// still there. The same holds for the picture and the sound.
func (o Options) writeNPY(s *sample) error {
	if err := atomicfile.Replace(o.NPY, func(f *os.File) error { return s.writeNPY(f, o.Padded) }); err != nil {
		return fmt.Errorf("write %s: %w", o.NPY, err)
	}
	// npy.Header names uint16 for it: the bits are kept, and whoever loads the
	// file has to know how to read them.
	if s.column.DType == store.BFloat16 {
		fmt.Fprintln(o.Stderr, "note: NumPy has no bfloat16; the array is uint16 with the upper half of each float32")
	}
	return nil
}

// writePNG draws the true length of the column without its padding.
func (o Options) writePNG(d *store.Dataset, s *sample, row store.OriginRow) error {
	encode, err := s.picture(d, &row)
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(o.PNG, func(f *os.File) error { return encode(f) }); err != nil {
		return fmt.Errorf("write %s: %w", o.PNG, err)
	}
	return nil
}

// picture lays out the picture of a column, and is what writes it. The settings of
// the mel come from the root, so that the axes show Hz and seconds.
func (s *sample) picture(d *store.Dataset, row *store.OriginRow) (encode func(io.Writer) error, err error) {
	mel, err := compiler.MelOf(d.Root)
	if err != nil {
		return nil, err
	}
	c := picture.Column{Name: s.column.Name, ID: s.id, Values: s.floats(), Steps: s.length, Width: 1, Frames: int(row.Frames), Samples: int(row.Samples), Symbols: d.Root.Symbols, Mel: mel}
	// The first axis is time; a column with one axis has one value a step.
	if !s.column.Inline() {
		c.Width, c.Unit = s.column.RowBytes()/s.column.DType.Size(), unitOf(s.column)
	}
	p, err := picture.New(c)
	if err != nil {
		return nil, err
	}
	return p.Encode, nil
}

// unitOf is what a step of a block column is.
func unitOf(c store.Column) string {
	switch lengthColumn(c) {
	case "text_len":
		return picture.Tokens
	case "mel_len":
		return picture.Frames
	}
	return picture.Steps
}
