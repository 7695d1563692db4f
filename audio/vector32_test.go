//go:build amd64

package audio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// vectorConfigs reach every pass, every rest of a store and every kind of padding.
var vectorConfigs = []MelConfig{
	{},
	{NFFT: 256, WinLength: 256, HopLength: 64, NMels: 13, FMin: 300},
	{NFFT: 512, WinLength: 400, HopLength: 160, NMels: 40},
	{NFFT: 2048, WinLength: 1200, HopLength: 300, FMin: 40, FMax: 11025, PadMode: PadConstant},
	{NFFT: 4096, WinLength: 4096, HopLength: 1024, NMels: 128, PadMode: PadEdge},
	{HopLength: 1, NMels: 80},
	{FMin: 6000, FMax: 11025, NMels: 30}, // bins of the upper half alone
}

// TestVectorsGiveTheBitsOfThePortableCode runs each width that this machine has beside the portable code.
func TestVectorsGiveTheBitsOfThePortableCode(t *testing.T) {
	random, rounds := rand.New(rand.NewPCG(1, 2)), 12
	if testing.Short() {
		rounds = 3
	}
	for _, c := range vectorConfigs {
		c := c.WithDefaults()
		v, _ := variantByName(c.Variant)
		for _, s := range spectra(c, v) {
			var want *engine32
			audiotest.WithoutVectors(func() { want = newEngine32(s) })
			if want.vector != nil {
				t.Fatal("WithoutVectors leaves the vectors on")
			}
			for i := range kernels32 {
				if !usable(kernels32[i].lanes) {
					t.Logf("this machine has no registers of %d lanes: not compared", kernels32[i].lanes)
					continue
				}
				got := newEngine32(s)
				got.vector = kernels32[i].vector(got)
				for range rounds {
					pcm := randomClip(random, s.minSamples()+random.IntN(20*s.hop+3*s.nfft))
					n := s.frames(int64(len(pcm)))
					a, b := make([]float32, n*s.width()), make([]float32, n*s.width())
					want.rows(a, pcm, n)
					got.rows(b, pcm, n)
					if at := firstDifference(a, b); at >= 0 {
						t.Fatalf("%+v, %d lanes, %d samples: frame %d, value %d is %x, portable %x", c, kernels32[i].lanes, len(pcm),
							at/s.width(), at%s.width(), math.Float32bits(b[at]), math.Float32bits(a[at]))
					}
				}
			}
		}
	}
}

// spectra are the ways to make something of a frame: the mel's, bands without a logarithm, bins with and without the root.
func spectra(c MelConfig, v variant) []spectral {
	mel := v.spectral(c)
	bands, bins, power := mel, c.spectral(), c.spectral()
	bands.floor = 0
	bins.hi, bins.epsilon = c.NFFT/2+1, 1e-6
	power.lo, power.hi, power.power = 3, c.NFFT/2-5, true
	return []spectral{mel, bands, bins, power}
}

func randomClip(r *rand.Rand, n int) []float32 {
	pcm := make([]float32, n)
	kind, scale := r.IntN(4), float32(math.Ldexp(1, -r.IntN(30)))
	for i := range pcm {
		switch kind {
		case 0:
			pcm[i] = float32(r.NormFloat64()) * scale
		case 1:
			pcm[i] = float32(int16(r.Uint32())) * 0x1p-15
		case 2:
			pcm[i] = float32(i/50%2*2-1) * scale
		default: // silence with a few clicks
			if r.IntN(200) == 0 {
				pcm[i] = 1 - 2*float32(r.IntN(2))
			}
		}
	}
	return pcm
}

// firstDifference is where two lists of the same length differ in their bits, -1 for nowhere.
func firstDifference(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}

// BenchmarkKernel is every width apart.
func BenchmarkKernel(b *testing.B) {
	pcm := randomClip(rand.New(rand.NewPCG(1, 2)), 800*256)
	for _, k := range kernels32 {
		if !usable(k.lanes) {
			continue
		}
		b.Run(fmt.Sprintf("lanes=%d", k.lanes), func(b *testing.B) {
			m := newMelOrFail(b, MelConfig{})
			e := m.engine.(*engine32)
			e.vector = k.vector(e)
			dst := make([]float32, 800*80)
			for b.Loop() {
				m.Compute(dst, pcm)
			}
			b.ReportMetric(float64(b.N)*800/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// TestGeneratedCodeIsCurrent runs the generator again.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	audiotest.Generated(t, []string{"vector32_amd64.s"}, "./internal/genvector", "-out", "vector32_amd64.s")
}
