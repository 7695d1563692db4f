package audio

import (
	"math"

	"voxpack/audio/codec"
	"voxpack/audio/detmath"
)

// Loudness after Recommendation ITU-R BS.1770-4, annex 1, for one channel.
const (
	stepsASecond = 10       // gating blocks of 400 ms begin every 100 ms
	stepsABlock  = 4        //
	offsetLU     = -0.691   // makes 0 dBFS at 997 Hz read -3.01 LUFS, the gain of the filter taken off
	absoluteGate = -70.0    // LUFS
	relativeGate = 1.0 / 10 // -10 LU, as a ratio of powers

	// minLoudnessRate is telephone speech. The pole of the shelf lies at 1682 Hz, and the bilinear
	// transform bends what comes near half the rate.
	minLoudnessRate = 8000
)

// A biquad is a filter of second order: y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2].
type biquad struct {
	b0, b1, b2, a1, a2 float64
}

// The K-weighting at 48 kHz, tables 1 and 2 of the recommendation. With the bilinear transform s = (1 -
// 1/z) / (1 + 1/z), the denominator of such a filter is (1 + a1 + a2) + 2 (1 - a2) s + (1 - a1 + a2)
// s², so that its natural frequency is atan √((1 + a1 + a2) / (1 - a1 + a2)) × 48000 / π; the two below
// follow from the tables.
var (
	shelf48k    = biquad{1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585}
	highPass48k = biquad{1, -2, 1, -1.99004745483398, 0.99007225036621}
)

// In 1e-12 Hz, a whole number so that angles are exact fractions.
const (
	shelfFrequency    = 1681_974450955532
	highPassFrequency = 38_135470876113
	aHertz            = 1e12
)

// at gives q, made for 48 kHz, for another rate: back to the analogue filter, and forth again such that
// its natural frequency stays where it is. The numerator goes the same way as the denominator, so that
// the middle of the band reads the same at every rate. Programs that keep the high-pass's 1, -2, 1 at
// all rates read 0.051 LU more at 22,050 Hz. Ten clips of LJSpeech, whole steps of them, also resampled
// to 48 kHz and measured there: at 22,050, 16,000 and 8,000 Hz this one is at most 0.005, 0.024 and
// 0.12 LU away, such programs 0.051, 0.11 and 0.20.
func (q biquad) at(rate int, frequency int64) biquad {
	r := tanPi(frequency, 48000*aHertz) / tanPi(frequency, int64(rate)*aHertz)
	b0, b1, b2 := rewarp(q.b0, q.b1, q.b2, r)
	a0, a1, a2 := rewarp(1, q.a1, q.a2, r)
	return biquad{b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0}
}

// rewarp replaces s by r s in a polynomial of second order in 1/z. Both transforms double it twice,
// which is taken back.
func rewarp(c0, c1, c2, r float64) (d0, d1, d2 float64) {
	s0, s1, s2 := (c0+c2)+c1, 2*(c0-c2), (c0+c2)-c1
	s1, s2 = float64(s1*r), float64(float64(s2*r)*r)
	return ((s0 + s2) + s1) / 4, (s0 - s2) / 2, ((s0 + s2) - s1) / 4
}

// tanPi is tan(π num / den).
func tanPi(num, den int64) float64 {
	sin, cos := detmath.SinCos(num, 2*den)
	return sin / cos
}

// A meter measures the loudness of clips of one rate.
type meter struct {
	rate            int
	shelf, highPass biquad
	gate            float64   // the absolute gate as a power
	steps           []float64 // energies of 100 ms each, scratch
	blocks          []float64 // powers of the gating blocks, scratch
}

func newMeter(rate int) meter {
	return meter{
		rate:     rate,
		shelf:    shelf48k.at(rate, shelfFrequency),
		highPass: highPass48k.at(rate, highPassFrequency),
		gate:     loudnessPower(absoluteGate),
	}
}

// loudnessPower is the mean square, after the K-weighting, of a channel of the given loudness.
func loudnessPower(lufs float64) float64 {
	return detmath.Exp(float64((lufs - offsetLU) * (math.Ln10 / 10)))
}

