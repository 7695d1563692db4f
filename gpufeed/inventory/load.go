package inventory

import (
	"fmt"
	"slices"
	"time"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/topology"
)

// Bounds of a load. PCIe 3 x4 copies the bytes in 10 ms, and a link needs some
// milliseconds to become fast.
const (
	loadBytes = 32 << 20 // of pinned host memory, and of each GPU's
	loadTime  = 250 * time.Millisecond
)

// Loaded is what was seen of a link while it copied.
type Loaded struct {
	Link  topology.Link // the fastest and the widest that it was
	Bytes int64         // that were copied
	Took  time.Duration
}

// Rate is what the copies reached in GB/s.
func (l Loaded) Rate() float64 { return float64(l.Bytes) / 1e9 / max(l.Took.Seconds(), 1e-9) }

// Load copies from the host to one GPU after the other for a moment, and reads the
// state of its link meanwhile: an idle link is slow to save power, so that only a
// loaded one tells what it can do. It takes little memory, and time from whoever uses
// the GPU; call it only where somebody asked for that.
func (inv *Inventory) Load(d driver.Driver, sys string) {
	failed := Gap{What: NotLoaded}
	memory := make([]byte, loadBytes)
	for i := range inv.GPUs {
		g := &inv.GPUs[i]
		if g.Link.Width == 0 {
			continue
		}
		l, err := load(d, g.Number, memory, func() topology.Link { return topology.LinkOf(sys, g.Address) })
		if err != nil {
			failed.GPUs, failed.Why = append(failed.GPUs, g.Number), err
			continue
		}
		g.Loaded = &l
		g.Link.Now, g.Link.Width = l.Link.Now, max(l.Link.Width, 1)
		inv.machine.Devices[i].Link = g.Link
	}
	inv.Unseen = slices.DeleteFunc(inv.Unseen, func(g Gap) bool { return g.What == Idle })
	if failed.Why != nil {
		inv.Unseen = append(inv.Unseen, failed)
	}
}

// load copies memory to a GPU until the time is over.
func load(d driver.Driver, number int, memory []byte, look func() topology.Link) (l Loaded, err error) {
	gpu, err := d.Open(number)
	if err != nil {
		return l, err
	}
	defer gpu.Close()
	t, err := gpu.Thread()
	if err != nil {
		return l, err
	}
	defer t.Leave()
	if err := t.Pin(memory); err != nil {
		return l, err
	}
	defer t.Unpin(memory)
	to, err := t.Alloc(len(memory))
	if err != nil {
		return l, err
	}
	defer t.Free(to)
	stream, err := t.NewStream(false)
	if err != nil {
		return l, err
	}
	defer t.CloseStream(stream)
	done, err := t.NewEvent(false)
	if err != nil {
		return l, err
	}
	defer t.CloseEvent(done)
	for begun := time.Now(); l.Took < loadTime; l.Took = time.Since(begun) {
		if err := t.CopyIn(to, memory, stream); err != nil {
			return l, err
		}
		if err := t.Record(done, stream); err != nil {
			return l, err
		}
		now := look() // while the copy is under way
		l.Link.Now, l.Link.Width = max(l.Link.Now, now.Now), max(l.Link.Width, now.Width)
		if err := t.Synchronize(done); err != nil {
			return l, err
		}
		l.Bytes += int64(len(memory))
	}
	if l.Link.Width == 0 || l.Link.Now == 0 {
		return l, fmt.Errorf("sysfs does not tell the state of its link")
	}
	return l, nil
}
