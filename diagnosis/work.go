package diagnosis

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Stage is a part of the way of a batch.
type Stage string

// The stages, in the order in which a batch goes through them.
const (
	Load       Stage = "load"       // read, decode, fill: on the host
	Copy       Stage = "copy"       // from the host to the first GPU
	Preprocess Stage = "preprocess" // on the data GPU
	Transfer   Stage = "transfer"   // from the data GPU to the GPU that trains
	Train      Stage = "train"
)

// Stages lists all stages in their order.
func Stages() []Stage { return []Stage{Load, Copy, Preprocess, Transfer, Train} }

// onDataGPU: these stages are there because a second GPU is.
func (s Stage) onDataGPU() bool { return s == Preprocess || s == Transfer }

// StageTime is how long a stage takes for a batch, in milliseconds.
type StageTime struct {
	Stage   Stage   `json:"stage"`
	MS      float64 `json:"ms"`       // of one batch, from its begin to its end
	FixedMS float64 `json:"fixed_ms"` // the part of it that does not grow with the batch
	Workers int     `json:"workers"`  // that work on batches of their own beside each other
}

// period is the time from one batch to the next where nothing else is slower.
func (t StageTime) period() float64 { return t.MS / float64(t.Workers) }

// Work is how long the stages of a training take, each at most once.
type Work struct {
	Stages []StageTime
	Batch  int    // samples; 0 is not known
	Memory Memory // of the GPU that trains
}

// Memory is what a training takes of a GPU, in MB of 1,000,000 bytes. Both are 0
// where it is not known.
type Memory struct {
	FixedMB     float64
	MBPerSample float64
}

// maxMS is the longest time of a stage that is believed: 11 days.
const maxMS = 1e9

// ErrWork is the error about times that cannot be estimated with.
var ErrWork = errors.New("cannot be estimated with")

// Check refuses what no training is, as hostile records and typos may have it.
func (w Work) Check() error {
	seen := map[Stage]bool{}
	sum := 0.0
	for _, t := range w.Stages {
		switch {
		case seen[t.Stage]:
			return fmt.Errorf("stage %s comes twice: %w", t.Stage, ErrWork)
		case !(t.MS >= 0 && t.MS <= maxMS):
			return fmt.Errorf("stage %s of %v ms: %w", t.Stage, t.MS, ErrWork)
		case !(t.FixedMS >= 0 && t.FixedMS <= t.MS):
			return fmt.Errorf("stage %s: %v of its %v ms are fixed: %w", t.Stage, t.FixedMS, t.MS, ErrWork)
		case t.Workers < 1:
			return fmt.Errorf("stage %s with %d workers: %w", t.Stage, t.Workers, ErrWork)
		}
		seen[t.Stage] = true
		sum += t.MS
	}
	m := w.Memory
	switch {
	case sum == 0:
		return fmt.Errorf("no stage takes any time: %w", ErrWork)
	case w.Batch < 0 || w.Batch > math.MaxInt32:
		return fmt.Errorf("a batch of %d samples: %w", w.Batch, ErrWork)
	case !(m.FixedMB >= 0 && m.FixedMB <= maxMS && m.MBPerSample >= 0 && m.MBPerSample <= maxMS):
		return fmt.Errorf("memory of %v + %v MB: %w", m.FixedMB, m.MBPerSample, ErrWork)
	}
	return nil
}

func (w Work) has(stage Stage) bool {
	return slices.ContainsFunc(w.Stages, func(t StageTime) bool { return t.Stage == stage })
}

// only is the work with the stages that keep says yes to.
func (w Work) only(keep func(Stage) bool) Work {
	var stages []StageTime
	for _, t := range w.Stages {
		if keep(t.Stage) {
			stages = append(stages, t)
		}
	}
	w.Stages = stages
	return w
}

// faster is the work with a stage that takes a part of its time, 0 for none.
func (w Work) faster(stage Stage, part float64) Work {
	stages := slices.Clone(w.Stages)
	for i, t := range stages {
		if t.Stage == stage {
			stages[i].MS, stages[i].FixedMS = t.MS*part, t.FixedMS*part
		}
	}
	w.Stages = stages
	return w
}

// sized is the work for another batch size: what is not fixed grows with it.
func (w Work) sized(batch int) Work {
	stages := slices.Clone(w.Stages)
	for i, t := range stages {
		stages[i].MS = t.FixedMS + (t.MS-t.FixedMS)*float64(batch)/float64(w.Batch)
	}
	w.Stages, w.Batch = stages, batch
	return w
}

// sum is the step where each batch goes through all stages before the next begins.
func (w Work) sum() float64 {
	total := 0.0
	for _, t := range w.Stages {
		total += t.MS
	}
	return total
}

// longest is the step where every stage works on a batch of its own: no stage
// can be overtaken, so that no step is shorter. Among equals the last stage is
// named, for a training that waits for nothing is bound by itself.
func (w Work) longest() (Stage, float64) {
	var found Stage
	most := 0.0
	for _, t := range w.Stages {
		if p := t.period(); p >= most {
			found, most = t.Stage, p
		}
	}
	return found, most
}
