package nvml

import (
	"strconv"
	"unsafe"
)

// Level is how far two devices are apart, in NVML's numbers
// (nvmlGpuTopologyLevel_t). Unknown where it does not tell.
type Level int

// The levels, by nvidia-smi's words.
const (
	Board Level = 0  // two devices on one
	PIX   Level = 10 // one PCIe switch between
	PXB   Level = 20 // several switches
	PHB   Level = 30 // a host bridge
	NODE  Level = 40 // host bridges of one NUMA node
	SYS   Level = 50 // from NUMA node to NUMA node
)

// Ancestor asks how far two devices are apart.
func (d Device) Ancestor(other Device) (Level, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	known, err := d.ask(f, fnAncestor, other.handle, uintptr(unsafe.Pointer(&f.numbers)))
	if !known {
		return Unknown, err
	}
	return Level(f.number()), nil
}

// Capability is what a device may do to another (nvmlGpuP2PCapsIndex_t).
type Capability int

// The capabilities.
const (
	PeerRead    Capability = 0
	PeerWrite   Capability = 1
	PeerNVLink  Capability = 2 // over a link of their own
	PeerAtomics Capability = 3
	PeerPCI     Capability = 4 // over PCIe
)

// Status is whether and why not (nvmlGpuP2PStatus_t). Unknown where NVML does
// not tell.
type Status int

// PeerOK is the one good answer.
const PeerOK Status = 0

// notTold is NVML_P2P_STATUS_UNKNOWN.
const notTold Status = 6

// statuses are the answers in words.
var statuses = [notTold]string{
	"supported",
	"not supported by the chipset",
	"not supported by the GPU",
	"not supported by the way between the GPUs",
	"disabled in the driver's settings",
	"not supported",
}

// String says it in words.
func (s Status) String() string {
	switch {
	case s == Unknown:
		return "unknown"
	case s >= 0 && int(s) < len(statuses):
		return statuses[s]
	}
	return "status " + strconv.Itoa(int(s))
}

// P2P asks whether a device can do something to another directly.
func (d Device) P2P(other Device, what Capability) (Status, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.call(d.lib, fnP2P, d.handle, other.handle, uintptr(what), uintptr(unsafe.Pointer(&f.numbers)))
	known, err := d.told(c, fnP2P)
	if !known || Status(f.numbers[0]) == notTold {
		return Unknown, err
	}
	return Status(f.number()), nil
}
