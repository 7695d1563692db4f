package topology

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// UnknownNode stands where nobody says to which NUMA node something belongs.
const UnknownNode = -1

// Machine is what sysfs tells of some devices.
type Machine struct {
	Devices []Device // in the order asked for
	Virtual bool     // a virtual machine, which shows what bridges its maker liked
	nodes   []int    // that are online; nil is unknown
}

// Device is what sysfs tells of a device.
type Device struct {
	Address Address
	Known   bool  // false: sysfs does not show it, and all below is unknown
	Node    int   // NUMA node, or UnknownNode
	CPUs    []int // near to it; nil is unknown
	Link    Link
	IOMMU   IOMMU
	Group   string // of the IOMMU, "" if none
	route   route
}

// IOMMU says whether addresses that a device uses are translated.
type IOMMU int

// What an IOMMU does for a device.
const (
	UnknownIOMMU IOMMU = iota
	NoIOMMU            // none for this device
	PassThrough        // there, and addresses go through as they are
	Translating        // there, and each access is translated
)

// Survey looks devices up; sys is "" for /sys. Number them as CUDA does, for
// Advice speaks of GPU 0 and means the first.
func Survey(sys string, devices []Address) Machine {
	top := folder{root(sys)}
	m := Machine{Virtual: virtual(top)}
	if nodes, err := ParseCPUs(top.text("devices/system/node/online")); err == nil {
		m.nodes = nodes
	}
	for _, a := range devices {
		m.Devices = append(m.Devices, surveyDevice(top, a))
	}
	return m
}

// GPUs lists the GPUs of NVIDIA's that sysfs shows, in the order of their
// addresses, which is CUDA's with CUDA_DEVICE_ORDER=PCI_BUS_ID; sys is "" for /sys.
func GPUs(sys string) []Address {
	top := folder{root(sys)}
	entries, _ := os.ReadDir(filepath.Join(top.path, "bus/pci/devices"))
	var found []Address
	for _, e := range entries {
		a, err := ParseAddress(e.Name())
		dir := top.device(a)
		// Class 03 is a display controller; a GPU without a screen is 0302.
		if err == nil && dir.text("vendor") == "0x10de" && strings.HasPrefix(dir.text("class"), "0x03") {
			found = append(found, a)
		}
	}
	return found
}

// Hides: a virtual machine that does not tell nodes made its bridges up too.
func (m Machine) Hides() bool {
	return m.Virtual && !slices.ContainsFunc(m.Devices, func(d Device) bool { return d.Node >= 0 })
}

func surveyDevice(top folder, a Address) Device {
	d := Device{Address: a, Node: UnknownNode}
	dir := top.device(a)
	real, err := filepath.EvalSymlinks(dir.path)
	if err != nil {
		return d
	}
	d.Known = true
	if rel, err := filepath.Rel(top.path, real); err == nil {
		d.route = routeOf(filepath.ToSlash(rel))
	}
	if node, err := strconv.Atoi(dir.text("numa_node")); err == nil && node >= 0 {
		d.Node = node
	}
	if cpus, err := ParseCPUs(dir.text("local_cpulist")); err == nil {
		d.CPUs = cpus
	}
	d.Link = readLink(dir)
	d.IOMMU, d.Group = readIOMMU(dir)
	return d
}

// readIOMMU asks for the device's group. The kind of its domain is a file since
// kernel 5.11.
func readIOMMU(dir folder) (IOMMU, string) {
	group, err := filepath.EvalSymlinks(filepath.Join(dir.path, "iommu_group"))
	if err != nil {
		return NoIOMMU, ""
	}
	switch kind := dir.text("iommu_group/type"); {
	case kind == "identity":
		return PassThrough, filepath.Base(group)
	case strings.HasPrefix(kind, "DMA"): // "DMA" or, flushed later, "DMA-FQ"
		return Translating, filepath.Base(group)
	}
	return UnknownIOMMU, filepath.Base(group)
}

// hypervisors are words by which firmware and clocks give a virtual machine
// away, in lower case.
var hypervisors = []string{
	"qemu", "kvm", "vmware", "virtualbox", "innotek", "xen", "virtual machine", "bochs", "parallels",
	"hyperv", "openstack", "google compute engine", "amazon ec2", "alibaba cloud ecs",
}

// virtual says whether this is a virtual machine, by what sysfs shows without
// privileges: the name that the firmware gives, the hypervisor that Xen
// names, the clocks that only guests have.
func virtual(top folder) bool {
	product := strings.ToLower(top.text("class/dmi/id/product_name"))
	if strings.HasSuffix(product, ".metal") || strings.Contains(product, ".metal-") {
		return false // Amazon's whole machines carry the vendor's name of its virtual ones
	}
	clues := strings.ToLower(strings.Join([]string{
		product,
		top.text("class/dmi/id/sys_vendor"),
		top.text("hypervisor/type"),
		top.text("devices/system/clocksource/clocksource0/available_clocksource"),
	}, "\n"))
	for _, word := range hypervisors {
		if strings.Contains(clues, word) {
			return true
		}
	}
	return false
}

// folder is a folder of sysfs. What cannot be read there reads as "".
type folder struct{ path string }

// root resolves the folder where sysfs is, so that what links lead to can be
// told relative to it.
func root(sys string) string {
	if sys == "" {
		sys = "/sys"
	}
	if real, err := filepath.EvalSymlinks(sys); err == nil {
		return real
	}
	return sys
}

func (f folder) device(a Address) folder {
	return folder{filepath.Join(f.path, "bus/pci/devices", a.String())}
}

func (f folder) text(name string) string {
	b, err := os.ReadFile(filepath.Join(f.path, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
