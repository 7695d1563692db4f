package diagnosis

import "fmt"

// GPUUse is how busy a GPU was before anything of the run was on it.
type GPUUse struct {
	GPU  int
	Role string
	Busy float64 // percent of the last moment in which some kernel ran; below 0: not known
}

// mostBusy: a desktop takes a few percent. NVML's figure is of the sixth of a second to the
// second before (its documentation of nvmlUtilization_t), so that a training that ended just
// now counts too, which the words say.
const mostBusy = 10

var gpuSharedRule = Rule{
	ID:      "gpu-shared",
	Looks:   "how busy each GPU is before the first copy, as NVML says: nothing of the feed runs there yet",
	Limit:   "10 %: a desktop takes a few; the figure is of the last second at most",
	Meaning: "another process computes on a GPU of the training, and each waits for the other; or it ended a second before",
	Setting: "`CUDA_VISIBLE_DEVICES`, `--data-gpu`, `--model-gpu`",
	Gain:    "not known: it depends on what the other process does",
	check: func(o Observation) (Verdict, bool) {
		var most GPUUse
		for _, g := range o.GPUs {
			if g.Busy > most.Busy {
				most = g
			}
		}
		return Verdict{
			Kind: Limits, Number: most.Busy, Limit: mostBusy, Unit: "%", Setting: "CUDA_VISIBLE_DEVICES", Basis: Suspected,
			Cause: fmt.Sprintf("GPU %d (%s) was %.0f %% busy in the second before the first copy: another process computes there, or did until then", most.GPU, most.Role, most.Busy),
			Cure:  "nvidia-smi names it while it runs: end it, or take another GPU (--data-gpu, --model-gpu, CUDA_VISIBLE_DEVICES)",
		}, most.Busy > mostBusy
	},
}
