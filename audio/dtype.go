package audio

import (
	"encoding/binary"
	"math"

	"voxpack/audio/codec"
)

// PutFloat32 writes src to dst as IEEE 754 binary32, little-endian. len(dst) must be at least 4 × len(src).
func PutFloat32(dst []byte, src []float32) {
	dst = dst[:4*len(src)]
	for i, v := range src {
		binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
	}
}

// PutFloat16 writes src to dst as IEEE 754 binary16, little-endian, rounded to nearest, ties to even.
// Magnitudes from 65,520 on become infinite, those under 2^-14 subnormal; NaN stays a (quiet) NaN.
// len(dst) must be at least 2 × len(src).
func PutFloat16(dst []byte, src []float32) {
	dst = dst[:2*len(src)]
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], float16Bits(v))
	}
}

// PutBFloat16 writes src to dst as bfloat16 (the upper half of binary32), little-endian, rounded to
// nearest, ties to even; NaN stays a (quiet) NaN. len(dst) must be at least 2 × len(src).
func PutBFloat16(dst []byte, src []float32) {
	dst = dst[:2*len(src)]
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], bfloat16Bits(v))
	}
}

// PutInt16 writes src × 32768 to dst as int16, little-endian, rounded to nearest, ties to even, and
// clipped to what an int16 holds; NaN becomes 0. Samples of a 16-bit file come out as they stood there.
// len(dst) must be at least 2 × len(src).
func PutInt16(dst []byte, src []float32) {
	dst = dst[:2*len(src)]
	for i, v := range src {
		binary.LittleEndian.PutUint16(dst[2*i:], int16Bits(v))
	}
}

// Float32 reads what PutFloat32 wrote: len(dst) values from src.
func Float32(dst []float32, src []byte) {
	src = src[:4*len(dst)]
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}

// Float16 reads what PutFloat16 wrote: len(dst) values from src, each exact.
func Float16(dst []float32, src []byte) {
	src = src[:2*len(dst)]
	for i := range dst {
		dst[i] = float16Value(binary.LittleEndian.Uint16(src[2*i:]))
	}
}

// BFloat16 reads what PutBFloat16 wrote: len(dst) values from src, each exact.
func BFloat16(dst []float32, src []byte) {
	src = src[:2*len(dst)]
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
	}
}

// Int16 reads what PutInt16 wrote: len(dst) values from src, each divided by 32768, exact.
func Int16(dst []float32, src []byte) { codec.Int16(dst, src) }

// int16Bits rounds v × 32768. In a sum with 1.5 × 2^23 the unit of the mantissa is 1, so that the sum
// itself rounds, and its low half is the two's complement. The product is exact.
func int16Bits(v float32) uint16 {
	if v != v {
		return 0
	}
	v = min(max(float32(v*0x1p15), -0x1p15), 0x1p15-1)
	return uint16(math.Float32bits(v + 0x1.8p23))
}

// float16Bits rounds v to binary16. The exponent of binary32 has bias 127, that of binary16 has 15; the
// mantissas have 23 and 10 bits. A carry out of the mantissa runs into the exponent, which is what
// rounding up to the next power of two (or to infinity) asks for.
func float16Bits(v float32) uint16 {
	b := math.Float32bits(v)
	sign := uint16(b>>16) & 0x8000
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000: // NaN
		return sign | 0x7e00
	case b >= 0x47800000: // 65,536 and up, infinity
		return sign | 0x7c00
	case b >= 0x38800000: // 2^-14 and up: normal
		return sign | uint16(roundShift(b-(127-15)<<23, 13))
	case b < 0x33000000: // under half of the smallest subnormal, 2^-25
		return sign
	}
	shift := 126 - b>>23 // of the mantissa with its hidden bit, so that the unit is 2^-24
	return sign | uint16(roundShift(b&0x7fffff|0x800000, shift))
}

// bfloat16Bits rounds v to its upper 16 bits. Infinity stays, and what rounds up past the greatest
// number becomes infinite.
func bfloat16Bits(v float32) uint16 {
	b := math.Float32bits(v)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16) | 0x0040 // quiet, and never cut down to an infinity
	}
	return uint16(roundShift(b, 16))
}

// roundShift is b / 2^n rounded to nearest, ties to even, for 1 ≤ n ≤ 24.
func roundShift(b, n uint32) uint32 {
	odd := b >> n & 1
	return uint32((uint64(b) + 1<<(n-1) - 1 + uint64(odd)) >> n)
}

// float16Value is the value of a binary16.
func float16Value(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, frac := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0: // zero and subnormals: frac units of 2^-24, exact in binary32
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}
