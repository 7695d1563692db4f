package diagnosis

import "testing"

func TestLoadShare(t *testing.T) {
	slow := &Steps{Mean: 100, Stall: 0.25, Fill: 95, Fillers: 1, Cores: 4}
	allCores := &Steps{Mean: 100, Stall: 0.25, Fill: 95, Fillers: 4, Cores: 4}
	bursts := &Steps{Mean: 100, Stall: 0.25, Fill: 40, Fillers: 4, Cores: 4, Depth: 3}
	for _, tt := range []struct {
		name string
		o    Observation
		says string // "": none
	}{
		{"at the target", Observation{Phases: sharesOf(20, 0, 75), Steps: slow}, ""},
		{"over it", Observation{Phases: sharesOf(25, 0, 75), Steps: slow},
			"25 % of the step is a wait for loading (limit 20 %): filling takes 95 ms a batch, training 75 ms; give --workers 4"},
		{"over it on all cores", Observation{Phases: sharesOf(25, 0, 75), Steps: allCores}, "mel_dtype: f16 halves the bytes"},
		{"over it at times", Observation{Phases: sharesOf(25, 0, 75), Steps: bursts}, "give --prefetch-buffer-size 6 (prefetch_buffer_size)"},
		{"over another target", Observation{Phases: sharesOf(12, 0, 80), Targets: Targets{LoadMost: 10}}, "12 % of the step is a wait for loading (limit 10 %)"},
		{"over it and nobody trains", Observation{Phases: sharesOf(99, 0, 0)}, ""},
	} {
		wantVerdict(t, tt.name, "load-share", tt.says != "", tt.says, tt.o)
	}
	// What varies for the same reason is said once.
	varied := *bursts
	varied.Variation = 60
	wantVerdict(t, "bursts that vary", "load-share", true, "", Observation{Phases: sharesOf(25, 0, 75), Steps: &varied})
	wantVerdict(t, "bursts within the target", "variation", true, "", Observation{Phases: sharesOf(10, 0, 85), Steps: &varied})
	if found := Find(Observation{Phases: sharesOf(25, 0, 75)}); *found[0].Gain != 0.25 || found[0].Basis != Measured {
		t.Errorf("%+v, want the wait for a gain", found[0])
	}
}

func TestTransferShare(t *testing.T) {
	slow := &Steps{Mean: 100, Stall: 0.2, Copying: 100, Fill: 3}
	for _, tt := range []struct {
		name string
		o    Observation
		says string
	}{
		{"at the target", Observation{Phases: sharesOf(0, 15, 80), Steps: slow}, ""},
		{"over it", Observation{Phases: sharesOf(0, 20, 80), Steps: slow}, "20 % of the step is a wait for copies (limit 15 %): a copy takes 100 ms, training 80 ms; --cache on"},
		{"over it and nobody trains", Observation{Phases: sharesOf(0, 99, 0)}, ""},
	} {
		wantVerdict(t, tt.name, "transfer-share", tt.says != "", tt.says, tt.o)
	}
}

// TestTwoPhasesInTheOrderOfGain: both that were planted are named.
func TestTwoPhasesInTheOrderOfGain(t *testing.T) {
	for _, tt := range []struct {
		load, transfer float64
		first, second  string
	}{{30, 20, "load-share", "transfer-share"}, {21, 35, "transfer-share", "load-share"}} {
		found := Find(Observation{Phases: sharesOf(tt.load, tt.transfer, 40)})
		if len(found) != 2 || found[0].Rule != tt.first || found[1].Rule != tt.second {
			t.Errorf("load %v, transfer %v: %+v", tt.load, tt.transfer, found)
		}
	}
}

func TestTrainShare(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    *Phases
		says string
	}{
		{"at the target", sharesOf(0, 0, 50), ""},
		{"below it", sharesOf(2, 3, 40), "training is 40 % of the step (target 50 %), and 55 % goes into what is between batches"},
		{"nobody trains", sharesOf(10, 5, 0), ""},
	} {
		wantVerdict(t, tt.name, "train-share", tt.says != "", tt.says, Observation{Phases: tt.p})
	}
	wantVerdict(t, "where loading says why", "load-share", true, "", Observation{Phases: sharesOf(60, 0, 30)})
}
