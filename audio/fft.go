package audio

import (
	"math"

	"voxpack/audio/detmath"
)

// realFFT computes magnitudes of real blocks of n samples, n a power of two, in float64.
//
// The n samples are read as n/2 complex ones (even samples real, odd ones imaginary), transformed by a
// self-sorting (Stockham) radix-4 FFT, decimation in frequency, with one radix-2 step at the end where
// n/2 is no power of 4, and then taken apart: with Z the transform, E = (Z[k] + conj Z[n/2-k]) / 2, O =
// (Z[k] - conj Z[n/2-k]) / 2i, the spectrum is X[k] = E + e^(-2πik/n) O. The two halves are in the
// caller's window already (see melWindow).
type realFFT struct {
	half   int        // complex points
	stages []fftStage // radix-4 steps, in order
	split  []float64  // cos, sin of -2πk/n for k = 0..half, in pairs

	re, im   []float64 // input of transform, half values each
	re2, im2 []float64 // the other side of each step
}

// fftStage is one radix-4 step: quarter butterflies, each over stride neighbours.
type fftStage struct {
	quarter, stride int
	twiddles        []float64 // for p = 0..quarter-1 the powers 1, 2, 3 of e^(-2πip/(4 quarter)) as re, im
}

func newRealFFT(n int) *realFFT {
	h := n / 2
	f := &realFFT{half: h, re: make([]float64, h), im: make([]float64, h), re2: make([]float64, h), im2: make([]float64, h)}
	for size, stride := h, 1; size >= 4; size, stride = size/4, stride*4 {
		s := fftStage{quarter: size / 4, stride: stride}
		for p := range s.quarter {
			for power := range 3 {
				sin, cos := detmath.SinCos(-int64((power+1)*p), int64(size))
				s.twiddles = append(s.twiddles, cos, sin)
			}
		}
		f.stages = append(f.stages, s)
	}
	for k := range h + 1 {
		sin, cos := detmath.SinCos(-int64(k), int64(n))
		f.split = append(f.split, cos, sin)
	}
	return f
}

// transform takes f.re, f.im and leaves their complex transform there.
func (f *realFFT) transform() {
	xr, xi, yr, yi := f.re, f.im, f.re2, f.im2
	for i := range f.stages {
		s := &f.stages[i]
		if s.stride == 1 {
			s.first(xr, xi, yr, yi)
		} else {
			s.step(xr, xi, yr, yi)
		}
		xr, xi, yr, yi = yr, yi, xr, xi
	}
	if last := f.stages[len(f.stages)-1]; last.quarter == 2 {
		pairs(xr, xi, yr, yi)
		xr, xi, yr, yi = yr, yi, xr, xi
	}
	f.re, f.im, f.re2, f.im2 = xr, xi, yr, yi
}

// first is step for stride 1, where a butterfly has no neighbours: one loop over the butterflies.
func (s *fftStage) first(xr, xi, yr, yi []float64) {
	m := s.quarter
	ar, br, cr, dr := xr[:m], xr[m:2*m], xr[2*m:3*m], xr[3*m:4*m]
	ai, bi, ci, di := xi[:m], xi[m:2*m], xi[2*m:3*m], xi[3*m:4*m]
	for p := range ar {
		w := s.twiddles[6*p : 6*p+6 : 6*p+6]
		zr, zi := yr[4*p:4*p+4:4*p+4], yi[4*p:4*p+4:4*p+4]
		sumACr, sumACi, difACr, difACi := ar[p]+cr[p], ai[p]+ci[p], ar[p]-cr[p], ai[p]-ci[p]
		sumBDr, sumBDi, difBDr, difBDi := br[p]+dr[p], bi[p]+di[p], br[p]-dr[p], bi[p]-di[p]
		zr[0], zi[0] = sumACr+sumBDr, sumACi+sumBDi
		ur, ui := difACr+difBDi, difACi-difBDr
		zr[1], zi[1] = float64(ur*w[0])-float64(ui*w[1]), float64(ur*w[1])+float64(ui*w[0])
		ur, ui = sumACr-sumBDr, sumACi-sumBDi
		zr[2], zi[2] = float64(ur*w[2])-float64(ui*w[3]), float64(ur*w[3])+float64(ui*w[2])
		ur, ui = difACr-difBDi, difACi+difBDr
		zr[3], zi[3] = float64(ur*w[4])-float64(ui*w[5]), float64(ur*w[5])+float64(ui*w[4])
	}
}

