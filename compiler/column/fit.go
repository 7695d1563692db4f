package column

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/internal/number"
	"voxpack/store"
)

// Fit checks a value against the column, without any row, and says how many steps it
// has; of a number it is the number. The value that comes back is the one to Put: axes
// of 1 that tools leave in front are gone. How many steps a row may have is not asked.
func (c Config) Fit(a *array.Array) (_ *array.Array, steps int, err error) {
	want := c.Shape
	shape := a.Shape
	axes := len(want)
	if c.Length != Whole {
		axes++
	}
	for len(shape) > axes && shape[0] == 1 {
		shape = shape[1:]
	}
	a = &array.Array{DType: a.DType, Shape: shape, Data: a.Data}
	switch {
	case len(shape) != axes:
		return a, 0, badf(kind.BadValue, "it is %v, which has %s; %s", a, number.Count(len(shape), "axis"), c.wants())
	case !slices.Equal(shape[axes-len(want):], want):
		return a, 0, badf(kind.BadValue, "it is %v; %s", a, c.wants())
	}
	steps = 1
	if axes > 0 {
		steps = shape[0]
	}
	if c.Length == Fixed && steps != c.Steps {
		return a, 0, badf(kind.BadValue, "it is %v; %s", a, c.wants())
	}
	if err := c.finite(a); err != nil {
		return a, 0, err
	}
	if c.Scalar() {
		b, err := a.Convert(array.Int32)
		if err != nil {
			return a, 0, &Bad{kind.BadValue, err}
		}
		return a, int(int32(binary.LittleEndian.Uint32(b.Data))), nil
	}
	return a, steps, nil
}

// wants says what shape a value must have.
func (c Config) wants() string {
	var axes []string
	switch c.Length {
	case Fixed:
		axes = append(axes, fmt.Sprint(c.Steps))
	case Tokens:
		axes = append(axes, "tokens")
	case Frames:
		axes = append(axes, "frames")
	case Own:
		axes = append(axes, "steps")
	}
	for _, n := range c.Shape {
		axes = append(axes, fmt.Sprint(n))
	}
	return fmt.Sprintf("the column wants %v%v", c.DType, axes)
}

// finite converts the value, which says what its type cannot have, and looks for NaN
// and infinities.
func (c Config) finite(a *array.Array) error {
	out, err := a.Convert(typeOf(c.DType))
	if err != nil {
		return &Bad{kind.BadValue, err}
	}
	size := c.DType.Size()
	var bits uint16 // of the exponent, in the upper 16 of an element
	switch c.DType {
	case store.Float32, store.BFloat16:
		bits = 0x7f80
	case store.Float16:
		bits = 0x7c00
	default:
		return nil
	}
	for i := size; i <= len(out.Data); i += size {
		if upper := uint16(out.Data[i-2]) | uint16(out.Data[i-1])<<8; upper&bits == bits {
			return badf(kind.BadValue, "value %d is NaN or infinite", i/size-1)
		}
	}
	return nil
}

// Suits checks the steps of a value against the row that it is of.
func (c Config) Suits(steps, tokens, frames int) error {
	want, what := tokens, "token"
	switch c.Length {
	case Tokens:
	case Frames:
		want, what = frames, "frame"
	default:
		return nil
	}
	if steps == want {
		return nil
	}
	return badf(kind.ValueLength, "it has %s, the row has %s", number.Count(steps, "step"), number.Count(want, what))
}

// Put writes a value that fits into a sample of a column, cut to its shape or padded.
func (c Config) Put(dst []byte, column store.Column, a *array.Array) error {
	step := column.RowBytes()
	steps := 1
	if len(a.Shape) > 0 {
		steps = min(a.Shape[0], column.Shape[0])
	}
	one := step / column.DType.Size()
	cut := &array.Array{DType: a.DType, Shape: []int{steps * one}, Data: a.Data[:steps*one*a.DType.Size()]}
	if err := cut.Put(dst[:steps*step], typeOf(column.DType)); err != nil {
		return &Bad{kind.BadValue, err}
	}
	return c.PutPad(dst[steps*step:])
}

// PutPad fills what no value fills.
func (c Config) PutPad(dst []byte) error {
	if c.Pad == 0 {
		clear(dst)
		return nil
	}
	one, err := c.pad()
	for i := 0; i < len(dst) && err == nil; i += len(one) {
		copy(dst[i:], one)
	}
	return err
}

// typeOf is the type of an array that a column's elements have.
func typeOf(t store.DType) array.DType {
	a, _ := array.DTypeOf(t.String())
	return a
}

// element are the bytes of a number, or why the type has none that is the number: a pad
// is what somebody compares with, so it is exact, but for rounding to a float.
func element(t store.DType, v float64) ([]byte, error) {
	one := array.Array{DType: array.Float64, Data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))}
	b, err := one.Convert(typeOf(t))
	var wrong *array.ValueError
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("%v is no %v", v, t)
	}
	if err != nil {
		return nil, err
	}
	return b.Data, nil
}
