package diagnosis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// paced is the step of a training by another way than the model's: batch after batch
// goes through stages whose workers each hold one at a time, with room between them
// that is never short. It is the time from one batch to the next once all are busy.
func paced(w Work) float64 {
	const batches, steady = 640, 320    // workers finish in rounds: whole ones are counted
	arrived := make([]float64, batches) // at the stage in turn
	for _, t := range w.Stages {
		done := make([]float64, batches)
		for i := range done {
			begin := arrived[i]
			if i >= t.Workers {
				begin = max(begin, done[i-t.Workers]) // until a worker is free
			}
			done[i] = begin + t.MS
			if i > 0 {
				done[i] = max(done[i], done[i-1]) // batches stay in order
			}
		}
		arrived = done
	}
	return (arrived[batches-1] - arrived[steady-1]) / (batches - steady)
}

// brought is the part of the step that a change takes away, by paced.
func brought(now, then Work) float64 { return 1 - paced(then)/paced(now) }

// changed is a work with the time of a stage multiplied; workers of 0 stay.
func changed(w Work, stage Stage, times float64, workers int) Work {
	var stages []StageTime
	for _, t := range w.Stages {
		if t.Stage == stage {
			t.MS *= times
			if workers > 0 {
				t.Workers = workers
			}
		}
		stages = append(stages, t)
	}
	w.Stages = stages
	return w
}

// gainCase is a cause, and the training without it, worked out here by hand.
type gainCase struct {
	rule  string
	plant func(*Observation)
	cured func(Observation) Work
}

var gainCases = []gainCase{
	{"workers-few", func(o *Observation) {
		o.Steps.Cores, o.Steps.Fillers = 8, 2
		*o.Work = changed(*o.Work, Load, 12, 2)
	}, func(o Observation) Work { return changed(*o.Work, Load, 1, 8) }},
	{"slow-fill", func(o *Observation) {
		o.Steps.FillRate = 0.25e9
		*o.Work = changed(*o.Work, Load, 16, 0)
	}, func(o Observation) Work { return changed(*o.Work, Load, 0.25, 0) }},
	{"slow-disk", func(o *Observation) {
		o.Steps.FillRate, o.Steps.Disk, o.Steps.Filled = 0.5e9, 6e9, 8e9
		*o.Work = changed(*o.Work, Load, 16, 0)
	}, func(o Observation) Work { return changed(*o.Work, Load, 0.5, 0) }},
	{"cold-cache", func(o *Observation) {
		o.Steps.FillRate, o.Steps.Disk, o.Steps.Filled, o.Steps.Data, o.Steps.Memory = 0.1e9, 6e9, 8e9, 6e9, 64e9
		*o.Work = changed(*o.Work, Load, 30, 0)
	}, func(o Observation) Work { return changed(*o.Work, Load, 0.1, 0) }},
	{"slow-link", func(o *Observation) {
		o.Steps.CopyRate = 2e9
		*o.Work = changed(*o.Work, Copy, 20, 0)
	}, func(o Observation) Work { return changed(*o.Work, Copy, 0.2, 0) }},
	{"slow-peer", func(o *Observation) {
		o.Steps.PeerRate = 4e9
		*o.Work = changed(*o.Work, Transfer, 20, 0)
	}, func(o Observation) Work { return changed(*o.Work, Transfer, 0.4, 0) }},
	{"no-peer", func(o *Observation) {
		o.Steps.Staged = true
		*o.Work = changed(*o.Work, Transfer, 20, 0)
	}, func(o Observation) Work { return changed(*o.Work, Transfer, 0, 0) }},
	{"padding", func(o *Observation) {
		o.Steps.Real = 0.25
		*o.Work = changed(*o.Work, Copy, 20, 0)
	}, func(o Observation) Work {
		return changed(changed(changed(*o.Work, Copy, 0.25, 0), Load, 0.25, 0), Transfer, 0.25, 0)
	}},
	{"mel-f32", func(o *Observation) {
		o.Steps.Halved = 0.45
		*o.Work = changed(*o.Work, Copy, 20, 0)
	}, func(o Observation) Work {
		return changed(changed(changed(*o.Work, Copy, 0.55, 0), Load, 0.55, 0), Transfer, 0.55, 0)
	}},
	{"bound", func(o *Observation) { *o.Work = changed(*o.Work, Copy, 20, 0) },
		func(o Observation) Work { return changed(*o.Work, Copy, 0, 0) }},
	{"checksums-always", func(o *Observation) {
		s := soundSetup
		s.Checks = "always"
		o.Setup = &s
		*o.Work = changed(*o.Work, Load, 12, 0)
		o.Steps.Checking = o.Work.stage(Load).MS * 0.6
	}, func(o Observation) Work { return changed(*o.Work, Load, 0.4, 0) }},
}

// TestGainsAreWhatTheCureBrings: over random trainings, the gain that a rule states is
// that of a pipeline whose batches are followed one by one, with the cause and without.
func TestGainsAreWhatTheCureBrings(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	ms := func(least, most float64) float64 { return least + (most-least)*r.Float64() }
	for _, c := range gainCases {
		fired := 0
		for range 40 {
			w := Work{Batch: 16, Stages: []StageTime{{Load, ms(8, 12), 0, 4}, {Copy, ms(1, 3), 0, 1}, {Transfer, ms(1, 3), 0, 1}, {Train, ms(8, 14), 0, 1}}}
			o := Observation{Steps: &Steps{Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 2e9, CopyRate: 12e9, PeerRate: 12e9, Slots: 3, Real: 1}, Work: &w}
			c.plant(&o)
			o.Steps.Mean = paced(*o.Work)
			found := Find(o)
			if len(found) == 0 || found[0].Rule != c.rule {
				continue // what is planted may be hidden by the training
			}
			fired++
			want := brought(*o.Work, c.cured(o))
			if v := found[0]; v.Gain == nil || math.Abs(*v.Gain-want) > 1e-3 {
				t.Errorf("%s: a gain of %v, and following batches brings %.4f: %+v", c.rule, *v.Gain, want, o.Work.Stages)
			}
		}
		if fired < 20 {
			t.Errorf("%s: first in %d of 40 trainings, want most", c.rule, fired)
		}
	}
}

