package diagnose

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
	"voxpack/internal/perf"
)

// profile is the JSON of profile. Its figures are of the measured steps, but for
// those of stages and devices, which are of the whole run.
type profile struct {
	Measured measuredOn `json:"measured"`
	Trainer  trainerIs  `json:"trainer"`
	Dataset  string     `json:"dataset"` // root digest
	Ended    string     `json:"ended"`   // "done", "interrupted" or "failed"
	Batch    int        `json:"batch_size"`
	Warmup   int        `json:"warmup"`  // steps that were left out
	Batches  int64      `json:"batches"` // one more than steps
	Samples  int64      `json:"samples"`
	Seconds  float64    `json:"seconds"`
	Rate     float64    `json:"samples_per_second"`

	Step   feedrun.StepFigures     `json:"step"`
	Stall  stallFigures            `json:"stall"`
	Phases []diagnosis.PhaseTime   `json:"phases"` // of the step: they add up to it
	Stages []diagnosis.StageTime   `json:"stages"` // of a batch: they overlap
	GPUs   []feedrun.DeviceFigures `json:"devices"`
	Host   hostFacts               `json:"host"`

	Findings []diagnosis.Verdict `json:"findings"`
	Sweep    []sweepRow          `json:"sweep"` // of all batch sizes; the rest is of the one with most samples a second
	Notes    []string            `json:"notes"`
	Unseen   []unmeasured        `json:"unseen"`

	Attached *attached  `json:"attached"` // which running trainer; null: a run that profile made
	Others   []*profile `json:"others"`   // of other trainers of the feeder, the slowest first

	record   perf.RunRecord        // without its results
	observed diagnosis.Observation // by which findings are
}

// unmeasured is what a run could not see: "training", "gpus", "nvml" or "host".
type unmeasured struct {
	What string `json:"what"`
	GPUs []int  `json:"gpus"`
	Text string `json:"text"`
}

// measuredOn says what took the batches.
type measuredOn string

// The kinds of devices.
const (
	onHost      measuredOn = "host"
	onSimulated measuredOn = "simulated"
	onFake      measuredOn = "fake" // the tests' libcuda, which computes nothing
	onGPU       measuredOn = "gpu"
)

// trainerIs says who kept the batches.
type trainerIs string

// The trainers.
const (
	noTrainer        trainerIs = "none"
	simulatedTrainer trainerIs = "simulated"
	runningTrainer   trainerIs = "running" // see Attached
)

type stallFigures struct {
	Fraction float64 `json:"fraction"` // of the steps' time
}

// sweepRow is what a batch size does.
type sweepRow struct {
	Batch    int      `json:"batch_size"`
	StepMS   float64  `json:"step_ms"`
	StdMS    float64  `json:"std_ms"`
	Rate     float64  `json:"samples_per_second"`
	Load     float64  `json:"load"` // shares of the step, 0 to 1
	Transfer float64  `json:"transfer"`
	Train    float64  `json:"train"`
	Busy     *float64 `json:"utilisation"` // percent, of the GPU that trains; null: not known
	MemoryMB *float64 `json:"memory_mb"`   // of it: in use, or where nobody knows taken by the feed; null: no GPU
	Finding  string   `json:"finding"`     // the rule of the first one; "": none
}

// newProfile sums a run up.
func newProfile(m *measuring, run *feedrun.Measured, feed *feedrun.Options, targets diagnosis.Targets) *profile {
	s := m.taken.Summary()
	phases := m.phases.Phases()
	p := &profile{
		Measured: kindOf(run), Trainer: noTrainer, Dataset: run.Dataset, Ended: run.Ended, Batch: feed.Batch, Warmup: int(m.warmup),
		Batches: s.Count + 1, Samples: m.samples, Seconds: m.taken.Sum().Seconds(),
		Step:   feedrun.StepFiguresOf(s),
		Phases: phases.Times, Stages: []diagnosis.StageTime{}, GPUs: run.Devices, Host: m.host.facts(s.Count),
		Sweep: []sweepRow{}, Notes: slices.Clone(run.Notes), Unseen: []unmeasured{}, Others: []*profile{},
	}
	if feed.StepMS() > 0 {
		p.Trainer = simulatedTrainer
	}
	if p.Seconds > 0 {
		p.Rate, p.Stall.Fraction = float64(m.samples)/p.Seconds, m.stall.Seconds()/p.Seconds
	}
	p.record = recordOf(run, feed, m)
	if w, err := runs.WorkOf(p.record); err == nil {
		p.Stages = w.Stages
	}
	p.observed = p.observe(run, phases, targets)
	p.Findings = diagnosis.Find(p.observed)
	p.see()
	return p
}

// fakeGPU is how the names of the fake driver's GPUs begin.
const fakeGPU = "Fake GPU "

