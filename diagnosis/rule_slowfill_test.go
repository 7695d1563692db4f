package diagnosis

import "testing"

func TestSlowFill(t *testing.T) {
	wantTrained(t, "slow-fill", []trainedCase{
		{"a quarter of the least", func(s *Steps, w *Work) { s.Mean, s.FillRate, w.Stages[0].MS = 20, 0.25e9, 80 },
			true, "a worker fills 0.25 GB/s (1 are the least where it only copies)", 0.5},
		{"hidden by training", func(s *Steps, w *Work) { s.FillRate, w.Stages[0].MS = 0.25e9, 36 }, false, "", 0},
	})
}
