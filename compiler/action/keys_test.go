package action

import (
	"testing"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/frontend"
	"voxpack/store"
	"voxpack/textnorm"
)

// TestAKeyCoversAllThatItsActionReads: whatever an action reads gives another key
// when it is another, so that no result of it is ever stale.
func TestAKeyCoversAllThatItsActionReads(t *testing.T) {
	config := func(edit func(*Config)) *Keyer {
		c := Config{SampleRate: 22050, Mel: audio.MelConfig{}.WithDefaults()}
		edit(&c)
		return NewKeyer(c)
	}
	plain := func(*Config) {}
	processed := func(c *Config) { c.Process.TrimDB = 40 }
	k := config(plain)
	row := store.OriginRow{Audio: store.Digest{1}}
	for action, keys := range map[string][]store.Key{
		"audio": {
			k.Audio(&row, ""),
			k.Audio(&row, "ffmpeg/1 5.1"),
			k.Audio(&row, "ffmpeg/1 6.0"),
			k.Audio(&store.OriginRow{Audio: store.Digest{2}}, ""),
			k.Audio(&store.OriginRow{Audio: store.Digest{1}, From: 5}, ""),
			k.Audio(&store.OriginRow{Audio: store.Digest{1}, Length: 5}, ""),
			config(func(c *Config) { c.SampleRate = 16000 }).Audio(&row, ""),
			config(processed).Audio(&row, ""),
			config(func(c *Config) { c.Channel = 1 }).Audio(&row, ""),
			config(func(c *Config) { c.Channel = 2 }).Audio(&row, ""),
			config(func(c *Config) { processed(c); c.Process.TrimMargin = 0.1 }).Audio(&row, ""),
		},
		"text": {
			k.Text("en", "25"),
			k.Text("de", "25"),
			k.Text("en", "26"),
			config(func(c *Config) { c.Text.Text.Case = textnorm.CaseLower }).Text("en", "25"),
		},
		"tokens": {
			k.Tokens("a"),
			k.Tokens("b"),
			config(func(c *Config) { c.Text = frontend.Config{Tokens: textnorm.TokenizerConfig{AddBOS: true}} }).Tokens("a"),
		},
		"mel": {
			k.Feature(Mel, store.Key{1}),
			k.Feature(Mel, store.Key{2}),
			config(func(c *Config) { c.Mel.FMax = 7000 }).Feature(Mel, store.Key{1}),
			config(func(c *Config) { c.MelDType = store.Float16 }).Feature(Mel, store.Key{1}),
		},
		"too long":  {k.Over(store.Key{1}, codec.Limits{}), k.Over(store.Key{2}, codec.Limits{}), k.Over(store.Key{1}, codec.Limits{MaxClip: time.Minute})},
		"unusable":  {k.Refused(store.Key{1}), k.Refused(store.Key{2})},
		"of blocks": {k.Block(store.Column{Name: "mel"}, []store.Key{{1}, {2}}), k.Block(store.Column{Name: "mel"}, []store.Key{{2}, {1}}), k.Block(store.Column{Name: "f0"}, []store.Key{{1}, {2}})},
	} {
		seen := map[store.Key]int{}
		for i, key := range keys {
			if first, twice := seen[key]; twice {
				t.Errorf("%s: inputs %d and %d have one key", action, first, i)
			}
			seen[key] = i
		}
	}
}

// TestAFeatureHasTheKeyOfItsOwnSettings: a setting of the mel alone leaves the keys
// of the other features as they are.
func TestAFeatureHasTheKeyOfItsOwnSettings(t *testing.T) {
	keys := func(mel audio.MelConfig) map[string]store.Key {
		set := Set{Features: []string{"linear", "energy", "f0"}}
		k := NewKeyer(Config{Stages: set, SampleRate: 22050, Mel: mel.WithDefaults()})
		m := map[string]store.Key{}
		for at := range set.Computed() {
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
