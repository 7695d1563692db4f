package audio

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"voxpack/audio/internal/audiotest"
)

// featureDir holds the references and digests of the features but the mel.
const featureDir = "../testdata/golden/features"

// configs are the configs that the features are tested with: the default, a short window at another rate, one that pads by half a
// transform, and one where nothing divides.
var configs = map[string]MelConfig{
	"mixed":        {},
	"short-window": shortWindow,
	"centred":      {Variant: "tacotron2"},
	"odd-hop":      {HopLength: 201, WinLength: 900, PadMode: PadConstant},
}

func newFeature(t testing.TB, name string, c MelConfig) Computer {
	t.Helper()
	for _, f := range Features() {
		if f.Name == name {
			made, err := f.New(c)
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
	}
	t.Fatalf("no feature %q in the table", name)
	return nil
}

func computeFeature(c Computer, pcm []float32) []float32 {
	dst := make([]float32, c.Frames(int64(len(pcm)))*c.Width())
	c.Compute(dst, pcm)
	return dst
}

// forSpeech calls f for each of the 32 real clips.
func forSpeech(t *testing.T, f func(id string, pcm []float32)) {
	t.Helper()
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no real clips to compare")
	}
	paths, err := filepath.Glob(filepath.Join(corpora, "ljspeech-32", "wavs", "*.wav"))
	if err != nil || len(paths) != 32 {
		t.Fatalf("%d clips, want 32: %v", len(paths), err)
	}
	for _, path := range paths {
		pcm, _ := decodeFile(t, path)
		f(strings.TrimSuffix(filepath.Base(path), ".wav"), pcm)
	}
}

func TestFramesOfAFeatureAreThoseOfTheMel(t *testing.T) {
	for name, config := range configs {
		for _, pad := range padModes {
			config.PadMode = pad
			mel := newMelOrFail(t, config)
			for _, f := range Features() {
				if f.Samples {
					continue
				}
				c := newFeature(t, f.Name, config)
				if got, want := c.MinSamples(), mel.MinSamples(); got != want {
					t.Errorf("%s, %s, %s: MinSamples() = %d, want %d", f.Name, name, pad, got, want)
				}
				for n := int64(-1); n < 5000; n++ {
					if got, want := c.Frames(n), mel.Frames(n); got != want {
						t.Fatalf("%s, %s, %s: Frames(%d) = %d, want %d", f.Name, name, pad, n, got, want)
					}
				}
			}
		}
	}
}

func TestFeaturesRefuseAWrongConfig(t *testing.T) {
	for _, f := range Features() {
		_, err := f.New(MelConfig{NFFT: 2000, HopLength: -1})
		if f.Samples {
			continue // reads none of it
		}
		if err == nil || !strings.HasPrefix(err.Error(), f.Name+": ") || strings.Count(err.Error(), "\n") != 1 {
			t.Errorf("%s: error %v, want two lines that name the feature", f.Name, err)
		}
	}
}

// edgeSignals are clips that break what divides, takes logarithms or assumes a voice.
var edgeSignals = map[string]func(i int) float32{
	"silence": func(int) float32 { return 0 },
	"DC":      func(int) float32 { return 0.3 },
	"full-scale square": func(i int) float32 {
		if i/50%2 == 0 {
			return (1 - 0x1p-24)
		}
		return -1
	},
	"alternating full scale": func(i int) float32 { return float32(1 - i%2*2) },
	"least denormal":         func(int) float32 { return 0x1p-149 },
	"a click":                func(i int) float32 { return float32(1 - min(i, 1)) },
}

func TestFeaturesOfEdgeClips(t *testing.T) {
	for _, f := range Features() {
		for _, precision := range []string{Float32Precision, Float64Precision} {
			c := newFeature(t, f.Name, MelConfig{Precision: precision})
			for name, signal := range edgeSignals {
				for _, length := range []int{0, 1, 383, 384, 385, 1023, 1024, 5000} {
					pcm := make([]float32, length)
					for i := range pcm {
						pcm[i] = signal(i)
					}
					for i, v := range computeFeature(c, pcm) {
						if math.IsNaN(float64(v)) || math.Abs(float64(v)) > 2048 {
							t.Errorf("%s (%s) of %s, %d samples: value %d = %g", f.Name, precision, name, length, i, v)
							break
						}
					}
				}
			}
		}
	}
}

func TestFeaturesFillOnlyTheRowsThereIsRoomFor(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, f := range Features() {
		c := newFeature(t, f.Name, MelConfig{})
		w, whole := c.Width(), computeFeature(c, pcm)
		for _, rows := range []int{0, 1, 70, 130} {
			part := make([]float32, rows*w+w-1)
			for i := range part {
				part[i] = 42
			}
			c.Compute(part, pcm)
			for i, v := range part {
				want := float32(42)
				if i < rows*w {
					want = whole[i]
				}
				if v != want {
					t.Fatalf("%s: value %d = %g where there is room for %d rows, want %g", f.Name, i, v, rows, want)
				}
			}
		}
		if got, want := computeFeature(c, pcm[5000:9000]), computeFeature(newFeature(t, f.Name, MelConfig{}), pcm[5000:9000]); !equal(got, want) {
			t.Errorf("%s depends on the clips before", f.Name)
		}
	}
}

func equal(a, b []float32) bool {
	for i, v := range a {
		if len(a) != len(b) || v != b[i] {
			return false
		}
	}
	return true
}

func TestFeaturesDoNotAllocate(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, f := range Features() {
		c := newFeature(t, f.Name, MelConfig{})
		dst := make([]float32, c.Frames(int64(len(pcm)))*c.Width())
		if got := testing.AllocsPerRun(3, func() { c.Compute(dst, pcm) }); got != 0 {
			t.Errorf("%s allocates %v times, want 0", f.Name, got)
		}
	}
}

// TestGoldenFeatures holds every feature but the mel, which has a test of its own, to the digests in the repository.
func TestGoldenFeatures(t *testing.T) {
	g := audiotest.ReadDigests(t, filepath.Join(featureDir, "digests.txt"))
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, f := range Features()[1:] {
		for name, config := range configs {
			for _, precision := range []string{Float32Precision, Float64Precision} {
				config.Precision = precision
				g.Check(t, f.Version, name+"/"+precision, computeFeature(newFeature(t, f.Name, config), mixed))
			}
		}
	}
	stored := make([]byte, 2*len(mixed))
	PutInt16(stored, mixed)
	g.Check(t, PCMVersion, "mixed/i16", stored)
}

func TestFeaturesAreTheSameWithThePortableCode(t *testing.T) {
	mixed, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, f := range Features() {
		for name, config := range configs {
			fast := computeFeature(newFeature(t, f.Name, config), mixed)
			var slow []float32
			audiotest.WithoutVectors(func() { slow = computeFeature(newFeature(t, f.Name, config), mixed) })
			if !equal(fast, slow) {
				t.Errorf("%s, %s: the portable code gives other bits", f.Name, name)
			}
		}
	}
}
