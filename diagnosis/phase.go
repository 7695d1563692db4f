package diagnosis

import (
	"time"

	"voxpack/internal/perf"
)

// Phase is a part of a step as who trains sees it. What goes on meanwhile counts
// nowhere: loading that nobody waits for takes no part of a step.
type Phase string

// The phases, in the order in which they are shown.
const (
	LoadPhase       Phase = "load"       // the wait for a batch that was filled late
	PreprocessPhase Phase = "preprocess" // on a data GPU; a dataset that voxpack built needs none
	TransferPhase   Phase = "transfer"   // the wait for a batch that was copied late, to a GPU or between two
	TrainPhase      Phase = "train"      // somebody had the batch
	GapsPhase       Phase = "gaps"       // the rest of the step
)

// PhaseTime is a phase over all steps of a run.
type PhaseTime struct {
	Phase  Phase   `json:"phase"`
	MeanMS float64 `json:"mean_ms"`
	StdMS  float64 `json:"std_ms"`
	Share  float64 `json:"share"` // of the step, 0 to 1
}

// Phases are what steps were spent on. They add up to the step, because gaps are
// what no other phase has.
type Phases struct {
	StepMS float64
	Times  []PhaseTime // one for each phase, in their order
}

// Of is a phase's share of the step.
func (p *Phases) Of(phase Phase) float64 {
	for _, t := range p.Times {
		if t.Phase == phase {
			return t.Share
		}
	}
	return 0
}

// misses reports whether a phase takes a larger part of the step than a target in
// percent says. Without training everything is a wait, which says nothing.
func (p *Phases) misses(phase Phase, target float64) bool {
	return p != nil && p.Of(TrainPhase) > 0 && 100*p.Of(phase) > target
}

// late reports whether a rule of a phase says why the trainer waits.
func (p *Phases) late(t Targets) bool {
	return p.misses(LoadPhase, t.Of(LoadMost)) || p.misses(TransferPhase, t.Of(TransferMost))
}

// PhaseMeter takes the steps of a run apart. It keeps sums alone, so that a run
// may have any number of steps.
type PhaseMeter struct {
	steps, load, transfer, train, gaps perf.Spread
}

// Step counts a step: what it took, how much of it was waited for filling and for
// copies, and how long somebody trained.
func (m *PhaseMeter) Step(took, load, transfer, train time.Duration) {
	m.steps.Add(ms(took))
	m.load.Add(ms(load))
	m.transfer.Add(ms(transfer))
	m.train.Add(ms(train))
	m.gaps.Add(ms(took - load - transfer - train))
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// Phases sums up.
func (m *PhaseMeter) Phases() *Phases {
	p := &Phases{StepMS: m.steps.Mean()}
	for _, t := range []struct {
		phase Phase
		of    perf.Spread
	}{{LoadPhase, m.load}, {PreprocessPhase, perf.Spread{}}, {TransferPhase, m.transfer}, {TrainPhase, m.train}, {GapsPhase, m.gaps}} {
		time := PhaseTime{Phase: t.phase, MeanMS: t.of.Mean(), StdMS: t.of.Std()}
		if p.StepMS > 0 {
			time.Share = t.of.Mean() / p.StepMS
		}
		p.Times = append(p.Times, time)
	}
	return p
}
