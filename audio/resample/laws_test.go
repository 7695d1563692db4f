package resample

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"voxpack/audio/codec"
)

// TestLenIsTheQuotientRoundedUp compares with integers of any size, for rates and lengths of every magnitude.
func TestLenIsTheQuotientRoundedUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	rate := func() int { return codec.MinRate + random.IntN(codec.MaxRate-codec.MinRate+1) }
	for range 20_000 {
		n, from, to := random.Int64N(1<<random.IntN(42)+1), rate(), rate()
		q, rest := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(n), big.NewInt(int64(to))), big.NewInt(int64(from)), new(big.Int))
		if want := q.Int64() + int64(rest.Sign()); Len(n, from, to) != want {
			t.Fatalf("Len(%d, %d, %d) = %d, want %d", n, from, to, Len(n, from, to), want)
		}
	}
}

// TestRatesOfNew: both within the codec's, and within a factor of 200.
func TestRatesOfNew(t *testing.T) {
	for _, c := range []struct {
		from, to int
		ok       bool
	}{{codec.MinRate, codec.MinRate, true}, {codec.MaxRate, codec.MaxRate, true}, {1000, 200_000, true}, {200_000, 1000, true}, {1000, 200_001, false},
		{200_001, 1000, false}, {codec.MaxRate, 3840, true}, {codec.MaxRate, 3839, false}, {codec.MaxRate + 1, 48_000, false}, {48_000, codec.MinRate - 1, false}} {
		if r, err := New(c.from, c.to); (err == nil) != c.ok || (r != nil) != c.ok {
			t.Errorf("New(%d, %d): %v, want it taken: %v", c.from, c.to, err, c.ok)
		}
	}
}

// TestClicksOfALongClipKeepTheirPlace: sample m lies at the time m / to after minutes too, whatever the two rates have in common, and
// what lies around a click is the filter's response. Far from all clicks there is nothing.
func TestClicksOfALongClipKeepTheirPlace(t *testing.T) {
	for _, p := range append(pairsOfRates(), [][2]int{{codec.MaxRate, 44_101}, {1009, 200_003}, {8001, 8000}}...) {
		from, to := p[0], p[1]
		src := make([]float32, min(60*from, 1_500_000))
		clicks := []int{0, 1, len(src)/3 + 1, len(src)/2 - 7, len(src) - 5000, len(src) - 1}
		for i, at := range clicks {
			src[at] = float32(1 - i%2*2)
		}
		got := newOrFail(t, from, to).Resample(nil, src)
		reach := int(testMargin*max(1, float64(to)/float64(from))) + 1
		silent := 0
		for _, at := range clicks {
			centre := int(int64(at) * int64(to) / int64(from))
			for m := max(silent, centre-reach); m < min(len(got), centre+reach); m++ {
				if m > centre-12 && m < centre+12 || m%41 == 0 {
					if want := convolved(src, from, to, m); math.Abs(float64(got[m])-want) > 2e-5 {
						t.Fatalf("%v: output %d, by the click at %d, is %g, want %g", p, m, at, got[m], want)
					}
				}
			}
			for m := silent; m < centre-reach; m += 101 {
				if math.Abs(float64(got[m])) > 2e-6 {
					t.Fatalf("%v: output %d, far from any click, is %g", p, m, got[m])
				}
			}
			silent = min(len(got), max(silent, centre+reach))
		}
	}
}

// TestPowersOfTwoScaleExactly: of sums of products that are rounded one by one nothing else can come, nor from another sign.
func TestPowersOfTwoScaleExactly(t *testing.T) {
	for i, p := range pairsOfRates() {
		r := newOrFail(t, p[0], p[1])
		src := noise(5000+i, uint64(i))
		plain := r.Resample(nil, src)
		for _, factor := range []float32{-1, 0.5, -0x1p-20, 0x1p10, 0} {
			scaled, want := slices.Clone(src), slices.Clone(plain)
			for j := range scaled {
				scaled[j] *= factor
			}
			for j := range want {
				want[j] *= factor
			}
			got := r.Resample(nil, scaled)
			for j := range got {
				if got[j] != want[j] { // 0 and -0 are equal
					t.Fatalf("%v, times %g: output %d is %g, want %g", p, factor, j, got[j], want[j])
				}
			}
		}
	}
}

// TestAClipRunsBackwards: the filters are symmetric, so that a clip played backwards comes out backwards; its last sample has to lie
// where an output does.
func TestAClipRunsBackwards(t *testing.T) {
	for i, p := range pairsOfRates() {
		r := newOrFail(t, p[0], p[1])
		n := int(r.down)*max(1, 3000/int(r.down)) + 1
		last := (n - 1) / int(r.down) * int(r.up)
		src := chord(n, p[0], 0.45*float64(min(p[0], p[1])), uint64(i))
		forward := r.Resample(nil, src)[:last+1]
		slices.Reverse(src)
		backward := r.Resample(nil, src)[:last+1]
		slices.Reverse(backward)
		if d := apart(backward, forward); d > 5e-7 {
			t.Errorf("%v, %d samples: backwards it is off by %g", p, n, d)
		}
	}
}

