package gpufeed

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/gpufeed/extra"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
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

	Columns []string // the fields that batches have, in any order; nil: all

	Extra []string // fields that are made of others, see package extra

	norm   *stats.Norm             // of mels and those of references; nil: they come as they are stored
	pieces map[string]*extra.Piece // of Extra, by column; nil: the layout is made for its size
}

// Drawn reports whether what a row's fields hold depends on the epoch.
func (f Form) Drawn() bool { return f.Segment > 0 || f.Reference }

// Layout is the shape of a batch in a slot: one field for each column, in
// schema order, each the samples' values one after the other, then the fields
// that the form asks for; of all these only Form.Columns, if it names some. The gaps between fields belong to nobody.
type Layout struct {
	Fields  []Field
	Form    Form // with Frames as they are
	Samples int  // of a full batch
	Bytes   int  // of the slot, a multiple of 256

	length int // index of the inline column of frames
	hop    int // samples from a frame to the next, where samples are cropped; else 0
}

// Field is one column of a batch: a tensor [Samples, Column.Shape...].
type Field struct {
	Column store.Column // with the shape that the batch has
	Offset int          // in the slot, in bytes, a multiple of 256
	Size   int          // of one sample in the slot, in bytes
	Along  string       // the field that says how many steps of the first axis are no padding; "": none does
	stored int          // of one sample in its block, in bytes; 0: inline
	step   int          // of one step along the first axis, in bytes
	index  int          // of the block or inline column in its shard record
	holds  holding
	norm   *stats.Norm
	piece  *extra.Piece
	prior  extra.Prior
}

// holding says what of a sample a field holds.
type holding uint8

const (
	holdsValue           holding = iota // the column's value, of a block the beginning
	holdsCrop                           // the frames of a block from the start of the crop
	holdsCropLength                     // the frames of the crop that are not padding
	holdsCropStart                      // the first frame of the crop
	holdsSamples                        // the samples of a block from the start of the crop
	holdsSamplesLength                  // the samples of the crop that are not padding
	holdsPiece                          // the mel of the samples of the crop
	holdsPrior                          // the prior of the frames and tokens that are not padding
	holdsReference                      // the value, of the row's reference
	holdsReferenceLength                // the frames of it that are not padding
)

// startColumn is the field that says where a segment begins, referenced the columns
// that a layout has of a row's reference, with referencePrefix before their names.
const (
	startColumn     = "mel_start"
	referencePrefix = "reference_"
	normed          = "mel" // the column that Config.MelNorm is about
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
	if form.Segment > 0 {
		l.hop = plan.Hop(schema)
	}
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
	for _, word := range form.Extra {
		if err := l.addExtra(schema, word); err != nil {
			return nil, fmt.Errorf("extra: %w", err)
		}
	}
	if form.Columns != nil {
		if err := l.keep(form.Columns); err != nil {
			return nil, err
		}
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
	f := Field{Column: c, Size: c.SampleBytes(), step: c.RowBytes(), Along: plan.LengthOf(schema, c)}
	if c.Inline() {
		f.index = schema.Inline().Index(c.Name)
		switch {
		case c.Name == plan.FramesColumn && l.Form.Segment > 0:
			f.holds = holdsCropLength
		case c.Name == plan.SamplesLength && l.hop > 0:
			f.holds = holdsSamplesLength
		}
		return f
	}
	f.index, f.stored = schema.Blocks().Index(c.Name), c.SampleBytes()
	if c.Name == normed {
		f.norm = l.Form.norm
	}
	if c.Name == plan.SamplesColumn && l.hop > 0 {
		f.cut(l.Form.Segment * l.hop)
		f.holds = holdsSamples
	}
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
			f.Along = referencePrefix + plan.FramesColumn
			if name == normed {
				f.norm = l.Form.norm
			}
			f.cut(l.Form.Frames)
		}
		f.Column.Name = referencePrefix + name
		l.add(f)
	}
}

// addExtra adds the field that a word asks for.
func (l *Layout) addExtra(schema store.Schema, word string) error {
	e, err := extra.Parse(word)
	if err != nil {
		return err
	}
	f := Field{Column: store.Column{Name: e.Name, DType: store.Float32}, prior: e.Prior, holds: holdsPrior, Along: plan.FramesColumn}
	if e.Of == "" {
		tokens := schema.Index("tokens")
		if f.index = schema.Inline().Index("text_len"); tokens < 0 || f.index < 0 || l.length < 0 {
			return fmt.Errorf("%s: the dataset has no tokens, or no frames", word)
		}
		f.Column.Shape = []int{l.Form.steps(), schema[tokens].Shape[0]}
		f.Size = f.Column.SampleBytes()
		l.add(f)
		return nil
	}
	at := schema.Index(e.Of)
	switch {
	case l.Form.Segment == 0:
		return fmt.Errorf("%s: it is the mel of a crop's samples: say with segment how many frames a crop has", word)
	case l.hop == 0:
		return fmt.Errorf("%s: the dataset has no %s: features: [pcm] in the config keeps the samples", word, plan.SamplesColumn)
	case at < 0 || len(schema[at].Shape) != 2 || !plan.IsFramed(schema[at]):
		return fmt.Errorf("%s: the dataset has no mel %s", word, e.Of)
	}
	f.holds = holdsPiece // after the end of a short clip it has the mel of silence
	f.Column.DType, f.Column.Shape = schema[at].DType, []int{l.Form.Segment, schema[at].Shape[1]}
	f.Size, f.index = f.Column.SampleBytes(), schema.Blocks().Index(plan.SamplesColumn)
	f.stored, f.step = schema.Blocks()[f.index].SampleBytes(), schema.Blocks()[f.index].RowBytes()
	if f.piece = l.Form.pieces[e.Of]; e.Of == normed {
		f.norm = l.Form.norm
	}
	l.add(f)
	return nil
}

// steps is how many frames a row has in a slot.
func (f Form) steps() int {
	if f.Segment > 0 {
		return f.Segment
	}
	return f.Frames
}

// cut leaves the first steps of a field's first axis.
func (f *Field) cut(steps int) {
	f.Size = steps * f.step
	f.Column.Shape = slices.Clone(f.Column.Shape)
	f.Column.Shape[0] = steps
}

// keep leaves the named fields, and moves them together: a slot has no room for the
// others, and nothing is copied for them.
func (l *Layout) keep(columns []string) error {
	var have []string
	all := l.Fields
	l.Fields, l.Bytes = nil, 0
	for _, f := range all {
		have = append(have, f.Column.Name)
		if slices.Contains(columns, f.Column.Name) {
			l.add(f)
		}
	}
	for _, name := range columns {
		if !slices.Contains(have, name) {
			return fmt.Errorf("columns: batches have no %s; they have %s", name, strings.Join(have, ", "))
		}
	}
	if len(l.Fields) == 0 {
		return fmt.Errorf("columns: none is named; batches have %s", strings.Join(have, ", "))
	}
	return nil
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
