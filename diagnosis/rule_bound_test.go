package diagnosis

import "testing"

func TestBound(t *testing.T) {
	w := wellKnown()
	wantVerdict(t, "a trainer that waits for nothing", "bound", false, "", Observation{Work: &w})
	w.Stages[0].MS = 200
	wantVerdict(t, "a slow load", "bound", true, "load takes 200 ms a batch and train 150 ms: the GPU that trains waits for load; --workers", Observation{Work: &w})
	if g := *Find(Observation{Work: &w})[0].Gain; g != 0.25 {
		t.Errorf("gain %v, want 0.25: 200 ms become the 150 ms of training", g)
	}
	w.Stages[0].Workers = 2
	wantVerdict(t, "shared by two workers", "bound", false, "", Observation{Work: &w})
	w.Stages[2].MS = 300
	wantVerdict(t, "a slow link", "bound", true, "transfer takes 300 ms a batch and train 150 ms: the GPU that trains waits for transfer; mel_dtype: f16", Observation{Work: &w})
	w.Stages[2].MS = 150
	wantVerdict(t, "equals wait for nothing", "bound", false, "", Observation{Work: &w})
	wantVerdict(t, "a training that nobody timed", "bound", false, "", Observation{Work: &Work{Stages: []StageTime{{Load, 20, 0, 1}}}})
}
