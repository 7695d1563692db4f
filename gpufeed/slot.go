package gpufeed

import (
	"fmt"
	"sync/atomic"
	"time"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
)

// State is what a slot is doing.
type State uint32

// The states, in the order in which a batch passes through them. A slot on the
// host goes from Copying to Free; one on a device begins with Copying.
const (
	Free      State = iota // nobody has it
	Preparing              // a filler writes it
	Filled                 // it waits for its turn
	Copying                // a device reads it, or writes it
	Ready                  // it waits for the consumer
	Training               // the consumer has it
	Draining               // the consumer let go, the work it queued has not ended
	Failed                 // it holds an error in place of a batch
)

var stateNames = [...]string{"FREE", "PREPARING", "FILLED", "COPYING", "READY", "TRAINING", "DRAINING", "FAILED"}

// String is the state's name in capitals.
func (s State) String() string { return stateNames[s] }

// slot is a buffer of one station with what it carries. Between two moves it
// belongs to one goroutine, the one that made the last move.
type slot struct {
	index int32
	state atomic.Uint32
	lease atomic.Uint64 // the batch's number + 1 while the consumer has it

	handed time.Time // to the consumer

	host []byte     // on the host
	dev  driver.Ptr // on a device

	started, done, consumed driver.Event // of a device's slot

	load
}

// load is what a slot carries from station to station.
type load struct {
	plan.Batch        // Rows without those left out, and with what replaces these
	due        int    // of Rows: how many are as drawn
	skip       []bool // positions that the cache tier has
	relies     bool   // the filler left some of them out
	cached     bool   // skip is in use
	lost       int    // corrupt samples that were left out
	spoilt     error  // the last of them

	prepared time.Time // it began to be filled

	ready   time.Time                 // the station that it lies in has done its part
	starved [mostCopies]time.Duration // how long each copy's link had waited for it
}

// set makes l what another slot carries, in its own memory, apart from what only
// filling it needs.
func (l *load) set(from *load) {
	l.Seq, l.Bucket, l.lost, l.starved = from.Seq, from.Bucket, from.lost, from.starved
	l.Rows = append(l.Rows[:0], from.Rows...)
	l.At.Set(&from.At)
}

// fresh is how many rows come from the host.
func (l *load) fresh() int {
	n := len(l.Rows)
	if l.cached {
		for i := range l.Rows {
			if l.skip[i] {
				n--
			}
		}
	}
	return n
}

// move takes the slot from one state to the next. That it is not in the state
// that its owner left it in would mean that two own it, and that somebody's
// bytes are overwritten: law 7.
func (s *slot) move(from, to State) {
	if !s.state.CompareAndSwap(uint32(from), uint32(to)) {
		panic(fmt.Sprintf("slot %d: %v to %v, but it is %v", s.index, from, to, State(s.state.Load())))
	}
}
