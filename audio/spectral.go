package audio

import (
	"voxpack/audio/detmath"
)

// spectral says what becomes of a frame: a power spectrum, perhaps its root, perhaps bands, perhaps
// their logarithm.
type spectral struct {
	framing
	win       int       // samples under the window
	symmetric bool      // which of the two Hann windows, see window
	epsilon   float64   // added to the power
	least     float64   // to which a power is raised
	power     bool      // the power itself; else its square root
	bands     []melBand // nil: the bins themselves
	floor     float64   // least value that the logarithm sees; 0: no logarithm
	add       float64   // added to a band before
	lo, hi    int       // bins that are read, half-open
}

// width is the number of values of a frame.
func (s *spectral) width() int {
	if s.bands != nil {
		return len(s.bands)
	}
	return s.hi - s.lo
}

// An engine computes frames in one number format. It owns its scratch memory: one goroutine, one engine.
type engine interface {
	// rows writes the first n frames of pcm to dst, row by row. There are that many frames.
	rows(dst, pcm []float32, n int)
}

// Precisions: the number format up to the power spectrum.
const (
	Float32Precision = "f32" // as fast as the machine can
	Float64Precision = "f64" // as exact as float32 values can hold
)

func newEngine(s spectral, precision string) engine {
	if precision == Float64Precision {
		return newEngine64(s)
	}
	return newEngine32(s)
}

// window is the periodic Hann window ½ - ½ cos(2πn/win), or the symmetric one, which has win - 1 in
// that place, centred in nfft values as torch.stft centres it, and halved: the FFT needs half of each
// sample when it takes its two real halves apart, and a power of two can move there without a change of
// bits.
func (s *spectral) window() []float64 {
	w := make([]float64, s.nfft)
	start, period := (s.nfft-s.win)/2, s.win
	if s.symmetric {
		period = max(1, s.win-1)
	}
	for i := range s.win {
		_, cos := detmath.SinCos(int64(i), int64(period))
		w[start+i] = 0.5 * (0.5 - float64(0.5*cos))
	}
	return w
}
