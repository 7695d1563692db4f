package topology

import (
	"regexp"
	"slices"
	"strings"
)

// Class is how far two devices are apart, by nvidia-smi's name.
type Class string

// The classes, the nearest first.
const (
	Same         Class = "X"    // one device
	PIX          Class = "PIX"  // at most one PCIe switch between
	PXB          Class = "PXB"  // several switches, no host bridge
	PHB          Class = "PHB"  // through one host bridge
	NODE         Class = "NODE" // through host bridges of one NUMA node
	SYS          Class = "SYS"  // from NUMA node to NUMA node
	UnknownClass Class = "unknown"
)

// Distance orders classes: 0 of one device, 5 from node to node, -1 where it is
// not known.
func (c Class) Distance() int {
	return slices.Index([]Class{Same, PIX, PXB, PHB, NODE, SYS}, c)
}

// route is the way from a host bridge to a device.
type route struct {
	host    string   // everything up to the last host bridge
	bridges []string // below it, the device itself left out
}

// hostBridge is the folder of a host bridge in sysfs, "pci0000:00".
var hostBridge = regexp.MustCompile(`^pci[0-9a-f]{4,8}:[0-9a-f]{2}$`)

// routeOf reads a route out of a device's folder, relative to sysfs. It has no
// host where sysfs shows none. The last host bridge counts: Intel's VMD puts
// one below another.
func routeOf(folder string) route {
	parts := strings.Split(folder, "/")
	for i, part := range slices.Backward(parts) {
		if hostBridge.MatchString(part) && i+1 < len(parts) {
			return route{host: strings.Join(parts[:i+1], "/"), bridges: parts[i+1 : len(parts)-1]}
		}
	}
	return route{}
}

// Between says how far two devices are apart, by their numbers in Devices.
//
// A switch is a port above and a port below for each device in sysfs. So two
// devices with a bridge in common are at one switch if each has at most one
// bridge of its own under the last common one.
func (m Machine) Between(i, j int) Class {
	a, b := m.Devices[i], m.Devices[j]
	switch {
	case a.Address == b.Address:
		return Same
	case a.route.host == "" || b.route.host == "":
		return UnknownClass
	case a.route.host != b.route.host:
		if m.node(a) >= 0 && m.node(a) == m.node(b) {
			return NODE
		}
		return SYS
	}
	common := 0
	for common < min(len(a.route.bridges), len(b.route.bridges)) && a.route.bridges[common] == b.route.bridges[common] {
		common++
	}
	switch {
	case common == 0:
		return PHB
	case len(a.route.bridges) <= common+1 && len(b.route.bridges) <= common+1:
		return PIX
	}
	return PXB
}

// node is the device's node. Where the machine has one node only, every device
// is there, also those of which the firmware said nothing.
func (m Machine) node(d Device) int {
	if d.Node < 0 && len(m.nodes) == 1 {
		return m.nodes[0]
	}
	return d.Node
}
