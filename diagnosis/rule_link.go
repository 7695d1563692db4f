package diagnosis

import "fmt"

// The speed of a link is no sign: a GPU lowers it while it is idle. Lanes stay.
var linkRule = Rule{
	ID:      "link",
	Looks:   "the lanes of the data GPU's PCIe link; its speed only under load (`topo --load`), since an idle GPU lowers it",
	Limit:   "the lanes that the GPU has, and their speed",
	Meaning: "copies from the host are slower than the GPU could take them",
	Setting: "the slot, the riser, the firmware's setup",
	Gain:    "the time of a copy, in proportion to lanes and speed; of the step only where copies limit it",
	check: placed(func(p *Place) (Verdict, bool) {
		l := p.data().Link
		now, most := l.Rates()
		gen, at, cure := l.Generation(), fmt.Sprintf("gen%d", l.Generation()), "another slot or riser, or the slot's lanes in the firmware's setup"
		if l.Now > 0 {
			at = fmt.Sprintf("gen%d under load", l.NowGeneration())
		}
		if l.Now > 0 && l.Now < l.Speed {
			cure = "another slot or riser, or the slot's speed (PCIe generation) in the firmware's setup"
		}
		return Verdict{
			Kind: Limits, Number: now, Limit: most, Unit: "GB/s", Basis: Measured,
			Cause: fmt.Sprintf("the link of GPU %d is x%d %s of x%d gen%d: expect at most %.1f GB/s instead of %.1f",
				p.GPUs[p.Data], l.Width, at, l.MaxWidth, gen, now, most),
			Cure: cure,
		}, l.Width > 0 && gen > 0 && now < most
	}),
}
