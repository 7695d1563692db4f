package sim

import (
	"math"
	"time"
)

// Options say what is simulated. The zero value is two equal devices on links
// of PCIe 4 x16 with peer access, in real time, without faults.
type Options struct {
	Devices   int    // 0: 2
	Memory    uint64 // bytes of each device; 0: 16 GiB. Pages that nobody writes cost nothing
	FreeBytes uint64 // of each device's memory, what others left; 0: all of it

	In     Link // host to device; zero: 25 GB/s
	Out    Link // device to host; zero: 25 GB/s
	Peer   Link // device to device, where peer access is enabled; zero: 25 GB/s
	Within Link // within a device; zero: 400 GB/s

	// NoPeer is a platform without peer access: EnablePeer says no. Copies
	// between devices for which it was not enabled are staged: out to the host,
	// then in to the other device.
	NoPeer bool
	Pace   Pace
	Faults map[int]Fault // by ordinal
}

// Link is what a copy costs. Where BytesPerSecond is 0 the whole link is the
// default one.
type Link struct {
	BytesPerSecond float64
	Latency        time.Duration // of each call, however many pieces it has
}

// Pace says whether the links' time is waited for.
type Pace int

const (
	// Linked copies take as long as the links say.
	Linked Pace = iota
	// Unpaced copies are as fast as the processor copies; in virtual time they
	// take none.
	Unpaced
)

// Fault is what goes wrong on a device. Copies count from 1 in the order in
// which they are asked for: calls of CopyIn, CopyOut, Copy and CopyPeer.
type Fault struct {
	// OutOfMemoryAfter lets allocations fail that would bring those alive above
	// so many bytes, whatever Memory says is free. 0: none.
	OutOfMemoryAfter uint64
	// FailCopy is the copy at whose end the device is lost, half copied, as
	// after an ECC error. Nothing after it is done. 0: none.
	FailCopy int
	// HangCopy is the copy that never ends and blocks its engine until the
	// device or the driver is closed. 0: none.
	HangCopy int
	// SlowBy makes every copy after number SlowAfter take so many times as
	// long. 0: none.
	SlowAfter int
	SlowBy    float64
}

// The defaults of Options.
const (
	defaultDevices = 2
	defaultMemory  = 16 << 30
	// PCIe 4 x16 is reported to reach about 25 GB/s (NVIDIA/nvbandwidth#53).
	defaultRate = 25e9
	// A round figure for the start of a copy, not a measurement.
	defaultLatency = 10 * time.Microsecond
	// A copy within a device reads and writes each byte: somewhat less than half
	// of the 936 GB/s of an RTX 3090's memory.
	withinRate    = 400e9
	withinLatency = 5 * time.Microsecond
)

// Normal is the options with their defaults, for callers that change one of them.
func (o Options) Normal() Options {
	if o.Devices <= 0 {
		o.Devices = defaultDevices
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.FreeBytes == 0 || o.FreeBytes > o.Memory {
		o.FreeBytes = o.Memory
	}
	for _, l := range []*Link{&o.In, &o.Out, &o.Peer} {
		if l.BytesPerSecond <= 0 {
			*l = Link{defaultRate, defaultLatency}
		}
	}
	if o.Within.BytesPerSecond <= 0 {
		o.Within = Link{withinRate, withinLatency}
	}
	return o
}

// Slower is a link with the time of every copy multiplied.
func (l Link) Slower(times float64) Link {
	return Link{l.BytesPerSecond / times, time.Duration(math.Round(float64(l.Latency) * times))}
}

// cost is how long the link is taken by a copy.
func (l Link) cost(bytes int) time.Duration {
	return l.Latency + time.Duration(math.Round(float64(bytes)/l.BytesPerSecond*float64(time.Second)))
}

// slowed is how many times as long copy number n takes.
func (f Fault) slowed(n int) float64 {
	if f.SlowBy > 0 && n > f.SlowAfter {
		return f.SlowBy
	}
	return 1
}
