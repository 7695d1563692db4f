package audio

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// TestStoredSamplesGiveTheSameMel compares a mel straight from stored samples with one of the decoded.
func TestStoredSamplesGiveTheSameMel(t *testing.T) {
	compareStored(t)
	audiotest.WithoutVectors(func() { compareStored(t) })
}

func compareStored(t *testing.T) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	configs := []MelConfig{{}, {Precision: Float64Precision}, {PadMode: PadEdge}, {PadMode: PadConstant}, {Variant: "tacotron2"},
		{NFFT: 512, HopLength: 100, WinLength: 400}, {NFFT: 2048, HopLength: 300, WinLength: 1200}}
	for _, c := range configs {
		m, err := NewMel(c)
		if err != nil {
			t.Fatal(err)
		}
		hop, nfft := m.config.HopLength, m.config.NFFT
		for _, n := range []int{0, 1, m.MinSamples() - 1, m.MinSamples(), nfft - 1, nfft, nfft + 1, nfft + 15*hop, nfft + 17*hop + 3, 40*hop + random.IntN(nfft)} {
			stored := make([]byte, 2*n)
			for i := range stored {
				stored[i] = byte(random.Uint32())
			}
			pcm := make([]float32, n)
			for i := range pcm {
				pcm[i] = float32(int16(binary.LittleEndian.Uint16(stored[2*i:]))) / 32768
			}
			frames := m.Frames(int64(n))
			for _, room := range []int{frames, max(frames-1, 0)} {
				want, got := make([]float32, room*m.Width()), make([]float32, room*m.Width())
				m.Compute(want, pcm)
				m.ComputeStored(got, stored)
				for i, w := range want {
					if math.Float32bits(got[i]) != math.Float32bits(w) {
						t.Fatalf("%+v, %d samples, %d frames: value %d is %v, want %v", c, n, room, i, got[i], w)
					}
				}
			}
		}
	}
}
