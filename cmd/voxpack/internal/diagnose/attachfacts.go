package diagnose

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
	"voxpack/gpufeed/serve"
	"voxpack/internal/perf"
)

// attached says which trainer a profile is of.
type attached struct {
	Feeder  int  `json:"feeder"`  // process
	Trainer int  `json:"trainer"` // process; 0: not known
	Session int  `json:"session"`
	Rank    int  `json:"rank"`
	World   int  `json:"world"`
	Marked  bool `json:"marked"` // it marks its steps, so that training and gaps are apart
	Hidden  bool `json:"hidden"` // batches are taken ahead and no step is marked: waits are not known
	Kept    bool `json:"kept"`   // steps from before anybody looked
}

// profiles is the profile of the slowest trainer, with those of the others; nil:
// nobody made a step.
func (w *watching) profiles(targets diagnosis.Targets, ended string) *profile {
	all := []*profile{}
	for _, s := range w.seen {
		if list := s.steps.List; len(list) > 0 {
			s.steps.List = list[max(0, len(list)-w.options.steps):]
			all = append(all, w.profile(s, targets, ended))
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b *profile) int {
		return cmp.Or(cmp.Compare(b.Step.Mean, a.Step.Mean), cmp.Compare(a.Attached.Session, b.Attached.Session))
	})
	all[0].Others = all[1:]
	return all[0]
}

// profile sums up what one trainer did.
func (w *watching) profile(s *seen, targets diagnosis.Targets, ended string) *profile {
	var taken, worked perf.Histogram
	var meter diagnosis.PhaseMeter
	var stall time.Duration
	copies := s.copies()
	for _, step := range s.steps.List {
		moved := time.Duration(copies * float64(step.Load))
		load, transfer, train := step.Load-moved, step.Copy+moved, step.Train
		if !s.steps.Marked {
			train = step.Took - load - transfer
		}
		meter.Step(step.Took, load, transfer, train)
		taken.Record(step.Took)
		worked.Record(step.Took - step.Load - step.Copy)
		stall += step.Load + step.Copy
	}
	t := taken.Summary()
	phases := meter.Phases()
	if !s.steps.Marked { // training has what would be gaps
		phases.Times = slices.DeleteFunc(phases.Times, func(t diagnosis.PhaseTime) bool { return t.Phase == diagnosis.GapsPhase })
	}
	p := &profile{
		Measured: s.where(), Trainer: runningTrainer, Dataset: w.last.Dataset.Root, Ended: ended, Batch: s.Batch,
		Batches: t.Count + 1, Samples: t.Count * int64(s.Samples), Seconds: taken.Sum().Seconds(),
		Step: feedrun.StepFiguresOf(t), Phases: phases.Times, Stages: []diagnosis.StageTime{}, GPUs: s.devices(), Host: w.host.facts(0),
		Sweep: []sweepRow{}, Notes: []string{}, Unseen: []unmeasured{}, Others: []*profile{},
		Attached: &attached{w.last.PID, s.PID, s.ID, s.Rank, s.World, s.steps.Marked, s.steps.Hidden, w.options.kept},
	}
	if p.Seconds > 0 {
		p.Rate, p.Stall.Fraction = float64(p.Samples)/p.Seconds, stall.Seconds()/p.Seconds
	}
	p.record = w.recordOf(s, worked.Summary(), p)
	o := w.observed(s, p, phases, targets)
	if work, err := runs.WorkOf(p.record); err == nil {
		p.Stages, o.Work = work.Stages, &work
	}
	p.observed, p.Findings = o, diagnosis.Find(o)
	p.see()
	return p
}

// copies is the part of waits for a batch that is for its copies: what they were
// late by, of all that made batches late since the first look.
func (s *seen) copies() float64 {
	all, copies := 0.0, 0.0
	for i, ms := range s.Late {
		if i < len(s.late) {
			ms -= s.late[i]
		}
		if all += ms; i > 0 {
			copies += ms
		}
	}
	if all <= 0 {
		return 0
	}
	return min(1, copies/all)
}

// where says where the feeder left the batches.
func (s *seen) where() measuredOn {
	fake := func(d serve.Used) bool { return strings.HasPrefix(d.Name, fakeGPU) }
	switch {
	case s.GPU == nil:
		return onHost
	case slices.ContainsFunc(s.Devices, fake):
		return onFake
	}
	return onGPU
}

func (s *seen) devices() []feedrun.DeviceFigures {
	list := []feedrun.DeviceFigures{}
	for _, d := range s.Devices {
		f := feedrun.DeviceFigures{Name: d.Name, GPU: d.GPU, Role: d.Role, Bus: d.Bus, TakenMB: float64(d.Taken) / 1e6}
		if d.Utilisation >= 0 {
			f.Utilisation = &d.Utilisation
		}
		if d.Memory >= 0 {
			most := float64(d.Memory) / 1e6
			f.MemoryMB = &most
		}
		list = append(list, f)
	}
	return list
}

// observed is what the rules look at.
func (w *watching) observed(s *seen, p *profile, phases *diagnosis.Phases, targets diagnosis.Targets) diagnosis.Observation {
	o := diagnosis.Observation{
		Setup: feedrun.ServedSetup(s.Session, w.last.Cores), Phases: phases, Host: p.Host.observed(p.Batches-1, true), Targets: targets,
	}
	o.Setup.Tail = "" // of an epoch, which does not concern a profile
	if s.steps.Hidden {
		o.Phases = nil
	}
	if s.steps.Hidden || !feedrun.KnowsServed(s.Session) {
		return o
	}
	o.Steps = feedrun.StepsOf(feedrun.ServedStats(s.Session), len(s.Fillers), w.last.Cores)
	o.Steps.Mean, o.Steps.Variation, o.Steps.Stall, o.Steps.Running = p.Step.Mean, p.Step.Variation, p.Stall.Fraction, true
	return o
}

// recordOf is the run record. Its stages are those of the whole session, but for
// the consumer: that is the trainer, in the steps that count.
func (w *watching) recordOf(s *seen, worked perf.Summary, p *profile) perf.RunRecord {
	stages := slices.Clone(s.Stages)
	if len(stages) > 0 {
		stages[len(stages)-1].Work = worked
	}
	age := time.Duration(w.last.Now - s.Started)
	return perf.RunRecord{
		Kind: "profile", Version: w.options.Version, Started: time.Now().Add(-age), Seconds: p.Seconds,
		Host: perf.ReadHost(os.DirFS("/"), runtime.GOMAXPROCS(0)),
		Settings: map[string]any{
			"attached": true, "marked": s.steps.Marked, "kept": w.options.kept, "num_steps": len(s.steps.List),
			"batch_size": s.Batch, "world": s.World, "rank": s.Rank, "workers": max(1, len(s.Fillers)), "seed": s.Setup.Seed, "split": s.Setup.Split,
			"shuffle": s.Setup.Shuffle, "tail": s.Setup.Tail, "epochs": s.Setup.Epochs, "segment": s.Setup.Segment, "reference": s.Setup.Reference,
			"checksums": s.Setup.Checks, "prefetch_buffer_size": s.Setup.Depth, "transport": s.Transport,
		},
		Stages: stages, Notes: []string{},
	}
}
