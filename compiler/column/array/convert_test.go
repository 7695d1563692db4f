package array

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"testing"
)

// bitsOf is one element's bytes as a number.
func bitsOf(a *Array) uint64 {
	var b [8]byte
	copy(b[:], a.Data)
	return binary.LittleEndian.Uint64(b[:])
}

// scalar is an array of one element.
func scalar(t DType, bits uint64) *Array {
	return &Array{DType: t, Data: binary.LittleEndian.AppendUint64(nil, bits)[:t.Size()]}
}

func f64(v float64) *Array { return scalar(Float64, math.Float64bits(v)) }

// TestConvert: integers stay what they are or are refused; numbers with a point are
// rounded to the nearest, and never become infinite.
func TestConvert(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const minus = ^uint64(0) // -1
	for _, tt := range []struct {
		from *Array
		to   DType
		want uint64 // bits
		why  Loss
	}{
		{f64(3), Int32, 3, 0},
		{f64(-3), Int16, 0xfffd, 0},
		{f64(math.Copysign(0, -1)), Int32, 0, 0},
		{f64(3.5), Int32, 0, NotInteger},
		{f64(nan), Int32, 0, NotInteger},
		{f64(-inf), Int64, 0, NotInteger},
		{f64(0x1p31), Int32, 0, OutOfRange},
		{f64(-0x1p31), Int32, 0x80000000, 0},
		{f64(0x1p63), Int64, 0, OutOfRange},
		{f64(-0x1p63), Int64, 1 << 63, 0},
		{f64(0x1p63), Uint64, 1 << 63, 0},
		{f64(0x1p64), Uint64, 0, OutOfRange},
		{f64(-1), Uint8, 0, OutOfRange},
		{f64(2), Bool, 0, OutOfRange},
		{scalar(Int64, minus), Int32, 0xffffffff, 0},
		{scalar(Int64, minus), Uint64, 0, OutOfRange},
		{scalar(Int64, 1<<63), Int32, 0, OutOfRange},
		{scalar(Int64, 1<<31), Int32, 0, OutOfRange},
		{scalar(Uint64, 1<<63), Int64, 0, OutOfRange},
		{scalar(Uint64, minus), Uint64, minus, 0},
		{scalar(Int8, 0x80), Int16, 0xff80, 0},
		{scalar(Uint8, 0x80), Int16, 0x80, 0},
		{scalar(Bool, 1), Float32, 0x3f800000, 0},
		{scalar(Int32, 16777216), Float32, 0x4b800000, 0},
		{scalar(Int32, 16777217), Float32, 0, NotExact},
		{scalar(Int32, 16777218), Float32, 0x4b800001, 0},
		{scalar(Int64, 1<<63), Float32, 0xdf000000, 0},
		{scalar(Uint64, minus), Float64, 0, NotExact},
		{scalar(Int32, 65504), Float16, 0x7bff, 0},
		{scalar(Int32, 65536), Float16, 0, OutOfRange},
		{scalar(Int16, 2049), Float16, 0, NotExact},
		{scalar(Int16, 257), BFloat16, 0, NotExact},
		{scalar(Int16, 0xff00), BFloat16, 0xc380, 0}, // -256
		{f64(0.1), Float32, 0x3dcccccd, 0},
		{f64(1e300), Float32, 0, OutOfRange},
		{f64(inf), Float32, 0x7f800000, 0},
		{f64(nan), Float16, 0x7e00, 0},
		{f64(65519.9), Float16, 0x7bff, 0},
		{f64(65520), Float16, 0, OutOfRange},
		{f64(1 + 0x1p-11), Float16, 0x3c00, 0},                     // a tie goes to the even
		{f64(1 + 0x1p-11 + 0x1p-40), Float16, 0x3c01, 0},           // no tie, though it is one in float32
		{f64(-(1 + 3*0x1p-11 - 0x1p-40)), Float16, 0xbc01, 0},      // likewise from below
		{f64(1 + 0x1p-8 + 0x1p-40), BFloat16, 0x3f81, 0},           //
		{f64(1e-300), Float32, 0, 0},                               // the nearest is 0
		{scalar(Float16, 0x3555), Float32, 0x3eaaa000, 0},          // 0.33325195
		{scalar(BFloat16, 0x4049), Float64, 0x4009200000000000, 0}, // 3.140625
		{scalar(Float32, 0x3f800001), BFloat16, 0x3f80, 0},
	} {
		name := fmt.Sprintf("%v of type %v as %v", tt.from.at(0), tt.from.DType, tt.to)
		got, err := tt.from.Convert(tt.to)
		var ve *ValueError
		switch {
		case tt.why != 0:
			if !errors.As(err, &ve) || ve.Why != tt.why {
				t.Errorf("%s: %v, want loss %d", name, err, tt.why)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case got.DType != tt.to || bitsOf(got) != tt.want:
			t.Errorf("%s: %x, want %x", name, bitsOf(got), tt.want)
		}
	}
}

// TestConvertSaysWhich: the first bad value, its number and why.
func TestConvertSaysWhich(t *testing.T) {
	a := &Array{DType: Float32, Shape: []int{3}, Data: []byte{0, 0, 128, 63, 0, 0, 192, 127, 0, 0, 192, 127}} // 1, NaN, NaN
	const want = "value 1 is NaN, which is no integer as i32"
	if _, err := a.Convert(Int32); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
