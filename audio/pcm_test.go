package audio

import (
	"math"
	"path/filepath"
	"testing"
)

func TestPCMIsTheClip(t *testing.T) {
	pcm, _ := decodeFile(t, filepath.Join(goldenDir, "mixed.wav"))
	c := newFeature(t, "pcm", MelConfig{})
	if got := computeFeature(c, pcm); len(got) != len(pcm) || !equal(got, pcm) {
		t.Error("PCM changes samples")
	}
	if got := [...]int{c.Width(), c.MinSamples(), c.Frames(-1), c.Frames(0), c.Frames(1), c.Frames(204800)}; got != [...]int{1, 1, 0, 0, 1, 204800} {
		t.Errorf("width, least samples, frames: %v", got)
	}
}

func TestInt16KeepsEverySampleOfA16BitFile(t *testing.T) {
	raw, want, back := make([]byte, 2<<16), make([]float32, 1<<16), make([]float32, 1<<16)
	for i := range want {
		want[i] = float32(i-0x8000) / 0x8000
	}
	PutInt16(raw, want)
	for i := range want {
		if got := int(int16(uint16(raw[2*i]) | uint16(raw[2*i+1])<<8)); got != i-0x8000 {
			t.Fatalf("%g is stored as %d, want %d", want[i], got, i-0x8000)
		}
	}
	if Int16(back, raw); !equal(back, want) {
		t.Error("Int16 does not read what PutInt16 wrote")
	}
}

func TestInt16RoundsToNearestEvenAndClips(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		v    float32 // in units of the last place
		want int16
	}{
		{0.5, 0}, {-0.5, 0}, {1.5, 2}, {-1.5, -2}, {2.5, 2}, {-2.5, -2}, {0.50001, 1}, {-0.50001, -1},
		{12344.5, 12344}, {12345.5, 12346}, {-12345.5, -12346}, {32766.5, 32766}, {32767.25, 32767},
		{32767.5, 32767}, {32768, 32767}, {40000, 32767}, {inf, 32767}, {math.MaxFloat32, 32767},
		{-32767.5, -32768}, {-32768, -32768}, {-32768.5, -32768}, {-40000, -32768}, {-inf, -32768},
		{float32(math.NaN()), 0}, {0x1p-149, 0},
	} {
		if got := int16(int16Bits(c.v / 32768)); got != c.want {
			t.Errorf("%g units are stored as %d, want %d", c.v, got, c.want)
		}
	}
	for i := range 1 << 20 { // between all neighbours, against package math
		v := (float32(i) - 1<<19) / (1 << 19) * 1.01
		want := int16(min(max(math.RoundToEven(float64(v)*32768), -32768), 32767))
		if got := int16(int16Bits(v)); got != want {
			t.Fatalf("%g is stored as %d, want %d", v, got, want)
		}
	}
}
