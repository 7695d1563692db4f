package diagnosis

import "fmt"

var peerRule = Rule{
	ID:      "no-peer",
	Looks:   "whether the data GPU can write to the model GPU, as the driver says",
	Limit:   "it can",
	Meaning: "each copy between them is staged through host memory",
	Setting: "--mode direct",
	Gain:    "a copy to the host and one from it for each batch; not known before a run",
	check: placed(func(p *Place) (Verdict, bool) {
		model := p.GPUs[p.Model]
		return Verdict{
			Kind: Limits, Number: 2, Limit: 1, Unit: "copies", Setting: "--mode", Basis: Measured,
			Cause: fmt.Sprintf("GPU %d (data) cannot write to GPU %d (model): each copy between them is staged through host memory", p.GPUs[p.Data], model),
			Cure:  fmt.Sprintf("--mode direct --model-gpu %d copies straight to the GPU that trains", model),
		}, p.dual() && p.Peer == No
	}),
}
