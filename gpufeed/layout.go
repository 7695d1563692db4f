package gpufeed

import (
	"fmt"
	"slices"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// fieldAlign is where fields begin in a slot. 256 B: a copy on a GPU is at its
// best from there, and a framework that maps a tensor at less than 64 B copies
// it or ends the process.
const fieldAlign = 256

// Form is the shape in which rows come.
type Form struct {
	Frames    int  // columns along the frames are cut to this many; 0: all that the dataset has
	Segment   int  // they are cropped to this many, from a frame that is drawn for each row and epoch; 0: they are not
	Reference bool // each row comes with the mel of another row of its speaker, see Set.Reference
}

// Drawn reports whether what a row's fields hold depends on the epoch.
func (f Form) Drawn() bool { return f.Segment > 0 || f.Reference }

// Layout is the shape of a batch in a slot: one field for each column, in
// schema order, each the samples' values one after the other, then the fields
// that the form asks for. The gaps between fields belong to nobody.
type Layout struct {
	Fields  []Field
	Form    Form // with Frames as they are
	Samples int  // of a full batch
	Bytes   int  // of the slot, a multiple of 256

	length int // index of the inline column of frames
}

// Field is one column of a batch: a tensor [Samples, Column.Shape...].
type Field struct {
	Column store.Column // with the shape that the batch has
	Offset int          // in the slot, in bytes, a multiple of 256
	Size   int          // of one sample in the slot, in bytes
	stored int          // of one sample in its block, in bytes; 0: inline
	step   int          // of one step along the first axis, in bytes
	index  int          // of the block or inline column in its shard record
	holds  holding
}

// holding says what of a sample a field holds.
type holding uint8

const (
	holdsValue           holding = iota // the column's value, of a block the beginning
	holdsCrop                           // the frames of a block from the start of the crop
	holdsCropLength                     // the frames of the crop that are not padding
	holdsCropStart                      // the first frame of the crop
	holdsReference                      // the value, of the row's reference
	holdsReferenceLength                // the frames of it that are not padding
)

// startColumn is the field that says where a segment begins, referenced the columns
// that a layout has of a row's reference, with referencePrefix before their names.
const (
	startColumn     = "mel_start"
	referencePrefix = "reference_"
)

var referenced = []string{"mel", plan.FramesColumn}

// NewLayout is the layout of a number of rows in a form. A form that does not fit
// the schema is an error that says why.
func NewLayout(schema store.Schema, samples int, form Form) (*Layout, error) {
	if samples < 1 {
		return nil, fmt.Errorf("a slot has to hold at least 1 sample, not %d", samples)
	}
	form, err := form.fit(schema)
	if err != nil {
		return nil, err
	}
	l := &Layout{Form: form, Samples: samples, length: schema.Inline().Index(plan.FramesColumn)}
	for _, c := range schema {
		f := l.column(schema, c)
		if f.stored == 0 && f.Size != 4 {
			return nil, fmt.Errorf("column %v: a slot holds scalars of 4 bytes", c)
		}
		l.add(f)
	}
	if form.Segment > 0 {
		l.add(Field{Column: store.Column{Name: startColumn, DType: store.Int32}, Size: 4, holds: holdsCropStart})
	}
	if form.Reference {
		l.addReference(schema)
	}
	for i, f := range l.Fields {
		if slices.ContainsFunc(l.Fields[:i], func(g Field) bool { return g.Column.Name == f.Column.Name }) {
			return nil, fmt.Errorf("the form needs the name %s, which a column of the dataset has", f.Column.Name)
		}
	}
	return l, nil
}

// layouts are the shapes of the batches of a set for a normal config, by bucket,
// and the bytes of the largest.
func (c Config) layouts(set *plan.Set) (all []*Layout, bytes int, err error) {
	for _, frames := range set.Buckets() {
		l, err := NewLayout(set.Dataset().Root.Schema, c.Plan.Share(), c.form(frames))
		if err != nil {
			return nil, 0, plan.Invalid(err)
		}
		all, bytes = append(all, l), max(bytes, l.Bytes)
	}
	return all, bytes, nil
}

// fit is the form with its frames said, if the schema can have it.
func (f Form) fit(schema store.Schema) (Form, error) {
	full := plan.Frames(schema)
	switch {
	case f.Frames < 0 || f.Frames > full:
		return f, fmt.Errorf("a slot of %d frames: the dataset has 1 to %d", f.Frames, full)
	case f.Segment < 0:
		return f, fmt.Errorf("a segment of %d frames: want at least 1", f.Segment)
	case f.Drawn() && (full == 0 || schema.Inline().Index(plan.FramesColumn) < 0):
		return f, fmt.Errorf("segments and references: the dataset has no columns mel and %s", plan.FramesColumn)
	}
	if f.Frames == 0 {
		f.Frames = full
	}
	if f.Segment > f.Frames {
		return f, fmt.Errorf("a segment of %d frames: the slot has %d; take a shorter one, or no bucket below it", f.Segment, f.Frames)
	}
	return f, nil
}

// column is the field of a column of the schema.
func (l *Layout) column(schema store.Schema, c store.Column) Field {
	f := Field{Column: c, Size: c.SampleBytes(), step: c.RowBytes()}
	if c.Inline() {
		f.index = schema.Inline().Index(c.Name)
		if c.Name == plan.FramesColumn && l.Form.Segment > 0 {
			f.holds = holdsCropLength
		}
		return f
	}
	f.index, f.stored = schema.Blocks().Index(c.Name), c.SampleBytes()
	if plan.IsFramed(c) {
		f.cut(l.Form.Frames)
		if l.Form.Segment > 0 {
			f.cut(l.Form.Segment)
			f.holds = holdsCrop
		}
	}
	return f
}

// addReference adds what stands of a row's reference beside the row.
func (l *Layout) addReference(schema store.Schema) {
	for _, name := range referenced {
		c := schema[schema.Index(name)]
		f := Field{Column: c, Size: c.SampleBytes(), step: c.RowBytes(), holds: holdsReferenceLength, index: l.length}
		if !c.Inline() {
			f.holds, f.index, f.stored = holdsReference, schema.Blocks().Index(name), c.SampleBytes()
			f.cut(l.Form.Frames)
		}
		f.Column.Name = referencePrefix + name
		l.add(f)
	}
}

// cut leaves the first steps of a field's first axis.
func (f *Field) cut(steps int) {
	f.Size = steps * f.step
	f.Column.Shape = slices.Clone(f.Column.Shape)
	f.Column.Shape[0] = steps
}

// add puts a field after the others.
func (l *Layout) add(f Field) {
	f.Offset = l.Bytes
	l.Fields = append(l.Fields, f)
	l.Bytes += (l.Samples*f.Size + fieldAlign - 1) / fieldAlign * fieldAlign
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
