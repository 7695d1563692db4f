package audio

import (
	"math"
	"path/filepath"
	"testing"
)

func TestEnergyIsWithinBoundsOfTheReference(t *testing.T) {
	for _, name := range []string{"mixed", "short-window"} {
		pcm, _ := decodeFile(t, filepath.Join(goldenDir, name+".wav"))
		got, want := computeFeature(newFeature(t, "energy", configs[name]), pcm), readReference(t, name+".energy.f64")
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", name, len(got), len(want))
		}
		for f, v := range got {
			// The rounding to float32, and nothing that a float32 could show.
			if e := math.Abs(float64(v) - want[f]); !(e <= 0x1p-24*1.001*want[f]) {
				t.Errorf("%s: frame %d = %g, want %g", name, f, v, want[f])
			}
		}
	}
}

// TestEnergyIsTheNormOfTheLinearSpectrogram takes the sum over the bins that Energy goes around.
func TestEnergyIsTheNormOfTheLinearSpectrogram(t *testing.T) {
	linear, energy := newFeature(t, "linear", MelConfig{Precision: Float64Precision}), newFeature(t, "energy", MelConfig{})
	w := linear.Width()
	forSpeech(t, func(id string, pcm []float32) {
		rows, got := computeFeature(linear, pcm), computeFeature(energy, pcm)
		for f, v := range got {
			var sum float64
			for _, bin := range rows[f*w:][:w] {
				sum += float64(bin)*float64(bin) - 1e-6
			}
			// The bins were rounded to float32, and each holds the epsilon.
			if want := math.Sqrt(max(sum, 0)); math.Abs(float64(v)-want) > 1e-6*want+1e-5 {
				t.Fatalf("%s: frame %d = %g, the bins' norm is %g", id, f, v, want)
			}
		}
	})
}

func TestEnergyOfSilenceIsZero(t *testing.T) {
	for f, v := range computeFeature(newFeature(t, "energy", MelConfig{}), make([]float32, 3000)) {
		if v != 0 {
			t.Fatalf("frame %d = %g, want 0", f, v)
		}
	}
}

func BenchmarkEnergy(b *testing.B) { benchmarkFeature(b, "energy") }
