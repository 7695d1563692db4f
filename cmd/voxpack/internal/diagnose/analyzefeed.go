package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
)

// feedFacts is what a short feed through the host ring measured.
type feedFacts struct {
	Rows    int           `json:"rows"`
	Batch   int           `json:"batch_size"`
	Workers int           `json:"workers"`
	Depth   int           `json:"prefetch_buffer_size"`
	Bytes   int           `json:"batch_bytes"`
	Between perf.Summary  `json:"between"` // batches that are given back at once
	Samples float64       `json:"samples_per_second"`
	Trainer *trainerFacts `json:"trainer"` // null: no --step-ms
}

// trainerFacts is what a trainer of --step-ms meets.
type trainerFacts struct {
	Own       float64      `json:"step_ms"`     // without any wait, as given
	Step      perf.Summary `json:"step"`        // as measured
	Replayed  float64      `json:"replayed_ms"` // with batches that are in memory already
	Idle      float64      `json:"idle"`        // part of the time that the trainer waits
	Headspace float64      `json:"headspace"`   // part of the step that free data would take away
	Queues    []queueFacts `json:"queues"`
	Load      *loadFacts   `json:"load"` // beside its steps; null: not known

	longest float64 // wait for a batch, in ms
	real    float64 // the part of the frames that is not padding
}

type queueFacts struct {
	Queue string  `json:"queue"`
	Ready float64 `json:"ready"` // part of the batches that were there when the consumer asked
}

// Batches that are measured at most, and at least where time runs out. The first
// ones, which were prepared while nobody asked, are taken before.
const (
	mostBatches  = 200
	leastBatches = 3
)

// supply feeds the store to nobody, then to a trainer of --step-ms.
func (o *AnalyzeOptions) supply(ctx context.Context, a *analysis, seen *diagnosis.Observation, place locate.Place, bar *term.Progress) error {
	f, err := o.feedOptions(place)
	if err != nil {
		return err
	}
	d, err := place.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	selection, err := f.Selection(d)
	if err != nil {
		return err
	}
	set, err := plan.Select(d, selection)
	if err != nil {
		return err
	}
	if set.Selected() == 0 {
		return errors.New("the selection has no row")
	}
	f.Batch = min(f.Batch, set.Selected()) // the times of a smaller batch say more than an error
	c := f.FeedConfig()
	c.Plan.Epochs, c.Plan.Steps = 0, 0
	m := &measurement{set: set, config: c, most: time.Duration(o.seconds * float64(time.Second)), bar: bar}
	facts := &feedFacts{Rows: set.Selected(), Batch: f.Batch, Workers: c.Fillers, Depth: c.Depth}
	if err := m.free(ctx, facts); err != nil {
		return err
	}
	a.Feed = facts
	if o.stepMS == 0 {
		return nil
	}
	if facts.Trainer, err = m.trained(ctx, o.stepMS); err != nil {
		return err
	}
	seen.Supply = m.supply(facts, perf.ProcessCores().Usable())
	return nil
}

// supply is what rules look at.
func (m *measurement) supply(f *feedFacts, cores int) *diagnosis.Supply {
	t, c := f.Trainer, m.config
	s := &diagnosis.Supply{Step: t.Own, Period: f.Between.MeanMS, Whole: t.Step.MeanMS, Replayed: t.Replayed, Ready: t.Queues[0].Ready, Idle: t.Idle,
		Longest: t.longest, Depth: c.Depth, Fillers: c.Fillers, Cores: cores, Halved: feedrun.Halved(m.set.Dataset().Root.Schema, c), Real: t.real}
	if t.Load != nil {
		s.Own, s.Others = t.Load.Own, t.Load.Others
	}
	t.Headspace = s.Headspace()
	return s
}

// feedOptions are those of feed on the host, with the dataset's config.
func (o *AnalyzeOptions) feedOptions(place locate.Place) (*feedrun.Options, error) {
	f := &feedrun.Options{}
	flags := pflag.NewFlagSet("feed", pflag.ContinueOnError)
	f.AddFlags(flags) // for their defaults
	f.Given = o.Given
	f.Where, f.Config, f.Device, f.Seed = o.Where, o.Config, "host", o.seed
	if o.batch > 0 {
		f.Batch = o.batch
	}
	f.Workers, f.Prefetch = o.fillers, o.prefetch
	if err := f.Configure(place, io.Discard); err != nil { // its warnings are said already, with those of the build
		return nil, err
	}
	return f, f.Check(nil)
}

