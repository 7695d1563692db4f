package diagnosis

import "testing"

func TestRingSmall(t *testing.T) {
	wantTrained(t, "ring-small", []trainedCase{
		{"late at times", func(s *Steps, _ *Work) { s.Mean, s.Depth, s.MaxDepth = 16, 1, 1 },
			true, "batches come fast enough in the mean and late at times, and the ring holds 1 at most; give --prefetch-buffer-size 2", 1 - 10.0/16},
		{"fewer than workers", func(s *Steps, w *Work) { s.Mean, s.Depth, w.Stages[0] = 20, 2, StageTime{Load, 40, 0, 2} },
			true, "a ring of 2 gives 4 workers too little to fill at a time: the GPU that trains waits for them; give --prefetch-buffer-size 4", 0.5},
	})
}
