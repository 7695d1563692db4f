package detmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// ulps is the distance of a and b in units in the last place of b.
func ulps(a, b float64) float64 {
	if a == b {
		return 0
	}
	unit := math.Nextafter(math.Abs(b), math.Inf(1)) - math.Abs(b)
	return math.Abs(a-b) / unit
}

// Package math itself is within 1 unit of the true value, so 2 units from it are the most that 1 unit of our own allows.
const maxUlps = 2

func TestLogAndExpAreWithinTwoUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var worstLog, worstExp float64
	for range 300_000 {
		x := math.Exp(rng.Float64()*80 - 40)
		worstLog = max(worstLog, ulps(Log(x), math.Log(x)))
		near := 1 + (rng.Float64()-0.5)*0.6 // where the logarithm is small and cancellation would show
		worstLog = max(worstLog, ulps(Log(near), math.Log(near)))
		y := rng.Float64()*1200 - 600
		worstExp = max(worstExp, ulps(Exp(y), math.Exp(y)))
	}
	for _, x := range []float64{1, 2, 0.5, math.Sqrt2, math.Sqrt2 / 2, 1e-5, 6.4, math.SmallestNonzeroFloat64 * (1 << 52), math.MaxFloat64} {
		worstLog = max(worstLog, ulps(Log(x), math.Log(x)))
	}
	t.Logf("log %.2f, exp %.2f units", worstLog, worstExp)
	if worstLog > maxUlps || worstExp > maxUlps {
		t.Errorf("log off by %.2f, exp by %.2f units in the last place, want at most %d", worstLog, worstExp, maxUlps)
	}
	if got := Log(1); got != 0 {
		t.Errorf("Log(1) = %g, want 0", got)
	}
}

func TestSineAndCosineAreWithinTwoUnits(t *testing.T) {
	var worst float64
	for _, den := range []int64{8, 256, 400, 1000, 1024, 4096, 12345} {
		for num := range den {
			x := 2 * math.Pi * float64(num) / float64(den)
			sin, cos := SinCos(num, den)
			// math.Sin sees the rounded angle, here up to 8 units of 2^-53 off; the first eighth is compared unit by unit.
			if d := max(math.Abs(sin-math.Sin(x)), math.Abs(cos-math.Cos(x))); d > 2e-15 {
				t.Fatalf("SinCos(%d, %d) is off by %g", num, den, d)
			}
			if num*8 <= den && num > 0 {
				worst = max(worst, ulps(sin, math.Sin(x)), ulps(cos, math.Cos(x)))
			}
		}
	}
	t.Logf("worst %.2f units", worst)
	if worst > maxUlps {
		t.Errorf("off by %.2f units in the last place, want at most %d", worst, maxUlps)
	}
}

func TestSineAndCosineAreExactAtQuarterTurnsAndReduceAnyFraction(t *testing.T) {
	for i, want := range [][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		for _, turns := range []int64{0, 5, -7} {
			sin, cos := SinCos(int64(i)*16+turns*64, 64)
			if sin != want[0] || cos != want[1] {
				t.Errorf("SinCos(%d quarters %+d turns) = %v, %v, want %v", i, turns, sin, cos, want)
			}
		}
	}
	s1, c1 := SinCos(3, 7)
	s2, c2 := SinCos(3+7*1_000_000_007, 7)
	s3, c3 := SinCos(3-7*1_000_000_007, 7)
	if s1 != s2 || s1 != s3 || c1 != c2 || c1 != c3 {
		t.Errorf("whole turns changed the result: %v %v, %v %v, %v %v", s1, c1, s2, c2, s3, c3)
	}
}

func TestBesselI0MatchesItsExactSeries(t *testing.T) {
	// 90 terms of the series in exact fractions, then rounded.
	for _, c := range []struct{ x, want float64 }{{0, 1}, {1, 1.2660658777520084}, {5, 27.239871823604442}, {10, 2815.7166284662544}, {11.5, 11746.141518920069}} {
		if got := BesselI0(c.x); ulps(got, c.want) > 2*maxUlps {
			t.Errorf("BesselI0(%v) = %.17g, want %.17g", c.x, got, c.want)
		}
	}
}

