package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

var workersRule = Rule{
	ID:      "workers",
	Looks:   "workers, the cores that the process may use",
	Limit:   "one worker a core: filling is copying, which waits for nothing",
	Meaning: "workers take the cores from each other",
	Setting: "`--workers`",
	Gain:    "not known before a run",
	check: asked(func(s *Setup) (Verdict, bool) {
		if s.Fillers <= s.Cores {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Wastes, Number: float64(s.Fillers), Limit: float64(s.Cores), Unit: "workers", Setting: "--workers", Basis: Computed,
			Cause: fmt.Sprintf("%d workers share %s and wait for each other", s.Fillers, number.Count(s.Cores, "core")),
			Cure:  fmt.Sprintf("take --workers %d or less", s.Cores),
		}, true
	}),
}

// UsualDepth is how many batches of the given samples are prepared ahead: 8 of 8, 4
// of 16, 2 of 32 or more.
func UsualDepth(samples int) int { return max(2, min(8, 64/max(1, samples))) }

// UsualMost is the most batches that are prepared ahead, of a ring that starts with
// depth.
func UsualMost(depth int) int { return max(8, 2*depth) }

// muchAhead times the usual depth is memory for nothing.
const muchAhead = 4

var prefetchLargeRule = Rule{
	ID:      "prefetch-large",
	Looks:   "the batches that are prepared ahead at the start",
	Limit:   "four times the usual depth, `max(2, min(8, 64 // batch))`, from which the ring grows by itself",
	Meaning: "memory that brings nothing",
	Setting: "`--prefetch-buffer-size`",
	Gain:    "memory, no time",
	check: asked(func(s *Setup) (Verdict, bool) {
		if s.Depth <= muchAhead*s.Usual {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Wastes, Number: float64(s.Depth), Limit: float64(muchAhead * s.Usual), Unit: "batches", Setting: "--prefetch-buffer-size", Basis: Computed,
			Cause: fmt.Sprintf("%d batches ahead take %s of memory and delay nothing but the end", s.Depth, number.Size(int64(s.Depth)*int64(s.BatchBytes))),
			Cure: fmt.Sprintf("%d are the rule for batches of %d (--prefetch-buffer-size), and the ring grows where that is not enough",
				s.Usual, s.Share),
		}, true
	}),
}
