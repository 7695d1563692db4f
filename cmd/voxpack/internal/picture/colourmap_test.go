package picture

import (
	"math"
	"testing"
)

// Equal steps of the value are equal steps of lightness, within what eight bits
// of a channel allow.
func TestColourMapIsEven(t *testing.T) {
	const steps = 64
	last, least, most := -1.0, math.Inf(1), 0.0
	for i := range steps + 1 {
		c := colourAt(float64(i) / steps)
		l := lightnessOf(c.R, c.G, c.B)
		if i > 0 {
			least, most = min(least, l-last), max(most, l-last)
		}
		last = l
	}
	if least < 0.4*(0.84/steps) || most > 1.8*(0.84/steps) {
		t.Errorf("steps of lightness from %.4f to %.4f, want all near %.4f", least, most, 0.84/steps)
	}
}

// lightnessOf is OKLab's L of an sRGB colour.
func lightnessOf(r, g, b uint8) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	x, y, z := linear(r), linear(g), linear(b)
	l := math.Cbrt(0.4122214708*x + 0.5363325363*y + 0.0514459929*z)
	m := math.Cbrt(0.2119034982*x + 0.6806995451*y + 0.1073969566*z)
	s := math.Cbrt(0.0883024619*x + 0.2817188376*y + 0.6299787005*z)
	return 0.2104542553*l + 0.7936177850*m - 0.0040720468*s
}
