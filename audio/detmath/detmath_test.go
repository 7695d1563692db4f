package detmath

import (
	"math"
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
