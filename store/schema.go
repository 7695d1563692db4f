package store

import (
	"fmt"
	"slices"
	"strings"
)

// DType is the element type of a column. All are stored little-endian.
type DType uint8

// The element types; their numbers are part of the format.
const (
	Int32    DType = 1
	Float32  DType = 2
	Float16  DType = 3 // IEEE 754 binary16
	BFloat16 DType = 4 // the upper half of a binary32
	Int16    DType = 5
)

var dtypes = [...]struct {
	name string
	size int
}{Int32: {"i32", 4}, Float32: {"f32", 4}, Float16: {"f16", 2}, BFloat16: {"bf16", 2}, Int16: {"i16", 2}}

// Size is the number of bytes of one element, 0 for an unknown type.
func (t DType) Size() int {
	if int(t) < len(dtypes) {
		return dtypes[t].size
	}
	return 0
}

// String is the name people write: i32, f32, f16, bf16, i16.
func (t DType) String() string {
	if t.Size() == 0 {
		return fmt.Sprintf("dtype(%d)", uint8(t))
	}
	return dtypes[t].name
}

// Column is a fixed-shape tensor per sample. An empty Shape is a scalar, which
// stands in the shard record itself; any other column has a block. What a
// sample does not fill is zero bytes.
type Column struct {
	Name  string
	DType DType
	Shape []int
	// Along names the inline column that counts the steps in use of a column of the user's
	// own, as the root's settings say it; "" where all are, and for all other columns.
	Along string
}

// Inline reports whether the column stands in the shard record.
func (c Column) Inline() bool { return len(c.Shape) == 0 }

// SampleBytes is the size of one sample's value, padding included.
func (c Column) SampleBytes() int {
	n := c.DType.Size()
	for _, s := range c.Shape {
		n *= s
	}
	return n
}

// RowBytes is the size of one step along the first axis: one token, one frame.
func (c Column) RowBytes() int {
	if c.Inline() {
		return c.DType.Size()
	}
	return c.SampleBytes() / c.Shape[0]
}

// String is name, type and shape: "mel f32[800,80]".
func (c Column) String() string {
	s := c.Name + " " + c.DType.String()
	if c.Inline() {
		return s
	}
	return s + strings.ReplaceAll(fmt.Sprint(c.Shape), " ", ",")
}

// Schema lists the columns of a sample in the order in which digests and
// readers take them.
type Schema []Column

// Index is the position of the named column, -1 where there is none.
func (s Schema) Index(name string) int {
	return slices.IndexFunc(s, func(c Column) bool { return c.Name == name })
}

// Blocks lists the columns that have a block of their own, in schema order.
func (s Schema) Blocks() Schema { return s.where(false) }

// Inline lists the columns that stand in the shard record, in schema order.
func (s Schema) Inline() Schema { return s.where(true) }

func (s Schema) where(inline bool) Schema {
	var out Schema
	for _, c := range s {
		if c.Inline() == inline {
			out = append(out, c)
		}
	}
	return out
}

func (s Schema) encode(e *encoder) {
	e.u8(uint8(len(s)))
	for _, c := range s {
		e.str(c.Name)
		e.u8(uint8(c.DType))
		e.u8(uint8(len(c.Shape)))
		for _, n := range c.Shape {
			e.u32(uint32(n))
		}
	}
}

func decodeSchema(d *decoder) Schema {
	s := make(Schema, 0, 8)
	for range d.u8() {
		c := Column{Name: d.str(), DType: DType(d.u8())}
		if c.DType.Size() == 0 {
			d.fail("column %q has an unknown %v", c.Name, c.DType)
		}
		bytes := uint64(c.DType.Size())
		for range d.u8() {
			n := d.u32()
			if bytes *= uint64(n); n == 0 || bytes > maxSampleBytes {
				d.fail("column %q has an impossible shape", c.Name)
			}
			c.Shape = append(c.Shape, int(n))
		}
		if d.err != nil {
			return nil
		}
		s = append(s, c)
	}
	return s
}

// maxSampleBytes bounds a sample's value (64 MiB: an hour of speech is 49 MB of
// f32 mel), so that a damaged schema cannot ask for absurd memory.
const maxSampleBytes = 64 << 20
