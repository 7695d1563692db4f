package array

import (
	"fmt"
	"math/bits"
	"strings"
)

// DType is the type of an array's elements.
type DType uint8

// The types. A Bool is one byte, 0 or 1.
const (
	Bool DType = iota + 1
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16
	BFloat16
	Float32
	Float64
)

// class is how the bits of an element are read.
type class uint8

const (
	signed class = iota
	unsigned
	floating
)

// dtypes are the types by number: the name that people write, which is that of
// package store where it has the type, and the bytes of an element. limit is the
// largest power of two up to which the type holds every integer.
var dtypes = [...]struct {
	name  string
	size  int
	class class
	limit int // bits
}{
	Bool: {"bool", 1, unsigned, 1},
	Int8: {"i8", 1, signed, 7}, Int16: {"i16", 2, signed, 15}, Int32: {"i32", 4, signed, 31}, Int64: {"i64", 8, signed, 63},
	Uint8: {"u8", 1, unsigned, 8}, Uint16: {"u16", 2, unsigned, 16}, Uint32: {"u32", 4, unsigned, 32}, Uint64: {"u64", 8, unsigned, 64},
	Float16: {"f16", 2, floating, 11}, BFloat16: {"bf16", 2, floating, 8}, Float32: {"f32", 4, floating, 24}, Float64: {"f64", 8, floating, 53},
}

// DTypeOf is the type of a name such as f32.
func DTypeOf(name string) (DType, bool) {
	for t, d := range dtypes {
		if d.name == name && name != "" {
			return DType(t), true
		}
	}
	return 0, false
}

// Size is the number of bytes of an element, 0 for an unknown type.
func (t DType) Size() int {
	if int(t) < len(dtypes) {
		return dtypes[t].size
	}
	return 0
}

// String is the name people write: i32, f32, bool.
func (t DType) String() string {
	if t.Size() == 0 {
		return fmt.Sprintf("dtype(%d)", uint8(t))
	}
	return dtypes[t].name
}

// Array is values of one type in the order of C: the last axis runs fastest.
type Array struct {
	DType DType
	Shape []int  // an empty one is of a scalar
	Data  []byte // little-endian
}

// Len is the number of elements.
func (a *Array) Len() int {
	n := 1
	for _, axis := range a.Shape {
		n *= axis
	}
	return n
}

// String is type and shape: "f32[800,80]".
func (a *Array) String() string {
	return a.DType.String() + strings.ReplaceAll(fmt.Sprint(a.Shape), " ", ",")
}

// maxAxes bounds a shape; NumPy has 64 at most.
const maxAxes = 64

// bytesOf is the number of bytes that a type and a shape take, or why an array
// cannot have them. most is how many it may take.
func bytesOf(t DType, shape []int, most int64) (int64, error) {
	if len(shape) > maxAxes {
		return 0, fmt.Errorf("it has %d axes; %d are the most", len(shape), maxAxes)
	}
	n, empty, over := uint64(t.Size()), false, false
	for _, axis := range shape {
		if axis < 0 {
			return 0, fmt.Errorf("its shape has a negative axis, %d", axis)
		}
		if axis == 0 {
			empty = true
			continue
		}
		high, low := bits.Mul64(n, uint64(axis))
		over = over || high != 0
		n = low
	}
	switch {
	case over || n > uint64(most):
		return 0, fmt.Errorf("an array of type %v and shape %v takes more than the %d MiB that are read at once", t, shape, most>>20)
	case empty:
		return 0, nil
	}
	return int64(n), nil
}
