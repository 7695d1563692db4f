package compiler

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"voxpack/store"
)

// saveCache writes new results and changed chunks of the stat table. Trouble with
// the cache is a warning: it costs time, never content.
func (b *build) saveCache(ctx context.Context) (warnings []string) {
	defer b.Spans.Span("save cache")()
	note, err := b.writeCache(ctx, noBound, b.stats.Save, b.memo.Save, func(put func(key, value []byte) error) error {
		return b.sums.save(b.layout, b.prev, b.packs, put)
	})
	if note != "" {
		warnings = append(warnings, note)
	}
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the cache could not be written (%v); the next build hashes and reads more than it must", err))
	}
	return warnings
}

// keepSurvey saves what a build that ended before its work found out about rows, in a store
// that is made for it if need be. It is a favour to the next build and may fail. Who
// interrupts a build does not wait for more than interruptedBytes of it.
func (b *build) keepSurvey(interrupted bool) {
	if !b.surveyed || b.saved || b.DryRun || b.memo.Empty() && !b.stats.NeedsWrite() {
		return
	}
	most := noBound
	if interrupted {
		most = interruptedBytes
	}
	if b.openWriter(true) == nil {
		b.stats.KeepUnused()
		b.writeCache(context.Background(), most, b.stats.Save, b.memo.Save)
	}
}

const (
	noBound = 1 << 62
	// interruptedBytes of the stat table and as many of results are what an interrupted
	// build still writes: the stats of 75,000 files and 50,000 results, in 0.2 s of a processor.
	interruptedBytes = 8 << 20
)

// errEnough ends a save that has written as much as it may.
var errEnough = errors.New("enough")

// writeCache writes at most `most` bytes of each kind, until ctx ends.
func (b *build) writeCache(ctx context.Context, most int, saves ...func(put func(key, value []byte) error) error) (note string, err error) {
	b.saved = true
	b.cache.Close()
	b.cache = nil
	c, err := store.OpenCache(b.Store)
	if err != nil {
		return "", err
	}
	b.stats.Keep(b.takenFiles())
	for _, save := range saves {
		if err = putRuns(ctx, most, save, c.Put); err != nil {
			break
		}
	}
	if closed := c.Close(); err == nil {
		err = closed
	}
	return c.Note(), err
}

// takenFiles are the places of those of rows whose leaf was taken over, of which the table was not asked.
func (b *build) takenFiles() iter.Seq[uint64] {
	if b.sums.taken == nil {
		return nil
	}
	return func(yield func(uint64) bool) {
		for i := range b.items {
			if it := &b.items[i]; it.file != 0 && !yield(it.file) {
				return
			}
		}
	}
}

// putRuns puts what save gives, in runs.
func putRuns(ctx context.Context, most int, save func(func(key, value []byte) error) error, put func(...store.Pair) error) error {
	run, total := runs[store.Pair]{put: func(list []store.Pair) error { return put(list...) }}, 0
	err := save(func(key, value []byte) error {
		n := len(key) + len(value)
		if total += n; total > most {
			return errEnough
		}
		return run.add(ctx, store.Pair{Key: key, Value: value}, n)
	})
	if err == nil || err == errEnough {
		return run.flush(ctx)
	}
	return err
}

// runs puts things of some MB together (recordRun). Between two runs an interrupt is seen.
type runs[T any] struct {
	put  func([]T) error
	list []T
	held int // bytes
}

// add takes in a thing of so many bytes.
func (r *runs[T]) add(ctx context.Context, thing T, bytes int) error {
	r.list, r.held = append(r.list, thing), r.held+bytes
	if r.held < recordRun {
		return nil
	}
	return r.flush(ctx)
}

// flush puts what is left. It clears the run: entries hold values of megabytes, which would
// stay in memory until the next run is as long.
func (r *runs[T]) flush(ctx context.Context) error {
	err := r.put(r.list)
	clear(r.list)
	r.list, r.held = r.list[:0], 0
	return errors.Join(err, ctx.Err())
}
