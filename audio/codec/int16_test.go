package codec

import (
	"encoding/binary"
	"testing"

	"voxpack/audio/internal/audiotest"
)

func TestVectorsConvertEverySampleOf16Bits(t *testing.T) {
	raw := make([]byte, 2*(1<<16)+14)
	for i := range len(raw) / 2 {
		binary.LittleEndian.PutUint16(raw[2*i:], uint16(i))
	}
	got, want := make([]float32, len(raw)/2), make([]float32, len(raw)/2)
	Int16(got, raw)
	audiotest.WithoutVectors(func() { Int16(want, raw) })
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("sample %d is %g, portable %g", i, got[i], want[i])
		}
	}
}

// The kernel in the repository is what its generator writes.
func TestInt16KernelIsGenerated(t *testing.T) {
	audiotest.Generated(t, []string{"int16_amd64.s"}, "../internal/genvector", "-kernels", "int16", "-out", "int16_amd64.s")
}
