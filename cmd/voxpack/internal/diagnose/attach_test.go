package diagnose

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"voxpack/diagnosis"
	"voxpack/gpufeed/serve"
	"voxpack/internal/perf"
	"voxpack/internal/schematest"
)

// trainerOf is a session that a test makes up: n equal steps, in milliseconds.
func trainerOf(id, n int, took, load, copied, train float64, change func(*seen)) *seen {
	s := &seen{}
	s.Session = serve.Session{ID: id, PID: 10 + id, World: 1, Batch: 4, Samples: 4, Transport: "host", HasSteps: true, Stages: make([]perf.StageSummary, 2), Late: []float64{0}}
	s.Fillers = make([]serve.Filler, 1)
	s.Setup = serve.Setup{Rows: 100, Split: "all", Shuffle: "global", Tail: "drop", Depth: 8, BatchBytes: 1000}
	ms := func(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
	for range n {
		s.steps.List = append(s.steps.List, serve.Step{Took: ms(took), Load: ms(load), Copy: ms(copied), Train: ms(train)})
	}
	s.steps.Marked = train > 0
	if change != nil {
		change(s)
	}
	return s
}

func watchingOf(steps int, list ...*seen) *watching {
	look := &serve.Look{Dataset: &serve.Dataset{Root: strings.Repeat("0", 64)}}
	w := &watching{options: &ProfileOptions{steps: steps}, last: look, seen: map[int]*seen{}, host: newHostWatch()}
	w.last.PID, w.last.Cores = 9, 2
	for _, s := range list {
		w.seen[s.ID] = s
	}
	return w
}

// phasesOf are the means in ms of the phases that a profile has.
func phasesOf(p *profile) map[diagnosis.Phase]float64 {
	m := map[diagnosis.Phase]float64{}
	for _, t := range p.Phases {
		m[t.Phase] = math.Round(1000*t.MeanMS) / 1000
	}
	return m
}

// TestAProfileOfARunningTrainer: phases by what is known, which add up to the step, and
// a record of which estimate makes that step, within 5 %.
func TestAProfileOfARunningTrainer(t *testing.T) {
	const load, copies, train, gaps = diagnosis.LoadPhase, diagnosis.TransferPhase, diagnosis.TrainPhase, diagnosis.GapsPhase
	onGPU := func(s *seen) {
		s.GPU, s.Transport, s.Stages = &serve.GPU{UUID: "GPU-1"}, "device", make([]perf.StageSummary, 3)
		s.late, s.Late = []float64{100, 100}, []float64{110, 130} // since then 10 ms by filling, 30 by the copy
	}
	for _, c := range []struct {
		name    string
		of      *seen
		want    map[diagnosis.Phase]float64
		finding string // the first; "": none
		unseen  string
	}{
		{"marked", trainerOf(1, 50, 100, 2, 1, 80, nil), map[diagnosis.Phase]float64{load: 2, copies: 1, train: 80, gaps: 17}, "", "gpus"},
		{"unmarked: training and gaps are one", trainerOf(1, 50, 100, 2, 1, 0, nil), map[diagnosis.Phase]float64{load: 2, copies: 1, train: 97}, "", "training"},
		{"a wait for copies of the feeder", trainerOf(1, 50, 100, 4, 0, 80, onGPU), map[diagnosis.Phase]float64{load: 1, copies: 3, train: 80, gaps: 16}, "", ""},
		{"hidden waits are none", trainerOf(1, 50, 100, 0, 0, 0, func(s *seen) { s.steps.Hidden = true }), map[diagnosis.Phase]float64{load: 0, copies: 0, train: 100}, "", "training"},
		{"filling is slow", trainerOf(1, 50, 95, 60, 0, 30, func(s *seen) {
			s.Stages[0].Work, s.Stages[0].Bytes = perf.Summary{Count: 50, MeanMS: 186, TotalMS: 9300}, 50*10_000_000
			s.Fillers = make([]serve.Filler, 2)
		}), map[diagnosis.Phase]float64{load: 60, copies: 0, train: 30, gaps: 5}, "slow-fill", "gpus"},
	} {
		p := watchingOf(100, c.of).profiles(diagnosis.Targets{}, "done")
		got := phasesOf(p)
		delete(got, diagnosis.PreprocessPhase)
		sum := 0.0
		for phase, ms := range got {
			if sum += ms; ms != c.want[phase] {
				t.Errorf("%s: %s takes %v ms, want %v", c.name, phase, ms, c.want[phase])
			}
		}
		if len(got) != len(c.want) || math.Abs(sum-p.Step.Mean) > 1e-6 {
			t.Errorf("%s: %v, in all %v of %v", c.name, got, sum, p.Step.Mean)
		}
		var rules []string
		for _, v := range p.Findings {
			rules = append(rules, v.Rule)
		}
		if c.finding == "" && len(rules) > 0 || c.finding != "" && (len(rules) == 0 || rules[0] != c.finding) {
			t.Errorf("%s: findings %v, want %q", c.name, rules, c.finding)
		}
		if c.unseen != "" && !slices.ContainsFunc(p.Unseen, func(u unmeasured) bool { return u.What == c.unseen }) {
			t.Errorf("%s: unseen %+v, want %s", c.name, p.Unseen, c.unseen)
		}
		var page strings.Builder
		p.page(&page)
		if one := strings.Contains(page.String(), "train and gaps"); one == p.Attached.Marked {
			t.Errorf("%s: marked %v\n%s", c.name, p.Attached.Marked, page.String())
		}
		if err := p.record.SetResults(p); err != nil {
			t.Fatal(err)
		}
		if err := schematest.Check(filepath.Join("..", "..", "..", "..", "docs", "schema", "profile.json"), p.record.Results); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		t.Run(c.name, func(t *testing.T) { wantEstimate(t, p.record, p) })
	}
}

// TestAFeederOfAnotherVersion: stages that nobody knows are no crash, and phases stay.
func TestAFeederOfAnotherVersion(t *testing.T) {
	for n := range 7 {
		p := watchingOf(30, trainerOf(1, 50, 10, 1, 0, 5, func(s *seen) { s.Stages, s.Late = make([]perf.StageSummary, n), make([]float64, 9) })).profiles(nil, "done")
		if phasesOf(p)[diagnosis.TrainPhase] != 5 {
			t.Errorf("%d stages: %+v", n, p.Phases)
		}
	}
}

// TestTheSlowestTrainerIsFirst, and only the last steps that were asked for count.
func TestTheSlowestTrainerIsFirst(t *testing.T) {
	idle := trainerOf(4, 0, 0, 0, 0, 0, nil)
	p := watchingOf(30, trainerOf(1, 50, 10, 0, 0, 5, nil), trainerOf(2, 20, 30, 0, 0, 5, nil), trainerOf(3, 50, 20, 0, 0, 5, nil), idle).profiles(nil, "done")
	if p.Attached.Session != 2 || p.Batches != 21 || len(p.Others) != 2 || p.Others[0].Attached.Session != 3 || p.Others[1].Batches != 31 {
		t.Errorf("%+v", p)
	}
	if watchingOf(30, idle).profiles(nil, "done") != nil {
		t.Error("a profile of no step")
	}
}

// TestWhenALookEnds: with the steps of the fastest, unless another still makes some.
func TestWhenALookEnds(t *testing.T) {
	still, gone := func(s *seen) { s.still = true }, func(s *seen) { s.gone = true }
	for _, c := range []struct {
		name   string
		of     []*seen
		enough bool
	}{
		{"none has its steps", []*seen{trainerOf(1, 9, 10, 0, 0, 5, nil)}, false},
		{"one has", []*seen{trainerOf(1, 10, 10, 0, 0, 5, nil)}, true},
		{"another is on its way", []*seen{trainerOf(1, 10, 10, 0, 0, 5, nil), trainerOf(2, 8, 10, 0, 0, 5, nil)}, false},
		{"another does nothing, as rows to judge by", []*seen{trainerOf(1, 10, 10, 0, 0, 5, nil), trainerOf(2, 0, 10, 0, 0, 5, still)}, true},
		{"another has ended", []*seen{trainerOf(1, 10, 10, 0, 0, 5, nil), trainerOf(2, 3, 10, 0, 0, 5, gone)}, true},
	} {
		if got := watchingOf(10, c.of...).enough(); got != c.enough {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if w := watchingOf(10, trainerOf(1, 3, 10, 0, 0, 5, gone)); !w.gone() {
		t.Error("the only trainer has ended")
	}
}

// TestWhyThereAreNoSteps says what to do.
func TestWhyThereAreNoSteps(t *testing.T) {
	old := trainerOf(1, 0, 0, 0, 0, 0, func(s *seen) { s.HasSteps = false })
	for want, err := range map[string]error{
		"process 11 notes no steps":            watchingOf(9, old).noSteps("done"),
		"no step is kept yet":                  watchingOf(9, trainerOf(1, 0, 0, 0, 0, 0, nil)).noSteps("done"),
		"ended, or was stopped, before a step": watchingOf(9, trainerOf(1, 0, 0, 0, 0, 0, nil)).noSteps(trainerEnded),
		"no trainer takes batches at here yet": watchingOf(9).nobody("here"),
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestAttachGoesWithFewFlags: each flag of a feed is refused, and none of those that
// say what is printed.
func TestAttachGoesWithFewFlags(t *testing.T) {
	for args, want := range map[string]string{
		"--attach": "",
		"--attach --kept --rank 1 --num-steps 5 -q": "",
		"--attach --json --target variation=20":     "",
		"--attach --batch-size 4":                   "--batch-size: --attach looks at",
		"--attach --warmup 3 --device sim":          "--device, --warmup: --attach looks at",
		"--kept":                                    "--kept: only with --attach",
		"--attach --num-steps 10001":                "the last 10,000 are kept",
		"--attach --rank -2":                        "--rank -2: want 0 or more",
	} {
		var o ProfileOptions
		f := pflag.NewFlagSet("profile", pflag.ContinueOnError)
		o.AddFlags(f)
		if err := f.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		o.Given = f.Changed
		if err := o.check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// TestAfterLeavesTheLogAsItIs: the watcher goes on with what it gave.
func TestAfterLeavesTheLogAsItIs(t *testing.T) {
	log := serve.StepLog{Ahead: true}
	for n := range uint64(9) {
		log.Takes = append(log.Takes, serve.Take{Number: n, Got: 10 * n})
		log.Marks = append(log.Marks, serve.Mark{Number: n, Begin: 10 * n})
	}
	takes, marks := slices.Clone(log.Takes), slices.Clone(log.Marks)
	got := after(log, 45)
	if len(got.Takes) != 4 || got.Takes[0].Number != 5 || len(got.Marks) != 4 || got.Marks[0].Number != 5 {
		t.Errorf("after 45: %+v, want numbers 5 to 8", got)
	}
	if none := after(log, 1000); len(none.Takes)+len(none.Marks) > 0 {
		t.Errorf("after the end: %+v, want nothing", none)
	}
	if !slices.Equal(log.Takes, takes) || !slices.Equal(log.Marks, marks) {
		t.Errorf("the log became %+v", log)
	}
}
