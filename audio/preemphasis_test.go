package audio

import (
	"math"
	"testing"

	"voxpack/audio/internal/audiotest"
)

func TestPreEmphasis(t *testing.T) {
	tests := []struct {
		name     string
		a        float64
		in, want []float32
	}{
		{"the sample before the first is 0", 0.5, []float32{0.5}, []float32{0.5}},
		{"each less a of the one before", 0.5, []float32{0.5, 0.25, -1, 0}, []float32{0.5, 0, -1.125, 0.5}},
		{"a constant vanishes at a = 1", 1, []float32{0.3, 0.3, 0.3}, []float32{0.3, 0, 0}},
		{"alternating full scale grows by 1 + a", 1, []float32{1, -1, 1}, []float32{1, -2, 2}},
	}
	for _, c := range tests {
		if got, done := apply(t, Process{PreEmphasis: c.a}, 22050, c.in); !sameBits(got, c.want) || done != (Processed{}) {
			t.Errorf("%s: %v, %+v, want %v", c.name, got, done, c.want)
		}
	}
}

// |1 - a e^-iw| is the filter's response: a tone comes out by that much louder.
func TestPreEmphasisHasItsResponse(t *testing.T) {
	const rate, a = 16000, 0.97
	for _, hz := range []float64{100, 1000, 4000, 7000} {
		in := audiotest.Tone(rate, rate, hz)
		out, _ := apply(t, Process{PreEmphasis: a}, rate, in)
		w := 2 * math.Pi * hz / rate
		want := math.Hypot(1-a*math.Cos(w), a*math.Sin(w))
		if got := math.Sqrt(sumOfSquares(out[1:]) / sumOfSquares(in[1:])); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("%v Hz: gain %v, want %v", hz, got, want)
		}
	}
}
