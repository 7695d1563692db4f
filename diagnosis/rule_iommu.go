package diagnosis

import (
	"fmt"

	"voxpack/gpufeed/topology"
)

var iommuRule = Rule{
	ID:      "iommu",
	Looks:   "whether an IOMMU translates the addresses of the two GPUs; their IOMMU groups",
	Limit:   "none, or one that passes addresses through; one group below one switch",
	Meaning: "copies between GPUs at one switch go up to the host bridge and back",
	Setting: "`iommu=pt` on the kernel's command line",
	Gain:    "known by experience only",
	check:   placed(iommu),
}

// iommu fires for copies between two GPUs only: between them translation makes
// a way up to the host out of a way through a switch. Groups of their own below
// one switch show that its ports are told (ACS) to send all upwards.
func iommu(p *Place) (Verdict, bool) {
	if !p.dual() || p.NVLink == Yes || p.Peer == No {
		return Verdict{}, false
	}
	a, b, data, model := p.data(), p.model(), p.GPUs[p.Data], p.GPUs[p.Model]
	v := Verdict{Kind: Limits, Number: 1, Unit: "translations", Setting: "iommu=pt", Basis: Suspected,
		Cure: "iommu=pt on the kernel's command line, and ACS off in the firmware's setup"}
	if a.IOMMU == topology.Translating || b.IOMMU == topology.Translating {
		v.Cause = fmt.Sprintf("an IOMMU translates what GPU %d and GPU %d access: slow copies between them are suspected", data, model)
		return v, true
	}
	class := p.class()
	v.Cause = fmt.Sprintf("GPU %d and GPU %d share a switch but no IOMMU group, so ACS seems to send their copies through the host bridge: slow ones are suspected",
		data, model)
	return v, (class == topology.PIX || class == topology.PXB) && a.Group != "" && b.Group != "" && a.Group != b.Group
}
