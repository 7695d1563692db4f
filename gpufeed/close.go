package gpufeed

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"voxpack/gpufeed/driver"
)

// Close ends the feed and frees what it has. It waits for copies under way and
// for work that consumers have queued, at most Config.CopyTimeout, and a tenth
// of that where a copy has taken so long already. Batches have to be released
// before: with one that is not, or a copy that does not end, nothing is freed,
// and Close says so and may be called again.
func (f *Feed) Close() error {
	c := &f.closing
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done {
		return c.err
	}
	select {
	case <-f.run.stop:
	default:
		close(f.run.stop)
		f.gauges.monitor.stop()
	}
	wait := f.patience()
	if !within(wait, f.run.work.Wait) || f.loans.stuck.Load() {
		return f.stays(wait)
	}
	if held := &f.loans.held; !held.CompareAndSwap(0, math.MinInt64/2) && held.Load() >= 0 { // from here on Next hands out nothing
		return fmt.Errorf("%d batches were not released before Close; their memory stays taken", held.Load())
	}
	quiet := make(chan error, 1)
	if !within(wait, func() { quiet <- f.route.dev.quiesce() }) {
		return f.stays(wait)
	}
	if err := <-quiet; err != nil {
		return fmt.Errorf("copies under way cannot be waited for, their memory stays taken: %w", err)
	}
	c.done = true
	c.err = errors.Join(f.gauges.monitor.close(), f.route.dev.close(), f.route.arena.close())
	return c.err
}

// closing is how far Close has come.
type closing struct {
	mu   sync.Mutex
	done bool  // everything is freed
	err  error // what the Close returned that freed everything
}

// stays is the error of a Close that could not wait any longer.
func (f *Feed) stays(wait time.Duration) error {
	return fmt.Errorf("%w within %v: device memory and pinned memory stay taken until the process ends", ErrCopyTimeout, wait)
}

// patience is how long Close waits for copies under way. Behind one that was
// given up it is short: it was waited for already, and others need what a copy
// takes.
func (f *Feed) patience() time.Duration {
	if errors.Is(f.run.failure.of(math.MaxUint64), ErrCopyTimeout) {
		return f.config.CopyTimeout / 10
	}
	return f.config.CopyTimeout
}

// within says whether work ended in time; if not it goes on by itself.
func within(limit time.Duration, work func()) bool {
	done := make(chan struct{})
	go func() { work(); close(done) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// quiesce waits for all that was queued for the slots, by hops and by consumers,
// also for copies after one that could not be queued whole. A device that is
// lost does nothing more.
func (d *devices) quiesce() error {
	if d == nil || len(d.hops) == 0 {
		return nil
	}
	for _, h := range d.hops {
		if h.stream == 0 || len(h.to.ring.slots) == 0 || h.to.ring.slots[0].done == 0 {
			continue // nothing was queued yet
		}
		err := onThread(h.gpu, func(t driver.Thread) error {
			if err := t.Record(h.to.ring.slots[0].done, h.stream); err != nil {
				return err
			}
			return t.Synchronize(h.to.ring.slots[0].done)
		})
		if err != nil && !errors.Is(err, driver.ErrLost) {
			return err
		}
	}
	if d.export != nil {
		return nil // consumers are other processes, and the caller has seen their end
	}
	last := d.hops[len(d.hops)-1].to
	for i := range last.ring.slots {
		s := &last.ring.slots[i]
		if s.state.Load() != uint32(Draining) {
			continue
		}
		err := onThread(last.gpu, func(t driver.Thread) error { return t.Synchronize(s.consumed) })
		if err != nil && !errors.Is(err, driver.ErrLost) {
			return err
		}
	}
	return nil
}

// close frees what the GPUs have. Copies have ended.
func (d *devices) close() error {
	if d == nil {
		return nil
	}
	var errs []error
	for _, e := range d.events {
		errs = append(errs, onThread(e.gpu, func(t driver.Thread) error { return t.CloseEvent(e.event) }))
	}
	for _, h := range d.hops {
		errs = append(errs, onThread(h.gpu, h.close))
	}
	for i, p := range d.stations {
		errs = append(errs, onThread(p.gpu, func(t driver.Thread) error {
			var errs []error
			if i == 0 {
				errs = append(errs, d.tier.close(t))
				if d.pinned != nil {
					errs = append(errs, t.Unpin(d.pinned))
				}
			}
			if p.base != 0 {
				errs = append(errs, t.Free(p.base))
			}
			return errors.Join(errs...)
		}))
	}
	for _, p := range d.stations {
		errs = append(errs, p.gpu.Close())
	}
	return errors.Join(errs...)
}
