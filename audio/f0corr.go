package audio

import (
	"math"

	"voxpack/audio/detmath"
)

// Of the correlogram, chosen by the 32 real clips against two references; f0_test.go holds what came out.
const (
	periodsSeen = 3.0    // longest periods under the window: 2.5 follow a glide better and take the octave below more often
	bandFlat    = 1000.0 // Hz up to which the spectrum counts fully: the strong harmonics
	leastLag    = 3      // samples: below, a parabola has nothing to stand on; rates under 3 kHz lose the top of the range by it
	bandEnd     = 4000.0 // Hz from which it does not: mostly noise, and detail that a parabola cannot follow
)

// correlogram finds how like itself a piece of a clip is when shifted. The autocorrelation of the piece
// under a Hann window, divided by that of the window, is near 1 at every whole number of periods of a
// voice, whatever the lag.
//
// The autocorrelation is the transform of a spectrum, and there the bins can be weighted. That of the
// power has its peaks from the few loudest harmonics; that of the magnitude, which is taken here, lets
// more of them speak, and halves the gross errors where both find as many voiced frames.
type correlogram struct {
	rate     float64
	window   []float64 // halved
	fft      *realFFT
	weight   []float64 // of bins 0.., as many as count
	lo, hi   int       // lags with a value, half-open; those of a candidate lie inside
	unwindow []float64 // of lags lo..hi-1: window(0) / window(lag)
	bins     []float64 // as many
	value    []float64 // of lags lo..hi-1
	level    float64   // amplitude of a tone as strong as what the bins hold
	toLevel  float64   // from the sum of the weighted powers to the square of level
}

func newCorrelogram(rate int, r F0Config) *correlogram {
	c := &correlogram{rate: float64(rate)}
	c.lo, c.hi = max(int(c.rate/r.Max)-1, leastLag), int(math.Ceil(c.rate/r.Min))+2
	size := int(periodsSeen*c.rate/r.Min) | 1 // odd: it has a middle sample
	n := 4
	for n < size+c.hi {
		n *= 2
	}
	c.fft, c.value = newRealFFT(n), make([]float64, c.hi-c.lo)
	for i := range size { // no zero at either end
		_, cos := detmath.SinCos(int64(i+1), int64(size+1))
		c.window = append(c.window, 0.5*(0.5-float64(0.5*cos)))
	}
	c.weight = bandWeights(c.rate, n)
	c.bins = make([]float64, len(c.weight))
	self := func(lag int) (sum float64) {
		for i := range size - lag {
			sum += float64(c.window[i] * c.window[i+lag])
		}
		return sum
	}
	for lag := c.lo; lag < c.hi; lag++ {
		c.unwindow = append(c.unwindow, self(0)/self(lag))
	}
	c.toLevel = 1 / float64(float64(n)*self(0)) // Parseval: a tone of amplitude A has the power n self(0) A² in the bins up to n/2
	return c
}

// bandWeights are the weights of the bins of n samples that have one.
func bandWeights(rate float64, n int) (w []float64) {
	for k := range n/2 + 1 {
		hz := float64(k) * rate / float64(n)
		if hz >= bandEnd {
			break
		}
		part := max(0, (hz-bandFlat)/(bandEnd-bandFlat))
		_, cos := detmath.SinCos(int64(float64(part*0x1p20)), 0x1p21)
		w = append(w, 0.5+float64(0.5*cos))
	}
	return w
}

// analyse fills value and level for the window around the sample at middle. Near an end of the clip the
// window stays inside, so that a voice which begins with the clip is heard whole; a clip shorter than
// the window stands in its middle, in silence.
func (c *correlogram) analyse(pcm []float32, middle int) {
	start := min(max(middle-len(c.window)/2, 0), max(len(pcm)-len(c.window), 0))
	pcm = pcm[start:min(start+len(c.window), len(pcm))]
	c.load(pcm, (len(c.window)-len(pcm))/2)
	c.fft.transform()
	c.fft.power(c.bins, 0, len(c.bins))
	re, im := c.fft.re, c.fft.im
	clear(re)
	clear(im)
	var power float64
	for k, p := range c.bins {
		power += float64(p * c.weight[k])
		v := float64(math.Sqrt(p) * c.weight[k])
		put(re, im, k, v)
		if k > 0 {
			put(re, im, 2*len(re)-k, v) // the spectrum is even, and so its transform is real
		}
	}
	c.level = math.Sqrt(float64(power * c.toLevel))
	c.fft.transform()
	whole := c.fft.real(0)
	if !(whole > 0) {
		clear(c.value)
		return
	}
	for i := range c.value {
		c.value[i] = float64(c.fft.real(c.lo+i) / whole * c.unwindow[i])
	}
}

// load writes the samples less their mean, under the window from at on, to the transform's input.
func (c *correlogram) load(pcm []float32, at int) {
	re, im := c.fft.re, c.fft.im
	clear(re)
	clear(im)
	var sum float64
	for _, v := range pcm {
		sum += float64(v)
	}
	mean := sum / float64(len(pcm))
	for i, v := range pcm {
		put(re, im, at+i, float64((float64(v)-mean)*c.window[at+i]))
	}
}

// put sets the real value at place i of a transform's input.
func put(re, im []float64, i int, v float64) {
	if i&1 == 0 {
		re[i/2] = v
	} else {
		im[i/2] = v
	}
}

// real is twice the real part of bin k of the transformed block, k in 0..half (see power).
func (f *realFFT) real(k int) float64 {
	a, b := k&(f.half-1), (f.half-k)&(f.half-1)
	er := f.re[a] + f.re[b]
	or, oi := f.im[a]+f.im[b], f.re[b]-f.re[a]
	return er + (float64(f.split[2*k]*or) - float64(f.split[2*k+1]*oi))
}
