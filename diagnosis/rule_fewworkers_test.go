package diagnosis

import "testing"

func TestWorkersFew(t *testing.T) {
	wantTrained(t, "workers-few", []trainedCase{
		{"one of four cores", func(s *Steps, w *Work) { s.Mean, s.Fillers, w.Stages[0] = 40, 1, StageTime{Load, 40, 0, 1} },
			true, "1 worker on 4 cores fill a batch in 40 ms each: the GPU that trains waits for them; give --workers 4", 0.75},
		{"down to the training", func(s *Steps, w *Work) { s.Mean, s.Fillers, w.Stages[0] = 20, 1, StageTime{Load, 20, 0, 1} }, true, "give --workers 4", 0.5},
		{"fast enough", func(s *Steps, w *Work) { s.Fillers, w.Stages[0] = 1, StageTime{Load, 10, 0, 1} }, false, "", 0},
	})
}
