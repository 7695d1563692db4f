package diagnosis

import "testing"

func TestChecksumsOff(t *testing.T) {
	wantOnly(t, "checksums-off", []setupCase{
		{"never looked at", soundSetup, func(s *Setup) { s.Checks = "off" }, true, "--checksums first"},
	})
}

func TestChecksumsAlways(t *testing.T) {
	wantOnly(t, "checksums-always", []setupCase{
		{"in each epoch", soundSetup, func(s *Setup) { s.Checks = "always" }, true, "--checksums first"},
		{"in the only one", soundSetup, func(s *Setup) { s.Checks, s.Epochs = "always", 1 }, false, ""},
	})
}