// exactExp and exactLog are the series with 200 bits: e^x = (e^(x/2^k))^(2^k), and ln x by Newton's steps over it.
func exactExp(x *big.Float) *big.Float {
	const halvings = 40
	small := new(big.Float).SetPrec(200).SetMantExp(x, -halvings)
	sum, term := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
	for n := int64(1); n < 12; n++ { // small < 2^-30: each term has 30 bits less
		term.Mul(term, small).Quo(term, new(big.Float).SetInt64(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

func exactLog(x float64) *big.Float {
	y := new(big.Float).SetPrec(200).SetFloat64(math.Log(x))
	want := new(big.Float).SetPrec(200).SetFloat64(x)
	for range 3 { // y - 1 + x / e^y, which doubles the digits
		e := exactExp(new(big.Float).SetPrec(200).Set(y))
		y.Add(y, new(big.Float).SetPrec(200).Sub(new(big.Float).SetPrec(200).Quo(want, e), big.NewFloat(1)))
	}
	return y
}

// TestLogAndExpAreWithinOneUnitOfTheTruth asks no other package for the truth.
func TestLogAndExpAreWithinOneUnitOfTheTruth(t *testing.T) {
	off := func(got float64, want *big.Float) float64 {
		f, _ := want.Float64()
		unit := math.Nextafter(math.Abs(f), math.Inf(1)) - math.Abs(f)
		d, _ := new(big.Float).Sub(new(big.Float).SetPrec(200).SetFloat64(got), want).Float64()
		return math.Abs(d) / unit
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var worstLog, worstExp float64
	for range 300 {
		x, y := math.Exp(rng.Float64()*40-20), rng.Float64()*40-20
		worstLog = max(worstLog, off(Log(x), exactLog(x)))
		worstExp = max(worstExp, off(Exp(y), exactExp(new(big.Float).SetPrec(200).SetFloat64(y))))
	}
	t.Logf("log %.3f, exp %.3f units", worstLog, worstExp)
	if worstLog > 1 || worstExp > 1 {
		t.Errorf("log off by %.3f, exp by %.3f units in the last place, want at most 1", worstLog, worstExp)
	}
}

// TestLogPartsSplitANumber: x is 2^k (1 + f) exactly, 1 + f lies in [√½, √2), and s is f / (2 + f).
func TestLogPartsSplitANumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(600)-300)
		k, f, s := LogParts(x)
		if math.Ldexp(1+f, int(k)) != x || !(1+f >= math.Sqrt2/2 && 1+f < math.Sqrt2*(1+0x1p-52)) || s != f/(2+f) {
			t.Fatalf("LogParts(%g) = %g, %g, %g", x, k, f, s)
		}
		if LogOf(LogParts(x)) != Log(x) {
			t.Fatalf("LogOf of the parts of %g is not its logarithm", x)
		}
	}
}

// TestSineAndCosineKeepTheirSymmetries, bit for bit: those of a circle in eighths. On a diagonal the two differ by a bit, and which of
// them is greater is not mirrored.
func TestSineAndCosineKeepTheirSymmetries(t *testing.T) {
	for _, den := range []int64{64, 1000, 3675} {
		for num := range den {
			if 8*num%den == 0 && 8*num/den%2 == 1 {
				continue
			}
			sin, cos := SinCos(num, den)
			if s, c := SinCos(-num, den); s != -sin || c != cos {
				t.Errorf("-%d/%d: %g, %g; want %g, %g", num, den, s, c, -sin, cos)
			}
			if s, c := SinCos(4*num+den, 4*den); s != cos || c != -sin { // a quarter on
				t.Errorf("%d/%d and a quarter: %g, %g; want %g, %g", num, den, s, c, cos, -sin)
			}
			if s, c := SinCos(den-4*num, 4*den); s != cos || c != sin { // the other way round the diagonal
				t.Errorf("a quarter less %d/%d: %g, %g; want %g, %g", num, den, s, c, cos, sin)
			}
			if d := math.Abs(sin*sin + cos*cos - 1); d > 0x1p-51 {
				t.Errorf("%d/%d: the squares add up to 1 but for %g", num, den, d)
			}
		}
	}
}
