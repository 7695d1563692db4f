package diagnose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/cmd/voxpack/internal/top"
	"voxpack/diagnosis"
	"voxpack/gpufeed/serve"
)

// attaching are the flags of profile that are for a running trainer.
type attaching struct {
	attach, kept bool
	rank         int
	set          *pflag.FlagSet
}

// alsoAttached are the other flags of profile that a running trainer leaves any
// sense; those of a feed, and what plans a run, are of one that profile makes.
var alsoAttached = []string{"attach", "kept", "rank", "num-steps", "target", "record", "json", "quiet"}

func (a *attaching) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&a.attach, "attach", false, "profile a trainer that runs: the argument is then its dataset, or the socket of its feeder")
	f.BoolVar(&a.kept, "kept", false, "with --attach: take the last steps, which are kept, and wait for none")
	f.IntVar(&a.rank, "rank", -1, "with --attach: only the rank `N` (default: all, the slowest first)")
	a.set = f
}

// check looks at what does not go together.
func (a *attaching) check(steps int) error {
	var wrong []string
	a.set.Visit(func(f *pflag.Flag) {
		also, mine := slices.Contains(alsoAttached, f.Name), f.Name == "kept" || f.Name == "rank"
		if a.attach && !also || !a.attach && mine {
			wrong = append(wrong, "--"+f.Name)
		}
	})
	switch {
	case len(wrong) > 0 && a.attach:
		return term.Usagef("%s: --attach looks at a trainer that runs, whose batches are as it asked for them: leave that out", strings.Join(wrong, ", "))
	case len(wrong) > 0:
		return term.Usagef("%s: only with --attach, which looks at a trainer that runs", strings.Join(wrong, ", "))
	case a.attach && steps > serve.StepsKept:
		return term.Usagef("--num-steps %d: of a running trainer the last %s are kept", steps, term.Commas(serve.StepsKept))
	case a.rank < -1:
		return term.Usagef("--rank %d: want 0 or more", a.rank)
	}
	return nil
}

// watching collects the steps of the trainers of a feeder.
type watching struct {
	options *ProfileOptions
	watcher *serve.Watcher
	stderr  io.Writer
	last    *serve.Look
	seen    map[int]*seen // by session
	host    *hostWatch
}

// seen is a session with its steps so far.
type seen struct {
	serve.Seen
	late  []float64 // of its feed, before the first look that counts
	since uint64    // ns: what was before does not count
	steps serve.Steps
	still bool // no step came since the look before
	gone  bool // it is there no more
}

// profileAttached profiles the trainers of a feeder.
func (o *ProfileOptions) profileAttached(ctx context.Context, targets diagnosis.Targets, stderr io.Writer) (*profile, error) {
	address, _, err := top.Address(o.Where)
	if err != nil {
		return nil, err
	}
	w := &watching{options: o, stderr: stderr, seen: map[int]*seen{}}
	if w.watcher, err = serve.Watch(ctx, address); err != nil {
		return nil, asInterrupted(ctx, err)
	}
	defer w.watcher.Close()
	w.watcher.FromNow = !o.kept
	if err := w.look(ctx); err != nil {
		return nil, asInterrupted(ctx, err)
	}
	if len(w.seen) == 0 {
		return nil, w.nobody(address)
	}
	w.host = newHostWatch()
	w.host.pid = w.last.PID
	ended := "done"
	if !o.kept {
		w.host.begin()
		ended, err = w.wait(ctx)
	}
	w.host.end()
	p := w.profiles(targets, ended)
	if p == nil && err == nil {
		err = w.noSteps(ended)
	}
	return p, err
}

// asInterrupted is an error, or that of an interrupt.
func asInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return term.ErrInterrupted
	}
	return err
}

// nobody says why there is nothing to look at.
func (w *watching) nobody(address string) error {
	var ranks []string
	for _, s := range w.last.Sessions {
		ranks = append(ranks, fmt.Sprint(s.Rank))
	}
	if len(ranks) > 0 {
		return fmt.Errorf("no trainer of rank %d takes batches at %s; there are the ranks %s", w.options.rank, address, strings.Join(ranks, ", "))
	}
	return fmt.Errorf("no trainer takes batches at %s yet: it does from its first batch on", address)
}

