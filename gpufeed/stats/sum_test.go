package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// sumOf is the sum of values of one band, by way of bins.
func sumOf(values ...float32) Sum {
	into := make([]Sum, 1)
	b := newBins(1, false)
	for _, v := range values {
		b.room(into)
		b.step([]float32{v})
	}
	b.empty(into)
	return into[0]
}

// anyFloats are finite numbers of all exponents, signs and widths.
func anyFloats(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		for list[i] = float32(math.NaN()); math.IsNaN(float64(list[i])) || math.IsInf(float64(list[i]), 0); {
			list[i] = math.Float32frombits(r.Uint32())
		}
	}
	return list
}

// speech are numbers as log mels are.
func speech(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(r.NormFloat64()*2 - 5.5)
	}
	return list
}

// exact is the mean and the deviation by the definition, in rational numbers.
func exact(values []float32) (mean, std float64) {
	n := big.NewRat(int64(len(values)), 1)
	sum, square := new(big.Rat), new(big.Rat)
	for _, v := range values {
		sum.Add(sum, new(big.Rat).SetFloat64(float64(v)))
	}
	m := new(big.Rat).Quo(sum, n)
	for _, v := range values {
		d := new(big.Rat).Sub(new(big.Rat).SetFloat64(float64(v)), m)
		square.Add(square, d.Mul(d, d))
	}
	mean, _ = m.Float64()
	variance := new(big.Float).SetPrec(400).SetRat(square.Quo(square, n))
	std, _ = variance.Sqrt(variance).Float64()
	return mean, std
}

func TestMeanAndStdAreTheFloatsNextToTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sets := map[string][]float32{
		"of speech":              speech(r, 500),
		"of all exponents":       anyFloats(r, 500),
		"far from zero":          {1e7, 1e7 + 1, 1e7 + 2, 1e7 - 1},
		"the smallest":           {math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 3 * math.SmallestNonzeroFloat32},
		"the largest":            {math.MaxFloat32, math.MaxFloat32, -math.MaxFloat32},
		"one":                    {-11.512925},
		"that cancel out":        {1e30, 1, -1e30},
		"zeros":                  {0, float32(math.Copysign(0, -1)), 0},
		"with subnormal numbers": {1e-40, 5, -3e-42},
	}
	for name, values := range sets {
		s := sumOf(values...)
		mean, std := exact(values)
		if s.Mean() != mean || s.Std() != std {
			t.Errorf("numbers %s: mean %v, std %v, want %v, %v", name, s.Mean(), s.Std(), mean, std)
		}
		if s.Count != uint64(len(values)) || s.Min != float64(slices.Min(values)) || s.Max != float64(slices.Max(values)) {
			t.Errorf("numbers %s: %d from %v to %v", name, s.Count, s.Min, s.Max)
		}
	}
}

// What NumPy computes in float64 in two passes is the same within its own error.
func TestStatisticsAreThoseOfTwoPassesInFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		values := speech(r, 1+r.IntN(5000))
		var mean, square float64
		for _, v := range values {
			mean += float64(v)
		}
		mean /= float64(len(values))
		for _, v := range values {
			square += (float64(v) - mean) * (float64(v) - mean)
		}
		std := math.Sqrt(square / float64(len(values)))
		s := sumOf(values...)
		if math.Abs(s.Mean()-mean) > 1e-12 || math.Abs(s.Std()-std) > 1e-12 {
			t.Fatalf("%d values: mean %v, std %v, want %v, %v", len(values), s.Mean(), s.Std(), mean, std)
		}
	}
}

func TestNoOrderAndNoGroupingChangesASum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for round := range 50 {
		values := anyFloats(r, 1+r.IntN(300))
		if round%2 == 0 {
			values[0] = float32(math.Copysign(0, -1)) // beside a zero that is positive
			values = append(values, 0)
		}
		want := sumOf(values...)
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		var got Sum
		for rest := values; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			part := sumOf(rest[:n]...)
			var coded Sum
			if left, ok := coded.decode(part.encode(nil)); !ok || len(left) > 0 || coded != part {
				t.Fatalf("%+v is read as %+v", part, coded)
			}
			coded.Add(&got)
			got, rest = coded, rest[n:]
		}
		if got != want || math.Signbit(got.Min) != math.Signbit(want.Min) || math.Signbit(got.Max) != math.Signbit(want.Max) {
			t.Fatalf("in parts %+v, at once %+v", got, want)
		}
	}
}

func TestBinsAreEmptiedBeforeTheyAreFull(t *testing.T) {
	const n = 3*fullBins + 5
	largest := math.Float32frombits(math.Float32bits(2) - 1) // all bits of the mantissa
	values := slices.Repeat([]float32{largest}, n)
	s := sumOf(values...)
	if s.Count != n || s.Mean() != float64(largest) || s.Std() != 0 {
		t.Errorf("%d times %v: %d, mean %v, std %v", n, largest, s.Count, s.Mean(), s.Std())
	}
}

func TestWhatIsNoNumberDoesNotCount(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	if s := sumOf(inf, 2, nan, 4, -inf); s.Count != 2 || s.Mean() != 3 || s.Min != 2 || s.Max != 4 {
		t.Errorf("2 and 4 among others: %d, mean %v, %v to %v", s.Count, s.Mean(), s.Min, s.Max)
	}
}

func TestIntegersAreExact(t *testing.T) {
	list := []int32{math.MinInt32, math.MaxInt32, 1<<24 + 1, 1 << 24, -1<<24 - 1, 0, 7}
	into := make([]Sum, 1)
	b := newBins(1, false)
	want, square := new(big.Int), new(big.Int)
	for _, v := range list {
		b.step([]float32{b.integer(0, v)})
		want.Add(want, big.NewInt(int64(v)))
		square.Add(square, new(big.Int).Mul(big.NewInt(int64(v)), big.NewInt(int64(v))))
	}
	b.empty(into)
	s := into[0]
	if got := wide(s.values[:]).number(); got.Cmp(want.Lsh(want, valueUnit)) != 0 {
		t.Errorf("sum %v, want %v", got, want)
	}
	if got := wide(s.squares[:]).number(); got.Cmp(square.Lsh(square, 2*valueUnit)) != 0 {
		t.Errorf("squares %v, want %v", got, square)
	}
	if s.Count != uint64(len(list)) || s.Min != math.MinInt32 || s.Max != math.MaxInt32 {
		t.Errorf("%d from %v to %v", s.Count, s.Min, s.Max)
	}
}

func BenchmarkStep(b *testing.B) {
	const bands = 80
	values := speech(rand.New(rand.NewPCG(1, 1)), bands*600)
	k := newBins(bands, false)
	into := make([]Sum, bands)
	b.SetBytes(int64(4 * len(values)))
	for b.Loop() {
		for i := 0; i < len(values); i += bands {
			k.step(values[i : i+bands])
		}
		k.empty(into)
	}
}
