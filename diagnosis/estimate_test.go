package diagnosis

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// wellKnown is a training whose steps people have worked out by hand.
func wellKnown() Work {
	return Work{Batch: 16, Stages: []StageTime{{Load, 20, 0, 1}, {Preprocess, 10, 0, 1}, {Transfer, 15, 0, 1}, {Train, 150, 0, 1}}}
}

func TestEstimateOfAKnownTraining(t *testing.T) {
	e, err := NewEstimate(wellKnown(), []int{8, 16, 32})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		mode Mode
		ms   float64
		rate string
	}{{Single, 170, "5.88"}, {SingleAhead, 150, "6.67"}, {DualSync, 195, "5.13"}, {DualAsync, 150, "6.67"}} {
		if got := e.Modes[i]; got.Mode != want.mode || got.StepMS != want.ms || fmt.Sprintf("%.2f", got.StepsPerSecond) != want.rate || got.Bound != Train {
			t.Errorf("%+v, want %+v, bound by training", got, want)
		}
	}
	if c := e.Choice; c != (Choice{2, Offloads, 150, 160, 150}) {
		t.Errorf("choice %+v, want two GPUs: 150 ms instead of 160", c)
	}
	if len(e.Findings) != 0 {
		t.Errorf("findings %+v of a training that waits for nothing", e.Findings)
	}
	if s := e.Sizes; s[0].StepMS != 75 || s[1].StepMS != 150 || s[2].StepMS != 300 || math.Abs(s[2].Samples-32/0.3) > 1e-9 || s[0].MemoryMB != nil {
		t.Errorf("sizes %+v, want steps in proportion and no memory", s)
	}
	if u := e.SpeedUps[3]; u != (SpeedUp{Train, 150. / 195, 120, 75, 45, 20}) {
		t.Errorf("a faster training: %+v", u)
	}
}

