package nvml

import (
	"unsafe"

	"voxpack/gpufeed/topology"
)

// classes are NVML's levels (nvmlGpuTopologyLevel_t). Two GPUs on one board
// share its switch.
var classes = map[uint32]topology.Class{
	0: topology.PIX, 10: topology.PIX, 20: topology.PXB, 30: topology.PHB, 40: topology.NODE, 50: topology.SYS,
}

// Between says how far two devices are apart.
func (d Device) Between(other Device) (topology.Class, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.call(d.lib, fnAncestor, d.handle, other.handle, uintptr(unsafe.Pointer(&f.numbers)))
	known, err := d.told(c, fnAncestor)
	if class, ok := classes[f.numbers[0]]; known && ok {
		return class, nil
	}
	return topology.UnknownClass, err
}

// Capability is what a device may do to another (nvmlGpuP2PCapsIndex_t).
type Capability int

// The capabilities that are asked for.
const (
	PeerWrite  Capability = 1
	PeerNVLink Capability = 2 // over a link of their own
)

// notTold is NVML_P2P_STATUS_UNKNOWN, the one answer that is neither yes (0) nor a
// reason why not.
const notTold = 6

// May asks whether a device can do something to another directly: 1, 0 or
// Unknown.
func (d Device) May(other Device, what Capability) (int, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.call(d.lib, fnP2P, d.handle, other.handle, uintptr(what), uintptr(unsafe.Pointer(&f.numbers)))
	known, err := d.told(c, fnP2P)
	switch {
	case !known || f.numbers[0] == notTold:
		return Unknown, err
	case f.numbers[0] == 0:
		return 1, nil
	}
	return 0, nil
}
