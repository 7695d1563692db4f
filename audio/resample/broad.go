package resample

import (
	"math"

	"voxpack/audio/detmath"
)

// The broad filter's window: with Kaiser's rules (Kaiser 1974; Oppenheim and Schafer, 7.5) beta =
// 0.1102 (A - 8.7) = 11.5 for an attenuation of A = 113 dB, which takes (A - 7.95) / 14.36 = 7.32
// intervals of the lower rate for a transition as wide as that.
const (
	broadBeta     = 11.5
	broadWidthNum = 732     // the window in intervals
	broadWidthDen = 100     // of the lower rate
	finePhases    = 1024    // rows of an interpolated table an interval of the lower rate: what that adds is below -120 dB
	maxExact      = 1 << 15 // values of an exact table (128 KiB); beyond, phases are interpolated
	minPeriod     = 64      // rows of an exact table at least, which saves turns of the outer loop
	chunkOutputs  = 256     // outputs that are planned at a time for an interpolated table
	rowSums       = 8       // partial sums of an output; the taps are a multiple of it
)

// A broadFilter goes between two rates, passes what is below half of a third, the lower one of the
// resampler, and clears what is above 1.5 of it. What lies between may pass, or fold there: the sharp
// filter clears it.
//
// An output is the sum of taps products of a row and the input around it. Product k goes to partial sum
// k mod 8, in the order of k, and the partial sums are added as ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 +
// 7)): what an instruction that adds neighbours gives.
type broadFilter struct {
	up, down int64 // ratio of the rates in lowest terms: output m lies at the input's time m × down / up
	taps     int
	lower    [2]int64 // the lower rate in parts of the input's

	// Exact: rows lie in the order of the outputs, so that the inner loop streams. A period of them is
	// a multiple of up; 7 more rows follow, so that a group of 8 may pass its end.
	period int64
	at     []int32 // of each row, the input sample at its output's time or the last before it, from the period's begin on

	// Interpolated, where period is 0: row p is for an output p / phases of an interval after an input sample.
	phases int64
	plan   *broadPlan

	rows []float32
}

// broadPlan is what an interpolated table is read by: for each output its input sample, its row, and
// the part of the next row.
type broadPlan struct {
	at, row [chunkOutputs]int32
	part    [chunkOutputs]float32
}

// planStart is where the first 8 outputs of a plan are, and how far the next 8 are from them.
type planStart struct {
	phase, at       [rowSums]int32 // parts of up after an input sample, and where in the input the taps begin
	scale           float64        // rows a part
	up, step, steps int32          // 8 outputs later: step parts of up and steps samples
}

func newBroadFilter(from, to, lower int) *broadFilter {
	f := &broadFilter{}
	f.up, f.down = lowestTerms(from, to)
	f.lower[0], f.lower[1] = lowestTerms(from, lower)
	f.taps = (broadWidthNum*from + broadWidthDen*lower - 1) / (broadWidthDen * lower)
	f.taps = (f.taps + rowSums - 1) / rowSums * rowSums
	if f.up*int64(f.taps) > maxExact {
		f.phases = (finePhases*f.lower[0] + f.lower[1] - 1) / f.lower[1]
		f.plan = &broadPlan{}
		for p := range f.phases + 1 {
			f.addRow(p, f.phases)
		}
		return f
	}
	f.period = f.up * ((minPeriod + f.up - 1) / f.up)
	for j := range f.up {
		f.addRow(j*f.down%f.up, f.up)
	}
	for j := range f.period + rowSums - 1 {
		f.at = append(f.at, int32(j*f.down/f.up))
		if j >= f.up {
			same := (j - f.up) * int64(f.taps)
			f.rows = append(f.rows, f.rows[same:same+int64(f.taps)]...)
		}
	}
	return f
}

// addRow adds the row for outputs phase / phases of an interval after an input sample.
func (f *broadFilter) addRow(phase, phases int64) {
	norm := detmath.BesselI0(broadBeta)
	for k := range f.taps {
		f.rows = append(f.rows, float32(f.impulse(int64(k-f.taps/2+1)*phases-phase, phases)/norm))
	}
}

