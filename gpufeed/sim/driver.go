package sim

import (
	"sync"
	"time"

	"voxpack/gpufeed/driver"
)

// Driver simulates the devices of a machine.
type Driver struct {
	options Options
	start   time.Time

	mu      sync.Mutex // over all that follows and all that hangs on it
	devices []*device
	streams map[driver.Stream]*stream
	events  map[driver.Event]*event
	pinned  []*memory // by address
	handles uintptr   // the last one given; never given again
	dying   int       // workers of ended contexts that have not stopped yet
	stopped *sync.Cond
	closed  bool
}

// device is what stays of a GPU while nobody has it open.
type device struct {
	info   driver.Info
	fault  Fault
	ctx    *context // nil: not open
	lost   bool     // for the rest of the driver's life
	addr   driver.Ptr
	counts Counts
}

// addressBits is how far the devices' addresses are apart: 16 TiB, which no
// test allocates in all its life.
const addressBits = 44

// New makes a driver. To run in virtual time it is made inside the bubble.
func New(o Options) *Driver {
	o = o.Normal()
	d := &Driver{
		options: o, start: time.Now(),
		streams: map[driver.Stream]*stream{}, events: map[driver.Event]*event{},
	}
	d.stopped = sync.NewCond(&d.mu)
	for i := range o.Devices {
		d.devices = append(d.devices, &device{
			info:  driver.Info{Ordinal: i, Name: "simulated GPU", Memory: o.Memory, Engines: 3},
			fault: o.Faults[i],
			addr:  driver.Ptr(i+1) << addressBits,
		})
	}
	return d
}

// Name is "sim".
func (d *Driver) Name() string { return "sim" }

// Devices lists the devices.
func (d *Driver) Devices() ([]driver.Info, error) {
	var infos []driver.Info
	for _, dev := range d.devices {
		infos = append(infos, dev.info)
	}
	return infos, nil
}

// Open opens a device, or shares it where it is open.
func (d *Driver) Open(ordinal int) (driver.GPU, error) {
	const call = "cuDevicePrimaryCtxRetain"
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, deinitialized.refuse(call, -1)
	}
	if ordinal < 0 || ordinal >= len(d.devices) {
		return nil, invalidDevice.refuse(call, ordinal)
	}
	dev := d.devices[ordinal]
	if dev.lost {
		return nil, eccUncorrectable.refuse(call, ordinal)
	}
	if dev.ctx == nil {
		dev.ctx = newContext(d, dev)
	}
	if dev.ctx.ended != nil {
		return nil, dev.ctx.ended.refuse(call, ordinal)
	}
	dev.ctx.opens++
	dev.counts.Open++
	return &gpu{ctx: dev.ctx}, nil
}

// Close ends what is still open, hanging copies as well, and every goroutine.
func (d *Driver) Close() error {
	d.mu.Lock()
	d.closed = true
	var open []*context
	for _, dev := range d.devices {
		if dev.ctx != nil {
			open = append(open, dev.ctx)
			dev.ctx.close()
		}
	}
	d.mu.Unlock()
	for _, c := range open {
		c.destroy()
	}
	return nil
}

// now is the time since the driver was made.
func (d *Driver) now() time.Duration { return time.Since(d.start) }

// handle gives a number for a stream or an event.
func (d *Driver) handle() uintptr {
	d.handles++
	return d.handles
}

// wake lets everybody who waits look again: a context ended.
func (d *Driver) wake() {
	for _, dev := range d.devices {
		if dev.ctx == nil {
			continue
		}
		for _, s := range dev.ctx.running {
			s.work.Broadcast()
			s.moved.Broadcast()
		}
	}
}
