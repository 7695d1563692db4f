package audio

// spectrum writes X[k] of the transformed block for k = 0..n/2 as pairs re, im to dst (see power, which keeps only its square).
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

// inverse leaves the n real samples of a spectrum as spectrum writes it in f.re (the even ones) and f.im (the odd ones).
//
// The two transforms of the even and of the odd samples come out of X[k] ± conj X[n/2-k], are read as one complex transform, and go
// through the forward FFT: with real and imaginary part in each other's place on both sides that is the inverse one, but for the
// factor 2/n.
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
