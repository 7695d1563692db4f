package audio

// realFFT computes magnitudes of real blocks of n samples, n a power of two, in float64.
//
// The n samples are read as n/2 complex ones (even samples real, odd ones imaginary), transformed by a self-sorting (Stockham)
// radix-4 FFT, decimation in frequency, with one radix-2 step at the end where n/2 is no power of 4, and then taken apart:
// with Z the transform, E = (Z[k] + conj Z[n/2-k]) / 2, O = (Z[k] - conj Z[n/2-k]) / 2i, the spectrum is X[k] = E + e^(-2πik/n) O.
// The two halves are in the caller's window already (see melWindow).
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
				sin, cos := detSinCos(-int64((power+1)*p), int64(size))
				s.twiddles = append(s.twiddles, cos, sin)
			}
		}
		f.stages = append(f.stages, s)
	}
	for k := range h + 1 {
		sin, cos := detSinCos(-int64(k), int64(n))
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

// step is one radix-4 step from x to y. Butterfly p reads its four inputs quarter×stride apart and writes its four outputs side by
// side, which is what sorts the result on the way.
func (s *fftStage) step(xr, xi, yr, yi []float64) {
	n, apart := s.stride, s.stride*s.quarter
	for p := range s.quarter {
		w := s.twiddles[6*p : 6*p+6 : 6*p+6]
		in, out := p*n, 4*p*n
		ar, br, cr, dr := xr[in:][:n], xr[in+apart:][:n], xr[in+2*apart:][:n], xr[in+3*apart:][:n]
		ai, bi, ci, di := xi[in:][:n], xi[in+apart:][:n], xi[in+2*apart:][:n], xi[in+3*apart:][:n]
		z0r, z1r, z2r, z3r := yr[out:][:n], yr[out+n:][:n], yr[out+2*n:][:n], yr[out+3*n:][:n]
		z0i, z1i, z2i, z3i := yi[out:][:n], yi[out+n:][:n], yi[out+2*n:][:n], yi[out+3*n:][:n]
		for q := range ar {
			sumACr, sumACi, difACr, difACi := ar[q]+cr[q], ai[q]+ci[q], ar[q]-cr[q], ai[q]-ci[q]
			sumBDr, sumBDi, difBDr, difBDi := br[q]+dr[q], bi[q]+di[q], br[q]-dr[q], bi[q]-di[q]
			z0r[q], z0i[q] = sumACr+sumBDr, sumACi+sumBDi
			ur, ui := difACr+difBDi, difACi-difBDr
			z1r[q], z1i[q] = float64(ur*w[0])-float64(ui*w[1]), float64(ur*w[1])+float64(ui*w[0])
			ur, ui = sumACr-sumBDr, sumACi-sumBDi
			z2r[q], z2i[q] = float64(ur*w[2])-float64(ui*w[3]), float64(ur*w[3])+float64(ui*w[2])
			ur, ui = difACr-difBDi, difACi+difBDr
			z3r[q], z3i[q] = float64(ur*w[4])-float64(ui*w[5]), float64(ur*w[5])+float64(ui*w[4])
		}
	}
}

// pairs is the closing radix-2 step: sums and differences of the two halves.
func pairs(xr, xi, yr, yi []float64) {
	h := len(xr) / 2
	for q := range h {
		yr[q], yi[q] = xr[q]+xr[h+q], xi[q]+xi[h+q]
		yr[h+q], yi[h+q] = xr[q]-xr[h+q], xi[q]-xi[h+q]
	}
}

// power writes |X[k]|² of the transformed block, doubled halves left out (see melWindow), for k = lo..hi-1 to dst[k-lo].
func (f *realFFT) power(dst []float64, lo, hi int) {
	dst = dst[:hi-lo]
	for i := range dst {
		k := lo + i
		a, b := k&(f.half-1), (f.half-k)&(f.half-1)
		w := f.split[2*k : 2*k+2 : 2*k+2]
		er, ei := f.re[a]+f.re[b], f.im[a]-f.im[b]
		or, oi := f.im[a]+f.im[b], f.re[b]-f.re[a]
		xr := er + (float64(w[0]*or) - float64(w[1]*oi))
		xi := ei + (float64(w[0]*oi) + float64(w[1]*or))
		dst[i] = float64(xr*xr) + float64(xi*xi)
	}
}
