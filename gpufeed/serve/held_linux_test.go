package serve

import (
	"bytes"
	"math"
	"strings"
	"sync"
	"testing"

	"voxpack/gpufeed"
)

// holdAll takes a batch into each slot, and what is in it.
func holdAll(t *testing.T, x *client) (held []taken, copies [][]byte) {
	t.Helper()
	for range x.started.Slots {
		b, err := x.next()
		if err != nil {
			t.Fatal(err)
		}
		held, copies = append(held, b), append(copies, bytes.Clone(b.bytes))
	}
	return held, copies
}

// TestHeldSlotsStay: what a consumer has is not written, in whatever order it
// gives back, and what it holds up comes when it lets go.
func TestHeldSlotsStay(t *testing.T) {
	s := serving(t, dataset(t, 60), nil)
	x := connect(t, s, map[string]any{"ahead": 2})
	held, copies := holdAll(t, x)
	x.giveBack(held[1])
	for range 20 { // all go through the one slot that is left
		b, err := x.next()
		if err != nil {
			t.Fatal(err)
		}
		if b.slot != held[1].slot {
			t.Fatalf("batch %d lies in slot %d, which is held", b.seq, b.slot)
		}
		x.giveBack(b)
	}
	for _, i := range []int{2, 0} {
		if !bytes.Equal(held[i].bytes, copies[i]) {
			t.Errorf("slot %d was written while it was held", held[i].slot)
		}
		x.giveBack(held[i])
	}
	x.giveBack(held[2]) // twice, long after: the slot is another batch's
	slots := map[int]bool{}
	for n := 0; len(slots) < 3 && n < 100_000; n++ { // the feeder hears of a return when it has time to
		b, err := x.next()
		if err != nil {
			t.Fatal(err)
		}
		slots[b.slot] = true
		x.giveBack(b)
	}
	if len(slots) != 3 {
		t.Errorf("slots %v are in use again, want all 3", slots)
	}
}

// TestHeldSlotsStayWhenTheSessionEnds: what a consumer took is not written when
// it hangs up either, since its views may live on.
func TestHeldSlotsStayWhenTheSessionEnds(t *testing.T) {
	s := serving(t, dataset(t, 60), nil)
	times := 20 // each waits 100 ms for the session to hear of its end
	if testing.Short() {
		times = 5
	}
	for range times {
		x := connect(t, s, map[string]any{"ahead": 3})
		held, copies := holdAll(t, x)
		x.close()
		until(t, "the session is over", func() bool { return s.Sessions() == 0 })
		for i, b := range held {
			if !bytes.Equal(b.bytes, copies[i]) {
				t.Fatalf("slot %d was written after the session's end", b.slot)
			}
		}
	}
}

// TestMoreMemoryThanThereIs: a ring that would take what others have is refused
// before it is touched.
func TestMoreMemoryThanThereIs(t *testing.T) {
	s := serving(t, dataset(t, 60), func(o *Options) { o.MaxMemory = math.MaxUint64 })
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	if err := x.start(map[string]any{"batch": math.MaxInt32, "tail": "pad", "ahead": 16}); err == nil || !strings.Contains(err.Error(), "are free") {
		t.Errorf("start of batches of 2^31 samples: %v, want that so much is not free", err)
	}
}

// TestCountsNeverFall: a look beside a feeder and a consumer that go on finds no fewer
// batches than the one before; nor where the consumer writes what cannot be.
func TestCountsNeverFall(t *testing.T) {
	r, err := newRing(2, 1, 64)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	const batches = 300_000
	var work sync.WaitGroup
	work.Go(func() {
		for n := range uint64(batches) { // each is published, and taken
			r.mem.long(atPublished).Store(n + 1)
			r.mem.long(r.record(int(n%2)) + inTaken).Store(n + 1)
			r.mem.long(r.record(int(n%2)) + inReturned).Store(n + 1)
		}
	})
	for last := uint64(0); last < batches; {
		published, taken, _ := r.counts(0)
		if taken < last || published < taken {
			t.Errorf("%d of %d batches taken after %d", taken, published, last)
			break
		}
		last = taken
	}
	work.Wait()
	r.mem.long(r.record(0) + inTaken).Store(0)
	r.mem.long(r.record(1) + inTaken).Store(batches + 9)
	if published, taken, held := r.counts(batches); published != batches || taken != batches || held != 0 {
		t.Errorf("%d published, %d taken, %d held; want %d, %d and none", published, taken, held, batches, batches)
	}
}

// TestTheFeederIsWokenWhenSlotsAreShort: before, the next batch that is published
// sees what came back, and to wait for the bell would cost the fillers a processor.
func TestTheFeederIsWokenWhenSlotsAreShort(t *testing.T) {
	r, err := newRing(5, 1, 64)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	x := &session{ring: r, held: make([]gpufeed.Batch, 5), free: func(gpufeed.Batch) {}}
	r.mem.word(atBell).Store(7)
	for held, want := range []struct {
		short bool
		bell  uint32
	}{{false, 8}, {false, 9}, {false, 10}, {false, 11}, {true, 9}, {true, 9}} {
		if held > 0 {
			x.held[held-1] = gpufeed.Batch{Seq: uint64(held), Layout: &gpufeed.Layout{}}
		}
		rung, short := x.takeBack()
		if at := r.mem.word(atWake).Load(); rung != 7 || short != want.short || at != want.bell {
			t.Errorf("%d of 5 held: short %v, a wake at bell %d after %d, want %v at %d after 7", held, short, at, rung, want.short, want.bell)
		}
	}
	r.mem.long(r.record(2) + inReturned).Store(3 + 1) // batch 3, in slot 2
	r.mem.long(r.record(4) + inReturned).Store(5 + 1)
	if _, short := x.takeBack(); short || x.held[2].Layout != nil || x.held[3].Layout == nil {
		t.Errorf("after the return of two of five: short %v, held %v", short, x.held)
	}
}
