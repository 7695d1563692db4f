package gpufeed

import (
	"fmt"
	"time"

	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
)

// Memory is where the host batches of a feed lie that was opened with
// Config.Shared: a file without a name, which another process may map.
type Memory struct {
	File  int // descriptor; the feed closes it
	Bytes int // of the file
	Slots int
	Slot  int // bytes from one slot to the next, whole pages
}

// Memory is the shared memory of a feed without a driver; ok is false where it
// has none. A process that maps it may
// read a slot from Next until the batch is released.
func (f *Feed) Memory() (m Memory, ok bool) {
	if !f.config.Shared || f.route.dev != nil {
		return Memory{}, false
	}
	a := f.route.arena
	return Memory{a.file, len(a.mem), len(f.route.host.slots), a.slot}, true
}

// Export is the memory of a feed on the GPU that trains, as another process
// opens it. That process may read a slot from Next until the batch is
// released, and closes it before the feed is closed.
type Export struct {
	GPU    driver.Info
	Memory cuda.IPCHandle
	Bytes  int
	Slots  int
	Slot   int // bytes from one slot to the next
	// Consumed are the events that stand after the consumer's work on each
	// slot, see Batch.ReleaseRecorded; nil where the GPU shares no events.
	Consumed []cuda.IPCHandle
}

// Export is the shared memory of a feed with a driver; ok is false where it has
// none.
func (f *Feed) Export() (e Export, ok bool) {
	d := f.route.dev
	if d == nil || d.export == nil {
		return Export{}, false
	}
	return *d.export, true
}

// ReleaseRecorded gives the batch's slot back when the slot's event of
// Export.Consumed is done, which the consumer has recorded after its work. Like
// Release it may be called again, and from anywhere.
func (b Batch) ReleaseRecorded() {
	if b.takeLease() {
		b.drain()
	}
}

// sharedBlock is what memory for other processes is a multiple of: CUDA takes
// smaller allocations out of blocks of 2 MiB, and who opens one by its handle can
// read its whole block, neighbours of other sessions included.
const sharedBlock = 2 << 20

// shares reports whether other processes are to have the slots of a station.
func (d *devices) shares(p *station) bool { return d.config.Shared && p.role == "model" }

// consumedEvent makes the event that stands after a consumer's work on a slot.
func (d *devices) consumedEvent(t driver.Thread, p *station) (driver.Event, error) {
	hands, ok := t.(*cuda.Thread)
	if !d.shares(p) || !ok || !sharesEvents(p.gpu) {
		return d.event(t, p.gpu, false)
	}
	e, err := hands.NewSharedEvent()
	if err == nil {
		d.events = append(d.events, owned{p.gpu, e})
	}
	return e, err
}

// sharesEvents reports whether processes can wait for each other's events.
func sharesEvents(gpu driver.GPU) bool {
	g, ok := gpu.(*cuda.GPU)
	if !ok {
		return false
	}
	value, err := g.Attribute(cuda.EventsBetween)
	return err == nil && value != 0
}

// openExport names the slots of the last station for another process.
func (d *devices) openExport(t driver.Thread) error {
	p := d.model()
	hands, ok := t.(*cuda.Thread)
	if !ok {
		return plan.Invalid(fmt.Errorf("other processes cannot open the memory of a device of %s", d.config.Driver.Name()))
	}
	memory, err := hands.ExportMemory(p.base)
	if err != nil {
		return err
	}
	e := &Export{GPU: p.gpu.Info(), Memory: memory, Bytes: p.bytes(), Slots: len(p.ring.slots), Slot: p.slot}
	if sharesEvents(p.gpu) {
		for i := range p.ring.slots {
			event, err := hands.ExportEvent(p.ring.slots[i].consumed)
			if err != nil {
				return err
			}
			e.Consumed = append(e.Consumed, event)
		}
	}
	d.export = e
	return nil
}

// How often another process's event is looked at: soon at first, then less
// often. A look costs about a microsecond, a step of a training milliseconds.
const (
	firstLook = 50 * time.Microsecond
	lastLook  = time.Millisecond
)

// drained waits for the work on a slot; ok is false when the feed ends before.
// An event of another process is looked at and not slept for: when that process
// is killed, nobody may ever set it. For the same reason the copy into the slot
// is not queued after it, where it would hold the stream and look lost.
func (d *devices) drained(t driver.Events, s *slot) (ok bool, err error) {
	if d.export == nil {
		return true, t.Synchronize(s.consumed)
	}
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		if ok, err = t.Query(s.consumed); ok || err != nil {
			return ok, err
		}
		select {
		case <-d.run.stop:
			return false, nil
		default:
			time.Sleep(wait)
		}
	}
}