// impulse is the impulse response n / phases input samples from its centre, times
// detmath.BesselI0(broadBeta): a sinc that cuts at the lower rate, under the window. Arguments stay
// fractions as long as they can, so that the sine's is exact.
func (f *broadFilter) impulse(n, phases int64) float64 {
	x := float64(2*n) / float64(int64(f.taps)*phases)
	if x <= -1 || x >= 1 {
		return 0
	}
	gain := float64(2*f.lower[0]) / float64(f.lower[1]) // the taps of a row sum to 1
	if n == 0 {
		return gain * detmath.BesselI0(broadBeta)
	}
	num, den := f.lower[0]*n, f.lower[1]*phases
	sin, _ := detmath.SinCos(num, den)
	sinc := sin / float64(2*math.Pi*(float64(num)/float64(den)))
	return gain * sinc * detmath.BesselI0(broadBeta*math.Sqrt(1-float64(x*x)))
}

// reach is the range of input samples that the n outputs from m on are made of.
func (f *broadFilter) reach(m int64, n int) (first, end int64) {
	half := int64(f.taps / 2)
	return floorDiv(m*f.down, f.up) - half + 1, floorDiv((m+int64(n)-1)*f.down, f.up) + half + 1
}

// outputsBefore is the first output that needs an input sample at end or later.
func (f *broadFilter) outputsBefore(end int64) int64 {
	last := end - int64(f.taps/2) // the first time that is too late for an output
	return floorDiv(last*f.up+f.down-1, f.down)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// run fills dst with the outputs from m on; x is the input from the time first on and reaches as far as
// they do.
func (f *broadFilter) run(dst, x []float32, first, m int64) {
	if f.period == 0 {
		f.runPlanned(dst, x, first, m)
		return
	}
	turn := floorDiv(m, f.period)
	row := m - turn*f.period
	advance := f.period / f.up * f.down
	begin := turn*advance - int64(f.taps/2-1) - first // where in x the taps of at = 0 begin; below 0 if m does not come first
	for len(dst) > 0 {
		n := int(min(f.period-row+rowSums-1, int64(len(dst)))) / rowSums * rowSums
		rows, at := f.rows[row*int64(f.taps):], f.at[row:]
		base := begin + int64(at[0])
		if n > 0 {
			sumRows(dst[:n], x[base:], rows, at[:n], f.taps)
		} else {
			n = len(dst)
			sumRowsPortable(dst, x[base:], rows, at[:n], f.taps)
		}
		dst, row = dst[n:], row+int64(n)
		if row >= f.period {
			row -= f.period
			begin += advance
		}
	}
}

// runPlanned is run for an interpolated table.
func (f *broadFilter) runPlanned(dst, x []float32, first, m int64) {
	i := floorDiv(m*f.down, f.up)
	phase := m*f.down - i*f.up // in parts of up
	at := i - int64(f.taps/2-1) - first
	p := f.plan
	for len(dst) > 0 {
		n := min(len(dst), chunkOutputs)
		phase, at = f.planOutputs(n, phase, at)
		groups := n / rowSums * rowSums
		blendRows(dst[:groups], x, f.rows, p.at[:groups], p.row[:groups], p.part[:groups], f.taps)
		blendRowsPortable(dst[groups:n], x, f.rows, p.at[groups:n], p.row[groups:n], p.part[groups:n], f.taps)
		dst = dst[n:]
	}
}

// planOutputs plans n outputs, the first of them phase / up of an interval after the sample whose taps
// begin at at.
func (f *broadFilter) planOutputs(n int, phase, at int64) (nextPhase, nextAt int64) {
	s := planStart{scale: float64(f.phases) / float64(f.up), up: int32(f.up)}
	for o := range s.phase {
		s.phase[o], s.at[o] = int32(phase), int32(at)
		phase, at = f.after(phase, at, 1)
	}
	step, steps := f.after(0, 0, rowSums)
	s.step, s.steps = int32(step), int32(steps)
	planRows(f.plan, &s, (n+rowSums-1)/rowSums)
	return f.after(int64(s.phase[0]), int64(s.at[0]), int64(n))
}

// after is the place n outputs later.
func (f *broadFilter) after(phase, at, n int64) (nextPhase, nextAt int64) {
	phase += n * f.down
	return phase % f.up, at + phase/f.up
}
