package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// TestEveryRowComesOnce: an epoch without a tail is a permutation of the rows,
// and another seed or epoch is another one.
func TestEveryRowComesOnce(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(120)), Selection{})
	seen := map[string]string{}
	for _, at := range [][2]uint64{{1, 0}, {1, 1}, {2, 0}, {0, 1}} {
		ids := drain(t, walk(t, set, Global, at[0], at[1], Options{Batch: 8}))
		once := slices.Compact(slices.Sorted(slices.Values(ids)))
		if len(ids) != 120 || len(once) != 120 {
			t.Errorf("seed %d, epoch %d: %d deliveries of %d rows, want 120", at[0], at[1], len(ids), len(once))
		}
		name := fmt.Sprint(at)
		if other, again := seen[strings.Join(ids, " ")]; again {
			t.Errorf("seed and epoch %s have the order of %s", name, other)
		}
		seen[strings.Join(ids, " ")] = name
	}
}

// TestTheOrderIsPartOfTheFormat: cursors and runs of earlier versions depend on
// it. A change here makes every saved cursor worthless.
func TestTheOrderIsPartOfTheFormat(t *testing.T) {
	if got := draw(forOrder, 7, 1, store.Place("LJ001-0001"), 0); got != goldenDraw {
		t.Errorf("draw = %#x, want %#x", got, uint64(goldenDraw))
	}
	set := choose(t, datatest.Dataset(t, datatest.Samples(8)), Selection{})
	got := strings.Join(drain(t, walk(t, set, Global, 7, 1, Options{Batch: 1})), " ")
	if got != goldenOrder {
		t.Errorf("order = %s, want %s", got, goldenOrder)
	}
}

// TestNoShuffleIsTheOrderOfTheTrie: by place, then by id.
func TestNoShuffleIsTheOrderOfTheTrie(t *testing.T) {
	d := datatest.Dataset(t, datatest.Samples(50))
	var want []string
	if err := d.IDs(func(_ store.At, id string) bool { want = append(want, id); return true }); err != nil {
		t.Fatal(err)
	}
	got := drain(t, walk(t, choose(t, d, Selection{}), None, 3, 4, Options{Batch: 1}))
	if !slices.Equal(got, want) {
		t.Errorf("order = %v, want %v", got, want)
	}
}

// TestRowsStayInOrderWhenOthersComeAndGo: deleting rows from the dataset takes
// them out of the order and moves nothing else.
func TestRowsStayInOrderWhenOthersComeAndGo(t *testing.T) {
	all := datatest.Samples(100)
	fewer := slices.DeleteFunc(slices.Clone(all), func(s datatest.Sample) bool { return store.Place(s.ID)%3 == 0 })
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, all, fewer)
	sets := l.Open(2)
	want := drain(t, walk(t, choose(t, sets[0], Selection{}), Global, 5, 2, Options{Batch: 1}))
	want = slices.DeleteFunc(want, func(id string) bool { return store.Place(id)%3 == 0 })
	got := drain(t, walk(t, choose(t, sets[1], Selection{}), Global, 5, 2, Options{Batch: 1}))
	if !slices.Equal(got, want) {
		t.Errorf("order of the rows that stayed = %v, want %v", got, want)
	}
}

// TestRanksShareEveryBatch: side by side, the ranks of any world size have the
// global batches of a single consumer.
func TestRanksShareEveryBatch(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(101)), Selection{Buckets: []int{3, 6}})
	for _, tail := range []Tail{Drop, Pad, Wrap} {
		want := drain(t, walk(t, set, Global, 9, 0, Options{Batch: 12, Tail: tail}))
		for _, world := range []int{2, 3, 4, 6, 12} {
			ranks := make([]*Batches, world)
			for r := range ranks {
				ranks[r] = walk(t, set, Global, 9, 0, Options{Batch: 12, Tail: tail, Rank: r, World: world})
			}
			if got := together(t, ranks); !slices.Equal(got, want) {
				t.Errorf("tail %s, %d ranks = %v\nwant %v", tail, world, got, want)
			}
		}
	}
}

// together drains ranks that walk in step.
func together(t *testing.T, ranks []*Batches) []string {
	t.Helper()
	var ids []string
	dst := make([]uint32, ranks[0].plan.Share())
	for {
		var first Share
		for r, b := range ranks {
			s, ok := b.Next(dst)
			switch {
			case !ok && r == 0:
				for _, b := range ranks[1:] {
					if _, more := b.Next(dst); more {
						t.Fatal("one rank ended before another")
					}
				}
				return ids
			case !ok || r > 0 && (s.Bucket != first.Bucket || s.Fresh != first.Fresh):
				t.Fatalf("rank %d has %+v, %v beside %+v of rank 0", r, s, ok, first)
			case r == 0:
				first = s
			}
			ids = append(ids, idsOf(t, b.order.set.Rows, s.Rows)...)
		}
	}
}

