package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"voxpack/bench/calibration"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// cold is a lap of a process that found none of the packs in the page cache.
type cold struct {
	Head      lap     `json:"head"`       // the first batches, from the opening of the feed on
	Epoch     lap     `json:"epoch"`      // all of them
	Open      float64 `json:"open_ms"`    // of the store, the dataset and the selection
	DiskBytes int64   `json:"disk_bytes"` // that the kernel fetched for this process, opening included; < 0 unknown
}

// advice is how pages are read ahead in a lap over a cold cache.
type advice struct {
	name   string
	ahead  int  // batches that are asked for ahead, sample by sample
	random bool // the kernel reads nothing around the page that was touched
}

var advices = [3]advice{
	{name: "the kernel's own"},
	{name: "WILLNEED, 8 batches ahead", ahead: 8},
	{name: "RANDOM on the packs, and WILLNEED, 8 batches ahead", ahead: 8, random: true},
}

const unknownDisk = "How far the kernel reads ahead here is not known"

// coldHead is how many batches are timed apart: 0.5 GB of batches of 32, which
// show what is fetched besides.
const coldHead = 64

// coldEpoch is the piece cold: an epoch with two fillers.
func coldEpoch(ctx context.Context, o options) (c cold, err error) {
	start := time.Now()
	d, err := openDataset(o, nil)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	c.Open = calibration.Milliseconds(time.Since(start))
	if advices[o.advice].random {
		if err := randomly(o.store); err != nil {
			return c, err
		}
	}
	ahead, err := newReadAhead(d, o)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, ahead.close()) }()
	head, all := min(coldHead, d.batches()), d.batches()
	c.Epoch, err = timed(d.layout, all, func() (err error) {
		var f *gpufeed.Feed
		c.Head, err = timed(d.layout, head, func() (err error) {
			if f, err = gpufeed.Open(ctx, d.set, config(o, 2)); err != nil {
				return err
			}
			return ahead.take(ctx, f, head)
		})
		if f == nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		return errors.Join(err, ahead.take(ctx, f, all-head))
	})
	c.DiskBytes = fetched()
	return c, err
}

// readAhead walks the order of an epoch in front of the feed, in a goroutine of
// its own, and asks for the pages of the batches to come.
type readAhead struct {
	d      *dataset
	walk   *plan.Batches
	rows   []uint32
	blocks map[int][]store.Samples // by leaf

	turns chan struct{} // one for each batch to ask for
	ended chan error
}

func newReadAhead(d *dataset, o options) (*readAhead, error) {
	walk, err := d.firstEpoch(o)
	if err != nil {
		return nil, err
	}
	lead := advices[o.advice].ahead
	r := &readAhead{d: d, walk: walk, rows: make([]uint32, o.batch), blocks: map[int][]store.Samples{},
		turns: make(chan struct{}, d.batches()+lead), ended: make(chan error, 1)}
	for range lead {
		r.turns <- struct{}{}
	}
	if lead == 0 {
		r.turns = nil
		r.ended <- nil
		return r, nil
	}
	go func() { r.ended <- r.run() }()
	return r, nil
}

// take takes n batches, and lets the goroutine ask for one more after each.
func (r *readAhead) take(ctx context.Context, f *gpufeed.Feed, n int) error {
	for range n {
		if err := take(ctx, f, 1); err != nil {
			return err
		}
		if r.turns != nil {
			r.turns <- struct{}{} // it has room for the whole epoch
		}
	}
	return nil
}

// close waits for the goroutine.
func (r *readAhead) close() error {
	if r.turns != nil {
		close(r.turns)
	}
	return <-r.ended
}

// run asks for one batch a turn.
func (r *readAhead) run() error {
	for range r.turns {
		share, ok := r.walk.Next(r.rows)
		if !ok {
			return nil
		}
		for _, row := range share.Rows {
			if err := r.sample(r.d.set.At(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *readAhead) sample(at store.At) error {
	blocks, known := r.blocks[at.Leaf]
	if !known {
		shard, err := r.d.data.Shard(at.Leaf)
		if err != nil {
			return err
		}
		columns := r.d.data.Root.Schema.Blocks()
		for c, b := range shard.Blocks {
			view, err := r.d.store.Samples(b.Digest, shard.Len(), columns[c].SampleBytes())
			if err != nil {
				return err
			}
			blocks = append(blocks, view)
		}
		r.blocks[at.Leaf] = blocks
	}
	for c := range blocks {
		if err := willNeed(blocks[c].Row(at.Row)); err != nil {
			return err
		}
	}
	return nil
}

// fetched is how many bytes this process made the kernel read from a disk.
func fetched() int64 {
	b, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return -1
	}
	_, rest, _ := strings.Cut(string(b), "read_bytes: ")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return -1
	}
	return n
}
