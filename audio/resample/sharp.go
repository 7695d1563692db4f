package resample

import (
	"math"

	"voxpack/audio/detmath"
)

// The sharp filter: a sinc at 0.95 of the lower Nyquist frequency under a Kaiser window, so that the
// pass band reaches 0.9 of it and the stop band begins at 1.0, a transition of 0.025 of the double
// rate. By Kaiser's rules (Kaiser 1974; Oppenheim and Schafer, 7.5) 2 × 144 intervals of that rate give
// A = 7.95 + 14.36 × 288 × 0.025 = 111.3 dB, and beta = 0.1102 (A - 8.7) = 11.3.
const (
	sharpBeta = 11.3
	sharpHalf = 144 // intervals of the double rate on either side; 144 is the multiple of 8 that leaves 5 dB in both bands
	cutoffNum = 19  // cut-off in parts of the
	cutoffDen = 80  // double rate
)

// The filter runs by overlap-save. Of a block of 1024 samples at the double rate 288 only help; 736 are
// kept, 368 at the lower rate. 16 blocks are one batch: two in each lane of 8 as the real and the
// imaginary part of one complex block, which needs no work to part them, as the filter's response is
// real. At the double rate a batch takes 64 KiB, which falls into quarters of 16 KiB after one pass.
const (
	doubleLen   = 1024
	lowerLen    = doubleLen / 2
	keepDouble  = doubleLen - 2*sharpHalf
	keepLower   = keepDouble / 2
	lanes       = 8
	point       = 2 * lanes // floats of one point of a batch: the lanes' real parts, then their imaginary parts
	batchBlocks = 2 * lanes
	batchDouble = batchBlocks * keepDouble
	batchLower  = batchBlocks * keepLower
	quarters    = 4
)

// A sharpFilter goes between a rate and its double and clears what is above the lower Nyquist frequency.
//
// A forward transform is radix 4 from the whole to the parts (decimation in frequency) and leaves its
// output digit-reversed, an inverse one goes back the same way, so that nothing is ever put in order.
// Where the two meet, bins that differ by half the rate are neighbours: folding them, or repeating
// them, is one step with the filter and the smallest transforms of both sides.
type sharpFilter struct {
	response       []float32   // of the filter, four bins a quadruple: k, k + 256, k + 512, k + 768; k in digit-reversed order
	doubleTwiddles [][]float32 // of the passes over 1024, 256, 64 and 16 points
	lowerTwiddles  [][]float32 // of the passes over 512, 128, 32 and 8 points
	atDouble       []float32   // scratch: a batch at the double rate
	atLower        []float32   // and at the lower rate
}

// sharpShape is what makes the response of one use differ from that of another.
//
// The factors that take a block forth and back stand in the gain: 1 / 1024 for two aliases of 512
// points, and the same times 2 where the zeros between samples halve it.
//
// rollOff takes a little from the upper end of the pass band: rollOff × sin¹⁰(π f), f in parts of the
// double rate. soxr VHQ, which users know, is not flat between all rates: from 22.05 to 16 kHz it loses
// 7.3e-4 at 0.9 of the lower Nyquist frequency and 2.8e-4 at 0.8, so that a flat filter is 2.5e-4 away
// from it on loud speech. Losing 5.5e-4, which is 0.005 dB, stays within 1e-4. Where soxr is flat, or
// nearly (48 to 22.05 kHz: 2.4e-4 and 4e-5), so is this filter.
type sharpShape struct {
	gain    float64
	rollOff float64
}

var (
	halving       = sharpShape{gain: 1.0 / doubleLen}
	halvingRolled = sharpShape{gain: 1.0 / doubleLen, rollOff: 0.0412}
	doubling      = sharpShape{gain: 2.0 / doubleLen}
)

func newSharpFilter(shape sharpShape) *sharpFilter {
	s := &sharpFilter{response: sharpResponse(shape), atDouble: make([]float32, doubleLen*point), atLower: make([]float32, lowerLen*point)}
	for n := doubleLen; n > quarters; n /= quarters {
		s.doubleTwiddles = append(s.doubleTwiddles, passTwiddles(n))
		s.lowerTwiddles = append(s.lowerTwiddles, passTwiddles(n/2))
	}
	return s
}

