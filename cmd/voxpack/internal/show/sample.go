package show

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"voxpack/audio"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/internal/npy"
	"voxpack/store"
)

// sample is the value of one column of one row.
type sample struct {
	id     string
	column store.Column
	bytes  []byte // the whole fixed shape, little-endian
	length int    // true length along the first axis; 1 for a scalar
}

// lengthColumn names the column that holds the true length of another; "" is
// none. What is not counted otherwise has the frames of the mel.
func lengthColumn(c store.Column) string {
	name := c.Name
	switch {
	case c.Along != "":
		return c.Along
	case name == "tokens":
		return "text_len"
	}
	for _, f := range audio.Features() {
		switch {
		case f.Name == name && f.Samples:
			return name + "_len"
		case f.Name == name:
			return "mel_len"
		}
	}
	return ""
}

// readSample reads one column of a kept row. A column that the dataset does not
// have is an error of usage that lists those there are; showRow relies on that for
// datasets without tokens.
func readSample(d *store.Dataset, id, column string) (*sample, error) {
	c := d.Root.Schema.Index(column)
	if c < 0 {
		var names []string
		for _, c := range d.Root.Schema {
			names = append(names, c.Name)
		}
		return nil, term.Usagef("no column %q; there are %s", column, strings.Join(names, ", "))
	}
	at, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	s := &sample{id: id, column: d.Root.Schema[c], length: 1}
	// Scalars lie in the shard record itself; a block is fetched for the others.
	if s.column.Inline() {
		v, err := d.Scalar(at, column)
		s.bytes = binary.LittleEndian.AppendUint32(nil, uint32(v))
		return s, err
	}
	if s.bytes, err = d.Value(at, column); err != nil {
		return nil, err
	}
	s.length = s.column.Shape[0]
	if name := lengthColumn(s.column); name != "" {
		n, err := d.Scalar(at, name)
		if err != nil {
			return nil, err
		}
		s.length = int(n)
	}
	// The length is another object's word for how much of this one counts. One
	// that is too large would read past the block.
	if s.length < 0 || s.length > s.column.Shape[0] {
		return nil, fmt.Errorf("row %s: length %d of column %s is outside its shape: %w", id, s.length, column, store.ErrDamaged)
	}
	return s, nil
}

// floats are the values as float32, without the padding; samples are from -1 to 1.
func (s *sample) floats() []float32 {
	// RowBytes is the size of one step along the first axis.
	used := s.bytes[:s.length*s.column.RowBytes()]
	out := make([]float32, len(used)/s.column.DType.Size())
	switch s.column.DType {
	case store.Float32:
		audio.Float32(out, used)
	case store.Float16:
		audio.Float16(out, used)
	case store.BFloat16:
		audio.BFloat16(out, used)
	case store.Int16:
		audio.Int16(out, used)
		for i := range out {
			if s.column.Name == "pcm" {
				break
			}
			out[i] *= 1 << 15 // exact: only samples of sound are parts of full scale
		}
	case store.Int32:
		for i := range out {
			out[i] = float32(int32(binary.LittleEndian.Uint32(used[4*i:])))
		}
	}
	return out
}

// writeNPY writes a NumPy file: the true length, or with padded the whole shape.
func (s *sample) writeNPY(w io.Writer, padded bool) error {
	shape, data := slices.Clone(s.column.Shape), s.bytes
	if !padded && len(shape) > 0 {
		shape[0], data = s.length, data[:s.length*s.column.RowBytes()]
	}
	if _, err := w.Write(npy.Header(s.column.DType, shape...)); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}
