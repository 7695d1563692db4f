package gpufeed

import (
	"fmt"
	"runtime"
	"slices"

	"voxpack/diagnosis"
	"voxpack/gpufeed/topology"
)

// bindMemory takes the host's memory from the NUMA node of the GPU that reads it,
// and notes the CPUs there for the fillers. It goes before the first touch. On
// a machine that does not tell its nodes, or has one, it changes nothing.
func (r *route) bindMemory(notes *notes) error {
	var addresses []topology.Address
	for _, p := range r.dev.stations {
		if a, err := topology.ParseAddress(p.gpu.Info().Bus); err == nil {
			addresses = append(addresses, a)
		}
	}
	if len(addresses) == len(r.dev.stations) {
		machine := topology.Survey("", addresses)
		r.place = notes.advise(machine, r.dev.stations)
		if d := machine.Devices[0]; d.Node != topology.UnknownNode {
			if err := topology.Bind(r.arena.mem, d.Node); err != nil {
				notes.add("the ring's memory is not bound to NUMA node %d of the GPU: %v", d.Node, err)
			}
			r.cpus = nearer(d.CPUs)
		}
	}
	if err := populate(r.arena.mem); err != nil {
		return fmt.Errorf("%s of host memory for the ring: %w; take a smaller batch or a smaller --prefetch-buffer-size", megabytes(uint64(len(r.arena.mem))), err)
	}
	return nil
}

// advise notes what it costs where the devices of a route are. What the driver
// itself says, such as that a copy is staged, is noted where it is asked.
func (n *notes) advise(m topology.Machine, stations []*station) *diagnosis.Place {
	place := &diagnosis.Place{Machine: m, Model: len(m.Devices) - 1}
	for _, s := range stations {
		place.GPUs = append(place.GPUs, s.gpu.Info().Ordinal)
	}
	place.CPUs, _ = topology.ThreadCPUs()
	for _, v := range diagnosis.Find(diagnosis.Observation{Place: place}) {
		n.add("%s", v.Cause)
	}
	return place
}

// Place is where the GPUs of the feed are, nil where the system does not tell.
func (f *Feed) Place() *diagnosis.Place { return f.route.place }

// nearer is the CPUs of the list that this process may run on, nil where they
// are all that it may run on or none.
func nearer(cpus []int) []int {
	may, err := topology.ThreadCPUs()
	if err != nil {
		return nil
	}
	near := slices.DeleteFunc(slices.Clone(cpus), func(c int) bool { return !slices.Contains(may, c) })
	if len(near) == 0 || len(near) == len(may) {
		return nil
	}
	return near
}

// moveToCPUs puts the calling goroutine on CPUs near the GPU. Its thread is not given
// back: it ends with the goroutine.
func (r *route) moveToCPUs() {
	if r.cpus == nil {
		return
	}
	runtime.LockOSThread()
	_ = topology.PinThread(r.cpus) // refused by some sandboxes; a filler works anywhere
}
