package diagnosis

import "fmt"

var slowFillRule = Rule{
	ID:      "slow-fill",
	Looks:   "the bytes a second that a worker fills, the time of each stage",
	Limit:   "the target `fill-least`",
	Meaning: "the GPU that trains waits for batches, and workers wait for something while they fill them",
	Setting: "where the store lies: a faster disk, memory that holds it",
	Gain:    "filling at the target's rate, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		rate, least := o.Steps.FillRate/1e9, o.Targets.Of(FillLeast)
		part, slow := w.slow(Load, rate, least)
		if !slow {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: rate, Limit: least, Unit: "GB/s", Gain: gain(part), Basis: Measured,
			Cause: fmt.Sprintf("a worker fills %.2g GB/s (%g are the least where it only copies): the GPU that trains waits for a slow disk, or for cores that others use%s",
				rate, least, after(part)),
			Cure: "put the store on a faster disk, leave memory for the page cache, or take --cache on where the dataset fits on a GPU",
		}, true
	}),
}
