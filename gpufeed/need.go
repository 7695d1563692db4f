package gpufeed

import (
	"fmt"
	"math"
	"math/bits"
	"os"

	"voxpack/gpufeed/plan"
)

// rowBytes is what a feed keeps of each row, weights and references apart: see
// the package's words.
const rowBytes = 64

// Need is the host memory that a feed takes.
type Need struct {
	Slots int
	Slot  uint64 // bytes of a batch in its slot
	Bytes uint64 // of all slots and of what is kept of the rows
}

// Need is what Open would take for a set. It takes nothing itself, so that
// who gives memory to several can look before it is gone.
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
