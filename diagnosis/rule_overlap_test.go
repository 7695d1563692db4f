package diagnosis

import "testing"

func TestNoOverlap(t *testing.T) {
	wantTrained(t, "no-overlap", []trainedCase{
		{"the stages in turn", func(s *Steps, w *Work) { s.Mean, w.Stages[1].MS = 20, 9 }, true, "a step takes 20 ms, and its stages in turn take 20 ms", 0.5},
		{"nine tenths of them", func(s *Steps, w *Work) { s.Mean, w.Stages[1].MS = 18, 9 }, true, "a step takes 18 ms", 1 - 10.0/18},
	})
}