// TestTwoStepsAreOne: what all filters pass comes out alike by way of a third rate.
func TestTwoStepsAreOne(t *testing.T) {
	for _, c := range [][3]int{{48_000, 24_000, 16_000}, {44_100, 48_000, 22_050}, {8000, 44_100, 16_000}, {16_000, 11_025, 22_050}, {96_000, 44_056, 8000}} {
		lowest := min(c[0], c[1], c[2])
		src := chord(c[0]/2, c[0], 0.44*float64(lowest), 11)
		direct := newOrFail(t, c[0], c[2]).Resample(nil, src)
		steps := newOrFail(t, c[1], c[2]).Resample(nil, newOrFail(t, c[0], c[1]).Resample(nil, src))
		margin := int(3 * testMargin * float64(c[2]) / float64(lowest))
		if d := 20 * math.Log10(apart(steps[margin:len(direct)-margin], direct[margin:len(direct)-margin])); d > -70 {
			t.Errorf("%v: two steps are off by %.1f dB", c, d)
		}
	}
}

// TestTonesBetweenTheNyquistFrequencies: those above the new one are gone, those below are what they were, and of both together the
// sum is, in float64: nothing folds back.
func TestTonesBetweenTheNyquistFrequencies(t *testing.T) {
	for _, p := range [][2]int{{48_000, 16_000}, {44_100, 22_050}, {44_056, 22_050}, {96_000, 8000}, {24_000, 22_050}, {768_000, 44_100}} {
		from, to := p[0], p[1]
		src := make([]float32, from/4)
		low, high := []float64{0.03, 0.31, 0.62, 0.89}, []float64{1.0, 1.11, 1.5}
		tone := func(part float64, i, rate int) float64 {
			return 0.1 * math.Sin(2*math.Pi*math.Mod(part*float64(to)/2*float64(i)/float64(rate)+part, 1))
		}
		for i := range src {
			var v float64
			for _, part := range append(slices.Clone(low), high...) {
				if part*float64(to) <= float64(from) {
					v += tone(part, i, from)
				}
			}
			src[i] = float32(v)
		}
		got := newOrFail(t, from, to).Resample(nil, src)
		margin := 2 * testMargin
		want := make([]float32, len(got))
		for m := range want {
			var v float64
			for _, part := range low {
				v += tone(part, m, to)
			}
			want[m] = float32(v)
		}
		if d := 20 * math.Log10(apart(got[margin:len(got)-margin], want[margin:len(want)-margin])); d > -58 { // 0.01 dB of a tone
			t.Errorf("%v: off by %.1f dB", p, d)
		}
	}
}

// TestResamplersOfOneRateShareNothing: many at once give what one gives.
func TestResamplersOfOneRateShareNothing(t *testing.T) {
	src := noise(20_000, 3)
	want := newOrFail(t, 44_056, 22_050).Resample(nil, src)
	var all sync.WaitGroup
	results := make([][]float32, 6)
	for i := range results {
		all.Go(func() {
			if r, err := New(44_056, 22_050); err == nil {
				results[i] = r.Resample(r.Resample(nil, src[:777]), src)
			}
		})
	}
	all.Wait()
	for i, got := range results {
		if at := differsAt(got, want); at >= 0 {
			t.Errorf("resampler %d: output %d differs", i, at)
		}
	}
}

// TestPlansAreTheirFormula: output m takes its taps from floor(m down / up) on, by the row at the phase of it, over a whole period of
// the two rates.
func TestPlansAreTheirFormula(t *testing.T) {
	for _, p := range [][2]int{{44_056, 22_050}, {22_051, 22_050}, {11_025, 44_099}, {44_099, 11_025}} {
		f := newOrFail(t, p[0], p[1]).broad
		if f == nil || f.plan == nil {
			t.Fatalf("%v: no plan", p)
		}
		var phase, at int64
		for m := int64(0); m <= f.up+chunkOutputs; {
			n := 1 + int(m*7%chunkOutputs)
			nextPhase, nextAt := f.planOutputs(n, phase, at)
			for o := range int64(n) {
				from, rest := (m+o)*f.down/f.up, (m+o)*f.down%f.up
				place := float64(float64(rest) * (float64(f.phases) / float64(f.up)))
				row := int32(place)
				if got := f.plan; got.at[o] != int32(from) || got.row[o] != row || got.part[o] != float32(place-float64(row)) {
					t.Fatalf("%v: output %d begins at %d in row %d + %g, want %d, %d + %g", p, m+o, got.at[o], got.row[o], got.part[o], from, row, place-float64(row))
				}
			}
			m, phase, at = m+int64(n), nextPhase, nextAt
		}
	}
}
