package inventory

import (
	"errors"
	"fmt"

	"voxpack/diagnosis"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/nvml"
	"voxpack/gpufeed/topology"
)

// Inventory is what is known of a machine's GPUs.
type Inventory struct {
	Driver  string // "cuda" or "sim"; "" where there is none
	Version int    // the CUDA that the driver serves, 12090 for 12.9; 0: not known
	Refused error  // why a driver does not serve that is there, or that GPUs lack; nil: it serves, or there is nothing to serve
	NVML    bool   // it answered
	GPUs    []GPU
	Pairs   []Pair // each two GPUs, the first with the smaller place in GPUs
	Unseen  []Gap
	machine topology.Machine
}

// GPU is one of them.
type GPU struct {
	Number int // the driver's; without a driver its place by address
	Name   string
	Memory uint64 // bytes; 0: not known
	Major  int    // of the compute capability; 0: not known
	Minor  int
	Busy   int     // percent of the last moment, about a second, in which some kernel ran; -1: not known
	Used   int64   // bytes in use, by all processes; -1: not known
	Loaded *Loaded // its link while it copied; nil: Load was not called, or it could not be loaded
	topology.Device
}

// Pair is two GPUs, by their places in Inventory.GPUs.
type Pair struct {
	A, B   int
	Class  topology.Class // NVML's word, else that of sysfs
	NVLink diagnosis.Answer
	Peer   diagnosis.Answer // may A write to the memory of B?
}

// Gap is something that could not be seen.
type Gap struct {
	What Unseen
	GPUs []int // the numbers of those that it is about; none: all
	Why  error // nil where nobody said
}

// Refusal is the call that failed and its code, "" and 0 where nobody said.
func (g Gap) Refusal() (call string, code int) {
	var ofDriver *driver.Error
	var ofNVML *nvml.Error
	switch {
	case errors.As(g.Why, &ofDriver):
		return ofDriver.Call, ofDriver.Code
	case errors.As(g.Why, &ofNVML):
		return ofNVML.Call, ofNVML.Code
	}
	return "", 0
}

// Unseen is what a gap keeps from being known.
type Unseen string

// The gaps.
const (
	NoDriver  Unseen = "driver"  // names, memory, numbers and peer access
	NoNVML    Unseen = "nvml"    // NVLink, and the driver's own word on what lies between
	NoAddress Unseen = "address" // a GPU without a place on PCI, as a simulated one
	NoSysfs   Unseen = "sysfs"   // node, link and IOMMU of a GPU that sysfs does not show
	Hidden    Unseen = "virtual" // the bridges of a virtual machine are its maker's
	NoPeers   Unseen = "peers"   // whether GPUs may write to each other
	Idle      Unseen = "idle"    // the speed of links, which idle GPUs lower
	NotLoaded Unseen = "load"    // the same of a GPU that could not be loaded
)

// Look asks all three. d is nil where there is no driver, for why; sys is "" for
// /sys, and path "" for NVML where drivers put it.
func Look(d driver.Driver, why error, sys, path string) (*Inventory, error) {
	inv := &Inventory{}
	if d == nil {
		inv.Unseen = append(inv.Unseen, Gap{What: NoDriver, Why: why})
		for i, a := range topology.GPUs(sys) {
			inv.GPUs = append(inv.GPUs, GPU{Number: i, Busy: -1, Used: -1, Device: topology.Device{Address: a}})
		}
		if len(inv.GPUs) > 0 || isThere(why) {
			inv.Refused = why
		}
	} else if err := inv.list(d); err != nil {
		return nil, fmt.Errorf("list GPUs: %w", err)
	}
	inv.place(sys)
	inv.pair()
	inv.askNVML(path)
	inv.askPeers(d)
	return inv, nil
}

// isThere tells a driver that does not serve from one that there is not, and from one
// that has nothing to serve.
func isThere(why error) bool {
	const noDevice = 100 // CUDA_ERROR_NO_DEVICE
	var e *driver.Error
	return errors.As(why, &e) && e.Call != "dlopen" && e.Code != noDevice
}

// list asks the driver for its GPUs.
func (inv *Inventory) list(d driver.Driver) error {
	list, err := d.Devices()
	if err != nil {
		return err
	}
	inv.Driver = d.Name()
	if v, tells := d.(interface{ Version() int }); tells {
		inv.Version = v.Version()
	}
	nowhere := Gap{What: NoAddress}
	for _, info := range list {
		g := GPU{Number: info.Ordinal, Name: info.Name, Memory: info.Memory, Major: info.Major, Minor: info.Minor,
			Busy: -1, Used: -1, Device: topology.Device{Node: topology.UnknownNode}}
		if g.Address, err = topology.ParseAddress(info.Bus); err != nil {
			nowhere.GPUs = append(nowhere.GPUs, info.Ordinal)
		}
		inv.GPUs = append(inv.GPUs, g)
	}
	if len(nowhere.GPUs) > 0 {
		inv.Unseen = append(inv.Unseen, nowhere)
	}
	return nil
}

// NearCPUs lists the CPUs near the GPU as in "0-3,8"; "" is unknown.
func (g GPU) NearCPUs() string { return topology.FormatCPUs(g.CPUs) }

// Addressed tells whether a GPU has a place on PCI. No GPU is at 0000:00:00.0,
// where the host bridge is.
func (g GPU) Addressed() bool { return g.Address != topology.Address{} }

