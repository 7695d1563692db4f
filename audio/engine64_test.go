package audio

import (
	"math/rand/v2"
	"testing"

	"voxpack/audio/detmath"
)

// TestDoubleLogarithmsOfManyAreThoseOfEach crosses the borders of the blocks that log64 takes at once.
func TestDoubleLogarithmsOfManyAreThoseOfEach(t *testing.T) {
	const floor = 1e-5
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 128, 200} {
		values, want := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = random.ExpFloat64() * floor * 2
			want[i] = detmath.Log(max(values[i], floor))
		}
		log64(values, floor, 0)
		for i := range want {
			if values[i] != want[i] {
				t.Fatalf("of %d logarithms number %d is %g, by itself %g", n, i, values[i], want[i])
			}
		}
	}
}
