package audio

import (
	"voxpack/audio/detmath"
)

// engine64 computes one frame after the other in float64 and rounds its result to float32. A half of
// each sample goes into the transform (see window), so that the two real transforms of even and odd
// samples can be taken apart without another factor.
type engine64 struct {
	spectral
	window []float64 // nfft values, halved
	fft    *realFFT
	bins   []float64 // of lo..hi-1
	sums   []float64 // of the bands
	edge   []float32 // a block that reaches over an end of the clip
}

func newEngine64(s spectral) *engine64 {
	return &engine64{
		spectral: s,
		window:   s.window(),
		fft:      newRealFFT(s.nfft),
		bins:     make([]float64, s.hi-s.lo),
		sums:     make([]float64, len(s.bands)),
		edge:     make([]float32, s.nfft),
	}
}

func (e *engine64) rows(dst, pcm []float32, n int) {
	w := e.width()
	for f := range n {
		e.frame(dst[f*w:][:w], e.block(pcm, f*e.hop-e.pad))
	}
}

// block returns the nfft samples from start on, which may lie before the clip or reach past its end.
func (e *engine64) block(pcm []float32, start int) []float32 {
	if start >= 0 && start+len(e.edge) <= len(pcm) {
		return pcm[start:][:len(e.edge)]
	}
	e.read(e.edge, clip{pcm: pcm}, start)
	return e.edge
}

// frame computes one row from its block of nfft samples: two samples make one complex point, the even
// one its real part, so that the transform has nfft/2 points.
func (e *engine64) frame(dst, block []float32) {
	re, im := e.fft.re, e.fft.im
	block, window := block[:2*len(re)], e.window[:2*len(re)]
	for i := range re {
		re[i] = float64(float64(block[2*i]) * window[2*i])
		im[i] = float64(float64(block[2*i+1]) * window[2*i+1])
	}
	e.fft.transform()
	e.fft.levels(e.bins, e.lo, e.hi, e.epsilon, e.least, !e.power)
	if e.bands == nil {
		for i, v := range e.bins {
			dst[i] = float32(v)
		}
		return
	}
	for i := range e.bands {
		e.sums[i] = e.bands[i].sum(e.bins, e.lo)
	}
	if e.floor > 0 {
		log64(e.sums, e.floor, e.add)
	}
	for i, v := range e.sums {
		dst[i] = float32(v)
	}
}

// log64 is log32 in float64: logarithms of at least floor, of 64 values at a time, so that their
// divisions overlap.
func log64(x []float64, floor, add float64) {
	var fractions, quotients [64]float64
	for len(x) > 0 {
		n := min(len(x), len(fractions))
		exponents, fs, qs := x[:n], fractions[:n], quotients[:n]
		for i, v := range exponents {
			if v += add; v < floor {
				v = floor
			}
			exponents[i], fs[i], qs[i] = detmath.LogParts(v)
		}
		for i, f := range fs {
			exponents[i] = detmath.LogOf(exponents[i], f, qs[i])
		}
		x = x[n:]
	}
}
