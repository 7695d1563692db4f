package audio

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/audio/detmath"
	"voxpack/audio/internal/audiotest"
)

// TestGoldenBits is the proof that the output does not depend on the machine; run it also as a GOARCH=arm64 binary, whose compiler
// fuses products with sums wherever it may (for amd64 with GOAMD64=v3 it does so in fewer places). float64 values stand beside the
// float32 output because a changed last bit of theirs hardly ever shows in it.
func TestGoldenBits(t *testing.T) {
	g := audiotest.ReadDigests(t, filepath.Join(goldenDir, "digests.txt"))
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	short, _ := decodeFile(t, filepath.Join(goldenDir, "short-window.wav"))
	cases := map[string]struct {
		config MelConfig
		pcm    []float32
	}{
		"mixed":        {MelConfig{}, mixed},
		"short-window": {shortWindow, short},
		"n_fft-256":    {MelConfig{NFFT: 256, WinLength: 256, HopLength: 100, NMels: 20}, mixed},
		"n_fft-2048":   {MelConfig{NFFT: 2048, WinLength: 1200, HopLength: 300, FMin: 40, FMax: 11025}, mixed},
		"n_fft-4096":   {MelConfig{NFFT: 4096, NMels: 128}, mixed},
	}
	for name, config := range variantConfigs() {
		if name != "hifigan" { // which is mixed
			cases[name] = struct {
				config MelConfig
				pcm    []float32
			}{config, mixed}
		}
	}
	for name, c := range cases {
		g.Check(t, MelVersion, name+"/f32", computeAll(newMelOrFail(t, c.config), c.pcm))
		c.config.Precision = Float64Precision
		m := newMelOrFail(t, c.config)
		g.Check(t, MelVersion, name, computeAll(m, c.pcm))
		g.Check(t, MelVersion, name+"/power", powers(m, c.pcm))
		// Tables apart, so that a failure tells where the bits went.
		g.Check(t, MelVersion, name+"/window", m.engine.(*engine64).window)
		g.Check(t, MelVersion, name+"/twiddles", append(slices.Clone(m.engine.(*engine64).fft.split), m.engine.(*engine64).fft.stages[0].twiddles...))
		var bank []float64
		for _, b := range m.spec.bands {
			bank = append(append(bank, float64(b.first)), b.weights...)
		}
		g.Check(t, MelVersion, name+"/bank", bank)
	}
	goldenLog(t, g)
}

// powers gives power spectrum and band sums of every 7th frame in float64, before float32 can hide a changed bit.
func powers(m *Mel, pcm []float32) []float64 {
	var out []float64
	row := make([]float32, m.config.NMels)
	e := m.engine.(*engine64)
	for f := 0; f < m.Frames(int64(len(pcm))); f += 7 {
		e.frame(row, e.block(pcm, f*e.hop-e.pad)) // leaves the transform and the magnitudes
		bins := make([]float64, e.hi-e.lo)
		e.fft.power(bins, e.lo, e.hi)
		out = append(out, bins...)
		for i := range e.bands {
			out = append(out, e.bands[i].sum(e.bins, e.lo))
		}
	}
	return out
}

// goldenLog covers the logarithm beyond the values that the clips happen to give it.
func goldenLog(t *testing.T, g *audiotest.Digests) {
	t.Helper()
	var logs, exps []float64
	for i := range 20_000 {
		x := math.Ldexp(1+float64(i*7919%20_000)/20_000, i%60-30)
		logs, exps = append(logs, detmath.Log(x)), append(exps, detmath.Exp(float64(i-10_000)/16))
	}
	g.Check(t, MelVersion, "detmath/log", logs)
	g.Check(t, MelVersion, "detmath/exp", exps)
}
