package diagnosis

import (
	"math"
	"testing"
)

// keepsUp is a feed that a trainer of 100 ms never waits for.
var keepsUp = Supply{Step: 100, Period: 10, Whole: 100.5, Replayed: 100.4, Ready: 1, Depth: 2, Fillers: 2, Cores: 2, Halved: 0.5}

// TestASupplyThatComesLate: the setting that helps, and the step that it leads to.
func TestASupplyThatComesLate(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*Supply)
		rule    string // "": none
		setting string
		gain    float64 // -1: none is stated
	}{
		{"a feed that keeps up", func(*Supply) {}, "", "", 0},
		{"one filler of two cores", func(s *Supply) {
			s.Period, s.Whole, s.Ready, s.Idle, s.Fillers = 200, 200, 0, 0.5, 1
		}, "idle", "--workers", 0.498}, // 100 ms would do, and from memory a step is 100.4
		{"one filler of eight cores at a step that cannot be reached", func(s *Supply) {
			s.Period, s.Whole, s.Ready, s.Idle, s.Fillers, s.Cores = 1600, 1600, 0, 0.94, 4, 8
		}, "idle", "--workers", 0.5},
		{"all cores, wide mels", func(s *Supply) { s.Period, s.Whole, s.Ready, s.Idle = 400, 400, 0, 0.75 }, "idle", "mel_dtype", 0.5},
		{"all cores, narrow mels that are mostly padding", func(s *Supply) {
			s.Period, s.Whole, s.Ready, s.Idle, s.Halved, s.Real = 400, 400, 0, 0.75, 0, 0.5
		}, "idle", "max_mel_frames", 0.5},
		{"nothing left to spare", func(s *Supply) { s.Period, s.Whole, s.Ready, s.Idle, s.Halved, s.Real = 400, 400, 0, 0.75, 0, 0.9 }, "idle", "", -1},
		{"padding that nobody counted", func(s *Supply) { s.Period, s.Whole, s.Ready, s.Idle, s.Halved = 400, 400, 0, 0.75, 0 }, "idle", "", -1},
		{"late at times", func(s *Supply) { s.Whole, s.Ready, s.Idle = 110, 0.8, 0.09 }, "readiness", "--prefetch-buffer-size", 1 - 100.4/110},
		{"late at times, and long", func(s *Supply) { s.Whole, s.Ready, s.Idle = 140, 0.8, 0.28 }, "idle", "--prefetch-buffer-size", 1 - 100.4/140},
		{"others on the cores", func(s *Supply) { s.Period, s.Whole, s.Ready, s.Idle, s.Own, s.Others = 400, 400, 0, 0.75, 20, 70 }, "idle", "", -1},
		{"others, while cores are idle", func(s *Supply) {
			s.Period, s.Whole, s.Ready, s.Idle, s.Own, s.Others = 400, 400, 0, 0.75, 10, 60
		}, "idle", "mel_dtype", 0.5},
		{"others beside a busy feed", func(s *Supply) {
			s.Period, s.Whole, s.Ready, s.Idle, s.Own, s.Others = 400, 400, 0, 0.75, 60, 30
		}, "idle", "mel_dtype", 0.5},
		{"too slow, though most are ready", func(s *Supply) { s.Period, s.Whole, s.Ready, s.Idle = 400, 400, 0.95, 0.75 }, "idle", "mel_dtype", 0.5},
		{"a few long delays", func(s *Supply) { s.Whole, s.Ready, s.Idle = 140, 0.95, 0.28 }, "", "", 0},
		{"just on target", func(s *Supply) { s.Ready, s.Idle = 0.9, 0.2 }, "", "", 0},
	} {
		s := keepsUp
		c.change(&s)
		found := Find(Observation{Supply: &s})
		if c.rule == "" {
			if len(found) > 0 {
				t.Errorf("%s: %+v, want nothing", c.name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != c.rule || found[0].Setting != c.setting || found[0].Basis != Measured ||
			(found[0].Gain == nil) != (c.gain < 0) || c.gain >= 0 && math.Abs(*found[0].Gain-c.gain) > 0.005 {
			t.Errorf("%s: %+v, want %s by %s with a gain of %.3f", c.name, found, c.rule, c.setting, c.gain)
		}
	}
	s := keepsUp
	s.Idle, s.Ready = 0.15, 0.5
	if found := Find(Observation{Supply: &s, Targets: Targets{ModelGPULeast: 90}}); len(found) != 1 || found[0].Rule != "idle" {
		t.Errorf("of 15 %% idle with a target of 90 %% busy: %+v", found)
	}
}

// TestEnoughBatchesAhead: as many more as the trainer takes in the longest delay, at
// least twice as many, and no thousands where a machine stood still.
func TestEnoughBatchesAhead(t *testing.T) {
	for _, c := range []struct {
		depth, want int
		step, wait  float64
	}{{2, 4, 100, 10}, {2, 7, 100, 500}, {2, 8, 100, 501}, {4, 68, 1, 1e9}, {4, 8, 0, 10}} {
		s := Supply{Depth: c.depth, Step: c.step, Longest: c.wait}
		if got := s.enough(); got != c.want {
			t.Errorf("%d ahead, steps of %v ms, a delay of %v ms: %d, want %d", c.depth, c.step, c.wait, got, c.want)
		}
	}
}

// TestHeadspaceIsAPart: never under 0, where replaying took longer by chance.
func TestHeadspaceIsAPart(t *testing.T) {
	for _, c := range []struct{ whole, replayed, want float64 }{{200, 100, 0.5}, {100, 101, 0}, {0, 0, 0}, {100, 0, 1}} {
		s := Supply{Whole: c.whole, Replayed: c.replayed}
		if got := s.Headspace(); got != c.want {
			t.Errorf("a step of %v ms, %v from memory: %v, want %v", c.whole, c.replayed, got, c.want)
		}
	}
}
