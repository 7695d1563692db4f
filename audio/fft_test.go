package audio

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPowerIsThatOfTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := MinNFFT; n <= MaxNFFT; n *= 2 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()*2 - 1
		}
		f := newRealFFT(n)
		for range 2 { // the second time on the buffers that the first one swapped
			for i := range f.re {
				f.re[i], f.im[i] = x[2*i]/2, x[2*i+1]/2
			}
			f.transform()
		}
		got := make([]float64, n/2+1)
		f.power(got, 0, n/2+1)
		for _, k := range []int{0, 1, 2, n/8 + 3, n / 4, n/2 - 1, n / 2} {
			var re, im float64
			for i, v := range x {
				sin, cos := math.Sincos(-2 * math.Pi * float64(i*k%n) / float64(n))
				re, im = re+v*cos, im+v*sin
			}
			if want := re*re + im*im; math.Abs(got[k]-want) > 1e-11*float64(n) {
				t.Errorf("n %d: power of bin %d = %.15g, want %.15g", n, k, got[k], want)
			}
		}
	}
}

func TestPowerOfAPartOfTheBinsIsThatPart(t *testing.T) {
	f := newRealFFT(512)
	for i := range f.re {
		f.re[i], f.im[i] = float64(i%7), float64(i%5)
	}
	f.transform()
	whole, part := make([]float64, 257), make([]float64, 40)
	f.power(whole, 0, 257)
	f.power(part, 100, 140)
	for i, v := range part {
		if v != whole[100+i] {
			t.Errorf("bin %d = %g alone, want %g", 100+i, v, whole[100+i])
		}
	}
}
