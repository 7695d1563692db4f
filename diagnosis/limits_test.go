package diagnosis

import (
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/topology"
)

// limitCase is a rule's limit: what is just within it, what is just beyond, and what
// takes away something that the rule has to know. All change a sound observation.
type limitCase struct {
	rule    string
	within  func(*Observation)
	beyond  func(*Observation)
	unknown func(*Observation) // after beyond
}

// sound is an observation of everything, of which no rule has anything to say. What is
// planted on one part of it is found beside all the others. The place is soundPlace's.
func sound(p *Place) *Observation {
	place := *p
	place.Machine.Devices = slices.Clone(p.Machine.Devices)
	setup, supply := soundGPUs, keepsUp
	setup.DataCap, setup.ModelCap = 8e9, 16e9
	return &Observation{
		Setup: &setup, Supply: &supply, Config: soundConfig(), Place: &place, Phases: sharesOf(0, 0, 96),
		Steps: &Steps{Mean: 10, Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 2e9, CopyRate: 12e9, PeerRate: 12e9, Kept: 10, Slots: 3, Real: 1, Typical: 4, Slowest: 4},
		Work:  &Work{Batch: 8, Stages: []StageTime{{Load, 4, 0, 4}, {Copy, 2, 0, 1}, {Transfer, 1, 0, 1}, {Train, 10, 0, 1}}},
		Host:  &Host{Steps: 2000, Trained: true}, GPUs: []GPUUse{{0, "data", 0}, {1, "model", 0}}, Store: &Store{Rows: 13_100},
		Compilation: &Compilation{Rows: 100, Steps: []CompileStep{{Name: "read", MS: 1}, {Name: "decode", MS: 1}, {Name: "mel", MS: 1}}},
	}
}

// soundPlace has two GPUs at one switch, and a third one farther away.
func soundPlace(t *testing.T) *Place { return placeOf(t, port2, port1, port3) }

// takes sets a stage's time, in ms of a worker, and the mean step to the longest stage.
func (o *Observation) takes(stage Stage, ms float64) {
	for i := range o.Work.Stages {
		if o.Work.Stages[i].Stage == stage {
			o.Work.Stages[i].MS = ms
		}
	}
	_, o.Steps.Mean = o.Work.longest()
}

// slowFilling is 80 ms of each of four workers: 20 ms a batch, beside steps of 10.
func (o *Observation) slowFilling(rate float64) {
	o.Steps.FillRate = rate
	o.takes(Load, 80)
}

func noTraining(o *Observation) { o.Work.Stages = o.Work.Stages[:3] }
func noRun(o *Observation)      { o.Steps = nil }
func noSetup(o *Observation)    { o.Setup = nil }
func noHost(o *Observation)     { o.Host = nil }
func noPhases(o *Observation)   { o.Phases = nil }
func noSupply(o *Observation)   { o.Supply = nil }
func noPlace(o *Observation)    { o.Place = nil }

