package perf

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	var s Spread
	if s.N() != 0 || s.Mean() != 0 || s.Std() != 0 {
		t.Errorf("of nothing: %+v", s)
	}
	for _, v := range []float64{1e9 + 1, 1e9 + 2, 1e9 + 6} { // deviations of -2, -1 and 3 on top of a large mean
		s.Add(v)
	}
	if want := math.Sqrt(14. / 3); s.N() != 3 || s.Mean() != 1e9+3 || math.Abs(s.Std()-want) > 1e-6 {
		t.Errorf("%d figures, %v ± %v, want 3, 1e9+3 ± %v", s.N(), s.Mean(), s.Std(), want)
	}
}
