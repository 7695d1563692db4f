package feedrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
	"voxpack/store"
)

// run is one run of the command, from the opened dataset to the report.
type run struct {
	options *Options
	place   locate.Place
	stdout  io.Writer
	started time.Time
	set     *plan.Set
	config  gpufeed.Config
	mender  *gpufeed.Mender // with --on-corrupt repair
	feed    *gpufeed.Feed
	gpus    []uint64         // bytes of memory, by ordinal
	fetch   *gpufeed.Fetcher // with --digest
	digests *digests         // with --digest
	ids     *idFile          // with --ids
	trainer *trainer         // with --step-ms
	saver   *saver           // with --step-ms and --save-cursor
	saved   bool             // the position at the end
	watch   Watch            // of a run that another command reports
	trained time.Duration    // how long the trainer had the batch before
	said    said

	kept sync.WaitGroup // batches that are given back later

	compare bool // copy at the end; false: not, as in virtual time, where it would not end

	opened     time.Time     // the feed began to open
	began      perf.Load     // what the machine had done by then
	ended      time.Time     // the last batch was given back
	firstBatch time.Duration // from the start of the process; 0: none came
	spot       spot
}

// open makes everything that the run needs.
func (r *run) open(ctx context.Context, d *store.Dataset) error {
	o := r.options
	cursor, err := ReadCursor(o.resume)
	if err != nil {
		return err
	}
	selection, err := o.Selection(d)
	if err != nil {
		return err
	}
	if r.set, err = plan.Select(d, selection); err != nil {
		return AsUsage(err)
	}
	r.config = o.FeedConfig()
	r.config.Mender = r.mender
	r.config.Plan.Resume = cursor
	if o.trace != "" {
		r.config.Trace = perf.NewTrace(0)
		r.config.Trace.Note("version", o.Version)
	}
	if err := r.openDevices(); err != nil {
		return err
	}
	if change := o.planted.config; change != nil {
		change(&r.config)
	}
	r.opened, r.began = time.Now(), perf.ReadLoad(os.DirFS("/"))
	if r.feed, err = gpufeed.Open(ctx, r.set, r.config); err != nil {
		return r.openError(err)
	}
	if err := o.planted.stages(r.feed); err != nil {
		return err
	}
	r.advise()
	return r.openSinks()
}

// openError tells what the command line can change from what the machine did.
func (r *run) openError(err error) error {
	if errors.Is(err, plan.ErrCursor) {
		return term.Usagef("--resume %s: %w", r.options.resume, err)
	}
	if r.config.Driver != nil && !errors.Is(err, plan.ErrConfig) {
		return err
	}
	return AsUsage(err)
}

// AsUsage makes an error one of usage unless the store or the system made it.
func AsUsage(err error) error {
	var errno syscall.Errno
	for _, of := range []error{plan.ErrCorrupt, store.ErrDamaged, store.ErrNotFound, context.Canceled} {
		if errors.Is(err, of) {
			return err
		}
	}
	if errors.As(err, &errno) {
		return err
	}
	return term.Usage{Err: err}
}

// openSinks makes what batches go through on their way.
func (r *run) openSinks() (err error) {
	o := r.options
	if o.digest {
		if r.fetch, err = r.feed.NewFetcher(); err != nil {
			return err
		}
		r.digests = newDigests(r.firstEpoch())
	}
	if o.ids != "" {
		if r.ids, err = newIDFile(o.ids, r.stdout, r.set.Rows); err != nil {
			return err
		}
	}
	jitter, _ := parseJitter(o.jitter) // check has read it
	r.trainer = newTrainer(o.stepMS*o.planted.times(consumerStage), jitter, o.Seed)
	if r.trainer != nil && o.saveCursor != "" {
		r.saver = newSaver(o.saveCursor)
	}
	return nil
}

// firstEpoch is the number of the epoch that the run begins with.
func (r *run) firstEpoch() uint64 {
	if r.config.Plan.Resume == nil {
		return 0
	}
	return r.config.Plan.Resume.Epoch
}

// deliver takes batches until there are no more, and shows how far it is.
func (r *run) deliver(ctx context.Context) error {
	live := newLive(r)
	live.start()
	defer live.end()
	defer func() { r.ended = time.Now() }()
	for {
		if ctx.Err() != nil { // Next gives out what is ready all the same
			return context.Cause(ctx)
		}
		b, err := r.feed.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if r.firstBatch == 0 {
			r.firstBatch = sinceStart()
		}
		r.spot.reach(b.Epoch, r.config.Plan.Resume, r.config.Plan.Batch)
		err = r.take(ctx, b)
		r.release(b)
		if err == nil {
			err = r.saver.tick(r.feed)
		}
		if err != nil {
			return err
		}
		if err := r.saver.trouble(); err != nil {
			live.aside(func() {
				r.said.warn(fmt.Sprintf("the position was not saved: %v; it is tried again every %v", err, saveEvery))
			})
		}
	}
}

// release gives a batch back, or lets a trainer that keeps batches do so later.
func (r *run) release(b gpufeed.Batch) {
	keep := r.options.planted.keep
	if keep == 0 {
		b.Release()
		return
	}
	r.kept.Go(func() {
		time.Sleep(keep)
		b.Release()
	})
}

