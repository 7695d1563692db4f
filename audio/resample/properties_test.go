package resample

import (
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio/codec"
)

// chord is n samples of tones at random frequencies up to hz and in random phases, with a peak below 1.
func chord(n, rate int, hz float64, seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 1))
	x := make([]float32, n)
	for range 40 {
		step, phase := random.Float64()*hz/float64(rate), random.Float64()
		for i := range x {
			x[i] += float32(0.02 * math.Sin(2*math.Pi*(step*float64(i)+phase)))
		}
	}
	return x
}

// apart is the rms of a - b over that of b.
func apart(a, b []float32) float64 {
	var difference, whole float64
	for i, v := range b {
		d := float64(a[i]) - float64(v)
		difference, whole = difference+d*d, whole+float64(v)*float64(v)
	}
	return math.Sqrt(difference / whole)
}

func newOrFail(t *testing.T, from, to int) *Resampler {
	t.Helper()
	r, err := New(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestResamplerIsLinear: of a sum it makes the sum, but for the rounding to float32.
func TestResamplerIsLinear(t *testing.T) {
	for i, p := range pairsOfRates() {
		r := newOrFail(t, p[0], p[1])
		a, b := noise(p[0]/4, uint64(i)), noise(p[0]/4, uint64(i+100))
		sum := make([]float32, len(a))
		for j := range sum {
			sum[j] = 0.75*a[j] - 0.125*b[j]
		}
		got, x, y := r.Resample(nil, sum), r.Resample(nil, a), r.Resample(nil, b)
		for j := range x {
			x[j] = 0.75*x[j] - 0.125*y[j]
		}
		if d := apart(got, x); d > 5e-7 {
			t.Errorf("%v: a sum is off by %g of the sum of its parts", p, d)
		}
	}
}

// TestResamplerMovesWithTheClip: a clip that begins later by whole periods of the two rates comes out later by as many.
func TestResamplerMovesWithTheClip(t *testing.T) {
	for _, p := range pairsOfRates() {
		r := newOrFail(t, p[0], p[1])
		shift := int(r.down) // input samples, in which up output samples lie
		if shift > p[0]/4 {
			continue // rates without a common divisor: longer than the clip
		}
		src := chord(p[0]/2, p[0], 0.4*float64(min(p[0], p[1])), 3)
		later := append(make([]float32, shift), src...)
		first, second := r.Resample(nil, src), r.Resample(nil, later)
		if d := apart(inner(second[r.up:][:len(first)], p[0], p[1]), inner(first, p[0], p[1])); d > 5e-7 {
			t.Errorf("%v: a clip that begins %d samples later is off by %g", p, shift, d)
		}
	}
}

// TestResamplerKeepsAConstant: the filters' sums are 1 for every phase.
func TestResamplerKeepsAConstant(t *testing.T) {
	for _, p := range append(pairsOfRates(), [2]int{codec.MaxRate, 4000}, [2]int{4000, codec.MaxRate}) {
		src := make([]float32, p[0]/2)
		for i := range src {
			src[i] = 0.5
		}
		for i, v := range inner(newOrFail(t, p[0], p[1]).Resample(nil, src), p[0], p[1]) {
			if math.Abs(float64(v)-0.5) > 0.5e-4 { // -80 dB
				t.Fatalf("%v: of a constant 0.5 sample %d is %g", p, i, v)
			}
		}
	}
}

// TestResamplerThereAndBack: what lies in the pass band of both ways survives them.
func TestResamplerThereAndBack(t *testing.T) {
	for _, p := range pairsOfRates() {
		src := chord(p[0]/2, p[0], 0.44*float64(min(p[0], p[1])), 5)
		there := newOrFail(t, p[0], p[1]).Resample(nil, src)
		back := newOrFail(t, p[1], p[0]).Resample(nil, there)
		d := 20 * math.Log10(apart(inner(back[:len(src)], p[1], p[0]), inner(src, p[1], p[0])))
		t.Logf("%v: %.1f dB", p, d)
		most := -100.0
		if up, down := lowestTerms(max(p[0], p[1]), min(p[0], p[1])); rollsOff(up, down) {
			most = -75 // the pass band of that filter bends by 0.001 dB
		}
		if d > most {
			t.Errorf("%v and back: off by %.1f dB, want at most %g", p, d, most)
		}
	}
}
