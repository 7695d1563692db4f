package perf

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// relativeError is what histogram.go promises: a bucket is at most 1/128 of
// what is in it.
const relativeError = 1.0 / 128

func TestBucketsCoverEveryDurationOnce(t *testing.T) {
	next := time.Duration(0)
	for i := range buckets {
		low, width := boundsOf(i)
		if low != next {
			t.Fatalf("bucket %d begins at %d ns, want %d", i, low, next)
		}
		if got := [2]int{bucketOf(low), bucketOf(low + width - 1)}; got != [2]int{i, i} {
			t.Fatalf("the ends of bucket %d fall into %v", i, got)
		}
		if low >= 256 && float64(width) > relativeError*float64(low) {
			t.Fatalf("bucket %d is %d ns wide at %d ns", i, width, low)
		}
		next = low + width
	}
	if next-1 != Longest {
		t.Errorf("the buckets end at %v, want %v", next-1, Longest)
	}
}

// shapes are distributions as they occur: a steady step, one with a second
// mode, waits of nanoseconds to minutes.
var shapes = []struct {
	name string
	draw func(*rand.Rand) time.Duration
}{
	{"steady", func(r *rand.Rand) time.Duration {
		return 5*time.Millisecond + time.Duration(r.NormFloat64()*50e3)
	}},
	{"every eighth late", func(r *rand.Rand) time.Duration {
		if r.IntN(8) == 0 {
			return 15 * time.Millisecond
		}
		return 3*time.Millisecond + time.Duration(r.IntN(1000))
	}},
	{"over all magnitudes", func(r *rand.Rand) time.Duration {
		return time.Duration(math.Exp(r.Float64() * math.Log(float64(Longest))))
	}},
	{"few nanoseconds", func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(300)) }},
	{"0 or 1 ns", func(r *rand.Rand) time.Duration { return time.Duration((r.IntN(20) + 18) / 19) }},
	{"one value", func(*rand.Rand) time.Duration { return 1234567 * time.Nanosecond }},
	{"minutes that differ by nanoseconds", func(r *rand.Rand) time.Duration { return 5*time.Minute + time.Duration(r.IntN(9)) }},
}

// TestHistogramAgreesWithASortedSlice is the property of the type: exact where
// it says exact, within the error where it says that.
func TestHistogramAgreesWithASortedSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			for range 20 {
				values := make([]time.Duration, 1+r.IntN(3000))
				h := new(Histogram)
				for i := range values {
					values[i] = shape.draw(r)
					h.Record(values[i])
				}
				agree(t, h, values)
			}
		})
	}
}

// agree compares a histogram with all that was recorded in it.
func agree(t *testing.T, h *Histogram, values []time.Duration) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	var sum time.Duration
	for _, d := range sorted {
		sum += d
	}
	var squares float64
	for _, d := range sorted {
		off := float64(d) - float64(sum)/float64(n)
		squares += off * off
	}
	std := math.Sqrt(squares / float64(n))
	if h.Count() != int64(n) || h.Sum() != sum || h.Min() != sorted[0] || h.Max() != sorted[n-1] {
		t.Fatalf("count %d, sum %v, min %v, max %v, want %d, %v, %v, %v",
			h.Count(), h.Sum(), h.Min(), h.Max(), n, sum, sorted[0], sorted[n-1])
	}
	if off := math.Abs(float64(h.Mean()) - float64(sum)/float64(n)); off > 1 {
		t.Errorf("Mean() = %v, off by %v ns", h.Mean(), off)
	}
	if off := math.Abs(float64(h.Std()) - std); off > 0.5+1e-6*std {
		t.Errorf("Std() = %v, want %v ns", h.Std(), std)
	}
	for _, q := range []float64{-1, 0, 0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1, 2} {
		rank := min(max(int(math.Ceil(q*float64(n))), 1), n)
		want := sorted[rank-1]
		got := h.Quantile(q)
		if off := math.Abs(float64(got - want)); off > relativeError*float64(want) {
			t.Errorf("Quantile(%v) of %d = %v, want %v within %.2f %%", q, n, got, want, 100*relativeError)
		}
	}
	if got := h.Quantile(math.NaN()); got != sorted[0] {
		t.Errorf("Quantile(NaN) = %v, want the minimum %v", got, sorted[0])
	}
}

func TestQuantilesRiseWithTheirRank(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	h := new(Histogram)
	for range 5000 {
		h.Record(shapes[r.IntN(3)].draw(r))
	}
	last := h.Min()
	for i := range 1001 {
		if d := h.Quantile(float64(i) / 1000); d < last {
			t.Fatalf("Quantile(%v) = %v, below the one before, %v", float64(i)/1000, d, last)
		} else {
			last = d
		}
	}
}

