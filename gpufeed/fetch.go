package gpufeed

import (
	"errors"
	"fmt"
	"time"

	"voxpack/gpufeed/driver"
)

// fetchPoll is how often a fetcher looks whether a copy has ended. The copy of a
// batch of 32 (8.2 MB) takes 0.3 ms on a link of 25 GB/s, and whoever fetches
// hashes or compares for longer.
const fetchPoll = 50 * time.Microsecond

// Fetcher brings the bytes of batches back to the host, to compare or to hash
// them. It belongs to the goroutine that made it.
type Fetcher struct {
	limit  time.Duration // of a copy
	loans  *loans
	gpu    driver.GPU
	thread driver.Thread
	stream driver.Stream
	done   driver.Event
	arena  *arena
	pinned []byte
}

// NewFetcher makes a fetcher for the batches of the feed. It is closed before
// the feed is, and before any older thread of the same goroutine is left.
func (f *Feed) NewFetcher() (*Fetcher, error) {
	if f.route.dev == nil {
		return &Fetcher{}, nil
	}
	model := f.route.dev.model()
	thread, err := model.gpu.Thread()
	if err != nil {
		return nil, err
	}
	r := &Fetcher{limit: f.config.CopyTimeout, loans: &f.loans, gpu: model.gpu, thread: thread}
	if err := r.open(f.route.arena.slot); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Fetcher) open(bytes int) (err error) {
	if r.arena, err = newArena(1, bytes, false); err != nil {
		return err
	}
	if err = r.thread.Pin(r.arena.mem); err != nil {
		return unpinnable(err, r.arena.slot)
	}
	r.pinned = r.arena.mem
	if r.stream, err = r.thread.NewStream(false); err != nil {
		return err
	}
	r.done, err = r.thread.NewEvent(false)
	return err
}

// Bytes is the content of a batch that has not been released, in the shape of
// its layout. It is valid until the next call, or until the batch is released.
// An error is a *StageError.
func (r *Fetcher) Bytes(b Batch) ([]byte, error) {
	if b.Host != nil {
		return b.Host[:b.Layout.Bytes], nil
	}
	to := r.arena.mem[:b.Layout.Bytes]
	err := r.thread.CopyOut(to, b.Device.Ptr, r.stream)
	if err == nil {
		err = r.thread.Record(r.done, r.stream)
	}
	if err == nil {
		err = r.wait()
	}
	if err != nil {
		return nil, &StageError{fmt.Sprintf("GPU %d to host", b.Device.GPU), b.Seq, err}
	}
	return to, nil
}

// wait waits for the copy as long as one may take. Synchronising with a
// device that does not answer never returns.
func (r *Fetcher) wait() error {
	for since := time.Now(); ; time.Sleep(fetchPoll) {
		if done, err := r.thread.Query(r.done); done || err != nil {
			return err
		}
		if time.Since(since) > r.limit {
			r.loans.stuck.Store(true)
			return copyTimeout(r.limit)
		}
	}
}

// Close frees what the fetcher has. Where a copy does not end that is nothing:
// a driver that frees what a copy uses waits for it.
func (r *Fetcher) Close() error {
	if r.thread == nil {
		return nil
	}
	if r.loans.stuck.Load() {
		r.thread.Leave()
		return nil // the feed's Close says what stays
	}
	var errs []error
	if r.done != 0 {
		errs = append(errs, r.thread.CloseEvent(r.done))
	}
	if r.stream != 0 {
		errs = append(errs, r.thread.CloseStream(r.stream))
	}
	if r.pinned != nil {
		errs = append(errs, r.thread.Unpin(r.pinned))
	}
	r.thread.Leave()
	return errors.Join(append(errs, r.arena.close())...)
}
