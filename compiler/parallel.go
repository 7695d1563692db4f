package compiler

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"voxpack/store"
)

// parallel calls do(worker, i) for every i below n from the given number of
// goroutines and waits for them. The first error stops what has not begun. Calls of one
// worker never overlap, so that each worker may have scratch memory of its own. A mapped pack that
// cannot be read ends it as an error.
func parallel(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range max(1, min(workers, n)) {
		wg.Go(func() {
			err := store.Shielded(func() error {
				for ctx.Err() == nil {
					i := int(next.Add(1)) - 1
					if i >= n {
						break
					}
					if err := do(w, i); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// together calls all of them at once and joins their errors: of several folders a person
// wants to hear at once what is wrong with each.
func together(calls ...func() error) error {
	errs := make([]error, len(calls))
	var wg sync.WaitGroup
	for i, call := range calls {
		wg.Go(func() { errs[i] = store.Shielded(call) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
