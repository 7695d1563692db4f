package feedrun

import (
	"slices"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/store"
)

// observe is all that the run knows of its training. Without a trainer nothing is
// said of steps and stages: what they cost shows beside training only.
func (r *run) observe(s gpufeed.Stats) diagnosis.Observation {
	o := diagnosis.Observation{Setup: r.setup(), Place: r.feed.Place()}
	if place := r.options.planted.place; place != nil {
		o.Place = place
	}
	for _, u := range s.Devices {
		o.GPUs = append(o.GPUs, diagnosis.GPUUse{GPU: u.GPU, Role: u.Role, Busy: u.Before})
	}
	if use := r.options.planted.gpus; use != nil {
		o.GPUs = use
	}
	if r.trainer == nil || s.Batches <= fewestSteps {
		return o
	}
	beside := r.beside()
	o.Host, o.Steps, o.Work = beside.host(s.Step.TotalMS), r.steps(s, beside), WorkOf(s, r.config.Plan.Share(), r.options.fillers())
	return o
}

// WorkOf is how long each stage of a feed takes for a batch of so many samples.
func WorkOf(s gpufeed.Stats, share, fillers int) *diagnosis.Work {
	w := &diagnosis.Work{Batch: share}
	for i, name := range stagesOf(len(s.Stages)) {
		t := diagnosis.StageTime{Stage: name, MS: s.Stages[i].Work.MeanMS, Workers: 1}
		if name == diagnosis.Load {
			t.Workers = min(fillers, s.Depth) // each has a batch of its own
		}
		w.Stages = append(w.Stages, t)
	}
	return w
}

// stagesOf names the n stages of a feed: there is a copy for each GPU of the way.
func stagesOf(n int) []diagnosis.Stage {
	copies := []diagnosis.Stage{diagnosis.Copy, diagnosis.Transfer}[:n-2]
	return slices.Concat([]diagnosis.Stage{diagnosis.Load}, copies, []diagnosis.Stage{diagnosis.Train})
}

// steps is what tells why the run's steps are as long as they are.
func (r *run) steps(s gpufeed.Stats, beside machine) *diagnosis.Steps {
	m, schema, fill := StepsOf(s, r.options.fillers(), r.cores()), r.set.Dataset().Root.Schema, s.Stages[0]
	m.Jitter, m.Halved = r.trainer.jitter > 0, Halved(schema, r.config)
	m.Disk, m.Filled, m.Memory = beside.disk, uint64(fill.Bytes), beside.memory
	m.Data = batchBytes(schema, r.config) / uint64(r.config.Plan.Share()) * uint64(r.set.Selected())
	if beside.checked > 0 {
		m.Checking = 1000 * part(float64(fill.Bytes), float64(fill.Work.Count)*beside.checked)
	}
	return m
}

// StepsOf is what the figures of a feed tell of a training's steps.
func StepsOf(s gpufeed.Stats, fillers, cores int) *diagnosis.Steps {
	fill, last := s.Stages[0], len(s.Stages)-1
	m := &diagnosis.Steps{
		Variation: s.Step.Variation(), Mean: s.Step.MeanMS, Stall: part(s.Stall.TotalMS, s.Step.TotalMS), Depth: s.Depth,
		Fillers: fillers, Cores: cores,
		Fill: fill.Work.MeanMS / float64(fillers), FillRate: 1000 * part(float64(fill.Bytes), fill.Work.TotalMS),
		Kept: s.KeptMS, Slots: s.Slots, MaxDepth: s.MaxDepth, Real: s.Real, Staged: s.Staged,
	}
	for i, stage := range s.Stages[1:last] {
		m.Copying = max(m.Copying, stage.Work.MeanMS)
		rate := 1000 * part(float64(stage.Bytes), stage.Work.TotalMS)
		if i == 0 {
			m.CopyRate = rate
		} else {
			m.PeerRate = rate
		}
	}
	m.Typical, m.Slowest = workersOf(s.Fillers)
	return m
}

// fewFills: the mean of fewer batches says little of a worker.
const fewFills = 3

// workersOf is what the worker in the middle and the slowest one need for a batch.
func workersOf(fillers []gpufeed.FillerStats) (typical, slowest float64) {
	var all []float64
	for _, f := range fillers {
		if f.Batches >= fewFills {
			all = append(all, f.MeanMS)
		}
	}
	if len(all) < 2 {
		return 0, 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2], all[len(all)-1]
}

// Halved is the part of a batch's bytes that an f16 mel takes away.
func Halved(schema store.Schema, c gpufeed.Config) float64 {
	l, err := gpufeed.NewLayout(schema, c.Plan.Share(), gpufeed.Form{Segment: c.Segment, Reference: c.Reference, Columns: c.Columns, Extra: c.Extra})
	if err != nil {
		return 0 // the feed is open: it made the same layout
	}
	mel, there := l.Field("mel")
	if !there || mel.Column.DType != store.Float32 {
		return 0
	}
	return float64(mel.Size*l.Samples) / 2 / float64(l.Bytes)
}

// part is a / b, 0 where there is no b.
func part(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
