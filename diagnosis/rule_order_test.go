package diagnosis

import "testing"

func TestSameOrder(t *testing.T) {
	wantOnly(t, "same-order", []setupCase{
		{"one order for all epochs", soundSetup, func(s *Setup) { s.Shuffle = "none" }, true, "--shuffle global"},
		{"without end", soundSetup, func(s *Setup) { s.Shuffle, s.Epochs = "none", 0 }, true, "--shuffle global"},
		{"for one epoch it does not matter", soundSetup, func(s *Setup) { s.Shuffle, s.Epochs = "none", 1 }, false, ""},
	})
}
