package diagnosis

import (
	"fmt"

	"voxpack/gpufeed/topology"
)

var farRule = Rule{
	ID:      "far",
	Looks:   "what lies between the data GPU and the model GPU",
	Limit:   "both at one NUMA node, and no other GPU nearer to the model GPU",
	Meaning: "copies between them go through host bridges, or over the link between the sockets",
	Setting: "`--data-gpu`, `--mode direct`",
	Gain:    "known by experience only: it depends on what else uses that way",
	check:   placed(far),
}

// far fires for SYS, and for any host bridge where another device is nearer to the
// model GPU. Of a virtual machine that hides its nodes it says nothing.
func far(p *Place) (Verdict, bool) {
	class := p.class()
	if !p.dual() || p.NVLink == Yes || p.Peer == No || class.Distance() < topology.PHB.Distance() || p.Machine.Hides() {
		return Verdict{}, false
	}
	nearest, best := -1, class
	for i := range p.Machine.Devices {
		if i == p.Data || i == p.Model {
			continue
		}
		if c := p.Machine.Between(i, p.Model); c.Distance() > 0 && c.Distance() < best.Distance() {
			nearest, best = i, c
		}
	}
	if nearest < 0 && class != topology.SYS {
		return Verdict{}, false // as good as it gets
	}
	how := "through the host bridges"
	if class == topology.SYS {
		how = "over the link between the sockets, or through host memory"
	}
	data, model := p.GPUs[p.Data], p.GPUs[p.Model]
	v := Verdict{
		Kind: Limits, Number: float64(class.Distance()), Limit: float64(topology.NODE.Distance()), Unit: "level", Setting: "--mode", Basis: Suspected,
		Cause: fmt.Sprintf("GPU %d (data) and GPU %d (model) are %v: copies between them go %s", data, model, class, how),
		Cure:  fmt.Sprintf("--mode direct --model-gpu %d copies straight to the GPU that trains", model),
	}
	if nearest >= 0 {
		v.Setting, v.Limit = "--data-gpu", float64(best.Distance())
		v.Cure = fmt.Sprintf("--data-gpu %d, which is %v to GPU %d", p.GPUs[nearest], best, model)
	}
	return v, true
}
