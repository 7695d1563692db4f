package diagnosis

import "testing"

func TestSlowWorker(t *testing.T) {
	wantTrained(t, "slow-worker", []trainedCase{
		{"ten times the others", func(s *Steps, _ *Work) { s.Mean, s.Slowest = 20, 40 },
			true, "one worker needs 40 ms for a batch, the others 4 ms: the GPU that trains waits for its batches", 0.5},
		{"less than what steps wait for in the mean", func(s *Steps, _ *Work) { s.Mean, s.Slowest, s.MaxDepth = 60, 40, 0 }, false, "", 0},
		{"which the ring hides", func(s *Steps, _ *Work) { s.Slowest = 40 }, false, "", 0},
		{"twice the others is what batches differ by", func(s *Steps, _ *Work) { s.Slowest = 8 }, false, "", 0},
	})
}
