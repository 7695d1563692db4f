package diagnosis

import "testing"

// copyBound is a training that a sound link cannot keep up with.
func copyBound(s *Steps, w *Work) { s.Mean, w.Stages[1].MS = 20, 20 }

func TestPadding(t *testing.T) {
	wantTrained(t, "padding", []trainedCase{
		{"four fifths", func(s *Steps, w *Work) { copyBound(s, w); s.Real = 0.2 }, true, "80 % of all frames are padding", 0.5},
	})
	wantTrained(t, "bound", []trainedCase{
		{"a tenth is no waste", func(s *Steps, w *Work) { copyBound(s, w); s.Real = 0.9 }, true, "copy takes 20 ms a batch", 0.5},
	})
}

func TestMelDType(t *testing.T) {
	wantTrained(t, "mel-f32", []trainedCase{
		{"half of the bytes", func(s *Steps, w *Work) { copyBound(s, w); s.Halved = 0.4 }, true, "the mel is f32", 0.4},
	})
	wantTrained(t, "slow-link", []trainedCase{
		{"is no cure of a slow link", func(s *Steps, w *Work) { copyBound(s, w); s.Halved, s.CopyRate = 0.4, 1e9 }, true, "carries 1 GB/s", 0.5},
	})
}
