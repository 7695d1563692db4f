package nvml

import "unsafe"

// Unknown stands where a device does not tell a value, as with MIG or on a
// virtual GPU. No value that it can tell is negative.
const Unknown = -1

// Device is a device of NVML's. Copies are the same device.
type Device struct {
	lib    *library
	bus    string
	handle uintptr
	frame  *frame
}

// Device finds a device by its PCI address, in the spelling of CUDA, sysfs or
// NVML.
func (n *NVML) Device(bus string) (Device, error) {
	sysfs, id, err := parseBus(bus)
	if err != nil {
		return Device{}, err
	}
	f := new(frame)
	copy(f.text[:], id) // shorter than text, so a NUL follows
	c := f.call(n.lib, fnByBus, uintptr(unsafe.Pointer(&f.text)), uintptr(unsafe.Pointer(&f.handle)))
	if err := c.err(symbolNames[fnByBus], sysfs); err != nil {
		return Device{}, err
	}
	return Device{lib: n.lib, bus: sysfs, handle: f.handle, frame: f}, nil
}

// Utilisation is how busy a device was over its last sample period, which
// lasts from 1/6 s to 1 s by product (nvml.h).
type Utilisation struct {
	GPU    int // percent of time in which some kernel ran, however small
	Memory int // percent of time in which the device's memory was read or written
}

// Utilisation asks how busy the device is; Unknown with MIG.
func (d Device) Utilisation() (Utilisation, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	known, err := d.ask(f, fnUtilisation, unsafe.Pointer(&f.numbers))
	if !known {
		return Utilisation{GPU: Unknown, Memory: Unknown}, err
	}
	return Utilisation{GPU: int(f.numbers[0]), Memory: int(f.numbers[1])}, nil
}

// Memory is the device's memory in bytes, for all processes together.
type Memory struct {
	Total int64
	Free  int64
	Used  int64 // with what the driver keeps for itself
}

// Memory asks for the device's memory.
func (d Device) Memory() (Memory, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	known, err := d.ask(f, fnMemory, unsafe.Pointer(&f.bytes))
	if !known {
		return Memory{Total: Unknown, Free: Unknown, Used: Unknown}, err
	}
	return Memory{Total: int64(f.bytes[0]), Free: int64(f.bytes[1]), Used: int64(f.bytes[2])}, nil
}

// ask calls a function that writes its answer to a place in the frame, whose lock
// is held. There is no answer where there is an error, nor where the device does
// not know.
func (d Device) ask(f *frame, s symbol, answer unsafe.Pointer) (known bool, err error) {
	return d.told(f.call(d.lib, s, d.handle, uintptr(answer)), s)
}

// told says whether the device answered.
func (d Device) told(c code, s symbol) (known bool, err error) {
	if c == success || c.unknown() {
		return c == success, nil
	}
	return false, c.err(symbolNames[s], d.bus)
}
