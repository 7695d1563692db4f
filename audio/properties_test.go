package audio

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// TestFeaturesMoveWithTheClip: what begins k hops later has the same frames k rows later, bit for bit, in whatever lane of a register
// they are computed. The f0 is left out: its path looks at the frames before.
func TestFeaturesMoveWithTheClip(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	for _, precision := range []string{Float32Precision, Float64Precision} {
		for _, name := range []string{"mel", "linear", "energy"} {
			config := MelConfig{Precision: precision}
			c, hop := newFeature(t, name, config), config.WithDefaults().HopLength
			all := slices.Clone(computeFeature(c, pcm))
			for _, k := range []int{1, 5, 17} {
				later := computeFeature(c, pcm[k*hop:])
				const edge = 3 // frames that reach over an end of the clip, where it is mirrored
				w := c.Width()
				got, want := later[edge*w:len(later)-edge*w], all[(k+edge)*w:]
				for i, v := range got {
					if v != want[i] {
						t.Fatalf("%s, %s, %d hops later: frame %d, value %d is %g, want %g", name, precision, k, edge+i/w, i%w, v, want[i])
					}
				}
			}
		}
	}
}

// TestEnergyDoublesWithTheClip: exactly, since the window's products and all sums double.
func TestEnergyDoublesWithTheClip(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	half := slices.Clone(pcm)
	scale(half, 0.5)
	c := newFeature(t, "energy", MelConfig{})
	quiet := slices.Clone(computeFeature(c, half))
	for f, v := range computeFeature(c, pcm) {
		if v != 2*quiet[f] {
			t.Fatalf("frame %d is %g, of the clip at half its level %g", f, v, quiet[f])
		}
	}
}

// TestMelOfATone: the loudest band of a tone is one whose triangle holds its frequency, and in the middle of the clip all frames are the
// same but for the tone's phase.
func TestMelOfATone(t *testing.T) {
	m := newMelOrFail(t, MelConfig{})
	c := m.Config()
	edges := MelEdges(c)
	for _, hz := range []float64{120, 440, 997, 3000, 7000} {
		pcm := make([]float32, c.SampleRate)
		for i := range pcm {
			pcm[i] = float32(0.25 * math.Sin(2*math.Pi*hz*float64(i)/float64(c.SampleRate)))
		}
		mel := computeAll(m, pcm)
		for f := 4; f < len(mel)/c.NMels-4; f++ {
			row := mel[f*c.NMels:][:c.NMels]
			loudest := slices.Index(row, slices.Max(row))
			// A bin is 21.5 Hz wide, as are the lowest bands.
			if bin := float64(c.SampleRate) / float64(c.NFFT); hz < edges[loudest]-bin || hz > edges[loudest+2]+bin {
				t.Fatalf("%g Hz: frame %d is loudest in band %d, from %g to %g Hz", hz, f, loudest, edges[loudest], edges[loudest+2])
			}
		}
	}
}
