package audio

import (
	"voxpack/audio/detmath"
)

// plan32 is a transform of real blocks of n samples in float32 with all its tables, for the portable
// and the vector code alike.
//
// As in realFFT the n samples are h = n/2 complex points; their transform is taken apart into the
// spectrum by power. The transform is decimation in frequency, in place: passes of radix 8, before them
// one of radix 2 or 4 where h is no power of 8. Its outputs stand in digit-reversed order, which costs
// nothing, as the bins are read through a table. Both codes compute the same sums and products in the
// same order, each product rounded: that order is the definition of the mel's bits.
type plan32 struct {
	half   int
	passes []pass32
	both   []split32 // pairs of bins k and h-k that are both wanted
	single []split32 // bins k whose partner is not
	bins   int       // rows of the spectrum, with one for what is not wanted
}

// pass32 is a pass over blocks of size points, butterflies apart points apart.
type pass32 struct {
	radix, size, apart int
	twiddles           []float32 // e^(-2πijq/size) for j below apart, q = 1..radix-1, as cos, sin; none in the last pass
}

// split32 says how to take two bins apart: where the transform's points k and h-k stand, which rows get
// bin k and bin h-k.
type split32 struct {
	a, b        int32
	plus, minus int32
	cos, sin    float32 // of -2πk/n
}

// newPlan32 plans for n samples, of whose n/2 + 1 bins lo..hi-1 are wanted; bin k goes to row k - lo.
func newPlan32(n, lo, hi int) *plan32 {
	h := n / 2
	p := &plan32{half: h, bins: hi - lo + 1}
	place := []int{0} // of the outputs k = 0.. that are told apart so far
	for size := h; size > 1; {
		radix := 8
		for i := size; i > 1; i /= 8 {
			if i < 8 {
				radix = i
			}
		}
		p.passes = append(p.passes, newPass32(radix, size))
		size /= radix
		next := make([]int, 0, len(place)*radix)
		for q := range radix {
			for _, at := range place {
				next = append(next, at+q*size)
			}
		}
		place = next
	}
	for k := range h/2 + 1 {
		sin, cos := detmath.SinCos(-int64(k), int64(n))
		s := split32{a: int32(place[k]), b: int32(place[(h-k)%h]), plus: int32(hi - lo), minus: int32(hi - lo), cos: float32(cos), sin: float32(sin)}
		plus, minus := k >= lo && k < hi, h-k >= lo && h-k < hi && h-k != k
		if plus {
			s.plus = int32(k - lo)
		}
		if minus {
			s.minus = int32(h - k - lo)
			p.both = append(p.both, s)
		} else if plus {
			p.single = append(p.single, s)
		}
	}
	return p
}

func newPass32(radix, size int) pass32 {
	p := pass32{radix: radix, size: size, apart: size / radix}
	if p.apart == 1 {
		return p
	}
	for j := range p.apart {
		for q := 1; q < radix; q++ {
			sin, cos := detmath.SinCos(-int64(j*q), int64(size))
			p.twiddles = append(p.twiddles, float32(cos), float32(sin))
		}
	}
	return p
}
