package diagnosis

import "testing"

func TestBatchesKept(t *testing.T) {
	wantTrained(t, "batches-kept", []trainedCase{
		{"for four steps", func(s *Steps, _ *Work) { s.Mean, s.Kept = 12.5, 40 },
			true, "the trainer keeps a batch for 40 ms and trains on it for 10 ms: its batches lie in 3 slots", 0.2},
		{"where there is room", func(s *Steps, _ *Work) { s.Kept = 40 }, false, "", 0},
	})
}
