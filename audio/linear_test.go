package audio

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// referenceStep is STEP of spectral_reference.py.
const referenceStep = 16

func readReference(t testing.TB, name string) []float64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(featureDir, name))
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// worstBin is the greatest |got - want| of a frame, in parts of its largest bin.
func worstBin[T float32 | float64](got []float32, want []T) float64 {
	var worst, largest float64
	for i, v := range want {
		worst, largest = max(worst, math.Abs(float64(got[i])-float64(v))), max(largest, float64(v))
	}
	return worst / largest
}

func TestLinearIsWithinBoundsOfTheReference(t *testing.T) {
	// float64 leaves the rounding to float32, 2^-24 of a bin; float32 has 10 stages of rounding of its own.
	for precision, bound := range map[string]float64{Float32Precision: 1e-6, Float64Precision: 0x1p-24 * 1.001} {
		for _, name := range []string{"mixed", "short-window"} {
			config := configs[name]
			config.Precision = precision
			c := newFeature(t, "linear", config)
			pcm, _ := decodeFile(t, filepath.Join(goldenDir, name+".wav"))
			got, want, w := computeFeature(c, pcm), readReference(t, name+".linear.f64"), c.Width()
			frames := len(got) / w
			if rows := (frames + referenceStep - 1) / referenceStep; len(want) != rows*w || w != config.WithDefaults().NFFT/2+1 {
				t.Fatalf("%s: %d frames of %d values, the reference has %d values", name, frames, w, len(want))
			}
			var worst float64
			for r := 0; r*referenceStep < frames; r++ {
				worst = max(worst, worstBin(got[r*referenceStep*w:][:w], want[r*w:][:w]))
			}
			t.Logf("%s, %s: at most %.2e of a frame's largest bin", precision, name, worst)
			if !(worst <= bound) {
				t.Errorf("%s, %s: off by %.2e of a frame's largest bin, want at most %.2e", precision, name, worst, bound)
			}
		}
	}
}

// TestLinearOfRealClipsIsTheSameInBothPrecisions needs no reference files: the float64 engine is held to one above.
func TestLinearOfRealClipsIsTheSameInBothPrecisions(t *testing.T) {
	single, double := newFeature(t, "linear", MelConfig{}), newFeature(t, "linear", MelConfig{Precision: Float64Precision})
	w, worst, frames := single.Width(), 0.0, 0
	forSpeech(t, func(id string, pcm []float32) {
		got, want := computeFeature(single, pcm), computeFeature(double, pcm)
		for at := 0; at < len(want); at += w {
			worst, frames = max(worst, worstBin(got[at:][:w], want[at:][:w])), frames+1
		}
	})
	t.Logf("%d frames: at most %.2e of a frame's largest bin", frames, worst)
	if !(worst <= 1e-5) {
		t.Errorf("off by %.2e of a frame's largest bin, want at most 1e-5", worst)
	}
}

func TestLinearOfSilenceIsTheRootOfEpsilon(t *testing.T) {
	for _, precision := range []string{Float32Precision, Float64Precision} {
		for i, v := range computeFeature(newFeature(t, "linear", MelConfig{Precision: precision}), make([]float32, 2000)) {
			if math.Abs(float64(v)-1e-3) > 1e-10 {
				t.Fatalf("%s: value %d = %g, want 0.001", precision, i, v)
			}
		}
	}
}

func BenchmarkLinear(b *testing.B) { benchmarkFeature(b, "linear") }

func benchmarkFeature(b *testing.B, name string) {
	pcm, info := decodeFile(b, filepath.Join(goldenDir, "mixed.wav"))
	c := newFeature(b, name, MelConfig{})
	dst := make([]float32, c.Frames(int64(len(pcm)))*c.Width())
	for b.Loop() {
		c.Compute(dst, pcm)
	}
	b.ReportMetric(float64(b.N*len(dst)/c.Width())/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric(float64(b.N)*float64(info.Samples)/float64(info.Rate)/b.Elapsed().Seconds(), "×realtime")
}
