package diagnosis

import (
	"fmt"
	"math"
)

// The sum of all stages is what a step takes when each batch goes all the way before
// the next begins. A tenth is what runs vary by on a busy machine.
var noOverlapRule = Rule{
	ID:      "no-overlap",
	Looks:   "the mean step, the time of each stage",
	Limit:   "the sum of all stages, within a tenth",
	Meaning: "a batch goes through all stages before the next one begins",
	Setting: "batches on the GPU: three, so that one arrives, one waits and one is used",
	Gain:    "the step less the longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		sum, idle := 0.0, w.idle(o.Steps)
		for _, t := range w.Stages {
			sum += t.period()
		}
		if math.Abs(o.Steps.Mean-sum) > 0.1*sum || idle < worth || o.swaps() || explained(o, gpuMemorySmallRule, slowWorkerRule, keptRule) {
			return Verdict{}, false
		}
		_, most := w.longest()
		return Verdict{
			Kind: Limits, Number: o.Steps.Mean, Limit: most, Unit: "ms", Gain: gain(idle), Basis: Measured,
			Cause: fmt.Sprintf("a step takes %.3g ms, and its stages in turn take %.3g ms: they do not overlap", o.Steps.Mean, sum),
			Cure:  "ask for the next batch before the step on this one has ended, and leave room for three batches on the GPU",
		}, true
	}),
}
