package gpufeed

import "testing"

// TestARingThatShrinksParksWhatComesBack: slots that are out when the ring shrinks
// are parked as they come back, and none is lost when it grows again.
func TestARingThatShrinksParksWhatComesBack(t *testing.T) {
	r := newRing(5, 4, 1, 1)
	var out []int32
	for range 4 {
		out = append(out, <-r.free)
	}
	r.resize(2)
	for _, i := range out {
		r.put(i)
	}
	if free, size := len(r.free), r.size(); free != 2 || size != 2 {
		t.Errorf("after shrinking to 2: %d slots free of %d, want 2 of 2", free, size)
	}
	r.resize(5)
	if free, size := len(r.free), r.size(); free != 5 || size != 5 {
		t.Errorf("after growing to 5: %d slots free of %d, want 5 of 5", free, size)
	}
	for range 3 { // three are out when it shrinks and grows before they come back
		out = append(out[:0], <-r.free)
	}
	r.resize(1)
	r.resize(5)
	if len(r.free) != 2 || r.excess != 0 {
		t.Errorf("shrunk and grown with 3 slots out: %d free, %d to park; want 2 and none", len(r.free), r.excess)
	}
}

// TestASlotOfTwoOwnersPanics: law 7. Of two that move a slot, the second finds it
// in another state.
func TestASlotOfTwoOwnersPanics(t *testing.T) {
	var s slot
	s.move(Free, Preparing)
	defer func() {
		if recover() == nil {
			t.Error("a slot was taken twice, and nobody noticed")
		}
		if got := State(s.state.Load()); got != Preparing {
			t.Errorf("the slot is %v, want it left as it was", got)
		}
	}()
	s.move(Free, Preparing)
}
