package gpufeed

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestStreamIsACopy: for every alignment of both sides and lengths round the
// ends of its steps, and nothing beside it is touched.
func TestStreamIsACopy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	src := make([]byte, 20_000)
	for i := range src {
		src[i] = byte(r.Uint32()) | 1
	}
	for to := range 17 {
		for _, from := range []int{0, 1, 8, 15, 16, 33} {
			for _, n := range []int{0, 1, 4095, 4096, 4097, 4111, 4112, 4160, 4223, 8192, 12_345} {
				dst := make([]byte, 64+n+64)
				at := 32 + to
				stream(dst[at:], src[from:from+n])
				want := make([]byte, len(dst))
				copy(want[at:], src[from:from+n])
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes from %d to %d: not a copy", n, from, to)
				}
			}
		}
	}
}
