package array

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"voxpack/audio"
)

// A ValueError is of a value that the wanted type cannot have.
type ValueError struct {
	Index int    // among the values
	Value string // as people write it
	To    DType
	Why   Loss
}

// Loss is what a conversion would lose.
type Loss uint8

// The losses.
const (
	NotInteger Loss = iota + 1 // NaN, an infinity, or a fraction
	OutOfRange                 // too large or too small
	NotExact                   // an integer between two numbers of the wanted type
)

// Error says which value, and why it cannot be had.
func (e *ValueError) Error() string {
	why := map[Loss]string{NotInteger: "is no integer", OutOfRange: "is out of its range", NotExact: "would be rounded"}[e.Why]
	return fmt.Sprintf("value %d is %s, which %s as %v", e.Index, e.Value, why, e.To)
}

// Convert gives the array with elements of another type, and a itself if they are
// of it already. Integers never change: one that the type does not hold exactly is
// a *ValueError, and so is a fraction, NaN or an infinity that should become an
// integer. Numbers with a point are rounded to the nearest of the type, ties to
// even; a finite one never becomes infinite: that is a *ValueError too. NaN and
// infinities stay what they are.
func (a *Array) Convert(to DType) (*Array, error) {
	if a.DType == to {
		return a, nil
	}
	out := &Array{DType: to, Shape: a.Shape, Data: make([]byte, a.Len()*to.Size())}
	if err := a.Put(out.Data, to); err != nil {
		return nil, err
	}
	return out, nil
}

// Put is Convert into the caller's buffer, which has room for all values.
func (a *Array) Put(dst []byte, to DType) error {
	if a.DType == to {
		copy(dst[:len(a.Data)], a.Data)
		return nil
	}
	size, n := to.Size(), a.Len()
	for i := range n {
		v := a.at(i)
		bits, why := v.as(to)
		if why != 0 {
			return &ValueError{Index: i, Value: v.String(), To: to, Why: why}
		}
		put(dst[i*size:], size, bits)
	}
	return nil
}

// number is one element: a float64, or sign and magnitude of an integer, which
// float64 does not hold for all of 64 bits.
type number struct {
	class class
	f     float64
	neg   bool
	abs   uint64
}

// String is the number as people write it.
func (v number) String() string {
	switch {
	case v.class == floating:
		return fmt.Sprint(v.f)
	case v.neg:
		return fmt.Sprintf("-%d", v.abs)
	}
	return fmt.Sprint(v.abs)
}

// at is the element with number i.
func (a *Array) at(i int) number {
	size, class := a.DType.Size(), dtypes[a.DType].class
	b := get(a.Data[i*size:], size)
	switch class {
	case floating:
		return number{class: floating, f: floatOf(a.DType, b)}
	case signed:
		v := int64(b) << (64 - 8*size) >> (64 - 8*size)
		if v < 0 {
			return number{class: signed, neg: true, abs: -uint64(v)}
		}
		return number{class: signed, abs: uint64(v)}
	}
	return number{class: unsigned, abs: b}
}

// as is the number's bits in another type, or what would be lost.
func (v number) as(to DType) (uint64, Loss) {
	t := dtypes[to]
	if t.class == floating {
		if v.class == floating {
			b := floatBits(to, v.f)
			if math.IsInf(floatOf(to, b), 0) && !math.IsInf(v.f, 0) {
				return 0, OutOfRange
			}
			return b, 0
		}
		return v.exactly(to)
	}
	if v.class == floating {
		if v.f != math.Trunc(v.f) || math.IsInf(v.f, 0) {
			return 0, NotInteger // NaN is not equal to itself
		}
		if math.Abs(v.f) >= 0x1p64 {
			return 0, OutOfRange
		}
		v.neg, v.abs = v.f < 0, uint64(math.Abs(v.f))
	}
	most := uint64(math.MaxUint64) >> (64 - t.limit)
	switch {
	case !v.neg && v.abs <= most:
		return v.abs, 0
	case v.neg && t.class == signed && v.abs <= most+1:
		return -v.abs, 0
	}
	return 0, OutOfRange
}

// exactly is an integer as a number with a point, if that is the same number.
func (v number) exactly(to DType) (uint64, Loss) {
	f := float64(v.abs)
	if used := bits.Len64(v.abs) - bits.TrailingZeros64(v.abs); used > dtypes[to].limit {
		return 0, NotExact
	}
	if v.neg {
		f = -f
	}
	b := floatBits(to, f)
	if floatOf(to, b) != f { // an infinity: Float16 ends at 65,504
		return 0, OutOfRange
	}
	return b, 0
}

// floatOf is the value of an element's bits.
func floatOf(t DType, b uint64) float64 {
	switch t {
	case Float64:
		return math.Float64frombits(b)
	case Float32:
		return float64(math.Float32frombits(uint32(b)))
	}
	var half [2]byte
	var one [1]float32
	binary.LittleEndian.PutUint16(half[:], uint16(b))
	if t == Float16 {
		audio.Float16(one[:], half[:])
	} else {
		audio.BFloat16(one[:], half[:])
	}
	return float64(one[0])
}

// floatBits rounds once. What is rounded to Float32 on its way to 16 bits is made
// odd there if it was not exact, so that no tie arises that was none.
func floatBits(t DType, f float64) uint64 {
	switch t {
	case Float64:
		return math.Float64bits(f)
	case Float32:
		return uint64(math.Float32bits(float32(f)))
	}
	var half [2]byte
	one := [1]float32{oddly(f)}
	if t == Float16 {
		audio.PutFloat16(half[:], one[:])
	} else {
		audio.PutBFloat16(half[:], one[:])
	}
	return uint64(binary.LittleEndian.Uint16(half[:]))
}

// oddly is f if a float32 has it, else that one of its two neighbours whose last
// bit is 1.
func oddly(f float64) float32 {
	near := float32(f)
	if float64(near) == f || f != f || math.Float32bits(near)&1 == 1 {
		return near
	}
	if float64(near) < f {
		return math.Nextafter32(near, float32(math.Inf(1)))
	}
	return math.Nextafter32(near, float32(math.Inf(-1)))
}

// get and put are an element's bits, little-endian, in 1, 2, 4 or 8 bytes.
func get(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func put(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}