// gain is the factor that brings pcm to a loudness, measured after the gain. That matters to the
// absolute gate: a pause below it may rise above it, and then it counts. Each round moves the gate
// against the clip the same way and so takes in more blocks, or fewer, until none changes sides; real
// clips take one or two.
func (m *meter) gain(pcm []float32, lufs float64) (float64, error) {
	const rounds = 16
	m.measure(pcm)
	target, gain2 := loudnessPower(lufs), 1.0
	for range rounds {
		power := m.gated(m.gate / gain2)
		if power == 0 {
			return 0, codec.Errorf(ErrSilent, "clip is silent: nowhere is it as loud as -70 LUFS, below which loudness is not measured")
		}
		last := gain2
		if gain2 = target / power; gain2 == last {
			break
		}
	}
	return math.Sqrt(gain2), nil
}

// gated is the mean power of the blocks above an absolute gate and, of these, above the relative one; 0
// when there are none.
func (m *meter) gated(absolute float64) float64 {
	return m.meanAbove(max(absolute, float64(relativeGate*m.meanAbove(absolute))))
}

func (m *meter) meanAbove(gate float64) float64 {
	sum, n := 0.0, 0
	for _, power := range m.blocks {
		if power > gate {
			sum += power
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// measure fills blocks. A block that the end of the clip cuts short does not count, as the
// recommendation has it, unless it is the only one: a clip below 400 ms, which the recommendation does
// not know, is one block as long as the clip.
func (m *meter) measure(pcm []float32) {
	n := len(pcm) * stepsASecond / m.rate
	m.steps, m.blocks = m.steps[:0], m.blocks[:0]
	var k kWeighting
	if n < stepsABlock {
		m.blocks = append(m.blocks, k.energy(m, pcm)/float64(len(pcm)))
		return
	}
	for i := range n {
		m.steps = append(m.steps, k.energy(m, pcm[m.edge(i):m.edge(i+1)]))
	}
	for i := range n - stepsABlock + 1 {
		s := m.steps[i : i+stepsABlock]
		m.blocks = append(m.blocks, ((s[0]+s[1])+(s[2]+s[3]))/float64(m.edge(i+stepsABlock)-m.edge(i)))
	}
}

// edge is the sample at which step i begins.
func (m *meter) edge(i int) int { return i * m.rate / stepsASecond }

// kWeighting is the state of the two filters: the last two inputs of the first and outputs of both, and
// the last difference of the outputs of the first.
type kWeighting struct {
	x1, x2, y1, y2, d1, w1, w2 float64
}

// energy runs x through the filters and returns the sum of squares of what comes out.
//
// The filters are in direct form I, whose chain from one output to the next is one product and one
// difference (the transposed form II has a sum more). The second one's numerator is a second difference
// times b0, and b0 is left for the end.
func (k *kWeighting) energy(m *meter, x []float32) float64 {
	x1, x2, y1, y2, d1, w1, w2 := k.x1, k.x2, k.y1, k.y2, k.d1, k.w1, k.w2
	b0, b1, b2, a1, a2 := m.shelf.b0, m.shelf.b1, m.shelf.b2, m.shelf.a1, m.shelf.a2
	c1, c2 := m.highPass.a1, m.highPass.a2
	sum := 0.0
	for _, v := range x {
		x0 := float64(v)
		y := (((float64(b0*x0) + float64(b1*x1)) + float64(b2*x2)) - float64(a2*y2)) - float64(a1*y1)
		d := y - y1
		w := ((d - d1) - float64(c2*w2)) - float64(c1*w1)
		sum += float64(w * w)
		x2, x1 = x1, x0
		y2, y1, d1 = y1, y, d
		w2, w1 = w1, w
	}
	*k = kWeighting{x1, x2, flush(y1), flush(y2), flush(d1), flush(w1), flush(w2)}
	return sum * float64(m.highPass.b0*m.highPass.b0)
}

// flush ends what rings on in silence long before it reaches the denormal numbers, on which processors
// are slow.
func flush(v float64) float64 {
	if math.Abs(v) < 1e-60 {
		return 0
	}
	return v
}
