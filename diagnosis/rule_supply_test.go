package diagnosis

import "testing"

func TestWorkers(t *testing.T) {
	wantOnly(t, "workers", []setupCase{
		{"more than cores", soundSetup, func(s *Setup) { s.Fillers = 3 }, true, "3 workers share 2 cores and wait for each other; take --workers 2 or less"},
		{"one a core", soundSetup, func(s *Setup) { s.Fillers = 2 }, false, ""},
	})
}

func TestPrefetchLarge(t *testing.T) {
	wantOnly(t, "prefetch-large", []setupCase{
		{"four times the rule is still no waste", soundSetup, func(s *Setup) { s.Depth = 8 }, false, ""},
		{"above it is", soundSetup, func(s *Setup) { s.Depth = 64 }, true, "64 batches ahead take 512.0 MB of memory"},
	})
}