// noSteps says why none of the trainers has a step.
func (w *watching) noSteps(ended string) error {
	for _, s := range w.seen {
		if !s.HasSteps {
			return fmt.Errorf("process %d notes no steps: it runs a package older than 0.2, or asked for none; update it and start the training again", s.PID)
		}
	}
	if ended == "done" {
		return errors.New("no step is kept yet: wait for some, or leave --kept out")
	}
	return errors.New("the trainer ended, or was stopped, before a step")
}

// wanted is how many entries a look has to ask for: of batches, and of marks, of
// which a trainer may make several a batch.
func (w *watching) wanted() int {
	marks := uint64(4)
	for _, s := range w.seen {
		marks = max(marks, 2*s.Log.Marked/max(1, s.Log.Taken))
	}
	return int(min(serve.StepsKept, marks*uint64(w.options.steps+1)))
}

// look asks once, and takes the steps that count.
func (w *watching) look(ctx context.Context) error {
	l, err := w.watcher.Look(ctx, w.wanted())
	if err != nil {
		return err
	}
	w.last = l
	for _, s := range w.seen {
		s.gone = true
	}
	for _, one := range l.Sessions {
		if w.options.rank >= 0 && one.Rank != w.options.rank {
			continue
		}
		s := w.seen[one.ID]
		if s == nil {
			s = &seen{}
			if !w.options.kept {
				s.since, s.late = l.Now, one.Late
			}
			w.seen[one.ID] = s
		}
		before := len(s.steps.List)
		s.Seen, s.gone = one, false
		s.steps = after(one.Log, s.since).Steps()
		s.still = len(s.steps.List) == before
	}
	return nil
}

// after is what a log has from a time on. The entries are the watcher's, which adds
// the next ones to them: they are only looked at.
func after(l serve.StepLog, since uint64) serve.StepLog {
	l.Takes = from(l.Takes, func(t serve.Take) bool { return t.Got >= since })
	if l.Ahead {
		l.Marks = from(l.Marks, func(m serve.Mark) bool { return m.Begin >= since })
	}
	return l
}

// from is the end of a list, from the first element on that is meant.
func from[T any](list []T, meant func(T) bool) []T {
	if i := slices.IndexFunc(list, meant); i >= 0 {
		return list[i:]
	}
	return nil
}

// The time between two looks, each of which costs the feeder and this process 1 ms.
const (
	watchSoonest = 200 * time.Millisecond
	watchLatest  = 2 * time.Second // then progress is said, too
)

// next is when the fastest trainer will have its steps, if they go on as they did.
func (w *watching) next(begun time.Time) time.Duration {
	made := w.most()
	if made == 0 {
		return watchSoonest
	}
	left := time.Since(begun) * time.Duration(w.options.steps-made) / time.Duration(made)
	return min(max(left, watchSoonest), watchLatest)
}

// trainerEnded is how a look ends whose trainer, or its feeder, has gone.
const trainerEnded = "ended"

// wait looks until the fastest trainer has its steps, and the others have theirs
// or make none, and says how it ended.
func (w *watching) wait(ctx context.Context) (ended string, err error) {
	begun := time.Now()
	said := begun
	for {
		select {
		case <-ctx.Done():
			return "interrupted", term.ErrInterrupted
		case <-time.After(w.next(begun)):
		}
		err := w.look(ctx)
		switch {
		case ctx.Err() != nil:
			return "interrupted", term.ErrInterrupted
		case errors.Is(err, serve.ErrGone):
			return trainerEnded, nil
		case err != nil:
			return "failed", err
		case w.gone():
			return trainerEnded, nil
		case w.enough():
			return "done", nil
		}
		if !w.options.Quiet && time.Since(said) >= watchLatest {
			said = time.Now()
			fmt.Fprintf(w.stderr, "%s of %s\n", term.Commas(w.most()), term.Count(w.options.steps, "step"))
		}
	}
}

// most is how many steps the fastest trainer has made.
func (w *watching) most() (n int) {
	for _, s := range w.seen {
		n = max(n, len(s.steps.List))
	}
	return n
}

func (w *watching) enough() bool {
	if w.most() < w.options.steps {
		return false
	}
	for _, s := range w.seen {
		if len(s.steps.List) < w.options.steps && !s.still && !s.gone {
			return false
		}
	}
	return true
}

// gone reports whether no trainer is left.
func (w *watching) gone() bool {
	for _, s := range w.seen {
		if !s.gone {
			return false
		}
	}
	return true
}
