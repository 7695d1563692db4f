package detmath

import "math"

// The functions of this file give the same bits on every machine, which package math does not promise.
// They are plain series (Taylor; for the logarithm the one of atanh) after an exact reduction of the
// argument, cut where the next term is below 2^-56 of the result. The test holds them to 2 units in the
// last place against package math.

// ln2Hi + ln2Lo is ln 2. The low 20 bits of ln2Hi are zero, so that k × ln2Hi is exact for |k| < 2^20.
const (
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = math.Ln2 - ln2Hi
)

// Log is the natural logarithm of a positive normal number.
//
// With x = 2^k (1 + f), s = f / (2 + f): ln(1 + f) = 2 atanh s = f - s (f - R), R = 2 s²/3 + 2 s⁴/5 +
// …; f is exact, so that only the small second part is rounded.
func Log(x float64) float64 { return LogOf(LogParts(x)) }

// LogParts gives k, f and s; a caller with many numbers takes it for all of them before LogOf, so that
// their divisions overlap.
func LogParts(x float64) (k, f, s float64) {
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of √½: 1 + f lies in [√½, √2)
	bits := math.Float64bits(x)
	exponent := int64(bits-sqrtHalf) >> 52
	f = math.Float64frombits(bits-uint64(exponent)<<52) - 1
	return float64(exponent), f, f / (2 + f)
}

// LogOf is the logarithm of the number that LogParts split into k, f and s.
func LogOf(k, f, s float64) float64 {
	z := float64(s * s)
	r := float64(z * 2 / 23)
	r = float64(z * (2.0/21 + r))
	r = float64(z * (2.0/19 + r))
	r = float64(z * (2.0/17 + r))
	r = float64(z * (2.0/15 + r))
	r = float64(z * (2.0/13 + r))
	r = float64(z * (2.0/11 + r))
	r = float64(z * (2.0/9 + r))
	r = float64(z * (2.0/7 + r))
	r = float64(z * (2.0/5 + r))
	r = float64(z * (2.0/3 + r))
	low := float64(k*ln2Lo) - float64(s*(f-r))
	return float64(k*ln2Hi) + (f + low)
}

// Exp is e^x for |x| < 700. With x = k ln 2 + r, |r| ≤ ½ ln 2, it is 2^k (1 + r + r²/2! + … + r¹⁴/14!).
func Exp(x float64) float64 {
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := x - float64(k*ln2Hi)
	low := float64(k * ln2Lo)
	r -= low
	p := 1.0 / 87178291200
	for _, c := range [...]float64{1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
		1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2} {
		p = c + float64(p*r)
	}
	return math.Ldexp(1+(r+float64(float64(r*r)*p)), int(k))
}

// SinCos is the sine and the cosine of a turns: the angle 2π num/den, den > 0. The angle is a fraction,
// so that its reduction to at most an eighth of a turn is exact, however large num is.
func SinCos(num, den int64) (sin, cos float64) {
	num %= den
	if num < 0 {
		num += den
	}
	quarter := 4 * num / den // 0..3
	num = 4*num - quarter*den
	flip := 2*num > den // over an eighth: the other way round the diagonal
	if flip {
		num = den - num
	}
	sin, cos = SinCosEighth(float64(num) / float64(den) * (math.Pi / 2))
	if flip {
		sin, cos = cos, sin
	}
	switch quarter {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// SinCosEighth is sine and cosine for 0 ≤ x ≤ π/4.
func SinCosEighth(x float64) (sin, cos float64) {
	z := float64(x * x)
	p := 1.0 / 355687428096000
	for _, c := range [...]float64{-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
		1.0 / 120, -1.0 / 6} {
		p = c + float64(p*z)
	}
	sin = x + float64(float64(x*z)*p)

	q := -1.0 / 6402373705728000
	for _, c := range [...]float64{1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320,
		-1.0 / 720, 1.0 / 24} {
		q = c + float64(q*z)
	}
	// 1 - z/2 loses up to half a unit; what it loses is put back, as it is known exactly.
	half := float64(z * 0.5)
	w := 1 - half
	cos = w + (((1 - w) - half) + float64(float64(z*z)*q))
	return sin, cos
}

// BesselI0 is the modified Bessel function of the first kind and order 0, by its power series Σ
// ((x/2)^k / k!)². All terms are positive, so that nothing cancels. For 0 ≤ x ≤ 30.
func BesselI0(x float64) float64 {
	q := float64(x * x * 0.25)
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*0x1p-60; k++ {
		term = float64(term*q) / float64(k*k)
		sum += term
	}
	return sum
}
