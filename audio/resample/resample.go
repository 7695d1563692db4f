package resample

import (
	"fmt"

	"voxpack/audio/codec"
)

// Version is part of every key made from resampled PCM: filter design, blocks, order of sums, output
// length. It changes with every change of the output's bits, and with nothing else; the golden digests
// in testdata/golden hold it to its output.
const Version = "resample/3"

const (
	maxRateStep = 200 // greatest ratio of the rates
	smallRate   = 8   // greatest part of a ratio of small whole numbers, like the 2 of 2 / 3
)

// A Resampler converts from one sample rate to another by band-limited filters with a linear phase and
// no delay: output sample m lies at the time m / to. Frequencies up to 0.9 of the lower Nyquist
// frequency pass within 0.01 dB, those from the lower Nyquist frequency on are over 100 dB down. It has
// scratch of its own, so that it serves one goroutine at a time.
//
// One direct filter that is steep enough has 128 taps and more for a sample of the lower rate. So the
// work is split at twice the lower rate: between that and the lower rate a steep filter of fixed design
// runs by Fourier transforms (sharpFilter); between that and the higher rate a polyphase filter only
// has to clear what folds onto the pass band later, for which 8 or 16 taps do (broadFilter). Everything
// is float32, and every sum has its fixed order.
type Resampler struct {
	up, down int64        // to / from in lowest terms
	broad    *broadFilter // nil where the rates are as 1 to 2 or equal
	sharp    *sharpFilter // nil where the rates are equal

	double []float32 // a batch at twice the lower rate, with what the next filter needs around it
	edge   []float32 // a window of a clip that reaches past its ends
	last   []float32 // what a batch makes beyond the end of the clip
}

