package audio

import (
	"errors"
	"fmt"
	"slices"

	"voxpack/audio/codec"
)

// Mel computes log-mel frames. It owns its scratch memory: one per worker, not safe for concurrent use.
type Mel struct {
	config MelConfig
	spec   spectral
	engine engine
	finish finish
	pcm    []float32 // of ComputeStored, where the engine needs it
}

// NewMel makes the computer for c.Variant. The error joins everything that c.Check finds.
func NewMel(c MelConfig) (*Mel, error) {
	c = c.WithDefaults()
	if errs := c.Check(); errs != nil {
		return nil, fmt.Errorf("mel: %w", errors.Join(errs...))
	}
	v, _ := variantByName(c.Variant) // Check found it
	s := v.spectral(c)
	return &Mel{config: c, spec: s, engine: newEngine(s, c.Precision), finish: v.finish(c)}, nil
}

// spectral is all that comes before finish, for a checked config without zero fields.
func (v variant) spectral(c MelConfig) spectral {
	s := c.spectral()
	s.bands = v.bank(c)
	s.epsilon, s.least, s.power, s.floor = v.epsilon, v.least, v.power, v.floor
	if v.add {
		s.add = v.floor
	}
	s.lo, s.hi = bankBins(s.bands)
	return s
}

// spectral is the framing of a checked config without zero fields, and nothing else.
func (c MelConfig) spectral() spectral {
	v, _ := variantByName(c.Variant)
	pad := (c.NFFT - c.HopLength) / 2
	if v.center {
		pad = c.NFFT / 2
	}
	f := framing{nfft: c.NFFT, hop: c.HopLength, pad: pad, mode: c.PadMode}
	if v.short {
		f.skip = c.HopLength
	}
	return spectral{framing: f, win: c.WinLength, symmetric: v.symmetric}
}

// Config is the config in use, without zero fields.
func (m *Mel) Config() MelConfig { return m.config }

// Width is the number of bands.
func (m *Mel) Width() int { return m.config.NMels }

// MinSamples is the shortest clip that gives a frame. 385 for the default config.
func (m *Mel) MinSamples() int { return m.spec.minSamples() }

// Frames is the number of frames of a clip: samples div hop for variant "hifigan" with an even hop, 0
// below MinSamples.
func (m *Mel) Frames(samples int64) int { return m.spec.frames(samples) }

// Compute writes the log-mel frames of pcm to dst, row by row, n_mels values each. Where dst has room
// for fewer rows than Frames(len(pcm)), it computes only these; a caller that truncates pays only for
// what it keeps. The samples must be finite. It does not allocate.
func (m *Mel) Compute(dst, pcm []float32) {
	w := m.config.NMels
	n := min(m.Frames(int64(len(pcm))), len(dst)/w)
	m.engine.rows(dst, pcm, n)
	m.finish.rows(dst[:n*w])
}

// ComputeStored is Compute of samples as they are stored in a WAV file of one channel of 16 bits (see
// Limits.Stored), with the same bits as if they had been decoded before.
func (m *Mel) ComputeStored(dst []float32, stored []byte) {
	samples := len(stored) / 2
	e, ok := m.engine.(*engine32)
	if !ok || e.vector == nil || samples == 0 {
		m.pcm = slices.Grow(m.pcm[:0], samples)[:samples]
		codec.Int16(m.pcm, stored)
		m.Compute(dst, m.pcm)
		return
	}
	w := m.config.NMels
	n := min(m.Frames(int64(samples)), len(dst)/w)
	e.vector.rows(e, dst, clip{stored: stored}, n)
	m.finish.rows(dst[:n*w])
}
