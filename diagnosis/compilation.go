package diagnosis

import "math"

// Compilation is what the steps of a build take of a row, on one core.
type Compilation struct {
	Steps []CompileStep // in their order
	Rows  int           // of the sample
	// Variation is the deviation of the time of a row's sound, from its file to its
	// features, in percent of its mean; Uneven is what of that the lengths of clips
	// do not explain.
	Variation, Uneven float64
}

// CompileStep is the mean time of a step for a row.
type CompileStep struct {
	Name string
	MS   float64
	Left float64 // what is left of it after its cure: of a read, that from memory
}

// whole is the mean time of a row.
func (c *Compilation) whole() float64 {
	sum := 0.0
	for _, s := range c.Steps {
		sum += s.MS
	}
	return sum
}

// Spread is the deviation of times in percent of their mean, and what is left of it
// beside the straight line through lengths and times: twice as long a clip may take
// twice as long.
func Spread(lengths, times []float64) (variation, uneven float64) {
	n := float64(len(times))
	if n == 0 || len(lengths) != len(times) {
		return 0, 0
	}
	mean, length := 0.0, 0.0
	for i, t := range times {
		mean, length = mean+t/n, length+lengths[i]/n
	}
	if mean <= 0 {
		return 0, 0
	}
	var tt, ll, lt float64 // sums of squares and products of the distances from the means
	for i, t := range times {
		dt, dl := t-mean, lengths[i]-length
		tt, ll, lt = tt+dt*dt, ll+dl*dl, lt+dt*dl
	}
	left := tt
	if ll > 0 && lt > 0 { // a line that falls explains nothing
		left = max(tt-lt*lt/ll, 0)
	}
	return 100 * math.Sqrt(tt/n) / mean, 100 * math.Sqrt(left/n) / mean
}
