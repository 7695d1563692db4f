package diagnosis

import (
	"fmt"

	"voxpack/internal/number"
)

var driverRule = Rule{
	ID:      "driver",
	Looks:   "whether a driver serves the GPUs that the system shows, or that it says it has",
	Limit:   "one that serves them; a machine without GPU and driver needs none",
	Meaning: "no GPU can be used: the driver is missing, too old, or does not start",
	Setting: "the NVIDIA driver",
	Gain:    "not known: without it nothing is trained on a GPU",
	check: func(o Observation) (Verdict, bool) {
		if o.Driver == nil {
			return Verdict{}, false
		}
		seen := "a driver is there"
		if n := o.Driver.GPUs; n > 0 {
			seen = fmt.Sprintf("the system shows %s", number.Count(n, "GPU"))
		}
		return Verdict{Kind: Risks, Number: float64(o.Driver.GPUs), Unit: "GPUs", Basis: Measured,
			Cause: seen + ", and no GPU can be used: " + o.Driver.Why, Cure: "see whether nvidia-smi works"}, true
	},
}
