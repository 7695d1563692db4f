package gpufeed

import (
	"sync"

	"voxpack/gpufeed/plan"
)

// ring is the fixed set of slots of one station. Slots that are not in use are
// parked: the depth moves, the memory does not.
type ring struct {
	slots []slot
	free  chan int32 // room for all slots: putting one back never blocks

	mu     sync.Mutex
	parked []int32
	active int // slots in circulation
	excess int // slots to park when they come back
}

// newRing is a ring with active of its slots in circulation.
func newRing(slots, active, samples, buckets int) *ring {
	r := &ring{slots: make([]slot, slots), free: make(chan int32, slots), parked: make([]int32, 0, slots), active: active}
	for i := range r.slots {
		s := &r.slots[i]
		s.index = int32(i)
		s.Rows = make([]uint32, 0, samples)
		s.skip = make([]bool, samples)
		s.At = plan.NewPosition(buckets)
	}
	// The last ones are parked, so that the first are touched, and pinned, first.
	for i := range active {
		r.free <- int32(i)
	}
	for i := slots - 1; i >= active; i-- {
		r.parked = append(r.parked, int32(i))
	}
	return r
}

// put gives a slot back, whose state is Free.
func (r *ring) put(i int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.excess > 0 {
		r.excess--
		r.parked = append(r.parked, i)
		return
	}
	r.free <- i
}

// resize takes n slots into circulation, 1 to all. Those too many are parked
// as they come back.
func (r *ring) resize(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.active < n; r.active++ {
		if r.excess > 0 {
			r.excess--
			continue
		}
		last := len(r.parked) - 1
		r.free <- r.parked[last]
		r.parked = r.parked[:last]
	}
	for ; r.active > n; r.active-- {
		select {
		case i := <-r.free:
			r.parked = append(r.parked, i)
		default:
			r.excess++
		}
	}
}

// size is the number of slots in circulation.
func (r *ring) size() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.active
}

// count adds up the slots by state; parked ones are Free.
func (r *ring) count(states *[Failed + 1]int) {
	for i := range r.slots {
		states[r.slots[i].state.Load()]++
	}
}

// line hands the slots of a ring on in the order of their batches, in whatever
// order they come. One goroutine takes from it.
type line struct {
	in    chan int32
	slots []slot
	kept  []int32 // by number of the batch modulo the slots; -1: none
	next  uint64
}

func newLine(r *ring) *line {
	l := &line{in: make(chan int32, len(r.slots)), slots: r.slots, kept: make([]int32, len(r.slots))}
	for i := range l.kept {
		l.kept[i] = -1
	}
	return l
}

// poll is the next slot if it came already.
func (l *line) poll() (*slot, bool) {
	for {
		at := l.next % uint64(len(l.kept))
		if i := l.kept[at]; i >= 0 {
			l.kept[at] = -1
			l.next++
			return &l.slots[i], true
		}
		select {
		case i := <-l.in:
			l.keep(i)
		default:
			return nil, false
		}
	}
}

// keep stores a slot until its turn. Batches are handed out in order and each
// slot holds one, so those under way are fewer than the slots and successive:
// no two meet at one index.
func (l *line) keep(i int32) { l.kept[l.slots[i].Seq%uint64(len(l.kept))] = i }

// wait is the next slot; ok is false when stop is closed.
func (l *line) wait(stop <-chan struct{}) (s *slot, ok bool) {
	for {
		if s, ok := l.poll(); ok {
			return s, true
		}
		select {
		case i := <-l.in:
			l.keep(i)
		case <-stop:
			return nil, false
		}
	}
}