func TestHistogramOfOddDurations(t *testing.T) {
	tests := []struct {
		name string
		in   time.Duration
		want time.Duration
	}{
		{"a clock that stepped back counts as 0", -time.Second, 0},
		{"nothing is a duration", 0, 0},
		{"a nanosecond is kept", 1, 1},
		{"the longest is kept", Longest, Longest},
		{"a longer one counts as the longest", Longest + 1, Longest},
		{"so does the longest of all", math.MaxInt64, Longest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := new(Histogram)
			h.Record(tt.in)
			got := []time.Duration{h.Min(), h.Max(), h.Sum(), h.Mean(), h.Quantile(0.5)}
			for _, d := range got {
				if d != tt.want {
					t.Fatalf("Record(%d): min, max, sum, mean, median = %d, want all %d", tt.in, got, tt.want)
				}
			}
			if h.Count() != 1 || h.Std() != 0 {
				t.Errorf("Record(%d): count %d, std %v, want 1 and 0", tt.in, h.Count(), h.Std())
			}
		})
	}
}

func TestWritersAndReadersMeet(t *testing.T) {
	h := new(Histogram)
	var wg sync.WaitGroup
	const writers, each = 4, 100000
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				h.Record(time.Duration(1 + i*writers + w))
			}
		})
	}
	for range 50 {
		if s := h.Summary(); s.MaxMS > writers*each/1e6 || s.StdMS < 0 {
			t.Errorf("read while written: %+v", s)
		}
	}
	wg.Wait()
	all := make([]time.Duration, writers*each)
	for i := range all {
		all[i] = time.Duration(i + 1)
	}
	agree(t, h, all)
}

// TestRaiseKeepsTheLargest lets two goroutines race often enough that a value
// written over a larger one shows.
func TestRaiseKeepsTheLargest(t *testing.T) {
	const rounds, values = 2000, 100
	for range rounds {
		var a atomic.Int64
		var wg sync.WaitGroup
		for first := range int64(2) {
			wg.Go(func() {
				for v := first; v < values; v += 2 {
					raise(&a, v)
				}
			})
		}
		wg.Wait()
		if got := a.Load(); got != values-1 {
			t.Fatalf("raised to %d, want %d", got, values-1)
		}
	}
}

func TestSummaryTakesEachFigureFromItsPlace(t *testing.T) {
	h := new(Histogram)
	for i := range 200 {
		h.Record(time.Duration(i+1) * 100)
	}
	got := h.Summary()
	want := Summary{Count: 200, TotalMS: 2.01, MeanMS: 0.01005, StdMS: 0.005773, MinMS: 0.0001, P50MS: 0.01, P95MS: 0.019, P99MS: 0.0198, MaxMS: 0.02}
	for _, f := range []struct {
		name      string
		got, want float64
	}{
		{"count", float64(got.Count), 200}, {"total", got.TotalMS, want.TotalMS}, {"mean", got.MeanMS, want.MeanMS},
		{"std", got.StdMS, want.StdMS}, {"min", got.MinMS, want.MinMS}, {"p50", got.P50MS, want.P50MS},
		{"p95", got.P95MS, want.P95MS}, {"p99", got.P99MS, want.P99MS}, {"max", got.MaxMS, want.MaxMS},
	} {
		if math.Abs(f.got-f.want) > relativeError*f.want {
			t.Errorf("%s = %v, want %v", f.name, f.got, f.want)
		}
	}
}

func TestANilHistogramRecordsNothing(t *testing.T) {
	var h *Histogram
	h.Record(time.Second)
	if got := h.Summary(); got != (Summary{}) {
		t.Errorf("Summary() = %+v, want zeros", got)
	}
}

func TestVariationIsInPercentOfTheMean(t *testing.T) {
	h := new(Histogram)
	if got := h.Summary().Variation(); got != 0 {
		t.Errorf("Variation() of nothing = %v, want 0", got)
	}
	h.Record(8 * time.Millisecond)
	h.Record(12 * time.Millisecond)
	if got := h.Summary().Variation(); got != 20 {
		t.Errorf("Variation() of 8 and 12 ms = %v, want 20", got)
	}
}

func TestRecordingAllocatesNothing(t *testing.T) {
	h, s := new(Histogram), NewStage("copy")
	for name, f := range map[string]func(){
		"Record":  func() { h.Record(time.Millisecond) },
		"Summary": func() { h.Summary() },
		"Stage": func() {
			s.WaitIn(time.Microsecond)
			s.Work(time.Millisecond, 1, 8<<20)
			s.WaitOut(time.Microsecond)
		},
	} {
		if got := testing.AllocsPerRun(1000, f); got != 0 {
			t.Errorf("%s allocates %v times, want 0", name, got)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	h := new(Histogram)
	d := time.Duration(0)
	for b.Loop() {
		h.Record(5*time.Millisecond + d&0xfffff)
		d += 977
	}
}

func BenchmarkRecordParallel(b *testing.B) {
	h := new(Histogram)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			h.Record(5 * time.Millisecond)
		}
	})
}

func BenchmarkQuantile(b *testing.B) {
	h := new(Histogram)
	for i := range 10000 {
		h.Record(5*time.Millisecond + time.Duration(i*977)&0xfffff)
	}
	for b.Loop() {
		h.Quantile(0.99)
	}
}
