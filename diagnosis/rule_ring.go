package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

// Two ways of one cause. A worker fills a slot of the ring, so that a ring with fewer
// slots than workers leaves workers idle. And where all stages keep up in the mean, only
// batches that are ready outlast a late one.
var ringSmallRule = Rule{
	ID:      "ring-small",
	Looks:   "the mean step, the time of each stage, the batches that may be prepared ahead",
	Limit:   "a batch for each worker; and no wait where all stages are fast enough in the mean",
	Meaning: "batches are late at times, and too few are ready to bridge that; or workers have nothing to fill",
	Setting: "`--prefetch-buffer-size`, `pipeline_buffer_size`, `enhanced_gpu_prefetch`",
	Gain:    "the part of the steps in which no stage was busy all the time; or filling by all workers",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		s, load, idle := o.Steps, w.stage(Load), w.idle(o.Steps)
		v := Verdict{Kind: Limits, Number: float64(s.Depth), Unit: "batches", Setting: "--prefetch-buffer-size", Basis: Measured}
		switch {
		case s.Depth == 0 || s.MaxDepth == 0:
			return v, false
		case load.Workers < s.Fillers && w.late(Load): // a worker needs a batch of its own to fill
			_, now := w.longest()
			_, then := w.faster(Load, float64(load.Workers)/float64(s.Fillers)).longest()
			part := 1 - then/max(s.Mean, now) // of steps that bursts make longer still
			v.Limit, v.Gain = float64(s.Fillers), gain(part)
			v.Cause = fmt.Sprintf("a ring of %d gives %s too little to fill at a time: the GPU that trains waits for them%s",
				s.Depth, number.Count(s.Fillers, "worker"), after(part))
			v.Cure = fmt.Sprintf("give --prefetch-buffer-size %d", s.Fillers)
			return v, true
		}
		v.Limit, v.Gain = float64(2*s.MaxDepth), gain(idle)
		v.Cause = fmt.Sprintf("batches come fast enough in the mean and late at times, and the ring holds %d at most", s.MaxDepth)
		v.Cure = fmt.Sprintf("give --prefetch-buffer-size %d, and no lower pipeline_buffer_size", 2*s.MaxDepth)
		return v, idle >= worth && !o.swaps() && !explained(o, gpuMemorySmallRule, slowWorkerRule, keptRule, noOverlapRule)
	}),
}
