package audio

import (
	"math"
	"slices"
)

// bank32 is the filter bank of the portable code. Every bin of a usual bank lies on the falling side of
// one band and on the rising side of the next, so that both bands are summed in one walk over the bins,
// which reads each bin once.
type bank32 struct {
	weights []float32
	spans   []span32 // of each band; the only way for a bank of another kind

	stretches []uint16 // how many bins there are from the start of band i, or the end of the bank, to that of the next; nil: see spans
	sides     []sides32
}

// span32 is where a band's weights and bins stand: bin rows and weights from these on.
type span32 struct{ row, at, n int32 }

// sides32 is what a bin weighs in the band that falls over it and in the one that rises.
type sides32 struct{ falling, rising float32 }

// newBank32 looks whether each band ends where the band after the next begins. starts[i] is where band
// i begins to rise, starts[i+1] where it is highest and starts[i+2] where it ends, as the edges of
// melEdges are shared. Where bands overlap otherwise, or leave bins out, sum goes by spans.
func newBank32(weights []float32, spans []span32) bank32 {
	b := bank32{weights: weights, spans: spans}
	n := len(spans)
	starts := make([]int32, 0, n+2)
	for _, s := range spans {
		starts = append(starts, s.row)
	}
	if n < 2 {
		return b
	}
	starts = append(starts, spans[n-2].row+spans[n-2].n, spans[n-1].row+spans[n-1].n)
	usual := starts[0] == 0 && slices.IsSorted(starts)
	for i, s := range spans {
		usual = usual && s.row+s.n == starts[i+2]
	}
	if !usual {
		return b
	}
	b.sides = make([]sides32, starts[n+1])
	for i, s := range spans {
		for j, w := range weights[s.at:][:s.n] {
			if k := s.row + int32(j); k < starts[i+1] {
				b.sides[k].rising = w
			} else {
				b.sides[k].falling = w
			}
		}
	}
	for i := range n + 1 {
		b.stretches = append(b.stretches, uint16(starts[i+1]-starts[i]))
	}
	return b
}

// sum writes the weighted sum of every band. It adds even and odd terms apart, as melBand.sum does;
// which of the two is which does not matter to their sum.
func (b *bank32) sum(dst, bin []float32) {
	if b.stretches == nil {
		for i := range b.spans {
			s := &b.spans[i]
			dst[i] = dot32(b.weights[s.at:][:s.n], bin[s.row:][:s.n])
		}
		return
	}
	var falling, falling2, rising, rising2 float32
	at, sides := 0, b.sides[:len(bin)]
	// Stretch i lies between two edges: band i - 1 falls over it and band i rises. Each keeps two sums,
	// of the terms that are even and odd counted from its own first bin. At the end of a stretch the
	// rising band becomes the falling one.
	for i, n := range b.stretches {
		end := min(at+int(n), len(bin))
		for ; at < end-1; at += 2 {
			x, y := bin[at], bin[at+1]
			v, w := sides[at], sides[at+1]
			falling += float32(x * v.falling)
			rising += float32(x * v.rising)
			falling2 += float32(y * w.falling)
			rising2 += float32(y * w.rising)
		}
		if at < end {
			falling += float32(bin[at] * sides[at].falling)
			rising += float32(bin[at] * sides[at].rising)
			rising, rising2 = rising2, rising // the next bin's turn is the other one's
			at++
		}
		if i > 0 { // before the first band rises nothing falls
			dst[i-1] = falling + falling2
		}
		falling, falling2, rising, rising2 = rising, rising2, 0, 0
	}
}

func dot32(w, x []float32) float32 {
	var even, odd float32
	x = x[:len(w)]
	i := 0
	for ; i+1 < len(w); i += 2 {
		even += float32(w[i] * x[i])
		odd += float32(w[i+1] * x[i+1])
	}
	if i < len(w) {
		even += float32(w[i] * x[i])
	}
	return even + odd
}

// ln2Hi32 + ln2Lo32 is ln 2; the product of ln2Hi32 with any exponent is exact.
const (
	ln2Hi32 = 0x1.62e4p-1
	ln2Lo32 = float32(math.Ln2 - ln2Hi32)
)

// log32 takes the natural logarithm of values with add added, which are raised to floor, a normal
// number, where they lie below it. It is the series of detmath.Log, whose next term is below 2^-30 of the result.
//
// In two loops over 64 values: a processor overlaps the divisions that it sees together. In one loop
// the other work keeps them apart, and the whole takes a fifth longer.
func log32(x []float32, floor, add float32) {
	const sqrtHalfBits = 0x3f3504f3
	var fractions, quotients [64]float32
	for len(x) > 0 {
		n := min(len(x), len(fractions))
		exponents, fs, qs := x[:n], fractions[:n], quotients[:n]
		for i, v := range exponents {
			if v += add; v < floor {
				v = floor
			}
			bits := math.Float32bits(v)
			k := int32(bits-sqrtHalfBits) >> 23
			f := math.Float32frombits(bits-uint32(k)<<23) - 1
			exponents[i], fs[i], qs[i] = float32(k), f, f/(2+f)
		}
		for i, f := range fs {
			k, s := exponents[i], qs[i]
			z := float32(s * s)
			r := float32(z * (2.0 / 9))
			r = float32(z * (2.0/7 + r))
			r = float32(z * (2.0/5 + r))
			r = float32(z * (2.0/3 + r))
			low := float32(k*ln2Lo32) - float32(s*(f-r))
			exponents[i] = float32(k*ln2Hi32) + (f + low)
		}
		x = x[n:]
	}
}
