package diagnosis

import (
	"math"
	"testing"
)

// TestWithFixed: two sizes give the line through two points, worked out here in
// another way; a stage that none of them has, and one size, give nothing.
func TestWithFixed(t *testing.T) {
	of := func(batch int, load, train float64) Work {
		return Work{Batch: batch, Stages: []StageTime{{Load, load, 0, 1}, {Train, train, 0, 1}}}
	}
	for _, tt := range []struct {
		name        string
		sizes       []Work
		load, train float64 // fixed ms
	}{
		{"two sizes", []Work{of(8, 4, 18), of(16, 8, 26)}, 0, 18 - 8*(26-18)/8.0},
		{"three on a line", []Work{of(8, 4, 18), of(16, 8, 26), of(32, 16, 42)}, 0, 10},
		{"three about a line", []Work{of(8, 4, 17), of(16, 8, 28), of(24, 12, 33)}, 0, 26 - 16.0}, // mean 26 at 16, 1 ms a sample
		{"smaller batches take longer", []Work{of(8, 4, 30), of(16, 8, 20)}, 0, 26},               // never more than the stage
		{"more than in proportion", []Work{of(8, 4, 10), of(16, 8, 30)}, 0, 0},
		{"one size", []Work{of(16, 8, 26), of(16, 9, 27)}, 0, 0},
		{"none", nil, 0, 0},
	} {
		w := of(16, 8, 26)
		got := w.WithFixed(tt.sizes)
		if a, b := got.stage(Load).FixedMS, got.stage(Train).FixedMS; math.Abs(a-tt.load) > 1e-9 || math.Abs(b-tt.train) > 1e-9 {
			t.Errorf("%s: %v and %v ms are fixed, want %v and %v", tt.name, a, b, tt.load, tt.train)
		}
		if w.stage(Train).FixedMS != 0 {
			t.Errorf("%s: the work itself was changed", tt.name)
		}
	}
	w := Work{Batch: 16, Stages: []StageTime{{Copy, 1, 0, 1}}}
	if got := w.WithFixed([]Work{of(8, 4, 18), of(16, 8, 26)}); got.stage(Copy).FixedMS != 0 {
		t.Errorf("a stage that was not measured: %+v", got.Stages)
	}
}
