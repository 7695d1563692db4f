package diagnosis

import "fmt"

var linkRule = Rule{
	ID:      "link",
	Looks:   "the lanes of the data GPU's PCIe link; not their speed, which an idle GPU lowers",
	Limit:   "the lanes that the GPU has",
	Meaning: "copies from the host are slower than the GPU could take them",
	Setting: "the slot, the riser, the firmware's setup",
	Gain:    "the time of a copy, in proportion to the lanes; of the step only where copies limit it",
	check: placed(func(p *Place) (Verdict, bool) {
		l := p.data().Link
		now, most := l.Rates()
		gen := l.Generation()
		return Verdict{
			Kind: Limits, Number: now, Limit: most, Unit: "GB/s", Basis: Measured,
			Cause: fmt.Sprintf("the link of GPU %d is x%d gen%d of x%d gen%d: expect at most %.1f GB/s instead of %.1f",
				p.GPUs[p.Data], l.Width, gen, l.MaxWidth, gen, now, most),
			Cure: "another slot or riser, or the slot's lanes in the firmware's setup",
		}, l.Width > 0 && l.MaxWidth > l.Width && gen > 0
	}),
}