// limitCases has a line for each rule of trainings and builds.
var limitCases = []limitCase{
	{"workers-few", // late by 5 % is what runs vary by
		func(o *Observation) { o.Work.Stages[0].Workers, o.Steps.Fillers = 3, 3; o.takes(Load, 31.5) },
		func(o *Observation) { o.Work.Stages[0].Workers, o.Steps.Fillers = 3, 3; o.takes(Load, 31.7) }, noTraining},
	{"ring-small", func(o *Observation) { o.Steps.Mean = 10 / 0.951 }, func(o *Observation) { o.Steps.Mean = 10 / 0.949 },
		func(o *Observation) { o.Steps.MaxDepth = 0 }},
	{"cold-cache",
		func(o *Observation) { o.slowFilling(0.5e9); o.disk(49, 49); o.Steps.Memory = 98 },
		func(o *Observation) { o.slowFilling(0.5e9); o.disk(50, 40); o.Steps.Memory = 80 },
		func(o *Observation) { o.Steps.Memory = 0 }},
	{"slow-disk",
		func(o *Observation) { o.slowFilling(0.5e9); o.disk(50, 40); o.Steps.Memory = 80 },
		func(o *Observation) { o.slowFilling(0.5e9); o.disk(50, 40); o.Steps.Memory = 79 },
		func(o *Observation) { o.Steps.Disk = 0 }},
	{"slow-fill", func(o *Observation) { o.slowFilling(1e9) }, func(o *Observation) { o.slowFilling(0.99e9) }, func(o *Observation) { o.Steps.FillRate = 0 }},
	{"slow-link", func(o *Observation) { o.Steps.CopyRate = 10e9; o.takes(Copy, 20) }, func(o *Observation) { o.Steps.CopyRate = 9.9e9; o.takes(Copy, 20) },
		func(o *Observation) { o.Steps.CopyRate = 0 }},
	{"slow-peer", func(o *Observation) { o.Steps.PeerRate = 10e9; o.takes(Transfer, 20) }, func(o *Observation) { o.Steps.PeerRate = 9.9e9; o.takes(Transfer, 20) },
		func(o *Observation) { o.Steps.PeerRate = 0 }},
	{"padding", func(o *Observation) { o.Steps.Real = 0.5; o.takes(Copy, 20) }, func(o *Observation) { o.Steps.Real = 0.49; o.takes(Copy, 20) },
		func(o *Observation) { o.Steps.Real = 0 }},
	{"mel-f32", // a gain of 5 %
		func(o *Observation) { o.Steps.Halved = 0.049; o.takes(Copy, 20) }, func(o *Observation) { o.Steps.Halved = 0.051; o.takes(Copy, 20) },
		func(o *Observation) { o.Steps.Halved = 0 }},
	{"bound", func(o *Observation) { o.takes(Copy, 10) }, func(o *Observation) { o.takes(Copy, 10.1) }, noTraining},
	{"no-peer", func(o *Observation) { o.Place.Peer = Yes }, func(o *Observation) { o.Place.Peer = No }, func(o *Observation) { o.Place.Peer = NotKnown }},
	{"far", // a nearer GPU is there, or none
		func(o *Observation) { o.Place.Data = 0 }, func(o *Observation) { o.Place.Data = 2 }, noPlace},
	{"node", func(o *Observation) { o.Place.CPUs = []int{3, 4} }, func(o *Observation) { o.Place.CPUs = []int{4, 5} },
		func(o *Observation) { o.Place.CPUs = nil }},
	{"link", func(o *Observation) { o.Place.Machine.Devices[0].Link.Width = 16 }, func(o *Observation) { o.Place.Machine.Devices[0].Link.Width = 8 },
		func(o *Observation) { o.Place.Machine.Devices[0].Link.Width = 0 }},
	{"iommu", func(o *Observation) { o.Place.Machine.Devices[0].IOMMU = topology.PassThrough },
		func(o *Observation) { o.Place.Machine.Devices[0].IOMMU = topology.Translating }, noPlace},
	{"gpu-memory-small", func(o *Observation) { o.Setup.ModelCap = 24e6 }, func(o *Observation) { o.Setup.ModelCap = 24e6 - 1 }, noSetup},
	{"slow-worker", func(o *Observation) { o.Steps.Mean, o.Steps.Slowest = 20, 11.9 }, func(o *Observation) { o.Steps.Mean, o.Steps.Slowest = 20, 12 },
		func(o *Observation) { o.Steps.Typical = 0 }},
	{"batches-kept", func(o *Observation) { o.Steps.Mean, o.Steps.Kept = 20, 15 }, func(o *Observation) { o.Steps.Mean, o.Steps.Kept = 20, 15.1 },
		func(o *Observation) { o.Steps.Slots = 0 }},
	{"no-overlap", // in turn the stages take 14 ms
		func(o *Observation) { o.Steps.Mean = 14 * 1.11 }, func(o *Observation) { o.Steps.Mean = 14 * 1.09 }, noTraining},
	{"batch-small", func(o *Observation) { o.Work.Stages[3].FixedMS = 4.99 }, func(o *Observation) { o.Work.Stages[3].FixedMS = 5 },
		func(o *Observation) { o.Work.Batch = 0 }},
	{"gpu-memory-large", func(o *Observation) { o.Setup.DataCap = 24e9 }, func(o *Observation) { o.Setup.DataCap = 24e9 + 1 },
		func(o *Observation) { o.Setup.DataMemory = 0 }},
	{"gpu-shared", func(o *Observation) { o.GPUs[1].Busy = 10 }, func(o *Observation) { o.GPUs[1].Busy = 10.1 }, func(o *Observation) { o.GPUs[1].Busy = -1 }},
	{"one-gpu", func(o *Observation) { o.Setup.TwoAsked, o.Setup.GPUs = true, 2 }, func(o *Observation) { o.Setup.TwoAsked, o.Setup.GPUs = true, 1 }, noSetup},
	{"batch-over-rows", func(o *Observation) { o.Setup.Batch = 13_100 }, func(o *Observation) { o.Setup.Batch = 13_101 }, noSetup},
	{"tail", // a twentieth of 656 rows is 32.8; the rest of 16 or 48 by batches of 64
		func(o *Observation) { o.Setup.Batch, o.Setup.Rows = 64, 10*64+32 }, func(o *Observation) { o.Setup.Batch, o.Setup.Rows = 64, 10*64+34 }, noSetup},
	{"workers", func(o *Observation) { o.Setup.Fillers = 2 }, func(o *Observation) { o.Setup.Fillers = 3 }, noSetup},
	{"prefetch-large", func(o *Observation) { o.Setup.Depth = 8 }, func(o *Observation) { o.Setup.Depth = 9 }, noSetup},
	{"same-order", func(o *Observation) { o.Setup.Shuffle, o.Setup.Epochs = "none", 1 }, func(o *Observation) { o.Setup.Shuffle, o.Setup.Epochs = "none", 2 }, noSetup},
	{"checksums-off", func(o *Observation) { o.Setup.Checks = "first" }, func(o *Observation) { o.Setup.Checks = "off" }, noSetup},
	{"checksums-always", func(o *Observation) { o.Setup.Checks, o.Setup.Epochs = "always", 1 }, func(o *Observation) { o.Setup.Checks, o.Setup.Epochs = "always", 0 }, noSetup},
	{"load-share", func(o *Observation) { o.Phases = sharesOf(20, 0, 76) }, func(o *Observation) { o.Phases = sharesOf(20.1, 0, 76) }, noPhases},
	{"transfer-share", func(o *Observation) { o.Phases = sharesOf(0, 15, 80) }, func(o *Observation) { o.Phases = sharesOf(0, 15.1, 80) }, noPhases},
	{"train-share", func(o *Observation) { o.Phases = sharesOf(0, 0, 50) }, func(o *Observation) { o.Phases = sharesOf(0, 0, 49.9) }, noPhases},
	{"variation", func(o *Observation) { o.Steps.Variation = 30 }, func(o *Observation) { o.Steps.Variation = 30.1 }, noRun},
	{"swap", func(o *Observation) { o.Host.Swapping = 3 }, func(o *Observation) { o.Host.Swapping = 3.1 }, noHost},
	{"memory-growth", func(o *Observation) { o.Host.GrowthMB = 50 }, func(o *Observation) { o.Host.GrowthMB = 50.1 }, func(o *Observation) { o.Host.Steps = 999 }},
	{"feeder-cpu", func(o *Observation) { o.Host.FeederCPU = 40 }, func(o *Observation) { o.Host.FeederCPU = 40.1 }, func(o *Observation) { o.Host.Trained = false }},
	{"host-cpu", func(o *Observation) { o.Host.CPU = 70 }, func(o *Observation) { o.Host.CPU = 70.1 }, func(o *Observation) { o.Host.Trained = false }},
	{"idle", func(o *Observation) { o.Supply.Ready, o.Supply.Idle = 0.5, 0.2 }, func(o *Observation) { o.Supply.Ready, o.Supply.Idle = 0.5, 0.201 }, noSupply},
	{"readiness", func(o *Observation) { o.Supply.Ready = 0.9 }, func(o *Observation) { o.Supply.Ready = 0.899 }, noSupply},
	{"slow-step", // half of a row's time, with 2 ms of the others
		func(o *Observation) { o.Compilation.Steps[1].MS = 2 }, func(o *Observation) { o.Compilation.Steps[1].MS = 2.01 },
		func(o *Observation) { o.Compilation = nil }},
	{"audio-variation", func(o *Observation) { o.Compilation.Uneven = 30 }, func(o *Observation) { o.Compilation.Uneven = 30.1 },
		func(o *Observation) { o.Compilation.Rows = 19 }},
	{"store-damaged", func(o *Observation) { o.Store.Damage = 0 }, func(o *Observation) { o.Store.Damage = 1 }, func(o *Observation) { o.Store = nil }},
	{"store-empty", func(o *Observation) { o.Store.Rows = 1 }, func(o *Observation) { o.Store.Rows = 0 }, func(o *Observation) { o.Store = nil }},
	{"driver", func(*Observation) {}, func(o *Observation) { o.Driver = &Driver{GPUs: 1, Why: "too old"} }, func(o *Observation) { o.Driver = nil }},
}

