package diagnosis

import "fmt"

// As slow-link, of the way between the two GPUs. A staged copy is slow for another
// reason, which no-peer names.
var slowPeerRule = Rule{
	ID:      "slow-peer",
	Looks:   "the bytes a second of copies between the GPUs, the time of each stage",
	Limit:   "the target `link-least`; copies that are staged through the host have the rule `no-peer`",
	Meaning: "the GPU that trains waits for copies from the data GPU, and the link between them is slower than a sound one",
	Setting: "`--mode direct`",
	Gain:    "the copy at the target's rate, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		rate, least := o.Steps.PeerRate/1e9, o.Targets.Of(LinkLeast)
		part, slow := w.slow(Transfer, rate, least)
		if !slow || staged(o) {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: rate, Limit: least, Unit: "GB/s", Setting: "--mode", Gain: gain(part), Basis: Measured,
			Cause: fmt.Sprintf("copies between the GPUs carry %.2g GB/s (%g are the least of a sound way): the GPU that trains waits for copies of %.3g ms%s",
				rate, least, w.stage(Transfer).MS, after(part)),
			Cure: "see voxpack topo for the way between them; --mode direct leaves the copy out",
		}, true
	}),
}