// take does with a batch what a trainer would.
func (r *run) take(ctx context.Context, b gpufeed.Batch) error {
	if r.ids != nil {
		if err := r.ids.add(b.Rows, r.trainer != nil); err != nil {
			return err
		}
	}
	if r.digests != nil {
		bytes, err := r.fetch.Bytes(b)
		if err != nil {
			return err
		}
		r.digests.add(b.Epoch, b.Layout, len(b.Rows), bytes)
	}
	if r.watch != nil {
		r.watch(b, r.trained)
	}
	r.trained = r.trainer.hold(ctx)
	return nil
}

// finish ends what began and reports it. failed is what deliver said.
func (r *run) finish(ctx context.Context, failed error) error {
	interrupted := failed != nil && ctx.Err() != nil
	saved := r.savePosition() // before all else: nothing behind it can lose the position
	report := newReport(r)
	report.end(r, failed, interrupted)
	traced := r.saveTrace()
	closed := r.close()
	printed := r.print(report)
	recorded := r.keepRecord(report)
	if interrupted {
		failed = fmt.Errorf("%w; %s", term.ErrInterrupted, r.left(saved))
	}
	return errors.Join(exitError(failed), saved, traced, closed, printed, recorded)
}

// left says what an interrupted run leaves to the next one.
func (r *run) left(saved error) string {
	switch {
	case saved != nil:
		return "the position was not saved"
	case r.options.saveCursor == "":
		return "--save-cursor FILE keeps the position"
	}
	return "the position is in " + r.options.saveCursor
}

// savePosition writes the file of --save-cursor. What went wrong with those on
// the way counts no more when this one is written.
func (r *run) savePosition() error {
	r.saver.end()
	r.saver = nil
	if r.options.saveCursor == "" {
		return nil
	}
	c, err := r.feed.Cursor()
	if err != nil {
		return fmt.Errorf("--save-cursor: %w", err)
	}
	err = writeCursor(r.options.saveCursor, c)
	r.saved = err == nil
	return err
}

// saveTrace writes the file of --trace.
func (r *run) saveTrace() error {
	if r.options.trace == "" {
		return nil
	}
	return WriteTrace(r.options.trace, r.config.Trace)
}

// close gives everything back, in the order that the feed wants. It may be
// called at any point of open.
func (r *run) close() error {
	r.kept.Wait()
	errs := []error{r.saver.end(), r.ids.close()}
	if r.fetch != nil {
		errs = append(errs, r.fetch.Close())
	}
	if r.feed != nil {
		errs = append(errs, r.feed.Close())
	}
	if r.config.Driver != nil {
		errs = append(errs, r.config.Driver.Close())
	}
	return errors.Join(errs...)
}

// cores is how many this process may use.
func (r *run) cores() int {
	if n := r.options.planted.cores; n > 0 {
		return n
	}
	return perf.ProcessCores().Usable()
}

// spot is where the run is, for who watches.
type spot struct {
	mu    sync.Mutex
	epoch uint64
	batch int // of the epoch, from 1; those before a resume count
	begun bool
}

// reach notes a batch.
func (s *spot) reach(epoch uint64, resumed *plan.Cursor, batch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.begun && resumed != nil && resumed.Epoch == epoch:
		s.batch = int(resumed.Samples) / batch
	case s.epoch != epoch:
		s.batch = 0
	}
	s.epoch, s.begun = epoch, true
	s.batch++
}

func (s *spot) now() (epoch uint64, batch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.epoch, s.batch
}

// Run opens what is asked for, delivers it, and reports, also what came
// before an error or an interrupt.
func Run(ctx context.Context, o *Options, stdout, stderr io.Writer) error {
	defer surviveBrokenPipe()()
	p, d, err := Open(o, stderr)
	if err != nil {
		return err
	}
	defer d.Store.Close()
	r := &run{options: o, place: p, stdout: stdout, started: time.Now(), compare: true, said: said{out: stderr, quiet: o.Quiet}}
	if o.Mend != nil {
		mender, end := o.Mend(ctx, p, d)
		defer end()
		r.mender = mender
	}
	if err := r.open(ctx, d); err != nil {
		return errors.Join(exitError(err), r.close())
	}
	failed := r.deliver(ctx)
	return r.finish(ctx, failed)
}

// surviveBrokenPipe makes a write to a stdout that nobody reads any more an error
// like others, after which the position is saved; Go's default is to die of
// SIGPIPE. To ignore the signal would do too, but programs that we start would
// inherit that.
func surviveBrokenPipe() (stop func()) {
	pipe := make(chan os.Signal, 1) // nobody looks: the write says it
	signal.Notify(pipe, syscall.SIGPIPE)
	return func() { signal.Stop(pipe) }
}

// exitError gives the errors of gpufeed their exit codes. That of a stage comes
// from the middle of a run, where a corrupt sample could have been left out.
func exitError(err error) error {
	var stage *gpufeed.StageError
	switch {
	case errors.Is(err, plan.ErrCorrupt) && errors.As(err, &stage):
		return term.Findings(fmt.Sprintf("%v; --on-corrupt skip leaves it out", err))
	case errors.Is(err, plan.ErrCorrupt):
		return term.Findings(err.Error())
	case errors.Is(err, plan.ErrCursor):
		return term.Usage{Err: err}
	}
	return err
}
