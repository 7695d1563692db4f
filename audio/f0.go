package audio

import (
	"errors"
	"fmt"
	"math"
)

// F0Config is the range in which a fundamental frequency is looked for. A field that is zero has its default.
type F0Config struct {
	Min float64 // Hz; default 60: a low male voice
	Max float64 // Hz; default 600: a child, a shout
}

// Limits of F0Config. Under MinF0 the window, three periods long, holds several sounds; MaxF0 leaves
// six samples a period at the lowest rate.
const (
	MinF0 = 20.0
	MaxF0 = 1200.0
)

// WithDefaults is c with every zero field replaced by its default.
func (c F0Config) WithDefaults() F0Config {
	if c.Min == 0 {
		c.Min = 60
	}
	if c.Max == 0 {
		c.Max = 600
	}
	return c
}

// Check returns everything that is wrong with c; nil when NewF0 will accept it.
func (c F0Config) Check() []error {
	c = c.WithDefaults()
	var errs []error
	if !(c.Min >= MinF0 && c.Min <= MaxF0) {
		errs = append(errs, fmt.Errorf("f0_min %v is out of range %v..%v", c.Min, MinF0, MaxF0))
	}
	if !(c.Max >= MinF0 && c.Max <= MaxF0) {
		errs = append(errs, fmt.Errorf("f0_max %v is out of range %v..%v", c.Max, MinF0, MaxF0))
	}
	if errs == nil && c.Max < 2*c.Min {
		errs = append(errs, fmt.Errorf("f0_max %v is not an octave over f0_min %v", c.Max, c.Min))
	}
	return errs
}

// F0 computes the fundamental frequency in Hz, one value a frame, 0 where there is no voice. The middle
// of frame f is the middle of the mel's frame f.
//
// Each frame gives candidates, the peaks of its autocorrelation (see correlogram), and a path through
// the candidates of all frames chooses among them (see f0Path), as in Boersma 1993, "Accurate
// short-term analysis of the fundamental frequency and the harmonics-to-noise ratio of a sampled
// sound". Why not YIN (de Cheveigné and Kawahara 2002): its window lies on one side of the lag, so that
// the time which a value belongs to moves with the lag, and a threshold in each frame decides alone
// what is better decided by its neighbours too. It is computed in float64 for every precision.
type F0 struct {
	framing
	corr *correlogram
	path *f0Path
}

// NewF0 makes the computer. The error joins everything that the two Checks find.
func NewF0(c MelConfig, r F0Config) (*F0, error) {
	c, err := c.checked("f0")
	if errs := r.Check(); errs != nil {
		err = errors.Join(err, fmt.Errorf("f0: %w", errors.Join(errs...)))
	}
	if err != nil {
		return nil, err
	}
	r = r.WithDefaults()
	return &F0{framing: c.spectral().framing, corr: newCorrelogram(c.SampleRate, r), path: newF0Path(c, r, pathAhead)}, nil
}

// Width is 1.
func (f *F0) Width() int { return 1 }

// MinSamples is the mel's.
func (f *F0) MinSamples() int { return f.minSamples() }

// Frames is the mel's.
func (f *F0) Frames(samples int64) int { return f.frames(samples) }

// Compute writes the frequencies of the frames of pcm to dst, as many as dst has room for. A value
// depends on the clip, not on that room: the path looks some frames further. The samples must be
// finite. It does not allocate.
func (f *F0) Compute(dst, pcm []float32) {
	all := f.Frames(int64(len(pcm)))
	n := min(all, len(dst))
	if n == 0 {
		return
	}
	var peak float64
	for _, v := range pcm {
		peak = max(peak, math.Abs(float64(v)))
	}
	f.path.reset(peak)
	ahead := len(f.path.steps) - 1
	for t := range min(all, n+ahead) {
		f.corr.analyse(pcm, t*f.hop-f.pad+f.nfft/2)
		f.path.step(f.corr)
		if at := t - ahead; at >= 0 {
			f.path.trace(dst[at:at+1], at, t)
		}
	}
	if rest := max(0, all-ahead); rest < n {
		f.path.trace(dst[rest:n], rest, all-1)
	}
}
