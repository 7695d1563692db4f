package diagnosis

import "fmt"

var peerRule = Rule{
	ID:      "no-peer",
	Looks:   "whether the data GPU can write to the model GPU, as the driver says",
	Limit:   "it can",
	Meaning: "each copy between them is staged through host memory",
	Setting: "`--mode direct`",
	Gain:    "the step without these copies, where they limit it; not known before a run",
	check: func(o Observation) (Verdict, bool) {
		v := Verdict{
			Kind: Limits, Number: 2, Limit: 1, Unit: "copies", Setting: "--mode", Basis: Measured,
			Cause: "the data GPU cannot write to the model GPU: each copy between them is staged through host memory",
			Cure:  "--mode direct copies straight to the GPU that trains",
		}
		if p := o.Place; p.known() && p.dual() && p.Peer == No {
			model := p.GPUs[p.Model]
			v.Cause = fmt.Sprintf("GPU %d (data) cannot write to GPU %d (model): each copy between them is staged through host memory", p.GPUs[p.Data], model)
			v.Cure = fmt.Sprintf("--mode direct --model-gpu %d copies straight to the GPU that trains", model)
		}
		if o.Work != nil && o.Work.has(Train) {
			v.Gain = gain(o.Work.brings(o.Work.only(func(s Stage) bool { return s != Transfer })))
		}
		return v, staged(o)
	},
}

// staged reports whether copies between the two GPUs go through the host.
func staged(o Observation) bool {
	p := o.Place
	return o.Steps != nil && o.Steps.Staged || p.known() && p.dual() && p.Peer == No
}
