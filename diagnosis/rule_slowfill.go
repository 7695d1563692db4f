package diagnosis

import "fmt"

var slowFillRule = Rule{
	ID:      "slow-fill",
	Looks:   "the bytes a second that a worker fills, the time of each stage",
	Limit:   "the target `fill-least`; where a disk or swap is seen to be the cause, their rules speak",
	Meaning: "the GPU that trains waits for batches, and workers wait for something while they fill them",
	Setting: "what else runs on the cores; where the store lies",
	Gain:    "filling at the target's rate, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		rate, least := o.Steps.FillRate/1e9, o.Targets.Of(FillLeast)
		part, slow := w.slow(Load, rate, least)
		if !slow || o.swaps() || explained(o, coldCacheRule, slowDiskRule) {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: rate, Limit: least, Unit: "GB/s", Gain: gain(part), Basis: Measured,
			Cause: fmt.Sprintf("a worker fills %.2g GB/s (%g are the least where it only copies): the GPU that trains waits for a worker, which waits for a disk or for a core that others use%s",
				rate, least, after(part)),
			Cure: "see voxpack profile for what uses the cores; a faster disk, or --cache on where the dataset fits on a GPU",
		}, true
	}),
}