// kindOf says where a run was. The fake driver says so in the names of its GPUs.
func kindOf(run *feedrun.Measured) measuredOn {
	fake := func(d feedrun.DeviceFigures) bool { return strings.HasPrefix(d.Name, fakeGPU) }
	switch {
	case run.Driver == "":
		return onHost
	case run.Driver == "sim":
		return onSimulated
	case slices.ContainsFunc(run.Devices, fake):
		return onFake
	}
	return onGPU
}

// sized adds what runs with other batch sizes say of this one: the part of each stage
// that does not grow with the batch.
func (p *profile) sized(sizes []diagnosis.Work) {
	if p.observed.Work == nil {
		return
	}
	w := p.observed.Work.WithFixed(sizes)
	p.observed.Work = &w
	for i, t := range p.Stages {
		for _, fixed := range w.Stages {
			if fixed.Stage == t.Stage {
				p.Stages[i].FixedMS = min(fixed.FixedMS, t.MS)
			}
		}
	}
	p.Findings = diagnosis.Find(p.observed)
}

// observe is what the rules look at: what the run knows, with the figures of the
// measured steps. The tail of an epoch does not concern a profile.
func (p *profile) observe(run *feedrun.Measured, phases *diagnosis.Phases, targets diagnosis.Targets) diagnosis.Observation {
	o := run.Observed
	setup := *o.Setup
	setup.Tail = ""
	o.Setup, o.Phases, o.Targets, o.Host = &setup, phases, targets, p.Host.observed(p.Batches-1, p.Trainer != noTrainer)
	if o.Steps != nil {
		steps := *o.Steps
		steps.Mean, steps.Variation, steps.Stall = p.Step.Mean, p.Step.Variation, p.Stall.Fraction
		o.Steps = &steps
	}
	return o
}

// see lists what the run could not see.
func (p *profile) see() {
	add := func(what, text string, gpus ...int) {
		p.Unseen = append(p.Unseen, unmeasured{what, append([]int{}, gpus...), text})
	}
	if p.Trainer == noTrainer {
		add("training", "nobody trained: the step is the wait for data; give your trainer's step, as in --step-ms 150")
	}
	switch a := p.Attached; {
	case a == nil:
	case a.Hidden:
		add("training", "threads take batches ahead of the loop, as tf.data does: what the trainer waits for is not known; put \"with ds.step():\" around what trains on a batch")
	case !a.Marked:
		add("training", "no step is marked: training and what lies between steps are one figure; put \"with ds.step():\" around what trains on a batch")
	}
	if p.Measured == onHost {
		add("gpus", "batches stayed in host memory: nothing is known of copies and of GPUs")
	}
	var dark []int
	for _, d := range p.GPUs {
		if d.Utilisation == nil {
			dark = append(dark, d.GPU)
		}
	}
	if dark != nil {
		why := "NVML does not answer"
		if p.Measured == onSimulated {
			why = "simulated GPUs have none"
		}
		add("nvml", "how busy and full GPUs were: "+why, dark...)
	}
	if p.Host.CPU == nil {
		why := "the system does not tell"
		if p.Attached != nil && p.Attached.Kept {
			why = "these steps are from before anybody looked"
		}
		add("host", "how busy the machine was, its swap, memory of the process: "+why)
	}
}

// row is the profile as a line of a sweep.
func (p *profile) row() sweepRow {
	r := sweepRow{Batch: p.Batch, StepMS: p.Step.Mean, StdMS: p.Step.Std, Rate: p.Rate}
	for _, t := range p.Phases {
		switch t.Phase {
		case diagnosis.LoadPhase:
			r.Load = t.Share
		case diagnosis.TransferPhase:
			r.Transfer = t.Share
		case diagnosis.TrainPhase:
			r.Train = t.Share
		}
	}
	if len(p.GPUs) > 0 {
		d := p.GPUs[len(p.GPUs)-1]
		r.Busy, r.MemoryMB = d.Utilisation, d.MemoryMB
		if r.MemoryMB == nil {
			r.MemoryMB = &d.TakenMB
		}
	}
	if len(p.Findings) > 0 {
		r.Finding = p.Findings[0].Rule
	}
	return r
}

// recordOf is the run record, which estimate and compare read. Its stages are of
// the whole run, as a feed's are.
func recordOf(run *feedrun.Measured, feed *feedrun.Options, m *measuring) perf.RunRecord {
	settings := run.Settings
	settings["num_steps"], settings["warmup"] = int(m.steps), int(m.warmup)
	return perf.RunRecord{
		Kind: "profile", Version: feed.Version, Started: run.Started, Seconds: run.Seconds, Host: perf.ReadHost(os.DirFS("/"), runtime.GOMAXPROCS(0)),
		Settings: settings, Stages: run.Stages, Notes: run.Notes,
	}
}

// writeRecord writes the file of --record.
func (o *ProfileOptions) writeRecord(p *profile) error {
	err := p.record.SetResults(p)
	if err == nil {
		err = p.record.WriteFile(o.record)
	}
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}
