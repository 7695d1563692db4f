package diagnosis

import "testing"

// diskCase is a training that waits for filling, at a quarter of the least rate: 4 GB
// of samples on a machine with 64 GB.
type diskCase struct {
	name   string
	change func(*Observation)
	rule   string
	says   string
	gain   float64
}

// TestADiskColdOrSlow: what a disk gave is told from what memory gave, a cold cache
// from a disk that is read again, and swap from both.
func TestADiskColdOrSlow(t *testing.T) {
	for _, c := range []diskCase{
		{"nothing from a disk", func(*Observation) {}, "slow-fill", "a worker fills 0.25 GB/s", 0.5},
		{"a little", func(o *Observation) { o.Steps.Disk = 1.9e9 }, "slow-fill", "waits for a worker", 0.5},
		{"half, each once", func(o *Observation) { o.Steps.Disk = 2e9 }, "cold-cache",
			"50 % of what is filled comes from a disk, 0.25 GB/s a worker (1 are the least from memory): the GPU that trains waits for it; 4.00 GB of samples fit into memory, and later epochs find them there; train on", 0.5},
		{"all, and what the kernel reads ahead", func(o *Observation) { o.Steps.Disk = 5e9 }, "cold-cache", "100 % of what is filled", 0.5},
		{"more than there is, so some of it twice", func(o *Observation) { o.Steps.Disk, o.Steps.Filled = 5.1e9, 8e9 }, "slow-disk", "64 % of what is filled comes from a disk", 0.5},
		{"half of the memory holds it", func(o *Observation) { o.Steps.Disk, o.Steps.Memory = 4e9, 8e9 }, "cold-cache", "", 0.5},
		{"a byte less does not", func(o *Observation) { o.Steps.Disk, o.Steps.Memory = 4e9, 8e9-2 }, "slow-disk", "the samples are 4.00 GB, the memory 8.00 GB; put the store on a faster disk", 0.5},
		{"memory that nobody knows", func(o *Observation) { o.Steps.Disk, o.Steps.Memory = 4e9, 0 }, "slow-disk", "the GPU that trains waits for it; put the store", 0.5},
		{"a disk that is fast enough", func(o *Observation) { o.Steps.Disk, o.Steps.FillRate = 4e9, 1e9 }, "bound", "load takes 20 ms a batch", 0.5},
		{"swap comes from a disk too", func(o *Observation) { o.Steps.Disk, o.Host = 4e9, &Host{Swapping: 500} }, "swap", "moved 500 MB a second to swap and back", 0.5},
		{"a target of its own", func(o *Observation) { o.Steps.Disk, o.Targets = 4e9, Targets{FillLeast: 0.3} }, "cold-cache", "(0.3 are the least from memory)", 1 - 80*0.25/0.3/4/20},
	} {
		o := Observation{Steps: &Steps{Mean: 20, Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 0.25e9, CopyRate: 12e9, Slots: 3, Real: 1, Filled: 4e9, Data: 4e9, Memory: 64e9},
			Work: &Work{Batch: 8, Stages: []StageTime{{Load, 80, 0, 4}, {Copy, 2, 0, 1}, {Train, 10, 0, 1}}}}
		c.change(&o)
		wantVerdict(t, c.name, c.rule, true, c.says, o)
		if v := Find(o)[0]; v.Gain == nil || *v.Gain-c.gain > 1e-9 || c.gain-*v.Gain > 1e-9 {
			t.Errorf("%s: a gain of %v, want %v", c.name, *v.Gain, c.gain)
		}
	}
}

// TestChecksumsThatCost: a gain where filling is late and comparing is a good part of
// it; else the verdict is about work for nothing.
func TestChecksumsThatCost(t *testing.T) {
	for _, c := range []struct {
		name           string
		load, checking float64 // ms of a worker
		kind           Kind
		gain           float64 // -1: none
		first          string
	}{
		{"not measured", 80, 0, Wastes, -1, "bound"},
		{"half of a late filling", 80, 40, Limits, 0.5, "checksums-always"},
		{"all of it, bounded by the training", 80, 80, Limits, 0.5, "checksums-always"},
		{"a part that runs vary by", 80, 3.9, Wastes, 0, "bound"},
		{"a part that is just more", 80, 4.1, Limits, 1 - 75.9/80, "checksums-always"},
		{"filling that nobody waits for", 30, 15, Wastes, 0, "checksums-always"},
		{"more than filling takes, by a measurement that was disturbed", 80, 200, Limits, 0.5, "checksums-always"},
	} {
		setup := soundSetup
		setup.Checks = "always"
		o := Observation{Setup: &setup, Steps: &Steps{Mean: max(10, c.load/4), Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 2e9, Slots: 3, Real: 1, Checking: c.checking},
			Work: &Work{Batch: 8, Stages: []StageTime{{Load, c.load, 0, 4}, {Train, 10, 0, 1}}}}
		found := Find(o)
		if len(found) == 0 || found[0].Rule != c.first {
			t.Errorf("%s: %+v, want %s first", c.name, found, c.first)
		}
		for _, v := range found {
			if v.Rule != "checksums-always" {
				continue
			}
			if v.Kind != c.kind || (v.Gain == nil) != (c.gain < 0) || v.Gain != nil && (*v.Gain-c.gain > 1e-9 || c.gain-*v.Gain > 1e-9) {
				t.Errorf("%s: %s with a gain of %v; want %s, %v", c.name, v.Kind, v.Gain, c.kind, c.gain)
			}
		}
	}
}

// TestSwapAndItsGain: what the step would be with filling at the least rate and without
// delays; nothing is stated without a training.
func TestSwapAndItsGain(t *testing.T) {
	for _, c := range []struct {
		name             string
		mean, load, rate float64
		gain             float64 // -1: none
	}{
		{"delays", 20, 4, 2e9, 0.5},
		{"slow filling", 20, 80, 0.25e9, 0.5},
		{"slow filling and delays", 40, 80, 0.25e9, 0.75},
		{"slow filling that stays the longest", 20, 80, 0.8e9, 1 - 80*0.8/4/20},
		{"it costs nothing", 10, 4, 2e9, 0},
		{"no rate is known", 20, 4, 0, 0.5},
		{"nobody trains", 0, 0, 0, -1},
	} {
		o := Observation{Host: &Host{Swapping: 9}, Steps: &Steps{Mean: c.mean, Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: c.rate, Slots: 3, Real: 1},
			Work: &Work{Batch: 8, Stages: []StageTime{{Load, c.load, 0, 4}, {Train, 10, 0, 1}}}}
		if c.gain < 0 {
			o.Steps, o.Work = nil, nil
		}
		found := Find(o)
		if len(found) == 0 || found[0].Rule != "swap" || (found[0].Gain == nil) != (c.gain < 0) ||
			c.gain >= 0 && (*found[0].Gain-c.gain > 1e-9 || c.gain-*found[0].Gain > 1e-9) {
			t.Errorf("%s: %+v, want swap first with a gain of %v", c.name, found, c.gain)
		}
	}
}
