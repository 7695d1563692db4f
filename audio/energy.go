package audio

import "math"

// Energy computes the loudness of each frame as FastSpeech 2 defines it (Ren et al. 2020, arXiv
// 2006.04558, section 2.3: the L2 norm of the amplitude of each STFT frame): √Σ |X[k]|² over the bins 0
// to n_fft/2, of the mel's own windowed frames, no epsilon.
//
// No transform is needed. By Parseval's theorem the sum over all n bins is n Σ y², of the windowed
// samples y, and of the bins 0 to n/2 only X[0] and X[n/2] have no mirror image, so that the sum over
// these is (n Σ y² + X[0]² + X[n/2]²) / 2. With the sums A and B of the even and the odd samples, X[0]
// = A + B and X[n/2] = A - B, which leaves n/2 Σ y² + A² + B²: nothing cancels. It is computed in
// float64 for every precision.
type Energy struct {
	framing
	window []float64 // nfft values, halved
	edge   []float32 // a frame that reaches over an end of the clip
}

// NewEnergy makes the computer. The error joins everything that c.Check finds.
func NewEnergy(c MelConfig) (*Energy, error) {
	c, err := c.checked("energy")
	if err != nil {
		return nil, err
	}
	s := c.spectral()
	return &Energy{framing: s.framing, window: s.window(), edge: make([]float32, s.nfft)}, nil
}

// Width is 1.
func (e *Energy) Width() int { return 1 }

// MinSamples is the mel's.
func (e *Energy) MinSamples() int { return e.minSamples() }

// Frames is the mel's.
func (e *Energy) Frames(samples int64) int { return e.frames(samples) }

// Compute writes one value for each frame of pcm to dst, as many as dst has room for. The samples must
// be finite. It does not allocate.
func (e *Energy) Compute(dst, pcm []float32) {
	for f := range min(e.Frames(int64(len(pcm))), len(dst)) {
		block, start := e.edge, f*e.hop-e.pad
		if start >= 0 && start+e.nfft <= len(pcm) {
			block = pcm[start:][:e.nfft]
		} else {
			e.read(block, clip{pcm: pcm}, start)
		}
		dst[f] = float32(e.norm(block))
	}
}

// norm is the root of the sum for a block of nfft samples. The window's halves make a quarter of every square.
func (e *Energy) norm(block []float32) float64 {
	var even, odd, evenSquares, oddSquares float64
	w := e.window[:len(block)]
	for i := 0; i+1 < len(block); i += 2 {
		a, b := float64(float64(block[i])*w[i]), float64(float64(block[i+1])*w[i+1])
		even, odd = even+a, odd+b
		evenSquares, oddSquares = evenSquares+float64(a*a), oddSquares+float64(b*b)
	}
	sum := float64(float64(e.nfft/2)*(evenSquares+oddSquares)) + (float64(even*even) + float64(odd*odd))
	return 2 * math.Sqrt(sum)
}
