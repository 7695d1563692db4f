package gpufeed

import (
	"fmt"
	"slices"

	"voxpack/store"
)

// fieldAlign is where fields begin in a slot. 256 B: a copy on a GPU is at its
// best from there, and a framework that maps a tensor at less than 64 B copies
// it or ends the process.
const fieldAlign = 256

// Layout is the shape of a batch in a slot: one field for each column, in
// schema order, each the samples' values one after the other. The gaps between
// fields belong to nobody.
type Layout struct {
	Fields  []Field
	Samples int // of a full batch
	Bytes   int // of the slot, a multiple of 256
}

// Field is one column of a batch: a tensor [Samples, Column.Shape...].
type Field struct {
	Column store.Column // with the shape that the batch has
	Offset int          // in the slot, in bytes, a multiple of 256
	Size   int          // of one sample in the slot, in bytes
	stored int          // of one sample in its block, in bytes; 0: inline
	index  int          // of the block or inline column in its shard record
}

// NewLayout is the layout of samples rows with mel cut to frames; frames of 0,
// or as many as the dataset has, are the full shape.
func NewLayout(schema store.Schema, samples, frames int) (*Layout, error) {
	if samples < 1 {
		return nil, fmt.Errorf("a slot of %d samples: want at least 1", samples)
	}
	l := &Layout{Samples: samples}
	blocks, inlines := 0, 0
	for _, c := range schema {
		f := Field{Column: c, Offset: l.Bytes, Size: c.SampleBytes()}
		if c.Inline() {
			if f.index = inlines; f.Size != 4 {
				return nil, fmt.Errorf("column %v: a slot holds scalars of 4 bytes", c)
			}
			inlines++
		} else {
			f.index, f.stored = blocks, c.SampleBytes()
			blocks++
		}
		if c.Name == "mel" && !c.Inline() && frames != 0 {
			if frames < 0 || frames > c.Shape[0] {
				return nil, fmt.Errorf("a slot of %d frames: the dataset has 1 to %d", frames, c.Shape[0])
			}
			f.Column.Shape = slices.Clone(c.Shape)
			f.Column.Shape[0] = frames
			f.Size = frames * c.RowBytes()
		}
		l.Fields = append(l.Fields, f)
		l.Bytes += (samples*f.Size + fieldAlign - 1) / fieldAlign * fieldAlign
	}
	return l, nil
}

// Field is the named column's field.
func (l *Layout) Field(column string) (Field, bool) {
	for _, f := range l.Fields {
		if f.Column.Name == column {
			return f, true
		}
	}
	return Field{}, false
}

// at is where the i-th sample's value lies in a slot.
func (f *Field) at(slot []byte, i int) []byte {
	from := f.Offset + i*f.Size
	return slot[from : from+f.Size : from+f.Size]
}