// sharpResponse is the filter's response, which is real as the filter is symmetric around time 0.
func sharpResponse(shape sharpShape) []float32 {
	impulse := make([]float64, sharpHalf+1)
	impulse[0] = 2 * float64(cutoffNum) / cutoffDen
	for n := 1; n < len(impulse); n++ {
		x := float64(n) / sharpHalf
		sin, _ := detmath.SinCos(int64(n)*cutoffNum, cutoffDen)
		impulse[n] = sin / float64(math.Pi*float64(n)) * detmath.BesselI0(sharpBeta*math.Sqrt(1-float64(x*x))) / detmath.BesselI0(sharpBeta)
	}
	cosines := make([]float64, doubleLen)
	for i := range cosines {
		_, cosines[i] = detmath.SinCos(int64(i), doubleLen)
	}
	response := make([]float32, 0, doubleLen)
	for at := range doubleLen / quarters {
		for d := range quarters {
			k := digitReversed(at) + d*doubleLen/quarters
			sum := impulse[0]
			for n := 1; n < len(impulse); n++ {
				sum += float64(2 * impulse[n] * cosines[n*k%doubleLen])
			}
			s := float64(0.5 * (1 - cosines[k])) // sin²
			s5 := float64(s*s) * float64(s*s) * s
			response = append(response, float32(shape.gain*sum*(1-float64(shape.rollOff*s5))))
		}
	}
	return response
}

// digitReversed turns the order of the four base-4 digits of n < 256.
func digitReversed(n int) int {
	r := 0
	for range 4 {
		r, n = r*4+n%4, n/4
	}
	return r
}

// passTwiddles are w^j, w^2j and w^3j of a pass over n points, each as its real and its imaginary part;
// w is a turn of -1 / n.
func passTwiddles(n int) []float32 {
	var t []float32
	for j := range n / quarters {
		for power := 1; power < quarters; power++ {
			sin, cos := detmath.SinCos(-int64(j*power), int64(n))
			t = append(t, float32(cos), float32(sin))
		}
	}
	return t
}

// halve filters a batch of batchDouble samples to batchLower; x is the batch with sharpHalf more on
// either side.
func (s *sharpFilter) halve(dst, x []float32) {
	a, b := s.atDouble, s.atLower
	spread(a, x, keepDouble, doubleLen)
	spread(a[lanes:], x[lanes*keepDouble:], keepDouble, doubleLen)
	forwardPass(a, s.doubleTwiddles[0], 1)
	for q := range quarters {
		a, b := quarter(a, q), quarter(b, q)
		for i := 1; i < len(s.doubleTwiddles); i++ {
			forwardPass(a, s.doubleTwiddles[i], 1<<(2*i-2))
		}
		fold(b, a, quarter(s.response, q))
		for i := len(s.lowerTwiddles) - 1; i > 0; i-- {
			inversePass(b, s.lowerTwiddles[i], 1<<(2*i-2))
		}
	}
	inversePass(b, s.lowerTwiddles[0], 1)
	collect(dst, b[sharpHalf/2*point:], keepLower, keepLower)
	collect(dst[lanes*keepLower:], b[sharpHalf/2*point+lanes:], keepLower, keepLower)
}

// double filters a batch of batchLower samples to batchDouble; x is the batch with sharpHalf / 2 more
// on either side.
func (s *sharpFilter) double(dst, x []float32) {
	a, b := s.atDouble, s.atLower
	spread(b, x, keepLower, lowerLen)
	spread(b[lanes:], x[lanes*keepLower:], keepLower, lowerLen)
	forwardPass(b, s.lowerTwiddles[0], 1)
	for q := range quarters {
		a, b := quarter(a, q), quarter(b, q)
		for i := 1; i < len(s.lowerTwiddles); i++ {
			forwardPass(b, s.lowerTwiddles[i], 1<<(2*i-2))
		}
		unfold(a, b, quarter(s.response, q))
		for i := len(s.doubleTwiddles) - 1; i > 0; i-- {
			inversePass(a, s.doubleTwiddles[i], 1<<(2*i-2))
		}
	}
	inversePass(a, s.doubleTwiddles[0], 1)
	collect(dst, a[sharpHalf*point:], keepDouble, keepDouble)
	collect(dst[lanes*keepDouble:], a[sharpHalf*point+lanes:], keepDouble, keepDouble)
}

func quarter(a []float32, q int) []float32 {
	n := len(a) / quarters
	return a[q*n : (q+1)*n]
}
