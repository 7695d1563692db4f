package perf

import "math"

// Spread is the mean and the standard deviation of figures, by Welford's sums:
// those of squares would lose the digits of small deviations.
type Spread struct{ n, mean, squares float64 }

// Add counts a figure.
func (s *Spread) Add(v float64) {
	s.n++
	off := v - s.mean
	s.mean += off / s.n
	s.squares += off * (v - s.mean)
}

// N is how many there are.
func (s *Spread) N() int { return int(s.n) }

// Mean is their mean, 0 where there is none.
func (s *Spread) Mean() float64 { return s.mean }

// Std is their standard deviation (divided by N), 0 where there is none.
func (s *Spread) Std() float64 {
	if s.n == 0 {
		return 0
	}
	return math.Sqrt(s.squares / s.n)
}
