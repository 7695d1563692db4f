package diagnosis

import "fmt"

// The median and not the mean is held against: one slow worker of four is a quarter of
// the mean. Three times is experience, not measured: cores that share a machine differ
// by less. A worker's batch is late by no more than it takes: where steps wait
// longer in the mean, something else keeps them.
var slowWorkerRule = Rule{
	ID:      "slow-worker",
	Looks:   "the mean time that each worker needs for a batch",
	Limit:   "three times the median of all workers, and no less than what a step waits for in the mean; while the machine swaps, the rule `swap` speaks",
	Meaning: "batches come in order, so that all wait for the one that the slow worker fills",
	Setting: "`--workers`, what else runs on that core",
	Gain:    "the part of the steps in which no stage was busy all the time",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s, idle := o.Steps, w.idle(o.Steps)
		if s.Typical <= 0 || s.Slowest < max(3*s.Typical, idle*s.Mean) || idle < worth || o.swaps() {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: s.Slowest, Limit: 3 * s.Typical, Unit: "ms", Setting: "--workers", Gain: gain(idle), Basis: Measured,
			Cause: fmt.Sprintf("one worker needs %.3g ms for a batch, the others %.3g ms: the GPU that trains waits for its batches", s.Slowest, s.Typical),
			Cure:  "end what else runs on its core, or take a worker less",
		}, true
	}),
}
