package plan

import (
	"errors"
	"testing"

	"voxpack/gpufeed/datatest"
)

// TestEpochBatches: the number is that of a walk, weights and tails included.
func TestEpochBatches(t *testing.T) {
	d := datatest.Dataset(t, datatest.Samples(41))
	weights := []Weight{{Column: "speaker", Value: 1, Times: 1.5}, {Column: "speaker", Value: 2, Times: 0}}
	for _, s := range []Selection{{}, {Buckets: []int{3, 5}}, {Weights: weights}} {
		set := choose(t, d, s)
		for _, tail := range []Tail{Drop, Pad, Wrap} {
			for epoch := range uint64(3) {
				p := Options{Batch: 4, World: 2, Tail: tail, Seed: 7}
				b := walk(t, set, Global, 7, epoch, p)
				n, dst := 0, make([]uint32, p.Share())
				for _, ok := b.Next(dst); ok; _, ok = b.Next(dst) {
					n++
				}
				if got := set.EpochBatches(p, epoch); got != n {
					t.Errorf("EpochBatches of %+v, %s, epoch %d = %d, want %d", s, tail, epoch, got, n)
				}
			}
		}
	}
}

// TestEpochsWithoutABatchEndInAnErrorAlone: the course does not say that it has
// ended where it has failed, since Next would take that for an end without an
// error if it looked between the two.
func TestEpochsWithoutABatchEndInAnErrorAlone(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(10)), Selection{})
	all := walk(t, set, Global, 3, 0, Options{Batch: 10})
	all.Next(make([]uint32, 10))
	cursor := throughJSON(t, all)
	stop := make(chan struct{})
	defer close(stop)
	c, err := set.Course(Options{Batch: 11, Seed: 3, Resume: &cursor}.Normal())
	if err != nil {
		t.Fatal(err)
	}
	go c.Draw(stop)
	for range 3 {
		ok, err := c.Next(&Batch{Rows: make([]uint32, 0, 11)}, stop)
		if n, known := c.Length(); ok || !errors.Is(err, ErrNoBatch) || known {
			t.Errorf("Next = %v, %v, the end behind %d batches known: %v; want %v and no end", ok, err, n, known, ErrNoBatch)
		}
	}
}

// TestTheEndIsKnownWithTheLastBatch: a consumer that holds every slot asks for no
// batch after the last, so that it must not take one to know.
func TestTheEndIsKnownWithTheLastBatch(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(10)), Selection{})
	for _, o := range []Options{{Batch: 5, Epochs: 1}, {Batch: 5, Epochs: 1, Tail: Pad}, {Batch: 4, Steps: 2}} {
		stop := make(chan struct{})
		c, err := set.Course(o.Normal())
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(2) {
			if n, known := c.Length(); known {
				t.Errorf("%+v: the end after %d batches is known after %d", o, n, i)
			}
			if ok, err := c.Next(&Batch{Rows: make([]uint32, 0, o.Batch)}, stop); !ok || err != nil {
				t.Fatalf("%+v: Next = %v, %v", o, ok, err)
			}
		}
		if n, known := c.Length(); n != 2 || !known {
			t.Errorf("%+v: Length = %d, %v after the last batch; want 2", o, n, known)
		}
		close(stop)
	}
}
