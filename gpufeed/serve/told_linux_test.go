package serve

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

func telling(list ...Told) func() ([]Told, error) {
	return func() ([]Told, error) { return list, nil }
}

// TestAStrangersFlagsAreNobodyElses: what a feeder was told by its flags is not
// given to who did not ask for it, and who says what it wants gets that.
func TestAStrangersFlagsAreNobodyElses(t *testing.T) {
	d := dataset(t, 20)
	s := serving(t, d, func(o *Options) {
		o.Config.Segment, o.Config.Plan.Seed = 3, 77
		o.Told = telling(Told{"segment", "--segment 3"}, Told{"seed", "--seed 77"})
	})
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	want := "request: this feeder was started with --segment 3 --seed 77, which differs from voxpack.yaml, and this consumer leaves those settings open: set them (segment, seed)"
	if err := x.start(map[string]any{}); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("start that says nothing: %v, want %q", err, want)
	}
	for _, c := range []struct {
		name    string
		request map[string]any
		frames  int
		config  gpufeed.Config
	}{
		{"none of it", map[string]any{"segment": 0, "seed": 5}, testFrames, gpufeed.Config{Plan: plan.Options{Seed: 5}}},
		{"another segment", map[string]any{"segment": 2, "seed": 5}, 2, gpufeed.Config{Plan: plan.Options{Seed: 5}, Segment: 2}},
		{"as it was told", map[string]any{"as_told": true}, 3, gpufeed.Config{Plan: plan.Options{Seed: 77}, Segment: 3}},
	} {
		x := connect(t, s, c.request)
		c.config.Plan.Batch = 4
		f := inProcess(t, d, c.config, plan.Selection{})
		want, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.next()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		same(t, x, got, f, want)
		want.Release()
		if shape := x.started.Layouts[0].Fields[1].Shape; shape[1] != c.frames {
			t.Errorf("%s: the mel is %v, want %d frames", c.name, shape, c.frames)
		}
	}
}

// TestSomeFlagsAreForWhoTakesWhatWasTold: what no start can ask for needs the
// consumer's word that it wants what this feeder has.
func TestSomeFlagsAreForWhoTakesWhatWasTold(t *testing.T) {
	s := serving(t, dataset(t, 20), func(o *Options) { o.Told = telling(Told{"on_corrupt", "--on-corrupt skip"}, Told{"seed", "--seed 1"}) })
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	err = x.start(map[string]any{"seed": 1})
	if err == nil || !strings.Contains(err.Error(), "was started with --on-corrupt skip, which") || strings.Contains(err.Error(), "set them (") {
		t.Errorf("start = %v, want that only who takes it all gets what is skipped", err)
	}
	connect(t, s, map[string]any{"as_told": true})
}

// TestAConsumersOwnWeights: a row comes as often as its consumer says, whatever
// the feeder was told, and a weight that would do nothing is refused.
func TestAConsumersOwnWeights(t *testing.T) {
	var rows []testRow
	for i := range 20 {
		rows = append(rows, testRow{id: fmt.Sprintf("%s/%04d", []string{"lj", "fa"}[i%2], i)})
	}
	d := datatest.Of(t, store.Root{Schema: testSchema, PerShard: 4, Symbols: []string{"_", "a"}}, rows)
	s := serving(t, d, func(o *Options) {
		o.Selection.Corpora = []plan.Corpus{{Name: "lj", Times: 5}} // as the config of a dataset of several corpora has it
		o.Told = telling(Told{"weights", "--weight corpus:lj=5"})
	})
	value := rows[0].Scalar("text_len")
	of := func(row testRow) int {
		if row.Scalar("text_len") == value {
			return 3
		}
		return 1
	}
	for _, c := range []struct {
		name    string
		weights []map[string]any
		times   func(testRow) int
	}{
		{"none", []map[string]any{}, func(testRow) int { return 1 }},
		{"a corpus", []map[string]any{{"corpus": "fa", "times": 2}}, func(r testRow) int { return 1 + strings.Count(r.id, "fa/") }},
		{"a column", []map[string]any{{"column": "text_len", "value": value, "times": 3}}, of},
		{"none of a corpus", []map[string]any{{"corpus": "lj", "times": 0}}, func(r testRow) int { return strings.Count(r.id, "fa/") }},
	} {
		x := connect(t, s, map[string]any{"weights": c.weights, "batch": 1, "epochs": 1})
		ids, err := x.ids()
		if err != nil {
			t.Fatal(err)
		}
		got, want := map[string]int{}, map[string]int{}
		for b, err := x.next(); err != io.EOF; b, err = x.next() {
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			got[ids[b.rows[0]]]++
			x.giveBack(b)
		}
		for _, row := range rows {
			if n := c.times(row); n > 0 {
				want[row.id] = n
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: rows came %v, want %v", c.name, got, want)
		}
	}
	for want, weights := range map[string][]map[string]any{
		"request: weight of corpus en: no row's id begins with en/":      {{"corpus": "en", "times": 2}},
		"request: weights: the dataset has no column speaker":            {{"column": "speaker", "value": 1, "times": 2}},
		"request: weight -1 of text_len 1: want 0 to 1000":               {{"column": "text_len", "value": 1, "times": -1}},
		"request: weights 65537: want 0 to 65536":                        make([]map[string]any, 65537),
		"request: weights of corpora: \"lj\" has no name or two weights": {{"corpus": "lj", "times": 2}, {"corpus": "lj", "times": 2}},
	} {
		y, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if err := y.start(map[string]any{"weights": weights}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("start with weights %.80v = %v, want %q", weights, err, want)
		}
		y.close()
	}
}

// TestAConsumersOwnBuckets: shapes are what the consumer asks for, and those
// that no row could have are refused.
func TestAConsumersOwnBuckets(t *testing.T) {
	d := dataset(t, 40)
	s := serving(t, d, nil)
	x := connect(t, s, map[string]any{"buckets": []int{3, 5}, "epochs": 1})
	f := inProcess(t, d, gpufeed.Config{Plan: plan.Options{Batch: 4, Seed: 5, Epochs: 1}}, plan.Selection{Buckets: []int{3, 5}})
	var buckets []int
	for {
		want, wantErr := f.Next(t.Context())
		got, err := x.next()
		if err == io.EOF && wantErr == io.EOF {
			break
		}
		if err != nil || wantErr != nil {
			t.Fatalf("next = %v, the feed's %v", err, wantErr)
		}
		same(t, x, got, f, want)
		buckets = append(buckets, want.Bucket)
		want.Release()
		x.giveBack(got)
	}
	if slices.Min(buckets) == slices.Max(buckets) {
		t.Errorf("every batch is of bucket %v", buckets)
	}
	for request, want := range map[string]map[string]any{
		"request: a bucket of 9 frames: the dataset's mels have 8": {"buckets": []int{3, 9}},
		"request: a segment of 9 frames: the slot has 8":           {"segment": 9},
		"request: reference \"other\": want same-speaker":          {"reference": "other"},
		"request: filter by speaker: the dataset has no column":    {"speakers": []int{1}},
		"request: speakers 65537: want 0 to 65536":                 {"speakers": make([]int, 65537)},
	} {
		y, err := dial(s.Address())
		if err != nil {
			t.Fatal(err)
		}
		if err := y.start(want); err == nil || !strings.HasPrefix(err.Error(), request) {
			t.Errorf("start of %.80v = %v, want %q", want, err, request)
		}
		y.close()
	}
}