// measurement is a few short feeds of one set.
type measurement struct {
	set    *plan.Set
	config gpufeed.Config
	most   time.Duration
	bar    *term.Progress
}

// begin opens a feed and takes the batches that are ready at its start.
func (m *measurement) begin(ctx context.Context) (*gpufeed.Feed, error) {
	feed, err := gpufeed.Open(ctx, m.set, m.config)
	if err != nil {
		return nil, err
	}
	for range m.config.Depth + 1 {
		b, err := feed.Next(ctx)
		if err != nil {
			return nil, errors.Join(err, feed.Close())
		}
		b.Release()
	}
	return feed, nil
}

// repeat calls do until there were enough, or the time is over.
func (m *measurement) repeat(ctx context.Context, phase string, do func() error) error {
	begun := time.Now()
	for n := 0; n < mostBatches && (n < leastBatches || time.Since(begun) < m.most); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := do(); err != nil {
			return err
		}
		expected := float64(n+1) * m.most.Seconds() / max(time.Since(begun).Seconds(), 1e-9) // until the time is over
		m.bar.Report(compiler.Progress{Phase: phase, Done: (n + 1) * m.config.Plan.Batch, Total: max(n+1, int(min(mostBatches, expected))) * m.config.Plan.Batch})
	}
	return nil
}

// free measures the time between batches that are given back at once.
func (m *measurement) free(ctx context.Context, f *feedFacts) error {
	feed, err := m.begin(ctx)
	if err != nil {
		return err
	}
	between := &perf.Histogram{}
	samples := 0
	begun := time.Now()
	last := begun
	err = m.repeat(ctx, "feeding", func() error {
		b, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		samples, f.Bytes = samples+len(b.Rows), b.Layout.Bytes
		b.Release()
		now := time.Now()
		between.Record(now.Sub(last))
		last = now
		return nil
	})
	f.Between = between.Summary()
	f.Samples = float64(samples) / max(last.Sub(begun).Seconds(), 1e-9)
	return errors.Join(err, feed.Close())
}

// trained measures the steps of a trainer that holds each batch, and those of the
// same trainer with a batch that it has already. Both sleep alike, so that a machine
// that sleeps too long does not pass for a slow feed.
func (m *measurement) trained(ctx context.Context, ms float64) (*trainerFacts, error) {
	feed, err := m.begin(ctx)
	if err != nil {
		return nil, err
	}
	own := time.Duration(ms * float64(time.Millisecond))
	steps := &perf.Histogram{}
	asked, ready := 0, 0
	var waited, longest time.Duration
	before := lookNow()
	err = m.repeat(ctx, "training", func() error {
		asked++
		begun := time.Now()
		b, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		// Not by what is ready in the ring: fillers finish in any order, and a later batch
		// does not help where the next one is late.
		if b.Step.Late == (gpufeed.Step{}).Late {
			ready++
		}
		wait := time.Since(begun)
		waited, longest = waited+wait, max(longest, wait)
		hold(ctx, own)
		b.Release()
		steps.Record(time.Since(begun))
		return nil
	})
	t := &trainerFacts{Own: ms, Step: steps.Summary(), Load: lookNow().since(before), longest: 1000 * longest.Seconds(), real: feed.Stats().Real}
	if err == nil {
		t.Idle = min(waited.Seconds()/max(steps.Sum().Seconds(), 1e-9), 1)
		t.Queues = []queueFacts{{"host ring", float64(ready) / float64(asked)}}
		t.Replayed, err = m.replay(ctx, feed, own)
	}
	return t, errors.Join(err, feed.Close())
}

// replay is the mean step with a batch that is in memory, in milliseconds. The feed
// stands still meanwhile: its ring is full.
func (m *measurement) replay(ctx context.Context, feed *gpufeed.Feed, own time.Duration) (float64, error) {
	b, err := feed.Next(ctx)
	if err != nil {
		return 0, fmt.Errorf("replay: %w", err)
	}
	defer b.Release()
	steps := &perf.Histogram{}
	err = m.repeat(ctx, "replaying", func() error {
		begun := time.Now()
		hold(ctx, own)
		steps.Record(time.Since(begun))
		return nil
	})
	return steps.Summary().MeanMS, err
}

// hold is a trainer's step.
func hold(ctx context.Context, step time.Duration) {
	timer := time.NewTimer(step)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
