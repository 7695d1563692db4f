package gpufeed

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// What ends a feed besides a corrupt sample and a device that is lost.
var (
	// ErrClosed says that the feed was closed.
	ErrClosed = errors.New("feed is closed")
	// ErrCopyTimeout says that a copy has not ended within Config.CopyTimeout.
	ErrCopyTimeout = errors.New("copy does not end")
	// ErrWaitTimeout says that no batch came within Config.WaitTimeout.
	ErrWaitTimeout = errors.New("no batch came")
)

// copyTimeout is the error of a copy that was queued so long ago.
func copyTimeout(limit time.Duration) error {
	return fmt.Errorf("%w: it was queued over %v ago; the GPU or its link may be lost, see dmesg and nvidia-smi", ErrCopyTimeout, limit)
}

// StageError is the first error of a feed: the batches before Seq were
// delivered.
type StageError struct {
	Stage string // "fill", "host to GPU 0", …
	Seq   uint64 // of the batch, from 0 in this run
	Err   error
}

// Error names the stage and the batch.
func (e *StageError) Error() string { return fmt.Sprintf("%s: batch %d: %v", e.Stage, e.Seq, e.Err) }

// Unwrap is the cause.
func (e *StageError) Unwrap() error { return e.Err }

// failure is the error that a feed ends with: the one of the earliest batch.
type failure struct {
	mu   sync.Mutex
	err  *StageError
	wake chan struct{} // holds a token when something changed that Next must see
}

func newFailure() *failure { return &failure{wake: make(chan struct{}, 1)} }

// set keeps the error if it is of an earlier batch than the one before.
func (f *failure) set(stage string, seq uint64, err error) {
	f.mu.Lock()
	if f.err == nil || seq < f.err.Seq {
		f.err = &StageError{stage, seq, err}
	}
	f.mu.Unlock()
	f.signal()
}

// signal wakes a Next that waits.
func (f *failure) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// of is the error that a batch meets, nil if it may still come.
func (f *failure) of(seq uint64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || f.err.Seq > seq {
		return nil
	}
	return f.err
}

// run is the goroutines of a feed and what ends them.
type run struct {
	begin   time.Time
	stop    chan struct{}  // closed by the first Close
	work    sync.WaitGroup // that Close waits for
	failure *failure
}

func newRun() *run { return &run{begin: time.Now(), stop: make(chan struct{}), failure: newFailure()} }
