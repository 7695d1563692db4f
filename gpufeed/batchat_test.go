package gpufeed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
)

// TestBatchAtIsWhatNextDelivers: each batch of each epoch, asked for by its number
// while Next is under way, in every tail, rank, set of buckets and order, with
// weights and with corrupt samples.
func TestBatchAtIsWhatNextDelivers(t *testing.T) {
	rows := datatest.Samples(23)
	rows[7].Spoilt, rows[12].Spoilt = "mel", "tokens"
	d := datatest.Dataset(t, rows)
	selections := map[string]plan.Selection{
		"all":     {},
		"buckets": {Buckets: []int{3, 6}},
		"weights": {Weights: []plan.Weight{{Column: "speaker", Value: 1, Times: 2.5}}, Buckets: []int{4}},
	}
	for name, selection := range selections {
		set := choose(t, d, selection)
		for _, tail := range []plan.Tail{plan.Drop, plan.Pad, plan.Wrap} {
			for _, world := range []int{1, 2} {
				for _, shuffle := range []plan.Shuffle{plan.Global, plan.None} {
					c := Config{Plan: plan.Options{Batch: 4, Rank: world - 1, World: world, Tail: tail, Shuffle: shuffle, Seed: 9, Epochs: 3}, SkipCorrupt: true}
					if name == "weights" { // what is drawn for each epoch
						c.Segment, c.Reference = 2, true
					}
					t.Run(fmt.Sprintf("%s/%s/%d/%s", name, tail, world, shuffle), func(t *testing.T) { sameApart(t, set, c) })
				}
			}
		}
	}
}

func sameApart(t *testing.T, set *plan.Set, c Config) {
	f, err := Open(context.Background(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, epoch, index := 0, uint64(0), 0
	for ; ; n, index = n+1, index+1 {
		b, err := f.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Epoch != epoch {
			epoch, index = b.Epoch, 0
		}
		memory := make([]byte, f.content.layouts[len(f.content.layouts)-1].Bytes)
		a, err := apart(f, epoch, index, memory)
		for errors.Is(err, plan.ErrCorrupt) { // nothing is left of it
			index++
			a, err = apart(f, epoch, index, memory)
		}
		if err != nil {
			t.Fatal(err)
		}
		if a.Bucket != b.Bucket || a.Lost != b.Lost || !slices.Equal(a.Rows, b.Rows) {
			t.Fatalf("batch %d of epoch %d: %+v, Next gives bucket %d, lost %d, %v", index, epoch, a, b.Bucket, b.Lost, b.Rows)
		}
		if want := idsOf(t, set.Rows, b.Rows); !slices.Equal(a.IDs, want) {
			t.Errorf("batch %d of epoch %d: ids %q, want %q", index, epoch, a.IDs, want)
		}
		for _, field := range b.Layout.Fields {
			from, to := field.Offset, field.Offset+b.Layout.Samples*field.Size
			if !bytes.Equal(memory[from:to], b.Host[from:to]) {
				t.Fatalf("batch %d of epoch %d: column %s differs from that of Next", index, epoch, field.Column.Name)
			}
		}
		b.Release()
	}
	if epoch != 2 || n < 6 {
		t.Errorf("%d batches up to epoch %d", n, epoch)
	}
	if _, err := f.BatchAt(0, set.EpochBatches(c.Plan, 0)-1); err != nil {
		t.Error(err)
	}
	for _, beyond := range []int{-1, math.MinInt, set.EpochBatches(c.Plan, 0), math.MaxInt} {
		if _, err := f.BatchAt(0, beyond); !errors.Is(err, plan.ErrConfig) {
			t.Errorf("BatchAt(0, %d) = %v, want ErrConfig", beyond, err)
		}
	}
}

func apart(f *Feed, epoch uint64, index int, memory []byte) (Apart, error) {
	for i := range memory {
		memory[i] = 0xEE
	}
	a, err := f.BatchAt(epoch, index)
	if err == nil {
		err = f.FillApart(&a, memory[:f.content.layouts[a.Bucket].Bytes])
	}
	return a, err
}
