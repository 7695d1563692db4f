package diagnosis

import (
	"math"
	"testing"
)

func TestBatchSmall(t *testing.T) {
	o := Observation{Work: &Work{Batch: 2, Stages: []StageTime{{Train, 9, 8, 1}}}}
	wantVerdict(t, "nearly all of it fixed", "batch-small", true, "train takes 9 ms for 2 samples, of which 8 ms are the same for any number; take --batch-size 8", o)
	if g, want := *Find(o)[0].Gain, 1-(8+4)/4.0/9; math.Abs(g-want) > 1e-9 { // a sample takes 4.5 ms, then 1.5
		t.Errorf("gain %v, want %v", g, want)
	}
	o.Work.Stages[0].FixedMS = 4
	wantVerdict(t, "less than half of it", "batch-small", false, "", o)
	o.Work.Stages[0].FixedMS, o.Work.Batch = 8, 0
	wantVerdict(t, "of a batch that nobody knows", "batch-small", false, "", o)
}
