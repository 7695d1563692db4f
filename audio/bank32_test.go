package audio

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBanksSumEachBandAsByItself holds the walk over the bins to the sums of single bands. A bin that is infinite must stay out of
// the bands that do not have it: no weight of 0 may stand for "not mine".
func TestBanksSumEachBandAsByItself(t *testing.T) {
	walks := 0
	for _, c := range []MelConfig{
		{}, {NFFT: 256, WinLength: 256, HopLength: 64, NMels: 13, FMin: 300}, {NFFT: 4096, WinLength: 4096, NMels: 128},
		{FMin: 6000, FMax: 11025, NMels: 30}, {SampleRate: 16000, NFFT: 512, WinLength: 400, HopLength: 160, NMels: 40, FMax: 8000},
		{SampleRate: 8192, NFFT: 256, WinLength: 256, HopLength: 64, NMels: 4, FMax: 960}, {NMels: 2}, {NMels: 1},
	} {
		s := newMelOrFail(t, c).spec
		e := newEngine32(s)
		if b := newBank32(e.weights, e.spans); b.stretches != nil {
			walks++
		}
		checkBank(t, e.weights, e.spans, s.hi-s.lo)
	}
	if walks < 5 {
		t.Errorf("%d banks of 8 are summed in one walk: that is how the usual bank goes", walks)
	}
}

// TestOddBanksSumEachBandAsByItself has bands that no mel scale makes, and some that one makes of edges on a bin.
func TestOddBanksSumEachBandAsByItself(t *testing.T) {
	for name, spans := range map[string][]span32{
		"edges between bins":           {{0, 0, 3}, {1, 3, 4}, {3, 7, 3}},
		"a band that only falls":       {{0, 0, 2}, {2, 2, 3}, {2, 5, 6}},
		"an edge on a bin":             {{0, 0, 3}, {2, 3, 4}, {4, 7, 3}},
		"bands that do not meet":       {{0, 0, 3}, {5, 3, 2}, {8, 5, 3}},
		"three bands over a bin":       {{0, 0, 5}, {1, 5, 5}, {3, 10, 5}},
		"a band inside another":        {{0, 0, 9}, {3, 9, 2}},
		"bands from the top downwards": {{4, 0, 3}, {2, 3, 3}, {0, 6, 3}},
		"bins before the first band":   {{2, 0, 3}, {3, 3, 4}, {5, 7, 3}},
		"a band without bins":          {{0, 0, 3}, {1, 3, 0}, {3, 3, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			weights, bins := 0, 0
			for _, s := range spans {
				weights, bins = max(weights, int(s.at+s.n)), max(bins, int(s.row+s.n))
			}
			w := make([]float32, weights)
			for i := range w {
				w[i] = 1 / float32(i+3)
			}
			checkBank(t, w, spans, bins)
		})
	}
}

func checkBank(t *testing.T, weights []float32, spans []span32, bins int) {
	t.Helper()
	b, random := newBank32(weights, spans), rand.New(rand.NewPCG(3, 4))
	bin, got, want := make([]float32, bins), make([]float32, len(spans)), make([]float32, len(spans))
	for trial := range 20 {
		for i := range bin {
			bin[i] = float32(random.ExpFloat64())
			if trial%2 == 1 && random.IntN(10) == 0 {
				bin[i] = float32(math.Inf(1))
			}
		}
		for i, s := range spans {
			want[i] = dot32(weights[s.at:][:s.n], bin[s.row:][:s.n])
			got[i] = -1
		}
		b.sum(got, bin)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("band %d of %d, %+v, is %g, by itself %g", i, len(spans), spans[i], got[i], want[i])
			}
		}
	}
}

// TestLogarithmsOfManyAreThoseOfEach crosses the borders of the blocks that log32 takes at once.
func TestLogarithmsOfManyAreThoseOfEach(t *testing.T) {
	const floor = 1e-5
	random := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 128, 200} {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(math.Ldexp(1+random.Float64(), random.IntN(250)-125))
			if i%9 == 0 {
				values[i] = 0
			}
		}
		want := make([]float32, n)
		for i, v := range values {
			want[i] = v
			log32(want[i:i+1], floor, 0)
			if exact := math.Log(max(float64(v), float64(float32(floor)))); math.Abs(float64(want[i])-exact) > 1e-6*max(1, math.Abs(exact)) {
				t.Fatalf("log32(%g) = %g, want %g", v, want[i], exact)
			}
		}
		log32(values, floor, 0)
		for i := range want {
			if values[i] != want[i] {
				t.Fatalf("of %d logarithms number %d is %g, by itself %g", n, i, values[i], want[i])
			}
		}
	}
}