// disk is what of 100 bytes filled came from a disk, of so many bytes of samples.
func (o *Observation) disk(from, data uint64) {
	o.Steps.Disk, o.Steps.Filled, o.Steps.Data = from, 100, data
}

// TestEachRuleKeepsItsLimit: within it a rule says nothing, beyond it does, and nothing
// of what nobody observed. A rule without a line here is an error.
func TestEachRuleKeepsItsLimit(t *testing.T) {
	place := soundPlace(t)
	if found := Find(*sound(place)); len(found) > 0 {
		t.Fatalf("of a sound observation: %+v", found)
	}
	has := func(o *Observation, rule string) bool {
		return slices.ContainsFunc(Find(*o), func(v Verdict) bool { return v.Rule == rule })
	}
	seen := map[string]bool{}
	for _, c := range limitCases {
		seen[c.rule] = true
		within, beyond := sound(place), sound(place)
		c.within(within)
		c.beyond(beyond)
		if has(within, c.rule) || !has(beyond, c.rule) {
			t.Errorf("%s: within %t, beyond %t; want false and true\n%+v", c.rule, has(within, c.rule), has(beyond, c.rule), Find(*beyond))
		}
		if c.unknown(beyond); has(beyond, c.rule) {
			t.Errorf("%s fires of what is not known", c.rule)
		}
	}
	for _, r := range rules {
		if r.check != nil && !seen[r.ID] {
			t.Errorf("rule %s has no line of its limits", r.ID)
		}
	}
}

