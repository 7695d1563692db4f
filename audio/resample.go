package audio

import (
	"fmt"
	"math"
)

// The filter: a sinc at 0.95 of the lower Nyquist frequency under a Kaiser window, so that the pass band reaches 0.9 of it and the
// stop band begins at 1.0. With Kaiser's rules (Kaiser 1974; Oppenheim and Schafer, 7.5): attenuation A = 113 dB gives beta =
// 0.1102 (A - 8.7) = 11.5 and (A - 7.95) / (14.36 × 0.05) = 146.3 sample intervals of the lower rate for a transition of 0.05 of
// that rate. The test measures both bands by sines.
const (
	kaiserBeta  = 11.5
	halfWidth   = 74      // sample intervals of the lower rate on either side
	cutoffNum   = 19      // cut-off in parts of the lower
	cutoffDen   = 20      // Nyquist frequency
	finePhases  = 2048    // rows of an interpolated table a sample interval of the lower rate: its error is below -120 dB
	maxExact    = 1 << 18 // values of an exact table (2 MiB); beyond, phases are interpolated
	maxRateStep = 200     // greatest ratio of the rates
)

// A Resampler converts from one sample rate to another by a band-limited polyphase filter with a linear phase and no delay:
// output sample m lies at the time m / to. Frequencies up to 0.9 of the lower Nyquist frequency pass within 0.01 dB, those from
// the lower Nyquist frequency on are over 100 dB down. Its tables are only read, so that it is safe for concurrent use.
type Resampler struct {
	up, down int64     // to / from in lowest terms
	half     int       // taps on either side
	phases   int64     // rows of the table; row p is for an output p / phases of a sample interval behind an input sample
	exact    bool      // phases = up; else rows are interpolated, and one more row closes the table
	taps     []float64 // rows of 2 half values
}

// NewResampler designs the filter for two rates in Hz, which must lie in MinRate..MaxRate and within a factor of 200 of each other.
// The table takes at most 5 MB whatever the rates.
func NewResampler(from, to int) (*Resampler, error) {
	for _, rate := range []int{from, to} {
		if rate < MinRate || rate > MaxRate {
			return nil, fmt.Errorf("resample %d Hz to %d Hz: %d is out of range %d..%d", from, to, rate, MinRate, MaxRate)
		}
	}
	if from > maxRateStep*to || to > maxRateStep*from {
		return nil, fmt.Errorf("resample %d Hz to %d Hz: a ratio over %d", from, to, maxRateStep)
	}
	r := &Resampler{}
	r.up, r.down = lowestTerms(from, to)
	lower := min(r.up, r.down)
	r.half = int((halfWidth*r.down + lower - 1) / lower)
	r.phases, r.exact = r.up, r.up*int64(2*r.half) <= maxExact
	rows := r.up
	if !r.exact {
		r.phases = (finePhases*lower + r.down - 1) / r.down
		rows = r.phases + 1
	}
	r.taps = make([]float64, 0, rows*int64(2*r.half))
	norm := besselI0(kaiserBeta)
	for p := range rows {
		for k := range 2 * r.half {
			r.taps = append(r.taps, r.kernel(int64(k-r.half+1)*r.phases-p)/norm)
		}
	}
	return r, nil
}

// lowestTerms is to / from in lowest terms.
func lowestTerms(from, to int) (up, down int64) {
	a, b := int64(from), int64(to)
	for b != 0 {
		a, b = b, a%b
	}
	return int64(to) / a, int64(from) / a
}

// kernel is the filter's impulse response n / phases input samples from its centre, times besselI0(kaiserBeta). Arguments stay
// fractions as long as they can, so that the sine's is exact.
func (r *Resampler) kernel(n int64) float64 {
	lower := min(r.up, r.down)
	// In sample intervals of the lower rate, t = num / den.
	num, den := n*lower, r.phases*r.down
	t := float64(num) / float64(den)
	x := t / halfWidth
	if x <= -1 || x >= 1 {
		return 0
	}
	const cutoff = float64(cutoffNum) / cutoffDen
	gain := float64(lower) / float64(r.down) // the sum of the taps is that of the input samples they meet
	sinc := cutoff
	if num != 0 {
		sin, _ := detSinCos(cutoffNum*num, 2*cutoffDen*den)
		sinc = sin / float64(math.Pi*t)
	}
	return gain * sinc * besselI0(kaiserBeta*math.Sqrt(1-float64(x*x)))
}

// ResampledLen is the number of samples that n ≥ 0 samples at rate from become at rate to: n × to / from, rounded up.
func ResampledLen(n int64, from, to int) int64 {
	up, down := lowestTerms(from, to)
	return (n*up + down - 1) / down
}

// Resample converts a clip; beyond its ends it is taken as silent. The result replaces what dst holds, whose capacity is used
// before any is allocated; dst and src must not overlap. Output may pass ±1 a little where the input was clipped.
func (r *Resampler) Resample(dst, src []float32) []float32 {
	n := (int64(len(src))*r.up + r.down - 1) / r.down
	if int64(cap(dst)) < n {
		dst = make([]float32, n)
	}
	dst = dst[:n]
	if r.up == r.down {
		copy(dst, src)
		return dst
	}
	for m := range dst {
		at := int64(m) * r.down
		first, rest := int(at/r.up)-r.half+1, at%r.up // the tap that is row value 0, and the phase in parts of up
		if r.exact {
			dst[m] = float32(r.dot(rest, src, first))
			continue
		}
		row := rest * r.phases / r.up
		part := float64(rest*r.phases%r.up) / float64(r.up)
		a, b := r.dot(row, src, first), r.dot(row+1, src, first)
		dst[m] = float32(a + float64(part*(b-a)))
	}
	return dst
}

// dot is the sum of table row p times the samples from first on, in float64, in four partial sums. Which sample goes to
// which sum depends on nothing but the place in the clip.
func (r *Resampler) dot(p int64, src []float32, first int) float64 {
	row := r.taps[p*int64(2*r.half):][:2*r.half]
	if first < 0 {
		row, first = row[min(-first, len(row)):], 0
	}
	x := src[min(first, len(src)):]
	x = x[:min(len(x), len(row))]
	row = row[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(x) && i+4 <= len(row); i += 4 {
		a, h := x[i:i+4:i+4], row[i:i+4:i+4]
		s0 += float64(h[0] * float64(a[0]))
		s1 += float64(h[1] * float64(a[1]))
		s2 += float64(h[2] * float64(a[2]))
		s3 += float64(h[3] * float64(a[3]))
	}
	for ; i < len(x); i++ {
		s0 += float64(row[i] * float64(x[i]))
	}
	return (s0 + s1) + (s2 + s3)
}
