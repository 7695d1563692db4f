package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"voxpack/bench/calibration"
	"voxpack/gpufeed"
)

// steady is what laps with the checksums after them came to.
type steady struct {
	Copy     [2][]lap `json:"copy"` // by goroutines, one and two
	Feed     [2][]lap `json:"feed"` // by fillers
	Compared int      `json:"compared_batches"`
	Source   int64    `json:"copied_from_bytes"`
	Slots    int      `json:"copied_into_slots"`
	Machine  machine  `json:"machine"`
}

// copySlots are what the copies go round: as many as the ring begins with at a
// batch of 32, and one more so that two goroutines have two each.
const copySlots = 4

// measureSteady is the piece steady: both feeds and both copies once a round,
// every other round backwards, so that all see the same minutes of the machine.
func measureSteady(ctx context.Context, o options, d *dataset) (s *steady, err error) {
	source, err := epochSource(ctx, o, d)
	if err != nil {
		return nil, err
	}
	copies, err := newCopies(source, d.layout)
	if err != nil {
		return nil, err
	}
	s = &steady{Source: int64(len(source)), Slots: copySlots}
	var feeds [2]*gpufeed.Feed
	for i := range feeds {
		if feeds[i], err = gpufeed.Open(ctx, d.set, config(o, i+1)); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, feeds[i].Close()) }()
		if err := compareEpoch(ctx, feeds[i], d, source); err != nil {
			return nil, fmt.Errorf("with %d fillers: %w", i+1, err)
		}
	}
	s.Compared = len(source) / d.layout.Bytes
	measure := []func() error{
		func() error { return copies.measure(d, 1, &s.Copy[0]) },
		func() error { return measureFeed(ctx, feeds[0], d, &s.Feed[0]) },
		func() error { return copies.measure(d, 2, &s.Copy[1]) },
		func() error { return measureFeed(ctx, feeds[1], d, &s.Feed[1]) },
	}
	for round := range o.rounds {
		if err := s.Machine.memory(); err != nil {
			return nil, err
		}
		for i := range measure {
			if round%2 == 1 {
				i = len(measure) - 1 - i
			}
			if err := measure[i](); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

func measureFeed(ctx context.Context, f *gpufeed.Feed, d *dataset, into *[]lap) error {
	l, err := feedLap(ctx, f, d.layout, d.batches())
	*into = append(*into, l)
	return err
}

// epochSource is the batches of epoch 0 in ordinary memory, gathered value by
// value: all of them, or those for which a quarter of the free memory has room.
func epochSource(ctx context.Context, o options, d *dataset) ([]byte, error) {
	walk, err := d.firstEpoch(o)
	if err != nil {
		return nil, err
	}
	n := d.batches()
	if free := freeMemory(); free > 0 {
		n = min(n, max(2, int(free/4/int64(d.layout.Bytes))))
	}
	source, err := calibration.Anonymous(n * d.layout.Bytes)
	if err != nil {
		return nil, err
	}
	rows := make([]uint32, o.batch)
	for i := range n {
		share, ok := walk.Next(rows)
		if !ok || ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), fmt.Errorf("the epoch ended at batch %d of %d", i, n))
		}
		if err := gather(d, share.Rows, source[i*d.layout.Bytes:]); err != nil {
			return nil, err
		}
	}
	return source, nil
}

// gather is what a slot must hold, read by other means than the feed's.
func gather(d *dataset, rows []uint32, slot []byte) error {
	for _, f := range d.layout.Fields {
		for i, row := range rows {
			dst := slot[f.Offset+i*f.Size:][:f.Size]
			v, err := d.value(row, f.Column)
			if err != nil {
				return err
			}
			copy(dst, v)
		}
	}
	return nil
}

// compareEpoch takes the first epoch of a feed, which compares its checksums
// too, and compares what the source has of it.
func compareEpoch(ctx context.Context, f *gpufeed.Feed, d *dataset, source []byte) error {
	for i := range d.batches() {
		b, err := f.Next(ctx)
		if err != nil {
			return err
		}
		if from := i * d.layout.Bytes; from < len(source) {
			err = compareBatch(b, source[from:])
		}
		b.Release()
		if err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
	}
	return nil
}

// compareBatch compares field by field: what stands between them is nobody's.
func compareBatch(b gpufeed.Batch, want []byte) error {
	for _, f := range b.Layout.Fields {
		from, to := f.Offset, f.Offset+b.Layout.Samples*f.Size
		if !bytes.Equal(b.Host[from:to], want[from:to]) {
			return fmt.Errorf("its column %s is not what the store has", f.Column.Name)
		}
	}
	return nil
}

// copies is the peer: one plain copy a batch, out of memory that the process
// has had for long, contiguous.
type copies struct {
	source []byte
	batch  int // bytes
	slots  []byte
}

// newCopies has slots of the kind that the ring has: mapped, of huge pages
// where there are any, and touched.
func newCopies(source []byte, layout *gpufeed.Layout) (*copies, error) {
	slots, err := calibration.Anonymous(copySlots * layout.Bytes)
	if err != nil {
		return nil, err
	}
	hugePages(slots)
	for i := range slots {
		slots[i] = 1
	}
	return &copies{source: source, batch: layout.Bytes, slots: slots}, nil
}

func (c *copies) measure(d *dataset, goroutines int, into *[]lap) error {
	l, err := timed(d.layout, d.batches(), func() error { c.run(d.batches(), goroutines); return nil })
	*into = append(*into, l)
	return err
}

// run copies so many batches. Each goroutine has its own slots, and takes the
// next batch when it is ready, as fillers do.
func (c *copies) run(batches, goroutines int) {
	var next atomic.Int64
	var wg sync.WaitGroup
	own := copySlots / goroutines
	for g := range goroutines {
		wg.Go(func() {
			for n := 0; ; n++ {
				i := int(next.Add(1)) - 1
				if i >= batches {
					return
				}
				from := i * c.batch % len(c.source)
				copy(c.slots[(g*own+n%own)*c.batch:][:c.batch], c.source[from:from+c.batch])
			}
		})
	}
	wg.Wait()
}
