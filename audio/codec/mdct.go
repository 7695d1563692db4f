package codec

import (
	"math/bits"

	"voxpack/audio/detmath"
)

// An imdct is the inverse modified discrete cosine transform of one block size n: n/2 coefficients X to
// n values
//
//	y[i] = Σ X[k] cos(2π/n (i + ½ + n/4)(k + ½))
//
// by way of a DCT-IV of m = n/2 values, whose symmetries give the rest, and a complex transform of n/4.
// It is in float64, so that what it rounds disappears in the float32 of the result.
type imdct struct {
	m       int
	twist   []complex128 // e^(-iπ(8k+1)/8m), before and after the transform
	roots   []complex128 // e^(-2πi j/(m/2))
	order   []int        // bit-reversed places
	z       []complex128
	quarter []float64 // the DCT-IV
}

// newIMDCT makes the tables for blocks of n values, a power of two from 64 to 8192 (Vorbis I, 4.2.2).
func newIMDCT(n int) *imdct {
	m := n / 2
	k := m / 2
	t := &imdct{m: m, twist: make([]complex128, k), roots: make([]complex128, k/2), order: make([]int, k), z: make([]complex128, k), quarter: make([]float64, m)}
	for j := range t.twist {
		sin, cos := detmath.SinCos(int64(8*j+1), int64(16*m))
		t.twist[j] = complex(cos, -sin)
		t.order[j] = int(bits.Reverse64(uint64(j)) >> (64 - bits.Len(uint(k-1))))
	}
	for j := range t.roots {
		sin, cos := detmath.SinCos(int64(j), int64(k))
		t.roots[j] = complex(cos, -sin)
	}
	return t
}

// times is a product whose rounding does not depend on the machine.
func times(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// transform writes n values for n/2 coefficients.
func (t *imdct) transform(y []float64, x []float32) {
	m := t.m
	for j := range t.z {
		t.z[t.order[j]] = times(complex(float64(x[2*j]), float64(x[m-1-2*j])), t.twist[j])
	}
	t.fft()
	u := t.quarter
	for j, z := range t.z {
		z = times(z, t.twist[j])
		u[2*j], u[m-1-2*j] = real(z), -imag(z)
	}
	// cos(2π/n (i + ½ + n/4)(k + ½)) is the DCT-IV's cosine at i + m/2, which is even around -½ and odd
	// around m - ½. So the first quarter of y is the second half of the DCT, the last one its first
	// half with the sign changed, and what is between all of the DCT mirrored, with the sign changed.
	h := m / 2
	for i := range h {
		y[i] = u[h+i]
		y[3*h+i] = -u[i]
	}
	for i := range m {
		y[h+i] = -u[m-1-i]
	}
}

// fft transforms z, whose values stand in bit-reversed order.
func (t *imdct) fft() {
	k := len(t.z)
	for half := 1; half < k; half *= 2 {
		step := k / (2 * half)
		for at := 0; at < k; at += 2 * half {
			low, high := t.z[at:at+half], t.z[at+half:at+2*half]
			for j := range low {
				b := times(high[j], t.roots[j*step])
				low[j], high[j] = low[j]+b, low[j]-b
			}
		}
	}
}
