package action

import (
	"testing"

	"voxpack/audio"
	"voxpack/store"
)

// TestAFeatureHasTheKeyOfItsOwnSettings: a setting of the mel alone leaves the keys
// of the other features as they are.
func TestAFeatureHasTheKeyOfItsOwnSettings(t *testing.T) {
	keys := func(mel audio.MelConfig) map[string]store.Key {
		set := Set{"linear", "energy", "f0"}
		k := NewKeyer(Config{Stages: set, SampleRate: 22050, Mel: mel.WithDefaults()})
		m := map[string]store.Key{}
		for at := range set.Features() {
			m[at.Name()] = k.Feature(at, store.Key{1})
		}
		return m
	}
	was := keys(audio.MelConfig{})
	for _, tt := range []struct {
		name    string
		now     audio.MelConfig
		changed map[string]bool
	}{
		{"fmax is the mel's", audio.MelConfig{FMax: 7000}, map[string]bool{"mel": true}},
		{"hop_length is everybody's", audio.MelConfig{HopLength: 200}, map[string]bool{"mel": true, "linear": true, "energy": true, "f0": true}},
	} {
		now := keys(tt.now)
		for name := range was {
			if got := was[name] != now[name]; got != tt.changed[name] {
				t.Errorf("%s: the key of %s changed: %v, want %v", tt.name, name, got, tt.changed[name])
			}
		}
	}
}
