package diagnosis

import "voxpack/internal/perf"

// Narrowest is the stage that a pipeline waits for, with what tells.
type Narrowest struct {
	Stage  string  `json:"stage"`
	Busy   float64 `json:"busy"`    // the part of its time in which it worked, 0 to 1
	WaitIn float64 `json:"wait_in"` // the part in which it waited for input
	Others float64 `json:"others"`  // the mean part in which the others waited on it
}

// Bottleneck finds the stage that limits a pipeline whose stages are given from
// the source to the consumer: the one that waits least for its own input while
// the others wait most on it, that is the stages before it for room and those
// after it for input. Both are counted as parts of each stage's own time, which
// makes a stage of many workers comparable with one of a single worker. Among
// equals the busiest is named, then the first. A stage without any time is left
// out; without stages there is no answer.
func Bottleneck(stages []perf.StageSummary) (Narrowest, bool) {
	var timed []shares
	for _, s := range stages {
		if total := s.WaitIn.TotalMS + s.Work.TotalMS + s.WaitOut.TotalMS; total > 0 {
			timed = append(timed, shares{s.Name, s.WaitIn.TotalMS / total, s.Work.TotalMS / total, s.WaitOut.TotalMS / total})
		}
	}
	var found Narrowest
	for i, s := range timed {
		n := Narrowest{Stage: s.name, Busy: s.work, WaitIn: s.waitIn, Others: waitOn(timed, i)}
		if i == 0 || n.narrower(found, len(timed)-1) {
			found = n
		}
	}
	return found, len(timed) > 0
}

// shares are the parts of a stage's time; they add up to 1.
type shares struct {
	name                  string
	waitIn, work, waitOut float64
}

// waitOn is the mean share in which the other stages waited towards stage i.
func waitOn(stages []shares, i int) float64 {
	if len(stages) == 1 {
		return 0
	}
	var sum float64
	for j, s := range stages {
		switch {
		case j < i:
			sum += s.waitOut
		case j > i:
			sum += s.waitIn
		}
	}
	return sum / float64(len(stages)-1)
}

// narrower compares by the wait of all the others together less the own wait.
// The sum and not the mean, so that the own wait, which is one stage's, weighs
// as much as that of any other stage, however long the line is.
func (n Narrowest) narrower(than Narrowest, others int) bool {
	mine := n.Others*float64(others) - n.WaitIn
	its := than.Others*float64(others) - than.WaitIn
	if diff := mine - its; diff > tie || diff < -tie {
		return diff > 0
	}
	return n.Busy > than.Busy
}

// tie is the difference of shares below which two stages are equals: what
// rounding leaves.
const tie = 1e-9
