package topology

import "fmt"

// Use is how a feed uses a machine's devices.
type Use struct {
	Data, Model int   // devices by number; equal when one does both
	Peer        Peer  // may the data GPU write to the model GPU?
	NVLink      bool  // they have one: what PCIe is like does not matter between them
	Reported    Class // what NVML says of the two; not over Same where it said nothing
	CPUs        []int // on which the feed may run (ThreadCPUs before any pin); nil is unknown
	Copying     bool  // the links were read during copies, so that their speed counts
}

// Peer says whether one GPU may write to another's memory.
type Peer int

// The answers.
const (
	UnknownPeer Peer = iota
	NoPeer
	HasPeer
)

// Line is an advice.
type Line struct {
	Rule    string // its id, which stays the same
	Text    string // one sentence of facts, and what is suspected called so
	Setting string // what to change; "" where nothing can be
}

// rules are in the order of what they cost, so that who prints few prints the
// dearest.
var rules = []struct {
	id    string
	check func(Machine, Use) (text, setting string)
}{
	{"no-peer", noPeer},
	{"far", far},
	{"node", otherNode},
	{"link", slowLink},
	{"iommu", iommu},
	{"one-gpu", oneGPU},
	{"vm", hidden},
	{"differ", differ},
}

// Advice lists what fires for a use of a machine. It measures nothing: what
// costs time by experience only is called suspected. Of devices that the
// machine was not asked for it knows nothing.
func Advice(m Machine, u Use) []Line {
	if min(u.Data, u.Model) < 0 || max(u.Data, u.Model) >= len(m.Devices) {
		return nil
	}
	var lines []Line
	for _, rule := range rules {
		if text, setting := rule.check(m, u); text != "" {
			lines = append(lines, Line{Rule: rule.id, Text: text, Setting: setting})
		}
	}
	return lines
}

func (u Use) dual() bool { return u.Data != u.Model }

// class of the two devices: NVML's word where it gave one.
func (u Use) class(m Machine) Class {
	if u.Reported > Same {
		return u.Reported
	}
	return m.Between(u.Data, u.Model)
}

// hides: a virtual machine that does not tell nodes made its bridges up too.
func (m Machine) hides() bool {
	for _, d := range m.Devices {
		if d.Node >= 0 {
			return false
		}
	}
	return m.Virtual
}

func noPeer(_ Machine, u Use) (text, setting string) {
	if !u.dual() || u.Peer != NoPeer {
		return "", ""
	}
	return fmt.Sprintf("GPU %d (data) cannot write to GPU %d (model): each copy between them is staged through host memory", u.Data, u.Model),
		fmt.Sprintf("--data-gpu %d: one GPU for both roles copies directly", u.Model)
}

// far fires for SYS, and for any host bridge where another device is nearer to
// the model GPU.
func far(m Machine, u Use) (text, setting string) {
	class := u.class(m)
	if !u.dual() || u.NVLink || u.Peer == NoPeer || class < PHB || m.hides() {
		return "", ""
	}
	nearest, best := -1, class
	for i := range m.Devices {
		if i == u.Data || i == u.Model {
			continue
		}
		if c := m.Between(i, u.Model); c != UnknownClass && c < best {
			nearest, best = i, c
		}
	}
	if nearest < 0 && class < SYS {
		return "", ""
	}
	how := "through the host bridges"
	if class == SYS {
		how = "over the link between the sockets, or through host memory"
	}
	text = fmt.Sprintf("GPU %d (data) and GPU %d (model) are %v: copies between them go %s", u.Data, u.Model, class, how)
	if nearest < 0 {
		return text, fmt.Sprintf("--data-gpu %d: one GPU for both roles copies directly", u.Model)
	}
	return text, fmt.Sprintf("--data-gpu %d, which is %v to GPU %d", nearest, best, u.Model)
}

// otherNode fires where the feed may not run near the GPU that it copies to.
// Where it may, it pins its threads itself.
func otherNode(m Machine, u Use) (text, setting string) {
	d := m.Devices[u.Data]
	if d.Node < 0 || len(d.CPUs) == 0 || len(u.CPUs) == 0 {
		return "", ""
	}
	near := map[int]bool{}
	for _, cpu := range d.CPUs {
		near[cpu] = true
	}
	for _, cpu := range u.CPUs {
		if near[cpu] {
			return "", ""
		}
	}
	return fmt.Sprintf("the feed may run on CPUs %s only, GPU %d is at NUMA node %d (CPUs %s): slower copies are suspected",
			FormatCPUs(u.CPUs), u.Data, d.Node, FormatCPUs(d.CPUs)),
		fmt.Sprintf("numactl --cpunodebind %d", d.Node)
}

// slowLink fires for lanes that are missing, and for speed if the link was busy
// when it was read.
func slowLink(m Machine, u Use) (text, setting string) {
	l := m.Devices[u.Data].Link
	now, most := l.Generation()
	if l.Width == 0 || l.MaxWidth == 0 || now == 0 || most == 0 {
		return "", ""
	}
	if !u.Copying {
		// Idle GPUs slow their lanes down and keep their number.
		l.Speed, now = l.MaxSpeed, most
	}
	if l.Width >= l.MaxWidth && now >= most {
		return "", ""
	}
	expect, could := l.Expect()
	return fmt.Sprintf("the link of GPU %d is x%d gen%d of x%d gen%d: expect at most %.1f GB/s instead of %.1f",
			u.Data, l.Width, now, l.MaxWidth, most, expect, could),
		"another slot or riser, or the slot's lanes and speed in the firmware's setup"
}

// iommu fires for copies between two GPUs only: between them translation makes
// a way up to the host out of a way through a switch. Groups of their own below
// one switch show that its ports are told (ACS) to send all upwards.
func iommu(m Machine, u Use) (text, setting string) {
	if !u.dual() || u.NVLink || u.Peer == NoPeer {
		return "", ""
	}
	a, b := m.Devices[u.Data], m.Devices[u.Model]
	const fix = "iommu=pt on the kernel's command line, and ACS off in the firmware's setup"
	if a.IOMMU == Translating || b.IOMMU == Translating {
		return fmt.Sprintf("an IOMMU translates what GPU %d and GPU %d access: slow copies between them are suspected", u.Data, u.Model), fix
	}
	if class := u.class(m); (class == PIX || class == PXB) && a.group != "" && b.group != "" && a.group != b.group {
		return fmt.Sprintf("GPU %d and GPU %d share a switch but no IOMMU group, so ACS seems to send their copies through the host bridge: slow ones are suspected", u.Data, u.Model), fix
	}
	return "", ""
}

func oneGPU(m Machine, u Use) (text, setting string) {
	if u.dual() || len(m.Devices) > 1 {
		return "", ""
	}
	return "the one GPU does both roles: as a data GPU it brings nothing but its cache", ""
}

func hidden(m Machine, _ Use) (text, setting string) {
	if !m.hides() {
		return "", ""
	}
	return "this virtual machine hides how its devices hang together: only measured bandwidth counts", ""
}

func differ(m Machine, u Use) (text, setting string) {
	ours := m.Between(u.Data, u.Model)
	if !u.dual() || u.Reported <= Same || ours == UnknownClass || u.Reported == ours {
		return "", ""
	}
	return fmt.Sprintf("NVML says that GPU %d and GPU %d are %v, sysfs shows %v: NVML's word is taken", u.Data, u.Model, u.Reported, ours), ""
}
