package diagnosis

import "fmt"

// Mode is how the stages of a training follow each other.
type Mode string

// The modes. A single GPU has no data GPU's stages (preprocess, transfer).
const (
	Single      Mode = "single"       // one GPU; a batch is loaded when the one before is trained on
	SingleAhead Mode = "single-ahead" // one GPU; batches are loaded during training
	DualSync    Mode = "dual-sync"    // two GPUs; all stages in turn
	DualAsync   Mode = "dual-async"   // two GPUs; each stage has a batch of its own
)

// Estimate is what stage times say about a training.
type Estimate struct {
	Batch    int         `json:"batch_size"` // 0: not known
	Stages   []StageTime `json:"stages"`
	Modes    []ModeTime  `json:"modes"`
	SpeedUps []SpeedUp   `json:"speed_ups"`
	Sizes    []SizeTime  `json:"sizes"` // none where the batch is not known
	Choice   Choice      `json:"choice"`
	Findings []Verdict   `json:"findings"`
}

// ModeTime is the step of a mode.
type ModeTime struct {
	Mode           Mode     `json:"mode"`
	StepMS         float64  `json:"step_ms"`
	StepsPerSecond float64  `json:"steps_per_second"`
	Samples        *float64 `json:"samples_per_second"` // null: the batch is not known
	Bound          Stage    `json:"bound"`              // the longest stage
}

// SpeedUp is what a faster stage brings: the steps of DualSync and DualAsync
// with this stage in half its time, and with none.
type SpeedUp struct {
	Stage     Stage   `json:"stage"`
	Share     float64 `json:"share"` // of all stages in turn, 0 to 1
	HalfSync  float64 `json:"half_sync_ms"`
	HalfAsync float64 `json:"half_async_ms"`
	FreeSync  float64 `json:"free_sync_ms"`
	FreeAsync float64 `json:"free_async_ms"`
}

// SizeTime is the step at a batch size, with each stage on a batch of its own.
type SizeTime struct {
	Batch          int      `json:"batch_size"`
	StepMS         float64  `json:"step_ms"`
	StepsPerSecond float64  `json:"steps_per_second"`
	Samples        float64  `json:"samples_per_second"`
	Bound          Stage    `json:"bound"`
	MemoryMB       *float64 `json:"memory_mb"` // null: not known
}

// step is the step of a mode. A step is never shorter than the longest stage
// that the mode has.
func (w Work) step(mode Mode) ModeTime {
	if mode == Single || mode == SingleAhead {
		w = w.only(func(s Stage) bool { return !s.onDataGPU() })
	}
	bound, ms := w.longest()
	if mode == Single || mode == DualSync {
		ms = w.sum()
	}
	m := ModeTime{Mode: mode, StepMS: ms, Bound: bound}
	if ms > 0 {
		m.StepsPerSecond = 1000 / ms
	}
	if w.Batch > 0 {
		samples := m.StepsPerSecond * float64(w.Batch)
		m.Samples = &samples
	}
	return m
}

// NewEstimate works out all modes of a training, and the given batch sizes.
func NewEstimate(w Work, sizes []int) (*Estimate, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	e := &Estimate{Batch: w.Batch, Stages: w.Stages, SpeedUps: []SpeedUp{}, Sizes: []SizeTime{}, Choice: w.choose()}
	for _, mode := range []Mode{Single, SingleAhead, DualSync, DualAsync} {
		e.Modes = append(e.Modes, w.step(mode))
	}
	for _, t := range w.Stages {
		half, free := w.faster(t.Stage, 0.5), w.faster(t.Stage, 0)
		e.SpeedUps = append(e.SpeedUps, SpeedUp{
			Stage: t.Stage, Share: t.MS / w.sum(),
			HalfSync: half.step(DualSync).StepMS, HalfAsync: half.step(DualAsync).StepMS,
			FreeSync: free.step(DualSync).StepMS, FreeAsync: free.step(DualAsync).StepMS,
		})
	}
	for _, size := range sizes {
		if w.Batch == 0 {
			return nil, fmt.Errorf("steps of other batch sizes, where the batch size of these times is not known: %w", ErrWork)
		}
		at := w.sized(size)
		if err := at.Check(); err != nil || size < 1 {
			return nil, fmt.Errorf("a batch of %d samples: %w", size, ErrWork)
		}
		e.Sizes = append(e.Sizes, at.size())
	}
	e.Findings = Find(Observation{Work: &w})
	return e, nil
}

func (w Work) size() SizeTime {
	m := w.step(DualAsync)
	s := SizeTime{Batch: w.Batch, StepMS: m.StepMS, StepsPerSecond: m.StepsPerSecond, Samples: *m.Samples, Bound: m.Bound}
	if w.Memory != (Memory{}) {
		mb := w.Memory.FixedMB + w.Memory.MBPerSample*float64(w.Batch)
		s.MemoryMB = &mb
	}
	return s
}
