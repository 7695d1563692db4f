package audiotest

import "math"

// Tone is a sine of amplitude 0.5, hz cycles a second, n samples long.
func Tone(n, rate int, hz float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(0.5 * math.Sin(2*math.Pi*math.Mod(hz*float64(i)/float64(rate), 1)))
	}
	return x
}
