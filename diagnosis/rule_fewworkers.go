package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

// Filling is a copy that waits for nothing, so that workers beyond the cores bring
// nothing: the gain ends there. Where the ring gives the workers too few batches, more
// workers would wait as well, and ring-small speaks.
var workersFewRule = Rule{
	ID:      "workers-few",
	Looks:   "the time that workers need for a batch, their number, the cores",
	Limit:   "one worker a core",
	Meaning: "the GPU that trains waits for batches, while cores that could fill them are idle",
	Setting: "`--workers`",
	Gain:    "filling by a worker on each core, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s, load := o.Steps, w.stage(Load)
		if load.Workers >= s.Cores || load.Workers < s.Fillers || !w.late(Load) { // or too few batches for them
			return Verdict{}, false
		}
		part := w.brings(w.faster(Load, float64(load.Workers)/float64(s.Cores)))
		return Verdict{
			Kind: Limits, Number: float64(load.Workers), Limit: float64(s.Cores), Unit: "workers", Setting: "--workers", Gain: gain(part), Basis: Computed,
			Cause: fmt.Sprintf("%s on %s fill a batch in %.3g ms each: the GPU that trains waits for them%s",
				number.Count(load.Workers, "worker"), number.Count(s.Cores, "core"), load.MS, after(part)),
			Cure: fmt.Sprintf("give --workers %d", s.Cores),
		}, true
	}),
}
