package feedrun

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/internal/config"
	"voxpack/store"
)

// Watch is told of each batch when it comes, and how long the simulated trainer
// had the one before.
type Watch func(b gpufeed.Batch, trained time.Duration)

// Measured is a run that another command reports. The figures of its report are
// of the whole run; who leaves its beginning out has counted by a Watch.
type Measured struct {
	*Report
	Driver   string // "" is the host
	Observed diagnosis.Observation
	Settings map[string]any
	Started  time.Time
}

// AddMeasured declares the flags of a run that another command measures: those of
// feed that say which batches come, how they are made and where they go.
func (o *Options) AddMeasured(f *pflag.FlagSet) {
	o.AddSelection(f)
	f.IntVar(&o.Batch, "batch-size", config.Default().Feed.BatchSize, "`N` samples in a batch")
	f.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the shuffle and of all other draws")
	o.addDevices(f)
	o.addReader(f)
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "no progress")
	o.World, o.Shuffle, o.Tail, o.record = 1, "global", "drop", "none"
}

// Take ends a run after this number of batches, through as many epochs as that takes.
func (o *Options) Take(batches int) { o.steps, o.epochs = batches, 0 }

// Sized is the same run with batches of another size. A simulated trainer's step
// grows with them, but for what --step-ms says is fixed.
func (o *Options) Sized(batch int) *Options {
	sized := *o
	sized.stepMS = o.stepFixed + (o.stepMS-o.stepFixed)*float64(batch)/float64(o.Batch)
	sized.Batch = batch
	return &sized
}

// StepMS is how long the simulated trainer holds a batch; 0: there is none.
func (o *Options) StepMS() float64 { return o.stepMS }

// Open reads the config, checks the command line and opens the dataset.
func Open(o *Options, stderr io.Writer) (locate.Place, *store.Dataset, error) {
	p, missing := locate.Find(o.Where)
	var err error
	if missing == nil {
		err = o.Configure(p, stderr)
	}
	if wrong := o.Check(missing); wrong != nil {
		return p, nil, wrong
	}
	if err != nil {
		return p, nil, err
	}
	d, err := p.OpenDataset()
	return p, d, err
}

// Measure delivers the batches of a dataset to a watch. What it measured comes
// also with an error, unless nothing could begin.
func Measure(ctx context.Context, o *Options, d *store.Dataset, stderr io.Writer, watch Watch) (*Measured, error) {
	r := &run{options: o, stdout: io.Discard, started: time.Now(), watch: watch, said: said{out: stderr, quiet: true}}
	if err := r.open(ctx, d); err != nil {
		return nil, errors.Join(exitError(err), r.close())
	}
	failed := r.deliver(ctx)
	interrupted := failed != nil && ctx.Err() != nil
	f := newReport(r)
	f.end(r, failed, interrupted)
	m := &Measured{Report: f, Observed: r.observe(r.feed.Stats()), Settings: o.settings(), Started: r.started}
	if r.config.Driver != nil {
		m.Driver = r.config.Driver.Name()
	}
	if interrupted {
		failed = term.ErrInterrupted
	}
	return m, errors.Join(exitError(failed), r.close())
}
