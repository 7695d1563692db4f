package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"syscall"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
	"voxpack/store"
)

// feedRun is one run of the command, from the opened dataset to the report.
type feedRun struct {
	options *feedOptions
	place   place
	stdout  io.Writer
	started time.Time
	set     *plan.Set
	config  gpufeed.Config
	feed    *gpufeed.Feed
	gpus    []gpu
	fetch   *gpufeed.Fetcher // with --digest
	digests *digests         // with --digest
	ids     *idFile          // with --ids
	trainer *trainer         // with --step-ms
	saver   *saver           // with --step-ms and --save-cursor
	saved   bool             // the position at the end
	said    said

	copyTime time.Duration // to copy for at the end; 0: not, as in virtual time, where it would not end

	opened     time.Time     // the feed began to open
	ended      time.Time     // the last batch was given back
	firstBatch time.Duration // from the start of the process; 0: none came
	spot       spot
}

// open makes everything that the run needs.
func (r *feedRun) open(ctx context.Context, d *store.Dataset) error {
	o := r.options
	cursor, err := readCursor(o.resume)
	if err != nil {
		return err
	}
	selection, err := o.selection(d)
	if err != nil {
		return err
	}
	if r.set, err = plan.Select(d, selection); err != nil {
		return asUsage(err)
	}
	r.config = o.translate()
	r.config.Plan.Resume = cursor
	if o.trace != "" {
		r.config.Trace = perf.NewTrace(0)
		r.config.Trace.Note("version", toolVersion())
	}
	if err := r.openDevices(); err != nil {
		return err
	}
	r.opened = time.Now()
	if r.feed, err = gpufeed.Open(ctx, r.set, r.config); err != nil {
		return r.openError(err)
	}
	r.advise()
	return r.openSinks()
}

// openError tells what the command line can change from what the machine did.
func (r *feedRun) openError(err error) error {
	if errors.Is(err, plan.ErrCursor) {
		return usagef("--resume %s: %w", r.options.resume, err)
	}
	if r.config.Driver != nil && !errors.Is(err, plan.ErrConfig) {
		return err
	}
	return asUsage(err)
}

// asUsage makes an error one of usage unless the store or the system made it.
func asUsage(err error) error {
	var errno syscall.Errno
	for _, of := range []error{plan.ErrCorrupt, store.ErrDamaged, store.ErrNotFound, context.Canceled} {
		if errors.Is(err, of) {
			return err
		}
	}
	if errors.As(err, &errno) {
		return err
	}
	return usageError{err}
}

// openSinks makes what batches go through on their way.
func (r *feedRun) openSinks() (err error) {
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
	r.trainer = newTrainer(o.stepMS, jitter, o.seed)
	if r.trainer != nil && o.saveCursor != "" {
		r.saver = newSaver(o.saveCursor)
	}
	return nil
}

// firstEpoch is the number of the epoch that the run begins with.
func (r *feedRun) firstEpoch() uint64 {
	if r.config.Plan.Resume == nil {
		return 0
	}
	return r.config.Plan.Resume.Epoch
}

// deliver takes batches until there are no more, and shows how far it is.
func (r *feedRun) deliver(ctx context.Context) error {
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
		b.Release()
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

// take does with a batch what a trainer would.
func (r *feedRun) take(ctx context.Context, b gpufeed.Batch) error {
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
	r.trainer.hold(ctx)
	return nil
}

// finish ends what began and reports it. failed is what deliver said.
func (r *feedRun) finish(ctx context.Context, failed error) error {
	interrupted := failed != nil && ctx.Err() != nil
	saved := r.savePosition() // before all else: nothing behind it can lose the position
	report := newFeedReport(r)
	report.end(r, failed, interrupted)
	traced := r.saveTrace()
	closed := r.close()
	printed := r.print(report)
	recorded := r.keepRecord(report)
	if interrupted {
		failed = fmt.Errorf("%w; %s", errInterrupted, r.left(saved))
	}
	return errors.Join(feedError(failed), saved, traced, closed, printed, recorded)
}

// left says what an interrupted run leaves to the next one.
func (r *feedRun) left(saved error) string {
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
func (r *feedRun) savePosition() error {
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
func (r *feedRun) saveTrace() error {
	if r.options.trace == "" {
		return nil
	}
	return writeTrace(r.options.trace, r.config.Trace)
}

// close gives everything back, in the order that the feed wants. It may be
// called at any point of open.
func (r *feedRun) close() error {
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

// cores is how many the machine has.
func (r *feedRun) cores() int { return runtime.NumCPU() }

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
