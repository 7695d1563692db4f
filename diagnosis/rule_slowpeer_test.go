package diagnosis

import "testing"

func TestSlowPeer(t *testing.T) {
	between := func(ms, rate float64) func(*Steps, *Work) {
		return func(s *Steps, w *Work) {
			s.Mean, s.PeerRate, s.Real, s.Halved = max(10, ms), rate, 0.2, 0.5
			w.Stages = append(w.Stages, StageTime{Transfer, ms, 0, 1})
		}
	}
	wantTrained(t, "slow-peer", []trainedCase{
		{"a tenth of the least, whatever fewer bytes would bring", between(40, 1e9), true, "copies between the GPUs carry 1 GB/s (10 are the least of a sound way)", 0.75},
		{"hidden by training", between(9, 1e9), false, "", 0},
	})
	wantTrained(t, "no-peer", []trainedCase{
		{"staged copies are another cause", func(s *Steps, w *Work) { between(40, 1e9)(s, w); s.Staged = true }, true, "staged through host memory", 0.75},
	})
}
