package diagnosis

import "testing"

func TestSlowLink(t *testing.T) {
	wantTrained(t, "slow-link", []trainedCase{
		{"a tenth of the least, in turn with nothing", func(s *Steps, w *Work) { s.Mean, s.CopyRate, w.Stages[1].MS = 40, 1e9, 40 },
			true, "the link from the host carries 1 GB/s (10 are the least of a sound one): the GPU that trains waits for copies of 40 ms", 0.75},
		{"half of the least halves the copy", func(s *Steps, w *Work) { s.Mean, s.CopyRate, w.Stages[1].MS = 40, 5e9, 40 }, true, "carries 5 GB/s", 0.5},
		{"hidden by training", func(s *Steps, w *Work) { s.CopyRate, w.Stages[1].MS = 1e9, 9 }, false, "", 0},
	})
	o := Observation{Steps: &Steps{Mean: 60, CopyRate: 1e9, FillRate: 0.1e9, Fillers: 2, Cores: 2, Depth: 4, MaxDepth: 8},
		Work: &Work{Stages: []StageTime{{Load, 120, 0, 2}, {Copy, 40, 0, 1}, {Train, 10, 0, 1}}}}
	found := Find(o)
	if len(found) != 2 || found[0].Rule != "slow-fill" || found[1].Rule != "slow-link" || *found[1].Gain != 0 {
		t.Errorf("slow filling before a slow link: %+v, want both, the link with no gain before the other is cured", found)
	}
}
