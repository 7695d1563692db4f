package diagnosis

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// TestTwoCausesAreBothNamed: each two of the causes that bear each other, planted in
// one training, are the first two findings, the one that brings more first.
func TestTwoCausesAreBothNamed(t *testing.T) {
	plant := map[string]func(*Observation){
		"slow-fill":        func(o *Observation) { o.slowFilling(0.4e9) },
		"slow-link":        func(o *Observation) { o.Steps.CopyRate = 2e9; o.takes(Copy, 30) },
		"slow-peer":        func(o *Observation) { o.Steps.PeerRate = 2e9; o.takes(Transfer, 40) },
		"gpu-memory-small": func(o *Observation) { o.Setup.ModelCap = 8e6 },
		"tail":             func(o *Observation) { o.Setup.Batch, o.Setup.Rows = 64, 64+63 },
		"same-order":       func(o *Observation) { o.Setup.Shuffle = "none" },
		"checksums-off":    func(o *Observation) { o.Setup.Checks = "off" },
		"gpu-shared":       func(o *Observation) { o.GPUs[0].Busy = 70 },
		"host-cpu":         func(o *Observation) { o.Host.CPU = 90 },
		"memory-growth":    func(o *Observation) { o.Host.GrowthMB = 90 },
		"store-damaged":    func(o *Observation) { o.Store.Damage = 2 },
		"config-xla":       func(o *Observation) { o.Config.set("enable_xla=false") },
		"config-gpus":      func(o *Observation) { o.Config.set("model_gpu=7") },
	}
	var names []string
	for _, r := range rules {
		if plant[r.ID] != nil {
			names = append(names, r.ID)
		}
	}
	if len(names) != len(plant) {
		t.Fatalf("%d of %d causes are rules", len(names), len(plant))
	}
	place := soundPlace(t)
	for i, first := range names {
		for _, second := range names[i+1:] {
			o := sound(place)
			plant[first](o)
			plant[second](o)
			_, o.Steps.Mean = o.Work.longest()
			var got []string
			for _, v := range Find(*o) {
				got = append(got, v.Rule)
			}
			if len(got) != 2 || !slices.Contains(got, first) || !slices.Contains(got, second) {
				t.Errorf("%s and %s: findings by %q", first, second, got)
			}
			wantOrder(t, Find(*o))
		}
	}
}

// wantOrder: what brings most of a step comes first, then what is of a build, then
// what nobody knows the gain of, in the order of the table.
func wantOrder(t *testing.T, found []Verdict) {
	t.Helper()
	class := func(v Verdict) (int, float64) {
		switch {
		case v.Gain == nil:
			return 2, -float64(slices.IndexFunc(rules, func(r Rule) bool { return r.ID == v.Rule }))
		case v.Of == OfBuild:
			return 1, *v.Gain
		}
		return 0, *v.Gain
	}
	for i := 1; i < len(found); i++ {
		a, x := class(found[i-1])
		b, y := class(found[i])
		if a > b || a == b && x < y {
			t.Errorf("%s comes before %s", found[i-1].Rule, found[i].Rule)
		}
	}
}

// TestTargetsMoveLimits: each target that a rule compares with can be set, so that
// what is a finding by default is none.
func TestTargetsMoveLimits(t *testing.T) {
	place := soundPlace(t)
	for _, tt := range []struct {
		target string
		value  float64
		rule   string
	}{
		{VariationTarget, 31, "variation"}, {ModelGPULeast, 79, "idle"}, {LoadMost, 21, "load-share"}, {TransferMost, 16, "transfer-share"},
		{TrainLeast, 49, "train-share"}, {FeederCPUMost, 41, "feeder-cpu"}, {HostCPUMost, 71, "host-cpu"}, {SwapMost, 4, "swap"},
		{GrowthMost, 51, "memory-growth"}, {ReadyLeast, 89, "readiness"}, {AudioVariationTarget, 31, "audio-variation"},
		{LinkLeast, 9, "slow-link"}, {LinkLeast, 9, "slow-peer"}, {FillLeast, 0.9, "slow-fill"}, {FillLeast, 0.4, "slow-disk"},
	} {
		at := slices.IndexFunc(limitCases, func(c limitCase) bool { return c.rule == tt.rule })
		o := sound(place)
		limitCases[at].beyond(o)
		fires := func() bool { return slices.ContainsFunc(Find(*o), func(v Verdict) bool { return v.Rule == tt.rule }) }
		if !fires() {
			t.Errorf("%s does not fire", tt.rule)
		}
		if o.Targets = (Targets{tt.target: tt.value}); fires() {
			t.Errorf("%s fires with %s=%v", tt.rule, tt.target, tt.value)
		}
	}
}

// FuzzFind: whatever a run measured, verdicts have numbers that JSON can hold, gains
// that are parts, words, and the order of gains.
func FuzzFind(f *testing.F) {
	f.Add(10.0, 4.0, 2.0, 1.0, 10.0, 2e9, 12e9, 0.5, uint64(1), 4)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, uint64(0), 0)
	f.Add(1e-300, 1e300, 1e-9, 5.0, 1e9, 1e-12, 1e18, 1.0, uint64(1)<<63, 1<<30)
	f.Fuzz(func(t *testing.T, mean, load, in, peer, train, fill, link, part float64, bytes uint64, n int) {
		// What a clock and a counter give: no part is below 0, none is not a number.
		for _, v := range []*float64{&mean, &load, &in, &peer, &train, &fill, &link, &part} {
			if *v = math.Abs(*v); !(*v <= 1e12) {
				*v = 1
			}
		}
		part = min(part, 1)
		n = min(max(n, 1), 1<<20)
		setup := soundGPUs
		setup.Checks, setup.ModelCap = "always", bytes
		o := Observation{Setup: &setup,
			Steps: &Steps{Mean: mean, Stall: part, Variation: in, Depth: n, MaxDepth: n, Fillers: n, Cores: 8, FillRate: fill, CopyRate: link, PeerRate: link,
				Slowest: load, Typical: in, Kept: load, Slots: n, Real: part, Halved: part, Disk: bytes, Filled: bytes / 2, Data: bytes / 3, Memory: bytes, Checking: load},
			Work: &Work{Batch: n, Stages: []StageTime{{Load, load, load * part, n}, {Copy, in, 0, 1}, {Transfer, peer, 0, 1}, {Train, train, train * part, 1}}},
			Host: &Host{Swapping: mean, FeederCPU: load, CPU: load, GrowthMB: in, Steps: int64(n), Trained: true}, GPUs: []GPUUse{{n, "model", load}}}
		found := Find(o)
		for _, v := range found {
			if _, err := json.Marshal(v); err != nil || v.Rule == "" || v.Cause == "" || v.Unit == "" || v.Basis == "" {
				t.Fatalf("%+v: %v", v, err)
			}
			if v.Gain != nil && !(*v.Gain >= 0 && *v.Gain <= 1) {
				t.Fatalf("%s has a gain of %v", v.Rule, *v.Gain)
			}
		}
		wantOrder(t, found)
	})
}
