package gpufeed

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
	"voxpack/store"
)

// TestACopyThatDoesNotEndIsNotWaitedForTwice: whichever copy of a batch hangs,
// its error comes when it has had its time, and Close then needs a tenth of that
// at most.
func TestACopyThatDoesNotEndIsNotWaitedForTwice(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	const limit = 2 * time.Second
	for _, tt := range []struct {
		name  string
		copy  int // of the only slot on the GPU: in, out, in, out, …
		batch uint64
		stage string
	}{
		{"in", 3, 1, "host to GPU 0"},
		{"out, to be looked at", 4, 1, "GPU 0 to host"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := sim.New(sim.Options{Faults: map[int]sim.Fault{0: {HangCopy: tt.copy}}})
				f, err := Open(context.Background(), set, Config{Driver: d, Plan: plan.Options{Batch: 8}, DeviceDepth: 1, CopyTimeout: limit})
				if err != nil {
					t.Fatal(err)
				}
				fetcher, err := f.NewFetcher()
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				for err == nil {
					var b Batch
					if b, err = f.Next(context.Background()); err == nil {
						_, err = fetcher.Bytes(b)
						b.Release()
					}
				}
				var stage *StageError
				if !errors.As(err, &stage) || !errors.Is(err, ErrCopyTimeout) || stage.Stage != tt.stage || stage.Seq != tt.batch {
					t.Errorf("the feed ended with %v, want %v of batch %d, %s", err, ErrCopyTimeout, tt.batch, tt.stage)
				}
				if err := fetcher.Close(); err != nil {
					t.Error(err)
				}
				if err := f.Close(); !errors.Is(err, ErrCopyTimeout) {
					t.Errorf("Close = %v, want that memory stays taken", err)
				}
				// The watchdog looks eight times within the limit.
				if took := time.Since(start); took > limit+limit/8+limit/10+time.Second/10 {
					t.Errorf("all of it took %v, want the limit of %v and a little", took, limit)
				}
				_ = d.Close() // ends what hangs
			})
		})
	}
}

// TestAStoreThatCannotBeReadAnyMoreEndsTheFeed: to leave corrupt samples out must
// not become a feed without end and without batches.
func TestAStoreThatCannotBeReadAnyMoreEndsTheFeed(t *testing.T) {
	spoilt := datatest.Samples(24)
	for i := range spoilt {
		spoilt[i].Spoilt = "mel"
	}
	c := Config{Plan: plan.Options{Batch: 4}, SkipCorrupt: true}
	for _, tail := range []plan.Tail{plan.Drop, plan.Pad} {
		c.Plan.Tail = tail
		f, err := Open(context.Background(), choose(t, datatest.Dataset(t, spoilt), plan.Selection{}), c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // again it says the same
			b, err := f.Next(context.Background())
			var stage *StageError
			if !errors.As(err, &stage) || !errors.Is(err, store.ErrDamaged) || stage.Seq < 6 {
				t.Errorf("tail %s: Next = batch %d, %v, want that a whole epoch was unreadable", tail, b.Seq, err)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	spoilt[7].Spoilt = "" // one row in each epoch is enough to go on
	c.Plan.Tail, c.Plan.Epochs = plan.Pad, 5
	f, err := Open(context.Background(), choose(t, datatest.Dataset(t, spoilt), plan.Selection{}), c)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; err == nil; n++ {
		var b Batch
		b, err = f.Next(context.Background())
		b.Release()
	}
	if n-1 != c.Plan.Epochs || err != io.EOF {
		t.Errorf("%d batches of the one sound row, then %v; want %d and the end", n-1, err, c.Plan.Epochs)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
