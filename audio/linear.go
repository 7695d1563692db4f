package audio

import (
	"errors"
	"fmt"
)

// Linear computes magnitude spectrograms: the bins themselves, no bands, no logarithm. A frame is √(re²
// + im² + 1e-6) of the bins 0 to n_fft/2, as VITS, Piper and Coqui's VITS feed it to their posterior
// encoder; the 1e-6 is theirs. It is padded and framed as the mel of the same config is, so that both
// have the same frames. It owns its scratch memory: one per worker, not safe for concurrent use.
type Linear struct {
	spec   spectral
	engine engine
}

// NewLinear makes the computer. The error joins everything that c.Check finds.
func NewLinear(c MelConfig) (*Linear, error) {
	c, err := c.checked("linear")
	if err != nil {
		return nil, err
	}
	s := c.spectral()
	s.epsilon, s.hi = 1e-6, c.NFFT/2+1
	return &Linear{spec: s, engine: newEngine(s, c.Precision)}, nil
}

// checked is c without zero fields, or everything that is wrong with it, said of a feature.
func (c MelConfig) checked(feature string) (MelConfig, error) {
	c = c.WithDefaults()
	if errs := c.Check(); errs != nil {
		return c, fmt.Errorf("%s: %w", feature, errors.Join(errs...))
	}
	return c, nil
}

// Width is the number of bins, n_fft/2 + 1.
func (l *Linear) Width() int { return l.spec.width() }

// MinSamples is the mel's.
func (l *Linear) MinSamples() int { return l.spec.minSamples() }

// Frames is the mel's.
func (l *Linear) Frames(samples int64) int { return l.spec.frames(samples) }

// Compute writes the frames of pcm to dst, row by row, as many as dst has room for. The samples must be
// finite. It does not allocate.
func (l *Linear) Compute(dst, pcm []float32) {
	l.engine.rows(dst, pcm, min(l.Frames(int64(len(pcm))), len(dst)/l.Width()))
}
