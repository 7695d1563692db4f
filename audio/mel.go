package audio

import (
	"errors"
	"fmt"
	"math"
)

// A melRule is what one variant has of its own.
type melRule struct {
	pad       int                         // samples reflected on either side
	epsilon   float64                     // added to the power before the square root
	floor     float64                     // least value that the logarithm sees
	newFilter func(c MelConfig) []melBand // the filter bank
}

// Mel computes log-mel frames. It owns its scratch memory: one per worker, not safe for concurrent use.
type Mel struct {
	config MelConfig
	rule   melRule
	window []float64 // n_fft values, halved
	fft    *realFFT
	bands  []melBand
	lo, hi int       // bins that the bands read, half-open
	bins   []float64 // magnitudes of bins lo..hi-1
	edge   []float32 // a block that reaches over an end of the clip
}

// NewMel makes the computer for c.Variant. The error joins everything that c.Check finds.
func NewMel(c MelConfig) (*Mel, error) {
	c = c.WithDefaults()
	if errs := c.Check(); errs != nil {
		return nil, fmt.Errorf("mel: %w", errors.Join(errs...))
	}
	f, _ := FeatureByName(c.Variant) // Check found it
	return f.New(c)
}

// newMel builds the tables for a checked config without zero fields.
func newMel(c MelConfig, rule melRule) (*Mel, error) {
	bands := rule.newFilter(c)
	lo, hi := bankBins(bands)
	return &Mel{
		config: c,
		rule:   rule,
		window: melWindow(c.NFFT, c.WinLength),
		fft:    newRealFFT(c.NFFT),
		bands:  bands,
		lo:     lo,
		hi:     hi,
		bins:   make([]float64, hi-lo),
		edge:   make([]float32, c.NFFT),
	}, nil
}

// melWindow is the periodic Hann window ½ - ½ cos(2πn/win), centred in nfft values as torch.stft centres it, and halved: the FFT
// needs half of each sample when it takes its two real halves apart, and a power of two can move there without a change of bits.
func melWindow(nfft, win int) []float64 {
	w := make([]float64, nfft)
	start := (nfft - win) / 2
	for i := range win {
		_, cos := detSinCos(int64(i), int64(win))
		w[start+i] = 0.5 * (0.5 - float64(0.5*cos))
	}
	return w
}

// Config is the config in use, without zero fields.
func (m *Mel) Config() MelConfig { return m.config }

// MinSamples is the shortest clip that gives a frame: the reflection takes pad samples beside the edge sample, and the padded clip
// must fill one transform. 385 for the default config.
func (m *Mel) MinSamples() int {
	return max(m.rule.pad+1, m.config.NFFT-2*m.rule.pad)
}

// Frames is the number of frames of a clip: 0 below MinSamples, else 1 + (samples + 2 pad - n_fft) div hop, which is samples div
// hop for variant "hifigan" with an even hop.
func (m *Mel) Frames(samples int64) int {
	if samples < int64(m.MinSamples()) {
		return 0
	}
	return int(1 + (samples+int64(2*m.rule.pad-m.config.NFFT))/int64(m.config.HopLength))
}

// Compute writes the log-mel frames of pcm to dst, row by row, n_mels values each. Where dst has room for fewer rows than
// Frames(len(pcm)), it computes only these; a caller that truncates pays only for what it keeps. The samples must be finite. It
// does not allocate.
func (m *Mel) Compute(dst, pcm []float32) {
	n := m.config.NMels
	for f := range min(m.Frames(int64(len(pcm))), len(dst)/n) {
		m.frame(dst[f*n:][:n], m.block(pcm, f*m.config.HopLength-m.rule.pad))
	}
}

// block returns the n_fft samples from start on, which may lie before the clip or reach past its end: there the clip is reflected
// without repeating its edge sample.
func (m *Mel) block(pcm []float32, start int) []float32 {
	if start >= 0 && start+len(m.edge) <= len(pcm) {
		return pcm[start:][:len(m.edge)]
	}
	for i := range m.edge {
		at := max(start+i, -start-i)
		m.edge[i] = pcm[min(at, 2*(len(pcm)-1)-at)]
	}
	return m.edge
}

// frame computes one row from its block of n_fft samples.
func (m *Mel) frame(dst, block []float32) {
	re, im := m.fft.re, m.fft.im
	block, window := block[:2*len(re)], m.window[:2*len(re)]
	for i := range re {
		re[i] = float64(float64(block[2*i]) * window[2*i])
		im[i] = float64(float64(block[2*i+1]) * window[2*i+1])
	}
	m.fft.transform()
	m.fft.power(m.bins, m.lo, m.hi)
	for i, p := range m.bins {
		m.bins[i] = math.Sqrt(p + m.rule.epsilon)
	}
	for i := range m.bands {
		dst[i] = float32(detLog(max(m.bands[i].sum(m.bins, m.lo), m.rule.floor)))
	}
}
