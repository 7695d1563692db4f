package topology

import (
	"fmt"
	"slices"
)

// rules are in the order of what they cost, the dearest first. A rule that does
// not apply says nothing.
var rules = []func(m Machine, cpus []int) string{far, otherNode, slowLink, iommu}

// Advice says what it costs where devices are, for a feed that copies from the
// host to the first of them and from there to the last, and may run on cpus
// (ThreadCPUs before any pin; nil is unknown). It measures nothing: what costs
// time by experience only is called suspected.
func Advice(m Machine, cpus []int) []string {
	if len(m.Devices) == 0 {
		return nil
	}
	var lines []string
	for _, rule := range rules {
		if text := rule(m, cpus); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// model is the number of the device that trains; the data device is the first.
func (m Machine) model() int { return len(m.Devices) - 1 }

// hides: a virtual machine that does not tell nodes made its bridges up too.
func (m Machine) hides() bool {
	return m.Virtual && !slices.ContainsFunc(m.Devices, func(d Device) bool { return d.Node >= 0 })
}

// far fires for devices at different NUMA nodes. Without a third device nothing
// nearer can be named, so that a host bridge in between is as good as it gets.
func far(m Machine, _ []int) string {
	if m.Between(0, m.model()) != SYS || m.hides() {
		return ""
	}
	return fmt.Sprintf("GPU 0 (data) and GPU %d (model) are %v: copies between them go over the link between the sockets, or through host memory",
		m.model(), SYS)
}

// otherNode fires where the feed may not run near the GPU that it copies to.
// Where it may, it pins its threads itself.
func otherNode(m Machine, cpus []int) string {
	d := m.Devices[0]
	isNear := func(cpu int) bool { return slices.Contains(d.CPUs, cpu) }
	if d.Node < 0 || len(d.CPUs) == 0 || len(cpus) == 0 || slices.ContainsFunc(cpus, isNear) {
		return ""
	}
	return fmt.Sprintf("the feed may run on CPUs %s only, GPU 0 is at NUMA node %d (CPUs %s): slower copies are suspected",
		FormatCPUs(cpus), d.Node, FormatCPUs(d.CPUs))
}

// slowLink fires for lanes that are missing. The speed of a lane does not count:
// before the first copy the GPU idles and has slowed it down.
func slowLink(m Machine, _ []int) string {
	l := m.Devices[0].Link
	if l.Width == 0 || l.MaxWidth == 0 || l.Speed == 0 || l.Width >= l.MaxWidth {
		return ""
	}
	gen := generation(l.Speed)
	return fmt.Sprintf("the link of GPU 0 is x%d gen%d of x%d gen%d: expect at most %.1f GB/s instead of %.1f",
		l.Width, gen, l.MaxWidth, gen, copyShare*rate(l.Speed, l.Width), copyShare*rate(l.Speed, l.MaxWidth))
}

// iommu fires for copies between two GPUs only: between them translation makes
// a way up to the host out of a way through a switch. Groups of their own below
// one switch show that its ports are told (ACS) to send all upwards.
func iommu(m Machine, _ []int) string {
	if m.model() == 0 {
		return ""
	}
	a, b := m.Devices[0], m.Devices[m.model()]
	if a.IOMMU == Translating || b.IOMMU == Translating {
		return fmt.Sprintf("an IOMMU translates what GPU 0 and GPU %d access: slow copies between them are suspected", m.model())
	}
	class := m.Between(0, m.model())
	if (class == PIX || class == PXB) && a.group != "" && b.group != "" && a.group != b.group {
		return fmt.Sprintf("GPU 0 and GPU %d share a switch but no IOMMU group, so ACS seems to send their copies through the host bridge: slow ones are suspected",
			m.model())
	}
	return ""
}
