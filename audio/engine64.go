package audio

import "math"

// engine64 computes one frame after the other in float64 and rounds its result to float32.
type engine64 struct {
	spectral
	window []float64 // nfft values, halved
	fft    *realFFT
	bins   []float64 // of lo..hi-1
	edge   []float32 // a block that reaches over an end of the clip
}

func newEngine64(s spectral) *engine64 {
	return &engine64{
		spectral: s,
		window:   window(s.nfft, s.win),
		fft:      newRealFFT(s.nfft),
		bins:     make([]float64, s.hi-s.lo),
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
	e.read(e.edge, pcm, start)
	return e.edge
}

// frame computes one row from its block of nfft samples.
func (e *engine64) frame(dst, block []float32) {
	re, im := e.fft.re, e.fft.im
	block, window := block[:2*len(re)], e.window[:2*len(re)]
	for i := range re {
		re[i] = float64(float64(block[2*i]) * window[2*i])
		im[i] = float64(float64(block[2*i+1]) * window[2*i+1])
	}
	e.fft.transform()
	e.fft.power(e.bins, e.lo, e.hi)
	for i, p := range e.bins {
		if p += e.epsilon; !e.power {
			p = math.Sqrt(p)
		}
		e.bins[i] = p
	}
	if e.bands == nil {
		for i, v := range e.bins {
			dst[i] = float32(v)
		}
		return
	}
	for i := range e.bands {
		v := e.bands[i].sum(e.bins, e.lo)
		if e.floor > 0 {
			v = detLog(max(v, e.floor))
		}
		dst[i] = float32(v)
	}
}
