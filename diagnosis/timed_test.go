package diagnosis

import (
	"math"
	"testing"
)

// trainedCase changes one thing of a sound training: four workers that fill a
// batch in 4 ms each, copies of 2 ms, steps of 10 ms.
type trainedCase struct {
	name   string
	change func(*Steps, *Work)
	fires  bool
	says   string  // a piece of the text
	gain   float64 // of the verdict
}

// wantTrained: the rule, and no other one, fires for the cases that say so.
func wantTrained(t *testing.T, rule string, cases []trainedCase) {
	t.Helper()
	for _, c := range cases {
		s := Steps{Mean: 10, Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 2e9, CopyRate: 12e9, Kept: 10, Slots: 3,
			Real: 1, Typical: 4, Slowest: 4}
		w := Work{Batch: 8, Stages: []StageTime{{Load, 4, 0, 4}, {Copy, 2, 0, 1}, {Train, 10, 0, 1}}}
		c.change(&s, &w)
		o := Observation{Steps: &s, Work: &w}
		wantVerdict(t, c.name, rule, c.fires, c.says, o)
		if found := Find(o); c.fires && len(found) == 1 && (found[0].Gain == nil || math.Abs(*found[0].Gain-c.gain) > 1e-9) {
			t.Errorf("%s: gain %v, want %v", c.name, found[0].Gain, c.gain)
		}
	}
}

func TestASoundTrainingNeedsNothing(t *testing.T) {
	wantTrained(t, "", []trainedCase{
		{"as it is", func(*Steps, *Work) {}, false, "", 0},
		{"with figures that nobody knows", func(s *Steps, _ *Work) { *s = Steps{Mean: 10} }, false, "", 0},
		{"bytes that delay nothing", func(s *Steps, _ *Work) { s.Real, s.Halved, s.CopyRate, s.FillRate = 0.1, 0.5, 1e9, 0.1e9 }, false, "", 0},
	})
	if found := Find(Observation{Steps: &Steps{Mean: 10, Fillers: 1, Cores: 4}, Work: &Work{Stages: []StageTime{{Load, 40, 0, 1}}}}); len(found) > 0 {
		t.Errorf("without a trainer: %v, want nothing", found)
	}
}
