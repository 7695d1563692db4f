package gpufeed

import (
	"fmt"
	"time"

	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
)

// Export is the memory of a feed on the GPU that trains, as another process
// opens it. Who has opened it may read a slot from Next until the batch is
// released, and closes it before the feed is closed.
type Export struct {
	GPU    driver.Info
	Memory cuda.IPCHandle
	Bytes  int
	Slots  int
	Slot   int // bytes from one slot to the next
	// Consumed are the events that stand behind the consumer's work on each
	// slot, see Batch.ReleaseRecorded; nil where the GPU shares no events.
	Consumed []cuda.IPCHandle
}

// Export is the shared memory of a feed with a driver; ok is false where it has
// none.
func (f *Feed) Export() (e Export, ok bool) {
	if f.dev == nil || f.dev.export == nil {
		return Export{}, false
	}
	return *f.dev.export, true
}

// ReleaseRecorded gives the batch's slot back when the slot's event of
// Export.Consumed is done, which the consumer has recorded behind its work. Like
// Release it may be called again, and from anywhere.
func (b Batch) ReleaseRecorded() {
	if b.takeLease() {
		b.drain()
	}
}

// shares reports whether other processes are to have the slots of a place.
func (f *Feed) shares(p *place) bool { return f.config.Shared && p.role == "model" }

// consumedEvent makes the event that stands behind a consumer's work on a slot.
func (f *Feed) consumedEvent(t driver.Thread, p *place) (driver.Event, error) {
	hands, ok := t.(*cuda.Thread)
	if !f.shares(p) || !ok || !sharesEvents(p.gpu) {
		return f.dev.event(t, p.gpu, false)
	}
	e, err := hands.NewSharedEvent()
	if err == nil {
		f.dev.events = append(f.dev.events, owned{p.gpu, e})
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

// openExport names the slots of the last place for another process.
func (f *Feed) openExport(t driver.Thread) error {
	p := f.dev.places[len(f.dev.places)-1]
	hands, ok := t.(*cuda.Thread)
	if !ok {
		return plan.Invalid(fmt.Errorf("other processes cannot open the memory of a device of %s", f.config.Driver.Name()))
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
	f.dev.export = e
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
// is not queued behind it, where it would hold the stream and look lost.
func (f *Feed) drained(t driver.Events, s *slot) (ok bool, err error) {
	if f.dev.export == nil {
		return true, t.Synchronize(s.consumed)
	}
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		if ok, err = t.Query(s.consumed); ok || err != nil {
			return ok, err
		}
		select {
		case <-f.stop:
			return false, nil
		default:
			time.Sleep(wait)
		}
	}
}
