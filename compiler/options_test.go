package compiler

import (
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/internal/config"
)

// TestEachRateOfTheConfigIsAllowed: the bounds that users meet are those of the
// key, and the audio package's lie outside of them.
func TestEachRateOfTheConfigIsAllowed(t *testing.T) {
	t.Parallel()
	keys := config.Keys()
	key := keys[slices.IndexFunc(keys, func(k config.Key) bool { return k.Name == "sample_rate" })]
	for _, c := range []struct {
		rate int
		ok   bool
	}{{int(key.Min), true}, {int(key.Max), true}, {0, true}, {-1, false}, {10_000_000, false}} {
		errs := Config{SampleRate: c.rate, Mel: audio.MelConfig{NMels: 8, FMax: 2000}}.withDefaults().check()
		if ok := len(errs) == 0; ok != c.ok {
			t.Errorf("sample rate %d: %v, want allowed: %v", c.rate, errs, c.ok)
		}
	}
}
