package plan

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
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
			t.Errorf("Next = %v, %v, the end after %d batches known: %v; want %v and no end", ok, err, n, known, ErrNoBatch)
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

// course is all batches of a rank: row numbers, batch by batch, at most so many if
// most is not negative, and the cursor after them as it comes back from a file.
func course(t testing.TB, set *Set, o Options, most int) (rows [][]uint32, after Cursor) {
	t.Helper()
	c, err := set.Course(o.Normal())
	if err != nil {
		t.Fatal(err)
	}
	b := Batch{Rows: make([]uint32, 0, o.Share())}
	c.Position(&b.At)
	for len(rows) != most {
		ok, err := c.Next(&b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		rows = append(rows, slices.Clone(b.Rows))
	}
	after, err = c.Cursor(&b.At)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(after)
	if err != nil {
		t.Fatal(err)
	}
	if after, err = ParseCursor(file); err != nil {
		t.Fatal(err)
	}
	return rows, after
}

// TestStoppedAfterEveryBatch of an epoch of 200 and resumed by another number of
// ranks, a course has exactly the batches that were left, and all ranks of a world
// have the same cursor.
func TestStoppedAfterEveryBatch(t *testing.T) {
	t.Parallel()
	const batch = 6
	d := datatest.Dataset(t, datatest.Samples(200*batch-3))
	for name, c := range map[string]struct {
		selection Selection
		shuffle   Shuffle
		tail      Tail
	}{
		"padded":                            {Selection{}, Global, Pad},
		"wrapped, in the order of the trie": {Selection{}, None, Wrap},
		"dropped, in buckets":               {Selection{Buckets: []int{3, 6}, Weights: []Weight{{"speaker", 0, 1.5}}}, Global, Drop},
	} {
		t.Run(name, func(t *testing.T) {
			set := choose(t, d, c.selection)
			o := Options{Batch: batch, Tail: c.tail, Shuffle: c.shuffle, Seed: 5, Epochs: 1}
			want, end := course(t, set, o, -1)
			if len(want) < 199 {
				t.Fatalf("an epoch of %d batches, want about 200", len(want))
			}
			for stop := range len(want) + 1 {
				first, cursor := course(t, set, o, stop)
				if !slices.EqualFunc(first, want[:stop], slices.Equal) {
					t.Fatalf("the first %d batches are others than before", stop)
				}
				resumed := o
				resumed.Resume, resumed.World = &cursor, []int{6, 2, 3, 1}[stop%4]
				rest := make([][]uint32, len(want)-stop)
				for resumed.Rank = range resumed.World {
					rows, after := course(t, set, resumed, -1)
					if len(rows) != len(rest) || !reflect.DeepEqual(after, end) {
						t.Fatalf("stopped after %d batches, rank %d of %d: %d batches up to %+v, want %d up to %+v", stop, resumed.Rank, resumed.World, len(rows), after, len(rest), end)
					}
					for i := range rows {
						rest[i] = append(rest[i], rows[i]...)
					}
				}
				if !slices.EqualFunc(rest, want[stop:], slices.Equal) {
					t.Fatalf("stopped after %d batches, resumed by %d ranks: %v, want %v", stop, resumed.World, rest, want[stop:])
				}
			}
		})
	}
}

// Samples is how many rows were delivered in this epoch, over all ranks and
// what came before a resume; rows that a tail repeats do not count.
func (b *Batches) Samples() uint64 { return b.count }

// Cursor is the position after the batches that Next has returned. It reads
// one shard record for each bucket.
func (b *Batches) Cursor() (Cursor, error) {
	var p Position
	b.position(&p)
	return b.order.set.cursor(b.order.shuffle, b.order.seed, b.plan.Tail, &p)
}