// place looks the GPUs up in sysfs.
func (inv *Inventory) place(sys string) {
	var addresses []topology.Address
	for _, g := range inv.GPUs {
		addresses = append(addresses, g.Address)
	}
	inv.machine = topology.Survey(sys, addresses)
	unknown, placed, linked := Gap{What: NoSysfs}, false, false
	for i, d := range inv.machine.Devices {
		g := &inv.GPUs[i]
		if !g.Addressed() { // what sysfs shows there is the host bridge
			inv.machine.Devices[i] = g.Device
			continue
		}
		g.Device = d
		if !d.Known {
			unknown.GPUs = append(unknown.GPUs, g.Number)
		}
		placed, linked = true, linked || d.Link.Width > 0
	}
	if len(unknown.GPUs) > 0 {
		inv.Unseen = append(inv.Unseen, unknown)
	}
	if linked {
		inv.Unseen = append(inv.Unseen, Gap{What: Idle})
	}
	if placed && inv.machine.Hides() {
		inv.Unseen = append(inv.Unseen, Gap{What: Hidden})
	}
}

// pair lists each two GPUs with what sysfs says of them.
func (inv *Inventory) pair() {
	for a := range inv.GPUs {
		for b := a + 1; b < len(inv.GPUs); b++ {
			p := Pair{A: a, B: b, Class: topology.UnknownClass, NVLink: diagnosis.NotKnown, Peer: diagnosis.NotKnown}
			if inv.GPUs[a].Addressed() && inv.GPUs[b].Addressed() {
				p.Class = inv.machine.Between(a, b)
			}
			inv.Pairs = append(inv.Pairs, p)
		}
	}
}

// askNVML asks for what lies between the GPUs. Simulated ones are none of its.
func (inv *Inventory) askNVML(path string) {
	if inv.Driver == "sim" || len(inv.GPUs) == 0 {
		return
	}
	library, err := nvml.Load(path)
	if err != nil {
		inv.Unseen = append(inv.Unseen, Gap{What: NoNVML, Why: err})
		return
	}
	defer library.Close()
	devices := make([]nvml.Device, len(inv.GPUs))
	gap := Gap{What: NoNVML}
	for i, g := range inv.GPUs {
		if devices[i], err = library.Device(g.Address.String()); err != nil {
			gap.GPUs, gap.Why = append(gap.GPUs, g.Number), err
		}
	}
	if gap.Why != nil {
		inv.Unseen = append(inv.Unseen, gap)
		return
	}
	inv.NVML = true
	for i := range inv.GPUs {
		inv.GPUs[i].look(devices[i])
	}
	for i := range inv.Pairs {
		inv.Pairs[i].ask(devices)
	}
}

// look takes what NVML tells of this moment; what it does not tell stays unknown.
func (g *GPU) look(d nvml.Device) {
	if busy, err := d.Utilisation(); err == nil {
		g.Busy = busy.GPU
	}
	if memory, err := d.Memory(); err == nil {
		g.Used = memory.Used
		if g.Memory == 0 && memory.Total > 0 {
			g.Memory = uint64(memory.Total)
		}
	}
}

// ask takes what NVML tells of a pair; what it does not tell stays as it was.
func (p *Pair) ask(devices []nvml.Device) {
	a, b := devices[p.A], devices[p.B]
	if class, err := a.Between(b); err == nil && class != topology.UnknownClass {
		p.Class = class
	}
	p.NVLink = answer(a.May(b, nvml.PeerNVLink))
	p.Peer = answer(a.May(b, nvml.PeerWrite))
}

func answer(may int, err error) diagnosis.Answer {
	switch {
	case err != nil || may == nvml.Unknown:
		return diagnosis.NotKnown
	case may == 1:
		return diagnosis.Yes
	}
	return diagnosis.No
}

// Place is what rules look at for two GPUs, by their places in GPUs.
func (inv *Inventory) Place(data, model int) *diagnosis.Place {
	p := &diagnosis.Place{Machine: inv.machine, Data: data, Model: model, Peer: diagnosis.NotKnown, NVLink: diagnosis.NotKnown}
	p.CPUs, _ = topology.ThreadCPUs()
	for _, g := range inv.GPUs {
		p.GPUs = append(p.GPUs, g.Number)
	}
	for _, pair := range inv.Pairs {
		if pair.A == min(data, model) && pair.B == max(data, model) {
			p.Class, p.Peer, p.NVLink = pair.Class, pair.Peer, pair.NVLink
		}
	}
	return p
}

// Best is the pair whose copies are cheapest, and false without a pair of which
// anything is known: one that may write to each other before one that may not,
// then NVLink, then the nearest; among equals the first.
func (inv *Inventory) Best() (Pair, bool) {
	var best Pair
	found := false
	for _, p := range inv.Pairs {
		if p.Class.Distance() < 0 && p.NVLink != diagnosis.Yes {
			continue
		}
		if !found || p.cost() < best.cost() {
			best, found = p, true
		}
	}
	return best, found
}

// cost orders pairs: what stages copies weighs more than any way, and NVLink
// makes the way over PCIe matter no more.
func (p Pair) cost() int {
	cost := p.Class.Distance()
	if p.NVLink == diagnosis.Yes {
		cost = 0
	}
	if p.Peer == diagnosis.No {
		cost += 10
	}
	return cost
}