// New designs the filters for two rates in Hz, which must lie in codec.MinRate..codec.MaxRate and within a factor
// of 200 of each other. Tables and scratch take at most 1 MB whatever the rates and the clips.
func New(from, to int) (*Resampler, error) {
	for _, rate := range []int{from, to} {
		if rate < codec.MinRate || rate > codec.MaxRate {
			return nil, fmt.Errorf("resample %d Hz to %d Hz: %d is out of range %d..%d", from, to, rate, codec.MinRate, codec.MaxRate)
		}
	}
	if from > maxRateStep*to || to > maxRateStep*from {
		return nil, fmt.Errorf("resample %d Hz to %d Hz: a ratio over %d", from, to, maxRateStep)
	}
	r := &Resampler{}
	r.up, r.down = lowestTerms(from, to)
	if r.up == r.down {
		return r, nil
	}
	shape := halving
	switch {
	case from < to:
		shape = doubling
	case rollsOff(r.up, r.down):
		shape = halvingRolled
	}
	r.sharp = newSharpFilter(shape)
	r.last = make([]float32, max(batchLower, batchDouble))
	margin := 2 * sharpHalf
	switch {
	case from > to && r.down != 2*r.up:
		r.broad = newBroadFilter(from, 2*to, to)
	case from < to && r.up != 2*r.down:
		r.broad = newBroadFilter(2*from, to, from)
		margin = 2 * r.broad.taps
	}
	if r.broad != nil {
		r.double = make([]float32, batchDouble+margin)
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

// rollsOff says for which rates, going down, the sharp filter rolls off as soxr does: not for ratios of
// small whole numbers, nor where a number of halvings comes within 5 / 4 of the ratio. sharpShape tells
// why.
func rollsOff(up, down int64) bool {
	if up <= smallRate {
		return false
	}
	for 2*up <= down {
		up *= 2
	}
	return 4*down >= 5*up
}

// Len is the number of samples that n ≥ 0 samples at rate from become at rate to: n × to / from, rounded up.
func Len(n int64, from, to int) int64 {
	up, down := lowestTerms(from, to)
	return (n*up + down - 1) / down
}

// Resample converts a clip; beyond its ends it is taken as silent. The result replaces what dst holds,
// whose capacity is used before any is allocated; dst and src must not overlap. Output may pass ±1 a
// little where the input was clipped.
func (r *Resampler) Resample(dst, src []float32) []float32 {
	n := (int64(len(src))*r.up + r.down - 1) / r.down
	if int64(cap(dst)) < n {
		dst = make([]float32, n)
	}
	dst = dst[:n]
	switch {
	case r.up == r.down:
		copy(dst, src)
	case r.up < r.down:
		r.lower(dst, src)
	case r.broad == nil:
		r.doubleOnly(dst, src)
	default:
		r.raise(dst, src)
	}
	return dst
}

// lower goes down: the broad filter to twice the rate of dst where there is one, then the sharp one.
func (r *Resampler) lower(dst, src []float32) {
	for at := 0; at < len(dst); at += batchLower {
		first := 2*at - sharpHalf
		var x []float32
		if r.broad == nil {
			x = r.window(src, first, batchDouble+2*sharpHalf)
		} else {
			// Blocks past the end stay silent: they share a transform with others, so that what they
			// hold is not free.
			blocks := min((len(dst)-at+keepLower-1)/keepLower, batchBlocks)
			x = r.double
			have := 0
			if at > 0 {
				have = copy(x, x[batchDouble:])
			}
			need := max(have, blocks*keepDouble+2*sharpHalf)
			r.broadFrom(x[have:need], src, int64(first+have))
			clear(x[need:])
		}
		if at+batchLower <= len(dst) {
			r.sharp.halve(dst[at:at+batchLower], x)
			continue
		}
		r.sharp.halve(r.last[:batchLower], x)
		copy(dst[at:], r.last)
	}
}

// broadFrom fills dst with the samples from m on that the broad filter makes of a clip.
func (r *Resampler) broadFrom(dst, src []float32, m int64) {
	const span = 1 << 14 // input samples at a time, which bounds the copies at the edges
	step := int(span*r.broad.up/r.broad.down+rowSums) &^ (rowSums - 1)
	for len(dst) > 0 {
		n := min(step, len(dst))
		first, end := r.broad.reach(m, n)
		r.broad.run(dst[:n], r.window(src, int(first), int(end-first)), first, m)
		dst, m = dst[n:], m+int64(n)
	}
}

// doubleOnly doubles the rate.
func (r *Resampler) doubleOnly(dst, src []float32) {
	for at := 0; at < len(dst); at += batchDouble {
		x := r.window(src, at/2-sharpHalf/2, batchLower+sharpHalf)
		if at+batchDouble <= len(dst) {
			r.sharp.double(dst[at:at+batchDouble], x)
			continue
		}
		r.sharp.double(r.last[:batchDouble], x)
		copy(dst[at:], r.last)
	}
}

// raise goes up: the sharp filter to twice the rate of src, then the broad one. The doubled clip begins
// before its time 0, as the sharp filter rings there too.
func (r *Resampler) raise(dst, src []float32) {
	first := -int64(r.broad.taps) // the time of r.double[0]; even
	have := 0                     // samples there
	for m := int64(0); m < int64(len(dst)); {
		x := r.window(src, (int(first)+have)/2-sharpHalf/2, batchLower+sharpHalf)
		r.sharp.double(r.double[have:have+batchDouble], x)
		have += batchDouble
		n := min(r.broad.outputsBefore(first+int64(have)), int64(len(dst)))
		r.broad.run(dst[m:n], r.double[:have], first, m)
		m = n
		next, _ := r.broad.reach(m, 1)
		next &^= 1
		have = copy(r.double, r.double[next-first:have])
		first = next
	}
}

// window is n samples of a clip from first on, with zeros beyond its ends; only then they are copied.
func (r *Resampler) window(src []float32, first, n int) []float32 {
	if first >= 0 && first+n <= len(src) {
		return src[first : first+n]
	}
	if cap(r.edge) < n {
		r.edge = make([]float32, n)
	}
	w := r.edge[:n]
	clear(w)
	if from, to := max(first, 0), min(first+n, len(src)); from < to {
		copy(w[from-first:], src[from:to])
	}
	return w
}
