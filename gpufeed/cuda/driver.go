package cuda

import (
	"encoding/hex"
	"strings"
	"sync/atomic"
	"unsafe"

	"voxpack/gpufeed/driver"
)

// Driver is NVIDIA's driver on this machine.
type Driver struct {
	lib     *library
	version int
	closed  atomic.Bool
}

// Load finds the driver and starts it. path is a library to use in its place;
// "" is where drivers put theirs. Where there is none, or no device for it, the
// error is a *driver.Error of the kind driver.ErrNoDriver and says what to do.
// The driver is a *Driver.
func Load(path string) (driver.Driver, error) {
	lib, err := open(path)
	if err != nil {
		return nil, err
	}
	f := newFrame(lib)
	if c := f.call(fnInit, 0); c != success {
		return nil, f.refuse(fnInit, c, -1)
	}
	if c := f.call(fnVersion, f.number0()); c != success {
		return nil, f.refuse(fnVersion, c, -1)
	}
	return &Driver{lib: lib, version: int(f.number[0])}, nil
}

// Name is "cuda".
func (d *Driver) Name() string { return "cuda" }

// Version is the CUDA that the driver serves, 12090 for 12.9.
func (d *Driver) Version() int { return d.version }

// Devices lists the devices.
func (d *Driver) Devices() ([]driver.Info, error) {
	f := newFrame(d.lib)
	if c := f.call(fnCount, f.number0()); c != success {
		return nil, f.refuse(fnCount, c, -1)
	}
	var infos []driver.Info
	for ordinal := range int(f.number[0]) {
		device, err := d.device(f, ordinal)
		if err != nil {
			return nil, err
		}
		info, err := d.info(f, device, ordinal)
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

// device is the driver's own number of a device.
func (d *Driver) device(f *frame, ordinal int) (int32, error) {
	if c := f.call(fnDevice, f.number0(), uintptr(int32(ordinal))); c != success {
		return 0, f.refuse(fnDevice, c, ordinal)
	}
	return f.number[0], nil
}

// info asks for what is known of a device that is not open.
func (d *Driver) info(f *frame, device int32, ordinal int) (driver.Info, error) {
	info := driver.Info{Ordinal: ordinal}
	dev, room := uintptr(device), uintptr(len(f.text))
	for _, ask := range []struct {
		call symbol
		args [3]uintptr
		take func()
	}{
		{fnName, [3]uintptr{f.text0(), room, dev}, func() { info.Name = f.string() }},
		// CUDA writes A1 where sysfs has a1.
		{fnBus, [3]uintptr{f.text0(), room, dev}, func() { info.Bus = strings.ToLower(f.string()) }},
		{fnUUID, [3]uintptr{f.text0(), dev}, func() { info.UUID = uuid(f.text[:16]) }},
		{fnTotal, [3]uintptr{f.word0(), dev}, func() { info.Memory = f.word[0] }},
	} {
		if c := f.call(ask.call, ask.args[:]...); c != success {
			return info, f.refuse(ask.call, c, ordinal)
		}
		ask.take()
	}
	for _, ask := range []struct {
		attribute Attribute
		to        *int
	}{{ComputeMajor, &info.Major}, {ComputeMinor, &info.Minor}, {CopyEngines, &info.Engines}} {
		value, err := d.attribute(f, device, ordinal, ask.attribute)
		if err != nil {
			return info, err
		}
		*ask.to = value
	}
	return info, nil
}

// uuid spells 16 bytes as nvidia-smi does.
func uuid(b []byte) string {
	s := hex.EncodeToString(b)
	return "GPU-" + s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// Open makes a device usable. It takes the device's primary context, which it
// shares with whoever else in the process has it, as torch would.
func (d *Driver) Open(ordinal int) (driver.GPU, error) {
	f := newFrame(d.lib)
	if d.closed.Load() {
		return nil, f.refuse(fnRetain, deinitialized, ordinal)
	}
	device, err := d.device(f, ordinal)
	if err != nil {
		return nil, err
	}
	info, err := d.info(f, device, ordinal)
	if err != nil {
		return nil, err
	}
	// Threads that wait sleep; by default a driver may let them spin. Whoever has
	// the context already may have chosen otherwise, which our events overrule.
	const blockingSync = 4 // CU_CTX_SCHED_BLOCKING_SYNC
	if c := f.call(fnFlags, uintptr(device), blockingSync); c != success && c != contextActive {
		return nil, f.refuse(fnFlags, c, ordinal)
	}
	if c := f.call(fnRetain, f.word0(), uintptr(device)); c != success {
		return nil, f.refuse(fnRetain, c, ordinal)
	}
	return &GPU{driver: d, info: info, device: device, context: uintptr(f.word[0])}, nil
}

// Close lets go of the driver. The library stays loaded: a program that ends
// runs code of it.
func (d *Driver) Close() error {
	d.closed.Store(true)
	return nil
}

// Every address that this package hands to C has 64 bits.
var _ [0]struct{} = [unsafe.Sizeof(uintptr(0)) - 8]struct{}{}