// TestGainsOfDelays: where no stage is too slow, the gain is the step less the longest
// stage, which batches followed one by one take without delays.
func TestGainsOfDelays(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		plant func(*Observation)
	}{
		{"ring-small", func(*Observation) {}},
		{"slow-worker", func(o *Observation) { o.Steps.Typical, o.Steps.Slowest = 4, 33 }},
		{"batches-kept", func(o *Observation) { o.Steps.Kept = 31 }},
		{"no-overlap", func(o *Observation) { *o.Work = changed(changed(*o.Work, Copy, 2, 0), Load, 1, 1) }},
		{"gpu-memory-small", func(o *Observation) {
			s := soundGPUs
			s.ModelCap, s.DeviceDepth = 8e6, 3
			o.Setup = &s
		}},
		{"swap", func(o *Observation) { o.Host = &Host{Swapping: 300} }},
	} {
		for _, delay := range []float64{0.4, 1, 6, 20} { // ms a step
			w := Work{Batch: 16, Stages: []StageTime{{Load, 4, 0, 4}, {Copy, 2, 0, 1}, {Train, 10, 0, 1}}}
			o := Observation{Steps: &Steps{Depth: 8, MaxDepth: 16, Fillers: 4, Cores: 4, FillRate: 2e9, CopyRate: 12e9, Kept: 10, Slots: 3, Real: 1, Typical: 4, Slowest: 4}, Work: &w}
			tt.plant(&o)
			without := paced(*o.Work)
			o.Steps.Mean = without + delay
			if tt.rule == "no-overlap" {
				o.Steps.Mean = 4 + 4 + 10 // all stages in turn
			}
			want := 1 - without/o.Steps.Mean
			var v *Verdict
			for _, f := range Find(o) {
				if f.Rule == tt.rule {
					v = &f
				}
			}
			always := tt.rule == "swap" || tt.rule == "gpu-memory-small" // they speak of what they see, whatever it costs
			switch {
			case want < worth && !always:
				if v != nil {
					t.Errorf("%s: %.1f %% of the step is in what runs vary by: %+v", tt.rule, 100*want, v)
				}
			case v == nil || v.Gain == nil || math.Abs(*v.Gain-want) > 1e-3:
				t.Errorf("%s: delays of %v ms: %+v, want a gain of %.4f", tt.rule, delay, v, want)
			}
		}
	}
}

// TestTheGainOfALargerBatch is the time of a sample, with the fixed part spread over
// four times as many.
func TestTheGainOfALargerBatch(t *testing.T) {
	for _, tt := range []struct{ fixed, growing, want float64 }{
		{10, 10, 1 - (10+4*10)/4.0/20}, {30, 10, 1 - (30+4*10)/4.0/40}, {10, 0, 0.75}, {9.9, 10, -1}, {0, 10, -1},
	} {
		o := Observation{Work: &Work{Batch: 8, Stages: []StageTime{{Train, tt.fixed + tt.growing, tt.fixed, 1}}}}
		found := Find(o)
		if tt.want < 0 {
			if len(found) > 0 {
				t.Errorf("%v + %v ms: %+v, want nothing", tt.fixed, tt.growing, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Rule != "batch-small" || math.Abs(*found[0].Gain-tt.want) > 1e-9 {
			t.Errorf("%v + %v ms: %+v, want a gain of %v", tt.fixed, tt.growing, found, tt.want)
		}
	}
}

// TestEstimatesByFollowingBatches: the step where all stages work beside each other,
// and what it would be if one of them took half of its time or none, are those of
// batches that are followed one by one. In turn a step is the sum.
func TestEstimatesByFollowingBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for range 100 {
		w := Work{Batch: 16}
		sum := 0.0
		for i, stage := range Stages() {
			ms := 1 + 30*r.Float64()
			w.Stages = append(w.Stages, StageTime{stage, ms, 0, []int{4, 1, 1, 1, 1}[i]})
			sum += ms
		}
		e, err := NewEstimate(w, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range e.Modes {
			want := map[Mode]float64{DualAsync: paced(w), DualSync: sum}[m.Mode]
			if want > 0 && math.Abs(m.StepMS-want) > 1e-6*want {
				t.Errorf("%s: a step of %v ms, want %v: %+v", m.Mode, m.StepMS, want, w.Stages)
			}
		}
		for _, u := range e.SpeedUps {
			half, none := paced(changed(w, u.Stage, 0.5, 0)), paced(changed(w, u.Stage, 0, 0))
			if math.Abs(u.HalfAsync-half) > 1e-6*half || math.Abs(u.FreeAsync-none) > 1e-6*none {
				t.Errorf("%s: %v and %v ms, want %v and %v: %+v", u.Stage, u.HalfAsync, u.FreeAsync, half, none, w.Stages)
			}
		}
	}
}
