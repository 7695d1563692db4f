package cuda

// Attribute is a property of a device, a CUdevice_attribute.
type Attribute int32

// The attributes that a feed or a trainer asks for.
const (
	Multiprocessors     Attribute = 16
	ComputeMode         Attribute = 20 // 0: default; 2: prohibited; 3: one process
	CopyEngines         Attribute = 40 // copies that can run at the same time
	ComputeMajor        Attribute = 75
	ComputeMinor        Attribute = 76
	StreamPriorities    Attribute = 78
	HostRegister        Attribute = 99
	ReadOnlyRegister    Attribute = 113 // host memory that the CPU can only read can be pinned
	EventsBetween       Attribute = 125 // events can be shared with other processes
	HostNUMANode        Attribute = 134 // -1: none
	PageableAccess      Attribute = 88  // the device reads memory that is not pinned
	IntegratedWithCPU   Attribute = 18
	UnifiedAddressing   Attribute = 41
	PageableByHostTable Attribute = 100
)

// Attribute reads a property of the device.
func (g *GPU) Attribute(a Attribute) (int, error) {
	return g.driver.attribute(newFrame(g.driver.lib), g.device, g.info.Ordinal, a)
}

// ComputeMode is which processes may use a device: 0 all, 2 none, 3 one at a time.
// The device need not be open.
func (d *Driver) ComputeMode(ordinal int) (int, error) {
	f := newFrame(d.lib)
	device, err := d.device(f, ordinal)
	if err != nil {
		return 0, err
	}
	return d.attribute(f, device, ordinal, ComputeMode)
}

// attribute reads a property of a device that need not be open.
func (d *Driver) attribute(f *frame, device int32, ordinal int, a Attribute) (int, error) {
	if c := f.call(fnAttribute, f.number0(), uintptr(a), uintptr(device)); c != success {
		return 0, f.refuse(fnAttribute, c, ordinal)
	}
	return int(f.number[0]), nil
}
