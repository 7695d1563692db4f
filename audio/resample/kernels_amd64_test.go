package resample

import (
	"math/rand/v2"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// compareKernels compares the bits of both kernels.
func compareKernels(t *testing.T, r *Resampler, src []float32) {
	t.Helper()
	var want []float32
	audiotest.WithoutVectors(func() { want = r.Resample(nil, src) })
	if i := differsAt(r.Resample(nil, src), want); i >= 0 {
		t.Fatalf("%d/%d, %d samples: output %d differs from the portable kernels'", r.up, r.down, len(src), i)
	}
}

func TestResamplerGivesTheSameBitsWithoutVectors(t *testing.T) {
	if !resampleVectors() {
		t.Skip("this machine has no AVX2")
	}
	random := rand.New(rand.NewPCG(1, 2))
	pairs := append(pairsOfRates(), [][2]int{{22050, 44100}, {48000, 16000}, {768000, 4000}, {4000, 768000}, {22050, 16000}}...)
	for range 40 {
		pairs = append(pairs, [2]int{4000 + random.IntN(92_000), 4000 + random.IntN(92_000)})
	}
	for i, p := range pairs {
		r, err := New(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			compareKernels(t, r, noise(1+random.IntN(40_000), uint64(i)))
		}
		compareKernels(t, r, noise(1+random.IntN(300), uint64(i)))
	}
}

// The kernels in the repository are what their generator writes.
func TestResampleKernelsAreGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"kernels_amd64.s", "stubs_amd64.go"}, "../internal/genvector", "-kernels", "resample", "-out", "kernels_amd64.s", "-stubs", "stubs_amd64.go", "-pkg", "resample")
}
