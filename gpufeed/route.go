package gpufeed

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"os"

	"voxpack/diagnosis"
	"voxpack/gpufeed/plan"
)

// route is the slots that a batch passes through: those of the host, which fillers
// fill, and those of each GPU on the way.
type route struct {
	arena  *arena // the host's memory
	host   *ring
	filled *line            // of the host's ring
	dev    *devices         // nil: batches stay on the host
	last   *ring            // the slots that Next hands out
	out    *line            // what Next takes from: filled, or that of the last device
	cpus   []int            // CPUs for the fillers; nil: any
	place  *diagnosis.Place // of the GPUs; nil: not known
}

// allocate makes everything that a batch passes through.
func (r *route) allocate(ctx context.Context, config Config, content *content, notes *notes) (err error) {
	slots, active := config.hostSlots()
	if r.arena, err = newArena(slots, content.bytes, config.Driver != nil || config.Shared); err != nil {
		return err
	}
	if config.Shared {
		if err = r.arena.touch(ctx); err != nil {
			return err
		}
	}
	if r.dev != nil {
		if err = r.dev.open(ctx); err != nil {
			return err
		}
		if err = r.bindMemory(notes); err != nil {
			return err
		}
		if slots, err = r.dev.pin(r.arena, slots); err != nil {
			return err
		}
	}
	r.host = newRing(slots, min(slots, active), config.Plan.Share(), len(content.layouts))
	for i := range r.host.slots {
		r.host.slots[i].host = r.arena.at(i)
	}
	r.filled = newLine(r.host)
	r.out, r.last = r.filled, r.host
	if r.dev != nil {
		r.last, r.out, err = r.dev.connect(ctx, r.host, r.filled)
	}
	return err
}

// tier is the samples that stay on the first GPU, nil where there are none.
func (r *route) tier() *tier {
	if r.dev == nil {
		return nil
	}
	return r.dev.tier
}

// busy counts the slots as the user sees them: those that are filled or copied
// to, those that wait for the consumer, and those that it has.
func (r *route) busy() (preparing, ready, training int) {
	var n [Failed + 1]int
	r.host.count(&n)
	if r.dev == nil {
		n[Ready] += n[Filled]
		n[Filled] = 0
	} else {
		for _, p := range r.dev.stations {
			p.ring.count(&n)
		}
	}
	return n[Preparing] + n[Filled] + n[Copying], n[Ready], n[Training] + n[Draining]
}

// rowBytes is what a feed keeps of each row, weights and references apart: see
// the package's words.
const rowBytes = 64

// Need is the host memory that a feed takes.
type Need struct {
	Slots int
	Slot  uint64 // bytes of a batch in its slot
	Bytes uint64 // of all slots and of what is kept of the rows
}

// Need is what Open would take for a set. It takes nothing itself: a caller
// that shares memory out can ask first.
func (c Config) Need(set *plan.Set) (n Need, err error) {
	c = c.normal()
	if err := c.check(); err != nil {
		return n, plan.Invalid(err)
	}
	_, bytes, err := c.layouts(set)
	if err != nil {
		return n, err
	}
	page := uint64(os.Getpagesize())
	n.Slots, _ = c.hostSlots()
	n.Slot = (uint64(bytes) + page - 1) / page * page
	words := uint64(c.Plan.Share()) * 5 // a row's number and whether it is left out
	over, all := bits.Mul64(uint64(n.Slots), n.Slot+words)
	if over > 0 || all > math.MaxInt64/2 {
		return n, plan.Invalid(fmt.Errorf("%d batches of %s: take a smaller batch or fewer batches ahead", n.Slots, megabytes(n.Slot)))
	}
	n.Bytes = all + rowBytes*uint64(set.Dataset().Root.Rows)
	return n, nil
}

// hostSlots is how many slots the host has, and how many of them circulate at
// the start.
func (c Config) hostSlots() (slots, active int) {
	if c.Driver == nil { // the consumer's batch stays in its host slot
		return c.MaxDepth + 1, c.Depth + 1
	}
	return c.MaxDepth, c.Depth
}