func TestOneGPUOrTwo(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		load, pre, over, step float64
		want                  Choice
	}{
		{"nothing to preprocess: the overlap is what pays", 20, 0, 15, 150, Choice{1, Overlaps, 150, 150, 150}},
		{"loading bounds both", 200, 10, 15, 150, Choice{1, Overlaps, 200, 200, 200}},
		{"preprocessing goes to the second GPU", 20, 50, 15, 100, Choice{2, Offloads, 100, 150, 100}},
		{"a copy between the GPUs that is longer than all", 20, 10, 170, 150, Choice{1, Slower, 150, 160, 170}},
		{"under two percent", 20, 2, 15, 150, Choice{1, Overlaps, 150, 152, 150}},
	} {
		w := Work{Stages: []StageTime{{Load, tt.load, 0, 1}, {Preprocess, tt.pre, 0, 1}, {Transfer, tt.over, 0, 1}, {Train, tt.step, 0, 1}}}
		if got := w.choose(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestFixedPartsWorkersAndMemory(t *testing.T) {
	w := Work{Batch: 16, Memory: Memory{2000, 500}, Stages: []StageTime{{Load, 40, 0, 4}, {Train, 150, 10, 1}}}
	e, err := NewEstimate(w, []int{32})
	if err != nil {
		t.Fatal(err)
	}
	if m := e.Modes[1]; m.StepMS != 150 {
		t.Errorf("four workers that need 40 ms each: step %v, want 150", m.StepMS)
	}
	if m := e.Modes[0]; m.StepMS != 190 {
		t.Errorf("in turn: %v, want 190, for a batch has one worker", m.StepMS)
	}
	if s := e.Sizes[0]; s.StepMS != 290 || s.MemoryMB == nil || *s.MemoryMB != 18000 {
		t.Errorf("%+v, want 10 + 2 × 140 ms and 18,000 MB", s)
	}
}

func TestWhatCannotBeEstimated(t *testing.T) {
	for name, w := range map[string]Work{
		"no stage":              {},
		"no time":               {Stages: []StageTime{{Train, 0, 0, 1}}},
		"a negative time":       {Stages: []StageTime{{Train, -1, 0, 1}}},
		"no number":             {Stages: []StageTime{{Train, math.NaN(), 0, 1}}},
		"no end":                {Stages: []StageTime{{Train, math.Inf(1), 0, 1}}},
		"a stage twice":         {Stages: []StageTime{{Train, 1, 0, 1}, {Train, 1, 0, 1}}},
		"no worker":             {Stages: []StageTime{{Train, 1, 0, 0}}},
		"more fixed than whole": {Stages: []StageTime{{Train, 1, 2, 1}}},
		"a negative batch":      {Batch: -1, Stages: []StageTime{{Train, 1, 0, 1}}},
		"a negative memory":     {Memory: Memory{-1, 0}, Stages: []StageTime{{Train, 1, 0, 1}}},
	} {
		if e, err := NewEstimate(w, nil); !errors.Is(err, ErrWork) {
			t.Errorf("%s: %+v, %v, want ErrWork", name, e, err)
		}
	}
	sized := Work{Stages: []StageTime{{Train, 1, 0, 1}}}
	if _, err := NewEstimate(sized, []int{8}); !errors.Is(err, ErrWork) {
		t.Errorf("sizes without a batch size: %v, want ErrWork", err)
	}
	sized.Batch = 8
	if _, err := NewEstimate(sized, []int{0}); !errors.Is(err, ErrWork) {
		t.Errorf("a batch of 0: %v, want ErrWork", err)
	}
}

// TestNoStepIsShorterThanItsLongestStage: whatever the times, no figure promises
// what no training can reach. The longest stage is worked out here once more.
func TestNoStepIsShorterThanItsLongestStage(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for range 5000 {
		w := Work{Batch: 1 + r.IntN(64)}
		for _, stage := range Stages() {
			if r.IntN(4) > 0 {
				ms := math.Exp(12*r.Float64() - 4)
				w.Stages = append(w.Stages, StageTime{stage, ms, ms * float64(r.IntN(3)) / 2, 1 + r.IntN(4)})
			}
		}
		e, err := NewEstimate(w, []int{1 + r.IntN(256)})
		if len(w.Stages) == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range e.Modes {
			for _, s := range w.Stages {
				single := m.Mode == Single || m.Mode == SingleAhead
				least := s.MS / float64(s.Workers)
				if m.Mode == Single || m.Mode == DualSync {
					least = s.MS
				}
				if !(single && (s.Stage == Preprocess || s.Stage == Transfer)) && m.StepMS < least*(1-1e-12) {
					t.Fatalf("%v: %s takes %v ms, the step %v", w, s.Stage, least, m.StepMS)
				}
			}
		}
		for _, u := range e.SpeedUps {
			for _, s := range w.Stages {
				part := s.MS / float64(s.Workers)
				if s.Stage == u.Stage {
					if u.HalfAsync < part/2*(1-1e-12) {
						t.Fatalf("%v: half of %s is %v ms, the step %v", w, s.Stage, part/2, u.HalfAsync)
					}
					continue
				}
				if min(u.HalfAsync, u.FreeAsync, u.HalfSync, u.FreeSync) < part*(1-1e-12) {
					t.Fatalf("%v: with a faster %s a step of %+v, %s takes %v ms", w, u.Stage, u, s.Stage, part)
				}
			}
		}
		for _, at := range e.Sizes {
			for _, s := range w.Stages {
				part := (s.FixedMS + (s.MS-s.FixedMS)*float64(at.Batch)/float64(w.Batch)) / float64(s.Workers)
				if at.StepMS < part*(1-1e-12) {
					t.Fatalf("%v: at %d samples %s takes %v ms, the step %v", w, at.Batch, s.Stage, part, at.StepMS)
				}
			}
		}
		if c := e.Choice; c.TwoMS < c.OneMS*(1-1e-12) || c.OneAndPreprocessMS < c.OneMS*(1-1e-12) {
			t.Fatalf("%v: %+v: stages were lost", w, c)
		}
	}
}
