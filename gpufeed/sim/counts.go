package sim

// Counts is what was done and what is alive.
type Counts struct {
	// Bytes of copies that were done. Staged ones are in Staged alone.
	HostToDevice, DeviceToHost, WithinDevice, Peer, Staged, Cleared uint64

	Copies   int // asked for: what Fault counts
	Unpinned int // of them, those whose host memory was not pinned

	// Taken and not given back. What a lost or hanging device had is gone with
	// its context; what a sound one had when it was closed stays counted: a leak.
	Allocations, Streams, Events, Pinned int
	Bytes, PinnedBytes                   uint64 // of Allocations and Pinned
	PeakBytes                            uint64 // the most that Bytes ever was
	Threads                              int    // not left
	Open                                 int    // GPUs not closed
}

// Counts is the sum over all devices; PeakBytes is the sum of their peaks.
func (d *Driver) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	var sum Counts
	for _, dev := range d.devices {
		sum.add(dev.counts)
	}
	return sum
}

// CountsOf is of one device. A copy counts for the device whose thread asked
// for it, pinned memory for the one whose thread pinned it.
func (d *Driver) CountsOf(ordinal int) Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.devices[ordinal].counts
}

// Live counts by kind what was taken and not given back.
func (d *Driver) Live() map[string]int {
	c := d.Counts()
	return map[string]int{
		"allocations": c.Allocations, "streams": c.Streams, "events": c.Events,
		"pinned": c.Pinned, "threads": c.Threads, "open": c.Open,
	}
}

func (c *Counts) add(o Counts) {
	c.HostToDevice += o.HostToDevice
	c.DeviceToHost += o.DeviceToHost
	c.WithinDevice += o.WithinDevice
	c.Peer += o.Peer
	c.Staged += o.Staged
	c.Cleared += o.Cleared
	c.Copies += o.Copies
	c.Unpinned += o.Unpinned
	c.Allocations += o.Allocations
	c.Streams += o.Streams
	c.Events += o.Events
	c.Pinned += o.Pinned
	c.Bytes += o.Bytes
	c.PinnedBytes += o.PinnedBytes
	c.PeakBytes += o.PeakBytes
	c.Threads += o.Threads
	c.Open += o.Open
}

// forget takes from the living what went down with a context.
func (c *Counts) forget(gone Counts) {
	c.Allocations -= gone.Allocations
	c.Streams -= gone.Streams
	c.Events -= gone.Events
	c.Pinned -= gone.Pinned
	c.Bytes -= gone.Bytes
	c.PinnedBytes -= gone.PinnedBytes
}
