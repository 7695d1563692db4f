package gpufeed

import (
	"math"
	"slices"
	"strings"
	"testing"

	"voxpack/store"
)

func TestASelectionLeaves(t *testing.T) {
	all := someSamples(60)
	d := dataset(t, all)
	for name, c := range map[string]struct {
		selection Selection
		want      func(sample) bool
	}{
		"every row when nothing is said":      {Selection{}, func(sample) bool { return true }},
		"the rows of a language":              {Selection{Languages: []int32{1}}, func(s sample) bool { return s.language == 1 }},
		"the rows of any of the speakers":     {Selection{Speakers: []int32{2, 0, 2}}, func(s sample) bool { return s.speaker != 1 }},
		"only rows that pass both filters":    {Selection{Languages: []int32{0}, Speakers: []int32{1}}, func(s sample) bool { return s.language == 0 && s.speaker == 1 }},
		"no row of weight 0":                  {Selection{Weights: []Weight{{"speaker", 1, 0}}}, func(s sample) bool { return s.speaker != 1 }},
		"what the val part of 1 has":          {Selection{Split: Val, Val: 1}, func(sample) bool { return true }},
		"all to train when val has no part":   {Selection{Split: Train}, func(sample) bool { return true }},
		"all to train when its part is all":   {Selection{Split: Train, Train: 1}, func(sample) bool { return true }},
		"every row whatever bucket it is for": {Selection{Buckets: []int{3, 6}}, func(sample) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			got := drain(t, walk(t, choose(t, d, c.selection), None, 0, 0, Plan{Batch: 1}))
			var want []string
			for _, s := range all {
				if c.want(s) {
					want = append(want, s.id)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("rows = %v, want %v", got, want)
			}
		})
	}
}

// TestTheSplit: the sides share no row and lose none, a row stays on its side
// when others go, and the parts are as large as they should be.
func TestTheSplit(t *testing.T) {
	all := someSamples(600)
	l := newLab(t)
	l.write(16, testSchema, all, all[:250])
	sets := l.open(2)
	ids := func(d *store.Dataset, split Split, train float64) []string {
		set := choose(t, d, Selection{Split: split, Val: 0.2, Train: train})
		return drain(t, walk(t, set, None, 0, 0, Plan{Batch: 1}))
	}
	val, train := ids(sets[0], Val, 0), ids(sets[0], Train, 0)
	both := slices.Sorted(slices.Values(slices.Concat(val, train)))
	if len(both) != 600 || len(slices.Compact(both)) != 600 {
		t.Errorf("val has %d rows and train %d; want each of 600 once", len(val), len(train))
	}
	if len(val) < 90 || len(val) > 150 { // 120 ± 3 standard deviations of 9.8
		t.Errorf("val has %d of 600 rows, want about 120", len(val))
	}
	for _, id := range ids(sets[1], Val, 0) {
		if !slices.Contains(val, id) {
			t.Errorf("%s is in val without the other rows, and in train with them", id)
		}
	}
	for _, part := range []float64{0.5, 0.8} {
		some := ids(sets[0], Train, part)
		if n := float64(len(some)); math.Abs(n-600*part) > 40 {
			t.Errorf("train has %v of 600 rows, want about %v", n, 600*part)
		}
		for _, id := range some {
			if slices.Contains(val, id) {
				t.Errorf("%s is in val and in train %v", id, part)
			}
		}
	}
}

func TestWeightsRepeatRows(t *testing.T) {
	d := dataset(t, someSamples(90))
	set := choose(t, d, Selection{Weights: []Weight{{"speaker", 0, 3}, {"speaker", 1, 1.5}, {"language", 1, 0.5}}})
	const epochs = 60
	times := map[string]int{}
	for epoch := range uint64(epochs) {
		in := map[string]int{}
		for _, id := range drain(t, walk(t, set, Global, 7, epoch, Plan{Batch: 1})) {
			in[id]++
			times[id]++
		}
		for i := range 90 {
			s := aSample(i)
			w := weightOf(s)
			if n := float64(in[s.id]); n != math.Floor(w) && n != math.Ceil(w) {
				t.Fatalf("epoch %d: %s of weight %v came %v times", epoch, s.id, w, n)
			}
		}
	}
	for i := range 90 {
		s := aSample(i)
		mean, w := float64(times[s.id])/epochs, weightOf(s)
		// A copy drawn with probability 1/2 has a mean of ± 0.065; 4.6 of these.
		if math.Abs(mean-w) > 0.3 {
			t.Errorf("%s of weight %v came %.2f times an epoch", s.id, w, mean)
		}
	}
}

func weightOf(s sample) float64 {
	w := []float64{3, 1.5, 1}[s.speaker]
	if s.language == 1 {
		w /= 2
	}
	return w
}

func TestASelectionThatDoesNotFitIsRefusedWithEverythingWrong(t *testing.T) {
	l := newLab(t)
	l.write(testShard, testSchema[:2], someSamples(3))
	bare := l.open(1)[0]
	full := dataset(t, someSamples(3))
	nan := math.NaN()
	for name, c := range map[string]struct {
		d    *store.Dataset
		s    Selection
		want []string
	}{
		"an unknown split":       {full, Selection{Split: "test"}, []string{`split "test"`}},
		"parts out of range":     {full, Selection{Val: -1}, []string{"parts from 0 to 1"}},
		"a part that is none":    {full, Selection{Val: nan}, []string{"parts from 0 to 1"}},
		"parts of more than all": {full, Selection{Val: 0.6, Train: 0.6}, []string{"more than 1"}},
		"val without a part":     {full, Selection{Split: Val}, []string{"val_split"}},
		"a weight below 0":       {full, Selection{Weights: []Weight{{"speaker", 1, -1}}}, []string{"weight -1 of speaker 1"}},
		"too large a weight":     {full, Selection{Weights: []Weight{{"speaker", 0, 900}, {"language", 0, 900}}}, []string{"its weights make 810000"}},
		"a bucket of nothing":    {full, Selection{Buckets: []int{0}}, []string{"bucket of 0 frames"}},
		"nothing left":           {full, Selection{Speakers: []int32{99}}, []string{"leaves none of 3 rows"}},
		"columns that are not there": {bare, Selection{Split: "x", Languages: []int32{1}, Speakers: []int32{1}, Weights: []Weight{{"style", 1, 1}}, Buckets: []int{4}},
			[]string{"split", "no column language", "no column speaker", "no column style", "no column mel_len"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Select(c.d, c.s)
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %q in it", err, want)
				}
			}
		})
	}
}

func TestBucketsTakeTheFirstThatFits(t *testing.T) {
	set := choose(t, dataset(t, someSamples(40)), Selection{Buckets: []int{6, 3, 100}})
	if got := set.Buckets(); !slices.Equal(got, []int{3, 6, testFrames}) {
		t.Fatalf("buckets = %v, want [3 6 %d]", got, testFrames)
	}
	b := walk(t, set, Global, 1, 0, Plan{Batch: 1})
	for dst := make([]uint32, 1); ; {
		s, ok := b.Next(dst)
		if !ok {
			return
		}
		at := set.At(s.Rows[0])
		frames, err := set.Dataset().Scalar(at, "mel_len")
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{frames <= 3: 0, frames > 3 && frames <= 6: 1, frames > 6: 2}[true]; s.Bucket != want {
			t.Errorf("%d frames came in bucket %d, want %d", frames, s.Bucket, want)
		}
	}
}
