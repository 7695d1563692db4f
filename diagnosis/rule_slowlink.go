package diagnosis

import "fmt"

// The rate tells a slow link from a large batch: a sound link that cannot keep up is a
// matter of bytes (padding, mel-f32, bound), a slow one of the machine.
var slowLinkRule = Rule{
	ID:      "slow-link",
	Looks:   "the bytes a second of copies from the host, the time of each stage",
	Limit:   "the target `link-least`",
	Meaning: "the GPU that trains waits for copies, and the link is slower than a sound one",
	Setting: "the slot, the riser, `--cache`",
	Gain:    "the copy at the target's rate, bounded by the next longest stage",
	check: timed(func(o Observation, w Work) (Verdict, bool) {
		rate, least := o.Steps.CopyRate/1e9, o.Targets.Of(LinkLeast)
		part, slow := w.slow(Copy, rate, least)
		if !slow {
			return Verdict{}, false
		}
		return Verdict{
			Kind: Limits, Number: rate, Limit: least, Unit: "GB/s", Setting: "--cache", Gain: gain(part), Basis: Measured,
			Cause: fmt.Sprintf("the link from the host carries %.2g GB/s (%g are the least of a sound one): the GPU that trains waits for copies of %.3g ms%s",
				rate, least, w.stage(Copy).MS, after(part)),
			Cure: "see voxpack topo for the slot's lanes; --cache on keeps samples on the GPU",
		}, true
	}),
}
