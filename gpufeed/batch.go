package gpufeed

import (
	"time"

	"voxpack/gpufeed/driver"
)

// Batch is what a consumer has until it releases it. Its memory, and Rows, are
// then another's.
type Batch struct {
	Seq    uint64 // from 0 in this run
	Epoch  uint64
	Bucket int      // index into Set.Buckets
	Layout *Layout  // of the memory
	Rows   []uint32 // row number of each sample; fewer than Layout.Samples only in a padded tail
	Host   []byte   // the slot's bytes; nil where the batch is on a device
	Lost   int      // corrupt samples that others replace, or that are left out of a padded batch
	Device DeviceMemory
	Step   Step // that ended with this batch

	feed *Feed
	slot *slot
}

// Release gives the batch's slot back. Work that a device still does on it must
// have ended. Releasing a batch again does nothing. It may be called from any
// goroutine.
func (b Batch) Release() {
	if !b.takeLease() {
		return
	}
	b.feed.gauges.signs.kept.add(time.Since(b.slot.handed))
	b.slot.move(Training, Free)
	b.feed.route.last.put(b.slot.index)
	b.feed.loans.held.Add(-1)
}

// takeLease reports whether the batch had been held until now.
func (b Batch) takeLease() bool {
	return b.slot != nil && b.slot.lease.CompareAndSwap(b.Seq+1, 0)
}

// ReleaseAfter gives the batch's slot back when the work that the stream has
// been given so far is done. t is a thread of the batch's device, and belongs
// to the caller. Of a batch on the host it is Release.
func (b Batch) ReleaseAfter(t driver.Events, s driver.Stream) error {
	if b.slot == nil || b.feed.route.dev == nil {
		b.Release()
		return nil
	}
	if !b.takeLease() {
		return nil
	}
	if err := t.Record(b.slot.consumed, s); err != nil {
		b.slot.lease.Store(b.Seq + 1) // nobody knows when that work ends: the batch stays the consumer's
		b.feed.run.failure.set("release", b.Seq, err)
		return err
	}
	b.drain()
	return nil
}

// drain gives the slot back after its event of consumed work.
func (b Batch) drain() {
	b.slot.move(Training, Draining)
	b.feed.route.dev.drains <- b.slot.index
	b.feed.loans.held.Add(-1) // last: Close looks for draining slots when none is held any more
}

// Slot is the number of the slot that the batch lies in, of Memory.Slots on the
// host, of Export.Slots on a GPU.
func (b Batch) Slot() int { return int(b.slot.index) }
