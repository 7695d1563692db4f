package serve

import (
	"io"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
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

// TestWeightsAreForWhoTakesWhatWasTold: what no start can ask for needs the
// consumer's word that it wants what this feeder has.
func TestWeightsAreForWhoTakesWhatWasTold(t *testing.T) {
	s := serving(t, dataset(t, 20), func(o *Options) { o.Told = telling(Told{"weights", "--weight speaker:a=2"}, Told{"seed", "--seed 1"}) })
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	err = x.start(map[string]any{"seed": 1})
	if err == nil || !strings.Contains(err.Error(), "was started with --weight speaker:a=2, which") || strings.Contains(err.Error(), "set them (") {
		t.Errorf("start = %v, want that only who takes it all gets weights", err)
	}
	connect(t, s, map[string]any{"as_told": true})
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