func TestTails(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(10)), Selection{})
	order := drain(t, walk(t, set, Global, 1, 1, Options{Batch: 1}))
	for _, c := range []struct {
		name  string
		tail  Tail
		batch int
		want  []string
	}{
		{"drop leaves the rest out", Drop, 4, order[:8]},
		{"drop leaves all out when no batch fills", Drop, 11, nil},
		{"pad delivers the rest alone", Pad, 4, order},
		{"wrap fills up from the beginning", Wrap, 4, slices.Concat(order, order[:2])},
		{"wrap goes round more than once", Wrap, 25, slices.Concat(order, order, order[:5])},
		{"no tail when all batches fill", Wrap, 5, order},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := walk(t, set, Global, 1, 1, Options{Batch: c.batch, Tail: c.tail})
			if got := drain(t, b); !slices.Equal(got, c.want) {
				t.Errorf("rows = %v, want %v", got, c.want)
			}
			if want := uint64(min(len(c.want), 10)); b.Samples() != want {
				t.Errorf("Samples = %d, want %d", b.Samples(), want)
			}
		})
	}
}

// TestTheNextBucketHasTheSmallestKey: batches of different shapes are mixed by
// their first rows, not delivered shape by shape.
func TestTheNextBucketHasTheSmallestKey(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(200)), Selection{Buckets: []int{4}})
	b := walk(t, set, Global, 2, 0, Options{Batch: 4, Tail: Pad})
	dst, last, turns, bucket := make([]uint32, 4), uint64(0), 0, -1
	for {
		s, ok := b.Next(dst)
		if !ok {
			break
		}
		key := b.order.key(set.places[s.Rows[0]], 0)
		if key < last {
			t.Errorf("a batch that begins at %#x came after one at %#x", key, last)
		}
		if last = key; s.Bucket != bucket {
			bucket, turns = s.Bucket, turns+1
		}
	}
	if turns < 10 {
		t.Errorf("the bucket changed %d times in 50 batches", turns)
	}
}

func TestAPlanThatCannotBeIsRefused(t *testing.T) {
	o, err := choose(t, datatest.Dataset(t, datatest.Samples(4)), Selection{}).Order(None, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]Options{
		"batch of 0":                       {},
		"batch of -1":                      {Batch: -1},
		"rank 2 of 2":                      {Batch: 4, Rank: 2, World: 2},
		"rank -1 of 2":                     {Batch: 4, Rank: -1, World: 2},
		"rank 0 of -1":                     {Batch: 4, World: -1},
		"cannot be shared by 3 ranks":      {Batch: 4, World: 3},
		`tail "loop": want drop, pad or w`: {Batch: 4, Tail: "loop"},
	} {
		if _, err := o.Batches(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Batches(%+v) = %v, want %q in it", p, err, want)
		}
	}
	if _, err := o.set.Order("random", 0, 0); err == nil {
		t.Error("shuffle random was accepted")
	}
}

func TestABatchCostsNoAllocation(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(300)), Selection{Buckets: []int{4}})
	b, dst := walk(t, set, Global, 2, 0, Options{Batch: 2}), make([]uint32, 2)
	if n := testing.AllocsPerRun(100, func() { b.Next(dst) }); n != 0 {
		t.Errorf("%v allocations a batch, want 0", n)
	}
}

// BenchmarkOrder draws an epoch of LJSpeech's size.
func BenchmarkOrder(b *testing.B) {
	const rows = 13_100
	r := &Rows{places: make([]uint64, rows)}
	all := make([]uint32, rows)
	for i := range all {
		all[i], r.places[i] = uint32(i), draw(forSplit, 0, 0, uint64(i), 0)
	}
	set := &Set{Rows: r, buckets: []bucket{{800, all}}}
	b.ReportAllocs()
	for epoch := uint64(0); b.Loop(); epoch++ {
		if _, err := set.Order(Global, 1, epoch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// The draw and the order as version 1 has them, see TestTheOrderIsPartOfTheFormat.
const (
	goldenDraw  = 0x5873dbdeb1bcb6fd
	goldenOrder = "r0000 r0006 r0001 r0004 r0007 r0005 r0002 r0003"
)

// Len is the number of deliveries of the epoch, over all buckets and ranks.
func (o *Order) Len() int {
	n := 0
	for _, q := range o.buckets {
		n += len(q.rows)
	}
	return n
}