// step is one radix-4 step from x to y. Butterfly p reads its four inputs quarter×stride apart and
// writes its four outputs side by side, which is what sorts the result on the way.
func (s *fftStage) step(xr, xi, yr, yi []float64) {
	n, m := s.stride, s.stride*s.quarter
	ar, br, cr, dr := xr[:m], xr[m:][:m], xr[2*m:][:m], xr[3*m:][:m]
	ai, bi, ci, di := xi[:m], xi[m:][:m], xi[2*m:][:m], xi[3*m:][:m]
	for p, in := 0, 0; in < m; p++ {
		w := (*[6]float64)(s.twiddles[6*p:])
		zr, zi := yr[4*in:][:4*n], yi[4*in:][:4*n]
		for q := range n {
			sumACr, sumACi, difACr, difACi := ar[in]+cr[in], ai[in]+ci[in], ar[in]-cr[in], ai[in]-ci[in]
			sumBDr, sumBDi, difBDr, difBDi := br[in]+dr[in], bi[in]+di[in], br[in]-dr[in], bi[in]-di[in]
			zr[q], zi[q] = sumACr+sumBDr, sumACi+sumBDi
			ur, ui := difACr+difBDi, difACi-difBDr
			zr[q+n], zi[q+n] = float64(ur*w[0])-float64(ui*w[1]), float64(ur*w[1])+float64(ui*w[0])
			ur, ui = sumACr-sumBDr, sumACi-sumBDi
			zr[q+2*n], zi[q+2*n] = float64(ur*w[2])-float64(ui*w[3]), float64(ur*w[3])+float64(ui*w[2])
			ur, ui = difACr-difBDi, difACi+difBDr
			zr[q+3*n], zi[q+3*n] = float64(ur*w[4])-float64(ui*w[5]), float64(ur*w[5])+float64(ui*w[4])
			in++
		}
	}
}

// pairs is the closing radix-2 step: sums and differences of the two halves.
func pairs(xr, xi, yr, yi []float64) {
	h := len(xr) / 2
	ar, br, ai, bi := xr[:h], xr[h:][:h], xi[:h], xi[h:][:h]
	sumR, difR, sumI, difI := yr[:h], yr[h:][:h], yi[:h], yi[h:][:h]
	for q := range ar {
		sumR[q], sumI[q] = ar[q]+br[q], ai[q]+bi[q]
		difR[q], difI[q] = ar[q]-br[q], ai[q]-bi[q]
	}
}

// power writes |X[k]|² of the transformed block, doubled halves left out (see melWindow), for k =
// lo..hi-1 to dst[k-lo].
func (f *realFFT) power(dst []float64, lo, hi int) { f.levels(dst, lo, hi, 0, 0, false) }

// levels writes the powers with epsilon added to each, least at least, or the roots of that. Roots come
// out of a unit of their own, which works while others sum up the next bin.
func (f *realFFT) levels(dst []float64, lo, hi int, epsilon, least float64, root bool) {
	dst = dst[:hi-lo]
	re, im, last := f.re[:f.half], f.im[:f.half], f.half-1
	for i := range dst {
		k := lo + i
		a, b := k&last, -k&last
		w := (*[2]float64)(f.split[2*k:])
		er, ei := re[a]+re[b], im[a]-im[b]
		or, oi := im[a]+im[b], re[b]-re[a]
		xr := er + (float64(w[0]*or) - float64(w[1]*oi))
		xi := ei + (float64(w[0]*oi) + float64(w[1]*or))
		p := float64(xr*xr) + float64(xi*xi) + epsilon
		if p < least {
			p = least
		}
		if root {
			p = math.Sqrt(p)
		}
		dst[i] = p
	}
}

// spectrum writes X[k] of the transformed block for k = 0..n/2 as pairs re, im to dst (see power, which
// keeps only its square).
func (f *realFFT) spectrum(dst []float64) {
	for k := range f.half + 1 {
		a, b := k&(f.half-1), (f.half-k)&(f.half-1)
		w := f.split[2*k : 2*k+2 : 2*k+2]
		er, ei := f.re[a]+f.re[b], f.im[a]-f.im[b]
		or, oi := f.im[a]+f.im[b], f.re[b]-f.re[a]
		dst[2*k] = er + (float64(w[0]*or) - float64(w[1]*oi))
		dst[2*k+1] = ei + (float64(w[0]*oi) + float64(w[1]*or))
	}
}

// inverse leaves the n real samples of a spectrum as spectrum writes it in f.re (the even ones) and
// f.im (the odd ones).
//
// The two transforms of the even and of the odd samples come out of X[k] ± conj X[n/2-k], are read as
// one complex transform, and go through the forward FFT: with real and imaginary part in each other's
// place on both sides that is the inverse one, but for the factor 2/n.
func (f *realFFT) inverse(src []float64) {
	scale := 0.5 / float64(f.half) // a power of two: exact
	for k := range f.half {
		m := f.half - k
		xr, xi, yr, yi := src[2*k], src[2*k+1], src[2*m], -src[2*m+1]
		er, ei := xr+yr, xi+yi
		dr, di := xr-yr, xi-yi
		c, s := f.split[2*k], -f.split[2*k+1] // e^(+2πik/n)
		or, oi := float64(dr*c)-float64(di*s), float64(dr*s)+float64(di*c)
		f.im[k], f.re[k] = scale*(er-oi), scale*(ei+or)
	}
	f.transform()
	f.re, f.im = f.im, f.re
}
