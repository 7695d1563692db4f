package diagnosis

import (
	"fmt"
	"slices"

	"voxpack/gpufeed/topology"
)

var nodeRule = Rule{
	ID:      "node",
	Looks:   "the CPUs that the feed may run on, those near the data GPU",
	Limit:   "one CPU that is in both lists: then the feed pins its threads itself",
	Meaning: "host memory is filled and read across the link between the sockets",
	Setting: "`numactl --cpunodebind`",
	Gain:    "known by experience only",
	check:   placed(otherNode),
}

func otherNode(p *Place) (Verdict, bool) {
	d := p.data()
	isNear := func(cpu int) bool { return slices.Contains(d.CPUs, cpu) }
	if d.Node < 0 || len(d.CPUs) == 0 || len(p.CPUs) == 0 || slices.ContainsFunc(p.CPUs, isNear) {
		return Verdict{}, false
	}
	return Verdict{
		Kind: Limits, Number: 0, Limit: 1, Unit: "CPUs", Setting: "numactl", Basis: Suspected,
		Cause: fmt.Sprintf("the feed may run on CPUs %s only, GPU %d is at NUMA node %d (CPUs %s): slower copies are suspected",
			topology.FormatCPUs(p.CPUs), p.GPUs[p.Data], d.Node, topology.FormatCPUs(d.CPUs)),
		Cure: fmt.Sprintf("numactl --cpunodebind %d", d.Node),
	}, true
}
