package diagnose

import (
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
	"voxpack/gpufeed"
	"voxpack/internal/corpustest"
	"voxpack/internal/perf"
	"voxpack/store"
)

// built is a bundled corpus, built and opened.
func built(t *testing.T) *store.Dataset {
	t.Helper()
	dir := corpustest.Copy(t, "en")
	if _, err := compiler.Build(t.Context(), compiler.Options{Dataset: dir, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(filepath.Join(dir, compiler.StoreName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d, err := s.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// profiled is the profile of a command line, in the clock of its bubble.
func profiled(t *testing.T, d *store.Dataset, args ...string) (*ProfileOptions, *profile) {
	t.Helper()
	var o ProfileOptions
	f := pflag.NewFlagSet("profile", pflag.ContinueOnError)
	o.AddFlags(f)
	if err := f.Parse(append(args, "-q")); err != nil {
		t.Fatal(err)
	}
	o.Given = f.Changed
	o.Take(1 + o.warmup + o.steps)
	if err := o.Check(nil); err != nil {
		t.Fatal(err)
	}
	p, err := o.measureAll(t.Context(), d, nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return &o, p
}

// TestAProfileAndItsEstimateAgree, in virtual time: phases add up to the step by
// definition, and what estimate makes of the record is the step, within 5 %.
func TestAProfileAndItsEstimateAgree(t *testing.T) {
	d := built(t)
	for _, args := range [][]string{
		{"--device", "host", "--step-ms", "20"},
		{"--device", "sim", "--step-ms", "20"},
		{"--device", "sim", "--mode", "direct", "--step-ms", "5", "--jitter", "40%"},
		{"--device", "sim", "--step-ms", "150", "--warmup", "0", "--num-steps", "7"},
		{"--device", "sim", "--step-ms", "20", "--cache", "off", "--link", "0.01"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, p := profiled(t, d, append(args, "--batch-size", "2")...)
				sum := 0.0
				for _, phase := range p.Phases {
					sum += phase.MeanMS
				}
				if off := math.Abs(sum-p.Step.Mean) / p.Step.Mean; off > 1e-6 {
					t.Errorf("phases of %v ms, a step of %v", sum, p.Step.Mean)
				}
				if steps := int64(o.steps); p.Batches != steps+1 || p.Samples != 2*steps {
					t.Errorf("%d batches, %d samples, want %d steps of 2", p.Batches, p.Samples, steps)
				}
				o.record = filepath.Join(t.TempDir(), "run.json")
				if err := o.writeRecord(p); err != nil {
					t.Fatal(err)
				}
				record, err := ReadRecord(o.record)
				if err != nil {
					t.Fatal(err)
				}
				wantEstimate(t, record, p)
			})
		})
	}
}

// wantEstimate: the step with all stages beside each other is the measured one, and
// the record has the figures that runs are compared by.
func wantEstimate(t *testing.T, record perf.RunRecord, p *profile) {
	t.Helper()
	w, err := runs.WorkOf(record)
	if err != nil {
		t.Fatal(err)
	}
	e, err := diagnosis.NewEstimate(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(e.Modes, func(m diagnosis.ModeTime) bool { return m.Mode == diagnosis.DualAsync })
	if got := e.Modes[at].StepMS; math.Abs(got-p.Step.Mean) > 0.05*p.Step.Mean {
		t.Errorf("estimate %v ms, measured %v", got, p.Step.Mean)
	}
	if !slices.Equal(w.Stages, p.Stages) {
		t.Errorf("the page has stages %v, the record %v", p.Stages, w.Stages)
	}
	f, err := runs.FiguresOf(record)
	if err != nil {
		t.Fatal(err)
	}
	if f.Values[runs.MetricStep] != p.Step.Mean || f.Values[runs.MetricSamples] != p.Rate || f.Steps != p.Batches-1 || !f.Trained {
		t.Errorf("figures %+v, want those of the profile", f)
	}
}

// TestASoundProfileFindsNothing: with no bottleneck planted there is no finding but
// of the machine that the test runs on.
func TestASoundProfileFindsNothing(t *testing.T) {
	d := built(t)
	synctest.Test(t, func(t *testing.T) {
		_, p := profiled(t, d, "--device", "sim", "--batch-size", "2", "--step-ms", "20", "--workers", "1")
		for _, v := range p.Findings {
			if v.Rule != "host-cpu" && v.Rule != "feeder-cpu" && v.Rule != "swap" {
				t.Errorf("found %+v", v)
			}
		}
		if p.Measured != onSimulated || p.Trainer != simulatedTrainer || len(p.Unseen) == 0 || p.Unseen[0].What != "nvml" {
			t.Errorf("%s, %s, unseen %+v", p.Measured, p.Trainer, p.Unseen)
		}
	})
}

// TestAPlantedLinkIsNamedFirst, and the step's share that is a wait for it is what
// a link without it brings.
func TestAPlantedLinkIsNamedFirst(t *testing.T) {
	d := built(t)
	synctest.Test(t, func(t *testing.T) {
		args := []string{"--device", "sim", "--batch-size", "2", "--step-ms", "20", "--workers", "1", "--cache", "off"}
		_, slow := profiled(t, d, append(args, "--link", "0.01")...)
		_, sound := profiled(t, d, args...)
		if len(slow.Findings) == 0 || slow.Findings[0].Rule != "slow-link" {
			t.Fatalf("found %+v, want slow-link first", slow.Findings)
		}
		wait := slow.Phases[slices.IndexFunc(slow.Phases, func(p diagnosis.PhaseTime) bool { return p.Phase == diagnosis.TransferPhase })].Share
		brought := 1 - sound.Step.Mean/slow.Step.Mean
		if math.Abs(wait-brought) > 0.01 || math.Abs(*slow.Findings[0].Gain-brought) > 0.2*brought {
			t.Errorf("a wait of %v, a gain of %v, and without the cause steps take %v less", wait, *slow.Findings[0].Gain, brought)
		}
	})
}

// TestASweepGrowsTheSimulatedStep in proportion, and names the size with most
// samples a second.
func TestASweepGrowsTheSimulatedStep(t *testing.T) {
	d := built(t)
	synctest.Test(t, func(t *testing.T) {
		_, p := profiled(t, d, "--device", "sim", "--batch-size", "4", "--step-ms", "40", "--num-steps", "5", "--sweep", "1,2,8")
		var sizes []int
		for _, r := range p.Sweep {
			sizes = append(sizes, r.Batch)
			if want := 10 * float64(r.Batch); math.Abs(r.StepMS-want) > 1e-6 {
				t.Errorf("batches of %d: a step of %v ms, want %v", r.Batch, r.StepMS, want)
			}
		}
		var page strings.Builder
		p.page(&page)
		for line := range strings.Lines(page.String()) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 78 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
		if !slices.Equal(sizes, []int{1, 2, 8}) || p.Rate != slices.MaxFunc(p.Sweep, func(a, b sweepRow) int { return int(a.Rate - b.Rate) }).Rate {
			t.Errorf("sizes %v, best %d of %+v", sizes, p.Batch, p.Sweep)
		}
	})
}

// TestASweepFindsASmallBatch: two sizes tell what of a step does not grow, and the
// gain is what a sample takes less in a batch four times as large.
func TestASweepFindsASmallBatch(t *testing.T) {
	d := built(t)
	synctest.Test(t, func(t *testing.T) {
		args := []string{"--device", "sim", "--num-steps", "20", "--workers", "1"}
		_, small := profiled(t, d, append(args, "--batch-size", "2", "--step-ms", "30+10", "--sweep", "1,2")...)
		_, large := profiled(t, d, append(args, "--batch-size", "8", "--step-ms", "30+40")...)
		v := small.Findings[0]
		brought := 1 - (large.Step.Mean/8)/(small.Step.Mean/2)
		if v.Rule != "batch-small" || math.Abs(v.Number-30) > 0.1 || v.Gain == nil || math.Abs(*v.Gain-brought) > 0.05*brought {
			t.Errorf("found %+v, want batch-small of 30 ms and a gain of %.3f", small.Findings, brought)
		}
		at := slices.IndexFunc(small.Stages, func(s diagnosis.StageTime) bool { return s.Stage == diagnosis.Train })
		if got := small.Stages[at].FixedMS; math.Abs(got-30) > 0.1 {
			t.Errorf("%v ms of the training are fixed, want 30", got)
		}
		_, sound := profiled(t, d, append(args, "--batch-size", "2", "--step-ms", "5+35", "--sweep", "1,2")...)
		for _, v := range sound.Findings {
			if v.Rule == "batch-small" {
				t.Errorf("of a step that grows: %+v", v)
			}
		}
	})
}

// TestWhatAStepCostsToMeasure: nothing is allocated for a step. What it takes is in
// BenchmarkStep.
func TestWhatAStepCostsToMeasure(t *testing.T) {
	m := &measuring{warmup: 1, steps: 1 << 40, host: newHostWatch()}
	m.seen = 5
	b := gpufeed.Batch{Rows: make([]uint32, 4), Step: gpufeed.Step{Took: 5 * time.Millisecond, Stall: time.Millisecond}}
	if got := testing.AllocsPerRun(100, func() { m.batch(b, 4*time.Millisecond) }); got != 0 {
		t.Errorf("%v allocations a step", got)
	}
}

// TestTheProfileOfNoTrainer has no share to hold against targets, and says so.
func TestTheProfileOfNoTrainer(t *testing.T) {
	d := built(t)
	synctest.Test(t, func(t *testing.T) {
		_, p := profiled(t, d, "--device", "sim", "--batch-size", "2", "--num-steps", "20")
		if p.Trainer != noTrainer || p.Unseen[0].What != "training" {
			t.Errorf("%s, unseen %+v", p.Trainer, p.Unseen)
		}
		for _, v := range p.Findings {
			if v.Basis == diagnosis.Measured && v.Rule != "swap" {
				t.Errorf("found %+v", v)
			}
		}
		if b, err := json.Marshal(p); err != nil || len(b) == 0 {
			t.Error(err)
		}
	})
}

// BenchmarkStep is what measuring adds to a step.
func BenchmarkStep(b *testing.B) {
	m := &measuring{warmup: 1, steps: 1 << 40, host: newHostWatch(), seen: 5}
	batch := gpufeed.Batch{Rows: make([]uint32, 4), Step: gpufeed.Step{Took: 5 * time.Millisecond, Stall: time.Millisecond}}
	b.ReportAllocs()
	for b.Loop() {
		m.batch(batch, 4*time.Millisecond)
	}
}
