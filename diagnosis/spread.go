package diagnosis

import (
	"math"
	"time"
)

// spread is the mean and the deviation of times in milliseconds, by Welford's
// sums: those of squares would lose the digits of small deviations.
type spread struct{ n, mean, squares float64 }

func (s *spread) add(d time.Duration) {
	ms := d.Seconds() * 1000
	s.n++
	off := ms - s.mean
	s.mean += off / s.n
	s.squares += off * (ms - s.mean)
}

// std is the standard deviation of all that was added.
func (s *spread) std() float64 {
	if s.n == 0 {
		return 0
	}
	return math.Sqrt(s.squares / s.n)
}
