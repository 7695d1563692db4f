package diagnosis

import "testing"

func TestOneGPU(t *testing.T) {
	wantOnly(t, "one-gpu", []setupCase{
		{"two GPUs asked for, one there", soundGPUs, func(s *Setup) { s.TwoAsked, s.GPUs, s.Dual = true, 1, false }, true, "--cache on"},
		{"one GPU for both", soundGPUs, func(s *Setup) { s.Same = true }, true, "take --mode direct"},
		{"straight to it", soundGPUs, func(s *Setup) { s.Same, s.Dual = true, false }, false, ""},
	})
}
