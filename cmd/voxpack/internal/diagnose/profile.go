package diagnose

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/internal/perf"
	"voxpack/store"
)

// ProfileOptions are the flags of profile: those of a feed, and for how long.
type ProfileOptions struct {
	feedrun.Options
	attaching
	steps, warmup int
	sweep         []int
	targets       []string
	record        string
	json          bool
}

// AddFlags declares the flags.
func (o *ProfileOptions) AddFlags(f *pflag.FlagSet) {
	f.IntVar(&o.steps, "num-steps", 100, "measure `N` steps")
	f.IntVar(&o.warmup, "warmup", 10, "leave the first `N` steps out")
	f.IntSliceVar(&o.sweep, "sweep", nil,
		"measure each of these batch `SIZES`, as in 8,16,32; --step-ms is then that of --batch-size and grows with them")
	o.attaching.addFlags(f)
	o.AddMeasured(f)
	targetFlag(f, &o.targets)
	f.StringVar(&o.record, "record", "", "write the run record to `FILE`, for estimate --run and compare")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// mostSteps is far above what a profile needs, and below what overflows.
const mostSteps = 10_000_000

// check looks at what a feed has not.
func (o *ProfileOptions) check() error {
	switch {
	case o.steps < 1 || o.steps > mostSteps:
		return term.Usagef("--num-steps %d: want 1 to %s", o.steps, term.Commas(mostSteps))
	case o.warmup < 0 || o.warmup > mostSteps:
		return term.Usagef("--warmup %d: want 0 to %s", o.warmup, term.Commas(mostSteps))
	case len(o.sweep) > 0 && o.record != "":
		return term.Usagef("--record is of one run, and --sweep makes several: take one of them away")
	case o.Given("record") && o.record == "":
		return term.Usagef("--record: the name of the file is empty")
	}
	for _, size := range o.sweep {
		if size < 1 || size > 1<<20 {
			return term.Usagef("--sweep: a batch of %d samples: want 1 to %s", size, term.Commas(1<<20))
		}
	}
	if o.record != "" {
		if err := feedrun.CheckFile("record", o.record); err != nil {
			return err
		}
	}
	return o.attaching.check(o.steps)
}

// RunProfile measures a run, or one for each batch size, and prints what its steps
// were spent on. What an interrupt leaves is printed too.
func RunProfile(ctx context.Context, o *ProfileOptions, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	targets, err := readTargets(o.targets)
	if err != nil {
		return err
	}
	var p *profile
	var failed error
	if o.attach {
		p, failed = o.profileAttached(ctx, targets, stderr)
	} else {
		p, failed = o.profileFeed(ctx, targets, stderr)
	}
	if p == nil {
		return failed
	}
	err = term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, p)
		}
		p.page(b)
		return nil
	})
	if failed == nil && o.record != "" {
		err = errors.Join(err, o.writeRecord(p))
	}
	return errors.Join(failed, err)
}

// profileFeed profiles a feed of its own.
func (o *ProfileOptions) profileFeed(ctx context.Context, targets diagnosis.Targets, stderr io.Writer) (*profile, error) {
	o.Take(1 + o.warmup + o.steps) // the first batch ends no step
	_, d, err := feedrun.Open(&o.Options, stderr)
	if err != nil {
		return nil, err
	}
	defer d.Store.Close()
	return o.measureAll(ctx, d, targets, stderr)
}

// measureAll measures what is asked for; nil: nothing was measured.
func (o *ProfileOptions) measureAll(ctx context.Context, d *store.Dataset, targets diagnosis.Targets, stderr io.Writer) (*profile, error) {
	if len(o.sweep) == 0 {
		return o.measure(ctx, &o.Options, d, targets, stderr)
	}
	var best *profile
	var sizes []diagnosis.Work
	rows := []sweepRow{}
	var failed error
	for _, size := range o.sweep {
		if !o.Quiet {
			fmt.Fprintf(stderr, "batches of %s\n", term.Count(size, "sample"))
		}
		p, err := o.measure(ctx, o.Sized(size), d, targets, stderr)
		if p != nil {
			if len(rows) > 0 { // a moment ago the run before was on these GPUs
				p.observed.GPUs = nil
				p.Findings = diagnosis.Find(p.observed)
			}
			rows = append(rows, p.row())
			if w := p.observed.Work; w != nil {
				sizes = append(sizes, *w)
			}
			if best == nil || p.Rate > best.Rate {
				best = p
			}
		}
		if failed = err; err != nil {
			break
		}
	}
	if best != nil {
		best.sized(sizes)
		best.Sweep = rows
	}
	return best, failed
}

// measure is one run.
func (o *ProfileOptions) measure(ctx context.Context, feed *feedrun.Options, d *store.Dataset, targets diagnosis.Targets, stderr io.Writer) (*profile, error) {
	m := &measuring{warmup: int64(o.warmup), steps: int64(o.steps), host: newHostWatch()}
	run, err := feedrun.Measure(ctx, feed, d, stderr, m.batch)
	m.host.end()
	if run == nil || m.taken.Count() == 0 {
		return nil, err
	}
	return newProfile(m, run, feed, targets), err
}

// measuring takes the steps of a run apart, those after the warm-up.
type measuring struct {
	warmup, steps int64
	seen          int64          // batches
	samples       int64          // of the measured steps
	taken         perf.Histogram // steps
	stall         time.Duration
	phases        diagnosis.PhaseMeter
	host          *hostWatch
}

// batch counts the step that ended with a batch. It looks at no clock and
// allocates nothing; BenchmarkStep takes 81 ns on a core of an AMD EPYC.
func (m *measuring) batch(b gpufeed.Batch, trained time.Duration) {
	m.seen++
	switch {
	case m.seen == m.warmup+1: // the batch that the first measured step begins with
		m.host.begin()
		return
	case m.seen <= m.warmup:
		return
	}
	s := b.Step
	m.taken.Record(s.Took)
	m.stall += s.Stall
	m.samples += int64(len(b.Rows))
	load, transfer := s.Late[0], time.Duration(0)
	for _, late := range s.Late[1:] {
		transfer += late
	}
	m.phases.Step(s.Took, load, transfer, trained)
	m.host.step(m.seen-m.warmup-1, m.steps)
}

// targetFlag declares --target.
func targetFlag(f *pflag.FlagSet, to *[]string) {
	var names []string
	for _, t := range diagnosis.AllTargets() {
		names = append(names, fmt.Sprintf("%s=%g", t.Name, t.Default))
	}
	half := len(names) / 2
	f.StringArrayVar(to, "target", nil, "hold runs to another `NAME=NUMBER`; may be repeated. The defaults:\n"+
		strings.Join(names[:half], ", ")+",\n"+strings.Join(names[half:], ", "))
}

// readTargets reads --target.
func readTargets(list []string) (diagnosis.Targets, error) {
	targets := diagnosis.Targets{}
	for _, text := range list {
		name, value, err := diagnosis.ParseTarget(text)
		if err != nil {
			return nil, term.Usagef("--target: %w", err)
		}
		targets[name] = value
	}
	return targets, nil
}