// configLimits has the same for the rules about configs, as settings of a sound one;
// NAME alone takes a setting away.
var configLimits = []struct{ rule, within, beyond, unknown string }{
	{"config-native", "use_tf_native_loading=true", "use_tf_native_loading=false", "use_tf_native_loading=${x}"},
	{"config-async", "enable_async_pipeline=true", "enable_async_pipeline=false", "enable_async_pipeline=${x}"},
	{"config-workers", "num_workers=16", "num_workers=17", "num_workers=${x}"},
	{"config-workers", "num_workers=2", "num_workers=1", "num_workers"},
	{"config-prefetch", "batch_size=16 prefetch_buffer_size=4", "batch_size=16 prefetch_buffer_size=3", "prefetch_buffer_size"},
	{"config-prefetch", "pipeline_buffer_size=3 prefetch_buffer_size=3", "pipeline_buffer_size=2 prefetch_buffer_size=2", "pipeline_buffer_size prefetch_buffer_size=2"},
	{"config-gpu-prefetch", "prefetch_to_gpu=true", "prefetch_to_gpu=false", "prefetch_to_gpu data_gpu"},
	{"config-gpu-prefetch", "prefetch_to_gpu=true", "prefetch_to_gpu=false", "prefetch_to_gpu=${x}"},
	{"config-batch", "batch_size=16", "batch_size=15", "batch_size"},
	{"config-batch", "batch_size=13100", "batch_size=13101", "batch_size=${x}"},
	{"config-shapes", "pad_to_fixed_length=true", "pad_to_fixed_length=false", "pad_to_fixed_length=${x}"},
	{"config-text-length", "max_text_length=233", "max_text_length=234", "max_text_length=${x}"},
	{"config-text-length", "max_text_length=233", "max_text_length=234", "tokenizer=phonemes"},
	{"config-mel-frames", "max_mel_frames=998", "max_mel_frames=999", "max_mel_frames"},
	{"config-mel-frames", "max_mel_frames=998", "max_mel_frames=999", "hop_length=200"},
	{"config-xla", "enable_xla=true", "enable_xla=false", "enable_xla=${x}"},
	{"config-precision", "mixed_precision=bf16", "mixed_precision=32", "mixed_precision=O1"},
	{"config-gpus", "model_gpu=1", "model_gpu=2", "model_gpu=${x}"},
	{"config-caps", "model_gpu_memory=22888", "model_gpu_memory=22889", "model_gpu_memory=${x}"}, // 24e9 bytes are 22,888.2 MiB
	{"config-gpu-prefetch-memory", "data_gpu_memory=125", "data_gpu_memory=124", "max_mel_frames=${x}"},
	{"config-values", "prefetch_buffer_size=50", "prefetch_buffer_size=51", "prefetch_buffer_size"},
}

// TestEachConfigRuleKeepsItsLimit; keys that are misspelt or another trainer's have no
// limit, and are told by package config.
func TestEachConfigRuleKeepsItsLimit(t *testing.T) {
	seen := map[string]bool{"config-spelling": true, "config-foreign": true}
	fires := func(rule string, changes ...string) bool {
		c := soundConfig()
		for _, change := range changes {
			for _, s := range strings.Fields(change) {
				c.set(s)
			}
		}
		return slices.ContainsFunc(Find(Observation{Config: c}), func(v Verdict) bool { return v.Rule == rule })
	}
	for _, c := range configLimits {
		seen[c.rule] = true
		if within, beyond := fires(c.rule, c.within), fires(c.rule, c.beyond); within || !beyond {
			t.Errorf("%s: %s %t, %s %t; want false and true", c.rule, c.within, within, c.beyond, beyond)
		}
		if fires(c.rule, c.beyond, c.unknown) {
			t.Errorf("%s fires for %s", c.rule, c.unknown)
		}
	}
	for _, r := range rules {
		if r.audit != nil && !seen[r.ID] {
			t.Errorf("rule %s has no line of its limits", r.ID)
		}
	}
}
