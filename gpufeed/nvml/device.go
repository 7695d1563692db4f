package nvml

import (
	"math"
	"math/bits"
	"unsafe"
)

// Unknown stands where a device does not tell a value, as with MIG or on a
// virtual GPU. No value that it can tell is negative.
const Unknown = -1

// Device is a device of NVML's. Copies are the same device.
type Device struct {
	lib    *library
	bus    string
	handle uintptr
	frame  *frame
	slow   *frame // for Throughput, so that nobody waits for it
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
	return Device{lib: n.lib, bus: sysfs, handle: f.handle, frame: f, slow: new(frame)}, nil
}

// Bus is the device's PCI address as sysfs spells it.
func (d Device) Bus() string { return d.bus }

// Name is the product's; "" is unknown.
func (d Device) Name() (string, error) { return d.string(fnName) }

// UUID is "GPU-…", as CUDA and nvidia-smi have it; "" is unknown.
func (d Device) UUID() (string, error) { return d.string(fnUUID) }

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
	known, err := d.ask(f, fnUtilisation, uintptr(unsafe.Pointer(&f.numbers)), 0)
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
	known, err := d.ask(f, fnMemory, uintptr(unsafe.Pointer(&f.bytes)), 0)
	if !known {
		return Memory{Total: Unknown, Free: Unknown, Used: Unknown}, err
	}
	return Memory{Total: int64(f.bytes[0]), Free: int64(f.bytes[1]), Used: int64(f.bytes[2])}, nil
}

// Link is the device's PCIe link. Idle devices drop to generation 1, so it
// tells something during copies only.
type Link struct {
	Generation, MaxGeneration int
	Width, MaxWidth           int // lanes
}

// Link asks for the device's link.
func (d Device) Link() (Link, error) {
	l := Link{Unknown, Unknown, Unknown, Unknown}
	for _, part := range [...]struct {
		symbol symbol
		to     *int
	}{{fnGeneration, &l.Generation}, {fnWidth, &l.Width}, {fnMaxGeneration, &l.MaxGeneration}, {fnMaxWidth, &l.MaxWidth}} {
		v, err := d.number(part.symbol)
		if err != nil {
			return Link{Unknown, Unknown, Unknown, Unknown}, err
		}
		*part.to = v
	}
	return l, nil
}

// Throughput is what went over the link in the last 20 ms, in the KB/s that
// NVML counts in.
type Throughput struct {
	Sent     int // by the device
	Received int // by the device: copies from the host
}

// Throughput measures the link. It blocks for 20 ms each way, in which the
// device can be asked other things. Unknown on a virtual GPU.
func (d Device) Throughput() (Throughput, error) {
	const sent, received = 0, 1
	t := Throughput{Unknown, Unknown}
	f := d.slow
	f.mu.Lock()
	defer f.mu.Unlock()
	for counter, to := range [...]*int{sent: &t.Sent, received: &t.Received} {
		known, err := d.ask(f, fnThroughput, uintptr(counter), uintptr(unsafe.Pointer(&f.numbers)))
		if err != nil {
			return Throughput{Unknown, Unknown}, err
		}
		if known {
			*to = f.number()
		}
	}
	return t, nil
}

// Node is the NUMA node whose memory is nearest to the device. (The function
// that is named after the node speaks of GPUs that are nodes themselves.)
func (d Device) Node() (int, error) {
	const scopeNode = 0
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.call(d.lib, fnAffinity, d.handle, uintptr(len(f.nodes)), uintptr(unsafe.Pointer(&f.nodes)), scopeNode)
	known, err := d.told(c, fnAffinity)
	if !known {
		return Unknown, err
	}
	for i, word := range f.nodes {
		if word != 0 {
			return i*64 + bits.TrailingZeros64(word), nil
		}
	}
	return Unknown, nil
}

// Temperature of the chip in °C.
func (d Device) Temperature() (int, error) {
	const sensorGPU = 0
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	known, err := d.ask(f, fnTemperature, sensorGPU, uintptr(unsafe.Pointer(&f.numbers)))
	if !known {
		return Unknown, err
	}
	return f.number(), nil
}

// Power that the board draws, in mW.
func (d Device) Power() (int, error) { return d.number(fnPower) }

// ask calls a function of the device with up to two more arguments; functions
// that take one do not look at the second. The frame's lock is held.
func (d Device) ask(f *frame, s symbol, a, b uintptr) (known bool, err error) {
	return d.told(f.call(d.lib, s, d.handle, a, b), s)
}

// told says whether the device answered. It did not where there is an error,
// nor where it does not know.
func (d Device) told(c code, s symbol) (known bool, err error) {
	if c == success || c.unknown() {
		return c == success, nil
	}
	return false, c.err(symbolNames[s], d.bus)
}

// number asks for one number.
func (d Device) number(s symbol) (int, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	known, err := d.ask(f, s, uintptr(unsafe.Pointer(&f.numbers)), 0)
	if !known {
		return Unknown, err
	}
	return f.number(), nil
}

// number reads the number that a call left. NVML has all bits set for one that
// is not available.
func (f *frame) number() int {
	if f.numbers[0] == math.MaxUint32 {
		return Unknown
	}
	return int(f.numbers[0])
}

func (d Device) string(s symbol) (string, error) {
	f := d.frame
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.call(d.lib, s, d.handle, uintptr(unsafe.Pointer(&f.text)), uintptr(len(f.text)))
	return f.string(c, symbolNames[s], d.bus)
}
