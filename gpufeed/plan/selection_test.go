package plan

import (
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

func TestASelectionLeaves(t *testing.T) {
	all := datatest.Samples(60)
	d := datatest.Dataset(t, all)
	for name, c := range map[string]struct {
		selection Selection
		want      func(datatest.Sample) bool
	}{
		"every row when nothing is said":      {Selection{}, func(datatest.Sample) bool { return true }},
		"the rows of a language":              {Selection{Languages: []int32{1}}, func(s datatest.Sample) bool { return s.Language == 1 }},
		"the rows of any of the speakers":     {Selection{Speakers: []int32{2, 0, 2}}, func(s datatest.Sample) bool { return s.Speaker != 1 }},
		"only rows that pass both filters":    {Selection{Languages: []int32{0}, Speakers: []int32{1}}, func(s datatest.Sample) bool { return s.Language == 0 && s.Speaker == 1 }},
		"no row of weight 0":                  {Selection{Weights: []Weight{{"speaker", 1, 0}}}, func(s datatest.Sample) bool { return s.Speaker != 1 }},
		"what the val part of 1 has":          {Selection{Split: Val, Val: 1}, func(datatest.Sample) bool { return true }},
		"all to train when val has no part":   {Selection{Split: Train}, func(datatest.Sample) bool { return true }},
		"all to train when its part is all":   {Selection{Split: Train, Train: 1}, func(datatest.Sample) bool { return true }},
		"every row whatever bucket it is for": {Selection{Buckets: []int{3, 6}}, func(datatest.Sample) bool { return true }},
	} {
		t.Run(name, func(t *testing.T) {
			got := drain(t, walk(t, choose(t, d, c.selection), None, 0, 0, Options{Batch: 1}))
			var want []string
			for _, s := range all {
				if c.want(s) {
					want = append(want, s.ID)
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
	all := datatest.Samples(600)
	l := datatest.NewLab(t)
	l.Write(16, datatest.Schema, all, all[:250])
	sets := l.Open(2)
	ids := func(d *store.Dataset, split Split, train float64) []string {
		set := choose(t, d, Selection{Split: split, Val: 0.2, Train: train})
		return drain(t, walk(t, set, None, 0, 0, Options{Batch: 1}))
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
	d := datatest.Dataset(t, datatest.Samples(90))
	set := choose(t, d, Selection{Weights: []Weight{{"speaker", 0, 3}, {"speaker", 1, 1.5}, {"language", 1, 0.5}}})
	const epochs = 60
	times := map[string]int{}
	for epoch := range uint64(epochs) {
		in := map[string]int{}
		for _, id := range drain(t, walk(t, set, Global, 7, epoch, Options{Batch: 1})) {
			in[id]++
			times[id]++
		}
		for i := range 90 {
			s := datatest.Numbered(i)
			w := weightOf(s)
			if n := float64(in[s.ID]); n != math.Floor(w) && n != math.Ceil(w) {
				t.Fatalf("epoch %d: %s of weight %v came %v times", epoch, s.ID, w, n)
			}
		}
	}
	for i := range 90 {
		s := datatest.Numbered(i)
		mean, w := float64(times[s.ID])/epochs, weightOf(s)
		// A copy drawn with probability 1/2 has a mean of ± 0.065; 4.6 of these.
		if math.Abs(mean-w) > 0.3 {
			t.Errorf("%s of weight %v came %.2f times an epoch", s.ID, w, mean)
		}
	}
}

func weightOf(s datatest.Sample) float64 {
	w := []float64{3, 1.5, 1}[s.Speaker]
	if s.Language == 1 {
		w /= 2
	}
	return w
}

func TestASelectionThatDoesNotFitIsRefusedWithEverythingWrong(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema[:2], datatest.Samples(3))
	bare := l.Open(1)[0]
	full := datatest.Dataset(t, datatest.Samples(3))
	nan := math.NaN()
	for name, c := range map[string]struct {
		d    *store.Dataset
		s    Selection
		want []string
	}{
		"an unknown split":       {full, Selection{Split: "tests"}, []string{`split "tests"`}},
		"a split of no metadata": {full, Selection{Split: Test}, []string{"no column split"}},
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
			if !errors.Is(err, ErrConfig) {
				t.Errorf("error = %v, want an ErrConfig", err)
			}
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error = %v, want %q in it", err, want)
				}
			}
		})
	}
}

func TestBucketsTakeTheFirstThatFits(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), Selection{Buckets: []int{6, 3, 100}})
	if got := set.Buckets(); !slices.Equal(got, []int{3, 6, datatest.Frames}) {
		t.Fatalf("buckets = %v, want [3 6 %d]", got, datatest.Frames)
	}
	b := walk(t, set, Global, 1, 0, Options{Batch: 1})
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

// TestASetIsTheSameWhoeverReadsIt: places, weights and buckets are those of a
// reader that takes one row after the other, on any number of cores.
func TestASetIsTheSameWhoeverReadsIt(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	d := datatest.Dataset(t, datatest.Samples(1500))
	s := Selection{Buckets: []int{3, 6}, Languages: []int32{1}, Split: Train, Val: 0.3, Weights: []Weight{{"speaker", 2, 2.5}, {"speaker", 1, 0}}}
	var places []uint64
	var weights []float32
	buckets := []bucket{{frames: 3}, {frames: 6}, {frames: datatest.Frames}}
	if err := d.IDs(func(at store.At, id string) bool {
		row := uint32(len(places))
		places = append(places, store.Place(id))
		speaker, _ := d.Scalar(at, "speaker")
		language, _ := d.Scalar(at, "language")
		frames, _ := d.Scalar(at, "mel_len")
		weights = append(weights, []float32{1, 0, 2.5}[speaker])
		if speaker == 1 || language != 1 || !s.normal().has(places[row], 0) {
			return true
		}
		b := &buckets[map[bool]int{frames <= 3: 0, frames > 3 && frames <= 6: 1, frames > 6: 2}[true]]
		b.rows = append(b.rows, row)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if len(d.Shards) < scanners*64 {
		t.Fatalf("%d shards are too few for %d goroutines", len(d.Shards), scanners)
	}
	for _, cores := range []int{1, 2, 3, 8} {
		runtime.GOMAXPROCS(cores)
		set := choose(t, d, s)
		if !slices.Equal(set.places, places) || !slices.Equal(set.weights, weights) || !reflect.DeepEqual(set.buckets, buckets) {
			t.Errorf("on %d cores the set is not what the rows say", cores)
		}
	}
}

// TestAPackCutShortUnderASelectionIsAnError, and one that names the row.
func TestAPackCutShortUnderASelectionIsAnError(t *testing.T) {
	// Records of 4 rows lie in the tree of keys, of 64 in the value log.
	for k, pattern := range map[int]string{datatest.PerShard: "*.sst", 64: "*.vlog"} {
		l := datatest.NewLab(t)
		l.Write(k, datatest.Schema, datatest.Samples(700))
		d := l.Open(1)[0]
		set := choose(t, d, Selection{})
		b := walk(t, set, Global, 1, 0, Options{Batch: 4})
		share, _ := b.Next(make([]uint32, 4))
		saved := throughJSON(t, b)
		l.Truncate(pattern)
		_, err := set.ID(share.Rows[3])
		wantCorrupt(t, "ID", err, share.Rows[3])
		_, err = b.Cursor()
		wantCorrupt(t, "Cursor", err, share.Rows[3])
		_, err = b.order.Resume(Options{Batch: 4}, saved)
		wantCorrupt(t, "Resume", err, share.Rows[3])
		for _, cores := range []int{1, 2} {
			before := runtime.GOMAXPROCS(cores)
			_, err = Select(d, Selection{})
			runtime.GOMAXPROCS(before)
			var corrupt *CorruptError
			if !errors.Is(err, ErrCorrupt) || !errors.As(err, &corrupt) || set.At(corrupt.Row).Row != 0 {
				t.Errorf("K = %d, %d cores: Select = %v, want ErrCorrupt of a shard's first row", k, cores, err)
			}
		}
	}
}

func wantCorrupt(t *testing.T, what string, err error, row uint32) {
	t.Helper()
	var corrupt *CorruptError
	if !errors.Is(err, ErrCorrupt) || !errors.As(err, &corrupt) || corrupt.Row != row {
		t.Errorf("%s = %v, want ErrCorrupt of row %d", what, err, row)
	}
}

// BenchmarkSelect chooses among as many rows in as many shards as LJSpeech has.
func BenchmarkSelect(b *testing.B) {
	const rows = 13_100
	l := datatest.NewLab(b)
	l.Write(16, datatest.Schema, datatest.Samples(rows))
	d := l.Open(1)[0]
	for b.Loop() {
		if _, err := Select(d, Selection{Buckets: []int{3, 6}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
