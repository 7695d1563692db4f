package codec

import (
	"math"
	"math/bits"
	"slices"
	"sync"

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
	*imdctTables
	z   []complex128
	dct []float64 // the DCT-IV
}

// imdctTables is what all transforms of a block size share.
type imdctTables struct {
	m     int
	twist []complex128 // e^(-iπ(8k+1)/8m), before and after the transform
	roots []complex128 // from h on, for each power of two h below m/2, the h roots e^(-πi j/h) of a pass
	order []int        // bit-reversed places
	slope []float64    // the rising half of the window of n
}

// imdctShared has the tables of each block size, from 64 to 8,192 (Vorbis I, 4.2.2), once a stream had that size.
var imdctShared [8]struct {
	once   sync.Once
	tables *imdctTables
}

// newIMDCT takes the memory for blocks of n values.
func newIMDCT(n int) *imdct {
	shared := &imdctShared[bits.Len(uint(n))-7]
	shared.once.Do(func() { shared.tables = newIMDCTTables(n) })
	return &imdct{imdctTables: shared.tables, z: make([]complex128, n/4), dct: make([]float64, n/2)}
}

func newIMDCTTables(n int) *imdctTables {
	m := n / 2
	k := m / 2
	t := &imdctTables{m: m, twist: make([]complex128, k), roots: make([]complex128, k), order: make([]int, k), slope: make([]float64, m)}
	for j := range t.twist {
		sin, cos := detmath.SinCos(int64(8*j+1), int64(16*m))
		t.twist[j] = complex(cos, -sin)
		t.order[j] = int(bits.Reverse64(uint64(j)) >> (64 - bits.Len(uint(k-1))))
	}
	for half := 1; half < k; half *= 2 {
		for j := range half {
			sin, cos := detmath.SinCos(int64(j*(k/(2*half))), int64(k))
			t.roots[half+j] = complex(cos, -sin)
		}
	}
	for j := range t.slope {
		// 4.3.1: the slope of n/2 values is sin(π/2 sin²((j + ½) π/n)), a slope whose square and
		// that of its mirror add up to 1.
		sin, cos := detmath.SinCos(int64(2*j+1), int64(4*n))
		// sin(π/2 sin² x) for all x, from functions for angles up to π/4
		if q := float64(sin * sin); q <= 0.5 {
			t.slope[j], _ = detmath.SinCosEighth(q * (math.Pi / 2))
		} else {
			_, t.slope[j] = detmath.SinCosEighth(float64(cos*cos) * (math.Pi / 2))
		}
	}
	return t
}

// times is a product whose rounding does not depend on the machine.
func times(a, b complex128) complex128 {
	return complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b)))
}

// transformHalf makes the DCT-IV.
func (t *imdct) transformHalf(x []float32) {
	m := t.m
	if vectorsVorbis() {
		t.transformQuickly(x)
		return
	}
	for j := range t.z {
		t.z[t.order[j]] = times(complex(float64(x[2*j]), float64(x[m-1-2*j])), t.twist[j])
	}
	for half := 1; half < len(t.z); half *= 2 {
		roots := t.roots[half : 2*half]
		for at := 0; at < len(t.z); at += 2 * half {
			low, high := t.z[at:at+half], t.z[at+half:at+2*half]
			for j, root := range roots {
				b := times(high[j], root)
				low[j], high[j] = low[j]+b, low[j]-b
			}
		}
	}
	for j, z := range t.z {
		z = times(z, t.twist[j])
		t.dct[2*j], t.dct[m-1-2*j] = real(z), -imag(z)
	}
}

// unfold gives all n values. cos(2π/n (i + ½ + n/4)(k + ½)) is the DCT-IV's cosine at i + m/2, which is even
// around -½ and odd around m - ½. So the first quarter of y is the second half of the DCT, the last one its
// first half with the sign changed, and what is between all of the DCT mirrored, with the sign changed.
func (t *imdct) unfold(y []float64) {
	m, h := t.m, t.m/2
	for i := range h {
		y[i] = t.dct[h+i]
		y[3*h+i] = -t.dct[i]
	}
	for i := range m {
		y[h+i] = -t.dct[m-1-i]
	}
}

// lap adds what the block before left, tail, and the rising half of this block to the sum, and leaves the falling
// half in tail's memory. Where the window is the same all over, vectors do it, and the values between need no
// memory; else y has room for all of them.
func (t *imdct) lap(sum, tail, y, rising, falling []float64) {
	n := 2 * t.m
	quickIn := vectorsVorbis() && len(tail) == n/2 && len(rising) == n/2
	quickOut := vectorsVorbis() && len(falling) == n/2
	if !quickIn || !quickOut {
		t.unfold(y)
	}
	if quickIn {
		lapIn(&sum[0], &tail[0], &t.dct[n/4], &rising[0], n/4)
	} else {
		addTo(sum, tail[:min(len(tail), len(sum))])
		rise(y[:n/2], rising)
		shift := (2*len(tail) - n) / 4 // where this block begins, seen from the middle of the one before
		addTo(sum[max(0, shift):], y[max(0, -shift):n/2])
	}
	tail = tail[:cap(tail)]
	if quickOut {
		lapOut(&tail[0], &t.dct[0], &falling[0], n/4)
		return
	}
	slices.Reverse(y[n/2 : n])
	rise(y[n/2:n], falling)
	slices.Reverse(y[n/2 : n])
	copy(tail, y[n/2:n])
}
