package diagnosis

import (
	"fmt"
	"math"
)

// Supply is what a short feed measured, with a trainer that holds each batch for
// the time of a step. Times are milliseconds.
type Supply struct {
	Step     float64 // that the trainer takes
	Period   float64 // from batch to batch when nobody holds them
	Whole    float64 // the step with the wait for data
	Replayed float64 // the step with batches that are in memory already
	Ready    float64 // part of the batches that the trainer did not wait for
	Idle     float64 // part of the time in which the trainer waited
	Longest  float64 // wait of the trainer for a batch
	Depth    int
	Fillers  int
	Cores    int
	Halved   float64 // the part of a batch's bytes that an f16 mel takes away
	Real     float64 // the part of the frames that is not padding; 0: not known
	Own      float64 // percent of all cores that the feed used
	Others   float64 // the same, of other processes
}

// Headspace is the part of the step that data which cost nothing would take away.
func (s *Supply) Headspace() float64 {
	if s.Whole <= 0 {
		return 0
	}
	return min(max(1-s.Replayed/s.Whole, 0), 1)
}

// mostOthers is the part of all cores, in percent, from which other processes are
// the cause if they use more than the feed. Less than a quarter delays a feed by less
// than a third.
const mostOthers = 25

// fullCores is the part of all cores, in percent, from which no core is idle for long.
// While cores are idle, other processes take nothing from a feed.
const fullCores = 80

// leastPadding is the part of the frames from which leaving padding out is a cure.
const leastPadding = 0.2

// cured is the verdict of a supply that comes late: where it is too slow in the
// mean, what makes it faster, and how short the step becomes by that; else the depth.
// Where nobody can tell what a cure brings, it has no gain: what a feed does without
// the other processes, or with nothing left to spare.
func (s *Supply) cured() Verdict {
	late := fmt.Sprintf("a batch comes every %.3g ms and the trainer takes %.3g ms", s.Period, s.Step)
	switch {
	case s.Others > mostOthers && s.Others > s.Own && s.Own+s.Others > fullCores:
		return Verdict{Cause: fmt.Sprintf("other processes use %.0f %% of all cores, the feed %.0f %%", s.Others, s.Own),
			Cure: "end what else runs on this machine, or bind it to other cores"}
	case s.Period <= s.Step:
		return Verdict{Setting: "--prefetch-buffer-size", Gain: gain(s.Headspace()), Cause: late + ", so that batches are late at times only",
			Cure: fmt.Sprintf("--prefetch-buffer-size %d (prefetch_buffer_size)", s.enough())}
	case s.Fillers < s.Cores:
		return Verdict{Setting: "--workers", Gain: s.gainAt(s.Period * float64(s.Fillers) / float64(s.Cores)), Cause: late,
			Cure: fmt.Sprintf("--workers %d, one for each core", s.Cores)}
	case s.Halved > 0:
		return Verdict{Setting: "mel_dtype", Gain: s.gainAt(s.Period * (1 - s.Halved)), Cause: late + ", with all cores at it",
			Cure: "mel_dtype: f16 halves the bytes"}
	case s.Real > 0 && s.Real <= 1-leastPadding:
		return Verdict{Setting: "max_mel_frames", Gain: s.gainAt(s.Period * s.Real),
			Cause: fmt.Sprintf("%s, with all cores at it, and %.0f %% of the frames are padding", late, 100*(1-s.Real)),
			Cure:  "a smaller max_mel_frames leaves out padding, --buckets gives short rows short batches"}
	}
	return Verdict{Cause: late + ", with all cores at it", Cure: "a faster disk or memory, or more cores"}
}

// enough is the depth from which no delay as long as the longest one is noticed: the
// batches that the trainer takes meanwhile are ready before.
func (s *Supply) enough() int {
	more := s.Depth
	if s.Step > 0 {
		more = max(more, int(math.Ceil(s.Longest/s.Step)))
	}
	return s.Depth + min(more, mostMore)
}

// mostMore bounds what one long pause of a machine makes of the depth.
const mostMore = 64

// gainAt is what a shorter period brings: no step becomes shorter than with data
// from memory.
func (s *Supply) gainAt(period float64) *float64 {
	if s.Whole <= 0 {
		return gain(0)
	}
	return gain(min(1-period/s.Whole, s.Headspace()))
}
