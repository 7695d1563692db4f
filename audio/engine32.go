package audio

import (
	"math"
	"sync/atomic"
)

// engine32 computes frames in float32: by vectors, as many frames at once as a register has lanes, where the machine can, else one
// frame after the other. Both give the same bits.
type engine32 struct {
	spectral
	plan    *plan32
	window  []float32 // nfft values, halved
	weights []float32 // of all bands
	spans   []span32
	vector  *vector32 // nil: this machine has no kernel
	block   []float32 // a frame that reaches over an end of the clip
	points  []point32
	bin     []float32
}

// span32 is where a band's weights and bins stand: bin rows and weights from these on.
type span32 struct{ row, at, n int32 }

func newEngine32(s spectral) *engine32 {
	e := &engine32{spectral: s, plan: newPlan32(s.nfft, s.lo, s.hi), block: make([]float32, s.nfft)}
	for _, w := range window(s.nfft, s.win) {
		e.window = append(e.window, float32(w))
	}
	for _, b := range s.bands {
		e.spans = append(e.spans, span32{int32(b.first - s.lo), int32(len(e.weights)), int32(len(b.weights))})
		for _, w := range b.weights {
			e.weights = append(e.weights, float32(w))
		}
	}
	if e.vector = newVector32(e); e.vector == nil {
		e.points, e.bin = make([]point32, e.plan.half), make([]float32, e.plan.bins)
	}
	return e
}

func (e *engine32) rows(dst, pcm []float32, n int) {
	if e.vector != nil {
		e.vector.rows(e, dst, pcm, n)
		return
	}
	w := e.width()
	for f := range n {
		block, start := e.block, f*e.hop-e.pad
		if start >= 0 && start+e.nfft <= len(pcm) {
			block = pcm[start:][:e.nfft]
		} else {
			e.read(block, pcm, start)
		}
		e.frame(dst[f*w:][:w], block)
	}
}

// frame is the portable code for one block of nfft samples.
func (e *engine32) frame(dst, block []float32) {
	z, block := e.points, block[:len(e.window)]
	for i := 1; i < len(block); i += 2 {
		z[i/2] = point32{float32(block[i-1] * e.window[i-1]), float32(block[i] * e.window[i])}
	}
	e.plan.run(z)
	e.plan.power(e.bin, z, float32(e.epsilon), !e.power)
	bin := e.bin[:e.hi-e.lo]
	if e.bands == nil {
		copy(dst, bin)
		return
	}
	for i := range e.spans {
		s := &e.spans[i]
		dst[i] = dot32(e.weights[s.at:][:s.n], bin[s.row:][:s.n])
	}
	if e.floor > 0 {
		log32(dst, float32(e.floor))
	}
}

// dot32 sums the even and the odd terms apart, as melBand.sum does.
func dot32(w, x []float32) float32 {
	var even, odd float32
	x = x[:len(w)]
	i := 0
	for ; i+1 < len(w); i += 2 {
		even += float32(w[i] * x[i])
		odd += float32(w[i+1] * x[i+1])
	}
	if i < len(w) {
		even += float32(w[i] * x[i])
	}
	return even + odd
}

// ln2Hi32 + ln2Lo32 is ln 2; the product of ln2Hi32 with any exponent is exact.
const (
	ln2Hi32 = 0x1.62e4p-1
	ln2Lo32 = float32(math.Ln2 - ln2Hi32)
)

// log32 takes the natural logarithm of values that are raised to floor, a normal number, where they lie below it. It is the series
// of detLog, whose next term is below 2^-30 of the result.
func log32(x []float32, floor float32) {
	const sqrtHalfBits = 0x3f3504f3
	for i, v := range x {
		bits := math.Float32bits(max(v, floor))
		k := int32(bits-sqrtHalfBits) >> 23
		f := math.Float32frombits(bits-uint32(k)<<23) - 1
		s := f / (2 + f)
		z := float32(s * s)
		r := float32(z * (2.0 / 9))
		r = float32(z * (2.0/7 + r))
		r = float32(z * (2.0/5 + r))
		r = float32(z * (2.0/3 + r))
		low := float32(float32(k)*ln2Lo32) - float32(s*(f-r))
		x[i] = float32(float32(k)*ln2Hi32) + (f + low)
	}
}

// portable makes new computers take the portable code.
var portable atomic.Bool

// SetPortable makes resamplers, and every computer that is made from now on, take the portable code, or what the machine can do best. It is for
// tests and benchmarks: the bits are the same.
func SetPortable(on bool) { portable.Store(on) }
