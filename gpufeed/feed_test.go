package gpufeed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
)

// delivered is a batch as a consumer saw it.
type delivered struct {
	epoch  uint64
	bucket int
	rows   []uint32
	bytes  []byte
}

// collect takes all batches of a feed, closes it and returns them.
func collect(t testing.TB, f *Feed, before ...func()) []delivered {
	t.Helper()
	var list []delivered
	fetcher, err := f.NewFetcher()
	if err != nil {
		t.Fatal(err)
	}
	for {
		for _, each := range before {
			each()
		}
		b, err := f.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(errors.Join(err, f.Close()))
		}
		if b.Seq != uint64(len(list)) {
			t.Errorf("batch %d came as number %d", b.Seq, len(list))
		}
		held, err := fetcher.Bytes(b)
		if err != nil {
			t.Fatal(errors.Join(err, f.Close()))
		}
		list = append(list, delivered{b.Epoch, b.Bucket, append([]uint32(nil), b.Rows...), append([]byte(nil), held...)})
		b.Release()
	}
	if err := errors.Join(fetcher.Close(), f.Close()); err != nil {
		t.Error(err)
	}
	return list
}

// expect is what a config delivers, by walking the orders and reading every
// value through the store.
func expect(t testing.TB, set *plan.Set, c Config) []delivered {
	t.Helper()
	c = c.normal()
	var list []delivered
	first := uint64(0)
	if c.Plan.Resume != nil {
		first = c.Plan.Resume.Epoch
	}
	for epoch := first; epoch < first+uint64(c.Plan.Epochs); epoch++ {
		o, err := set.Order(c.Plan.Shuffle, c.Plan.Seed, epoch)
		if err != nil {
			t.Fatal(err)
		}
		b, err := o.Batches(c.Plan)
		if c.Plan.Resume != nil && epoch == first {
			b, err = o.Resume(c.Plan, *c.Plan.Resume)
		}
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]uint32, c.Plan.Share())
		for {
			s, ok := b.Next(dst)
			if !ok {
				break
			}
			l := layout(t, set.Dataset().Root.Schema, c.Plan.Share(), set.Buckets()[s.Bucket])
			rows := append([]uint32(nil), s.Rows...)
			list = append(list, delivered{epoch, s.Bucket, rows, naive(t, set, l, rows, 0)})
		}
	}
	return list
}

// same compares what came with what was to come, gaps between fields apart.
func same(t testing.TB, set *plan.Set, share int, got, want []delivered) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d batches, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.epoch != w.epoch || g.bucket != w.bucket || !equalRows(g.rows, w.rows) {
			t.Fatalf("batch %d: epoch %d bucket %d rows %v, want %d %d %v", i, g.epoch, g.bucket, g.rows, w.epoch, w.bucket, w.rows)
		}
		l := layout(t, set.Dataset().Root.Schema, share, set.Buckets()[g.bucket])
		for _, f := range l.Fields {
			a, b := f.Offset, f.Offset+l.Samples*f.Size
			if !bytes.Equal(g.bytes[a:b], w.bytes[a:b]) {
				t.Fatalf("batch %d, column %s: bytes differ", i, f.Column.Name)
			}
		}
	}
}

func equalRows(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestAFeedDeliversWhatTheOrderSays(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	for _, c := range []Config{
		{Plan: plan.Options{Batch: 8, Epochs: 3}},
		{Plan: plan.Options{Batch: 8, Tail: plan.Pad, Epochs: 2, Seed: 5}, Fillers: 3},
		{Plan: plan.Options{Batch: 60, Tail: plan.Wrap, World: 3, Rank: 2, Epochs: 2}},
		{Plan: plan.Options{Batch: 1, Epochs: 2, Shuffle: plan.None}, Depth: 1, FixedDepth: true, Fillers: 1},
	} {
		f, err := Open(context.Background(), set, c)
		if err != nil {
			t.Fatal(err)
		}
		same(t, set, c.Plan.Share(), collect(t, f), expect(t, set, c))
	}
}

// endless runs a feed without end over narrow samples.
func endless(t testing.TB, c Config) *Feed {
	t.Helper()
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	f, err := Open(context.Background(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func TestABatchAllocatesNothing(t *testing.T) {
	f := endless(t, Config{Plan: plan.Options{Batch: 8}})
	step := func() {
		b, err := f.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		b.Release()
	}
	for range 200 {
		step()
	}
	if n := testing.AllocsPerRun(5000, step); n != 0 {
		t.Errorf("%v allocations for each batch, want 0", n)
	}
}

// TestCorruptSamples end the feed after the batches before them, or are left
// out and counted.
func TestCorruptSamples(t *testing.T) {
	samples := datatest.Samples(57)
	samples[7].Spoilt, samples[30].Spoilt, samples[31].Spoilt = "mel", "tokens", "mel"
	set := choose(t, datatest.Dataset(t, samples), plan.Selection{})
	bad := map[string]bool{"r0007": true, "r0030": true, "r0031": true}
	f, err := Open(context.Background(), set, Config{Plan: plan.Options{Batch: 8, Epochs: 1}})
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	for ; err == nil; n++ {
		var b Batch
		b, err = f.Next(context.Background())
		b.Release()
	}
	var stage *StageError
	var corrupt *plan.CorruptError
	if !errors.As(err, &stage) || stage.Seq != n-1 || !errors.As(err, &corrupt) || !bad[corrupt.ID] {
		t.Errorf("after %d batches: %v", n-1, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		config Config
		rows   int // of full batches
	}{
		{Config{Plan: plan.Options{Batch: 8}}, 8},
		{Config{Plan: plan.Options{Batch: 8, Tail: plan.Wrap}}, 8},
		{Config{Plan: plan.Options{Batch: 1}}, 1},
		{Config{Plan: plan.Options{Batch: 8, Tail: plan.Pad}}, 0},
		{Config{Plan: plan.Options{Batch: 8}, Reference: true}, 8},
	} {
		c := tt.config
		c.Plan.Epochs, c.SkipCorrupt = 2, true
		f, err := Open(context.Background(), set, c)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for {
			b, err := f.Next(context.Background())
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if tt.rows > 0 && len(b.Rows) != tt.rows {
				t.Errorf("%+v: a batch of %d", c.Plan, len(b.Rows))
			}
			for _, id := range idsOf(t, set.Rows, b.Rows) {
				seen[id]++
				if bad[id] {
					t.Errorf("%+v: %s was delivered", c.Plan, id)
				}
			}
			b.Release()
		}
		s := f.Stats()
		if len(s.Corrupt) != 3 || s.Lost < 5 {
			t.Errorf("%+v: %d corrupt rows in %d deliveries, want 3 in 5 or 6", c.Plan, len(s.Corrupt), s.Lost)
		}
		if c.Plan.Batch == 1 && len(seen) != 54 {
			t.Errorf("%d rows were delivered, want 54", len(seen))
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
