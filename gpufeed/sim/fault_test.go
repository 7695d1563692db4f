package sim

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/driver"
)

// wantNone asks that nothing is alive.
func wantNone(k *desk) {
	k.Helper()
	for kind, n := range k.driver.Live() {
		if n != 0 && kind != "threads" {
			k.Errorf("%d %s are alive, want none", n, kind)
		}
	}
}

// TestFailCopy: what was before the copy is there, nothing after it is done,
// every later call says so, and other devices do not notice.
func TestFailCopy(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {FailCopy: 3}}}, func(k *desk) {
		p, src, s, other := k.alloc(0, mega), k.host(mega, 1), k.stream(0), k.stream(0)
		k.must(k.on[0].CopyIn(p, src, s))
		second := k.mark(0, s)
		k.must(k.on[0].CopyIn(p, src, s))
		k.must(k.on[0].Synchronize(second))
		k.must(k.settle(0, s))
		k.must(k.on[0].CopyIn(p, src, s)) // fails later, as the real one
		third := k.mark(0, s)
		k.must(k.on[0].CopyOut(src, p, other))
		wantCode(t, "Synchronize after the copy", k.on[0].Synchronize(third), 214, driver.ErrLost)

		_, err := k.on[0].Query(second)
		wantCode(t, "Query", err, 214, driver.ErrLost)
		_, err = k.on[0].Alloc(1)
		wantCode(t, "Alloc", err, 214, driver.ErrLost)
		wantCode(t, "Free", k.on[0].Free(p), 214, driver.ErrLost)
		wantCode(t, "CopyIn", k.on[0].CopyIn(p, src, s), 214, driver.ErrLost)
		_, err = k.gpus[0].Thread()
		wantCode(t, "Thread", err, 214, driver.ErrLost)

		far, mine := k.alloc(1, mega), k.stream(1)
		k.must(k.on[1].CopyIn(far, src, mine))
		k.must(k.settle(1, mine))
		k.must(k.on[1].CloseStream(mine))
		k.must(k.on[1].Free(far))
		if c := k.driver.CountsOf(0); c.HostToDevice != 2*mega {
			t.Errorf("%d bytes arrived, want those of 2 copies", c.HostToDevice)
		}

		k.must(k.gpus[0].Close())
		_, err = k.driver.Open(0)
		wantCode(t, "Open", err, 214, driver.ErrLost)
		if c := k.driver.CountsOf(0); c.Allocations+c.Streams+c.Events+c.Pinned != 0 {
			t.Errorf("a lost and closed device still has %+v", c)
		}
	})
}

// TestLossSpreads: a stream that waits for an event that will never come would
// do what is after it with the wrong bytes, or wait for ever.
func TestLossSpreads(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {FailCopy: 1}}}, func(k *desk) {
		p, got := k.alloc(0, mega), k.host(mega, 9)
		s, far, mine := k.stream(0), k.alloc(1, mega), k.stream(1)
		k.must(k.on[0].CopyPeer(far, k.gpus[1], p, mega, s))
		ready := k.mark(0, s)
		k.must(k.on[1].Wait(mine, ready))
		k.must(k.on[1].CopyOut(got, far, mine))
		wantCode(t, "Synchronize on the other device", k.settle(1, mine), 214, driver.ErrLost)
		if got[0] != 9 {
			t.Errorf("a copy after the wait was done")
		}
		k.must(k.gpus[0].Close())
		k.must(k.gpus[1].Close())
		wantNone(k)
	})
}

// TestHangCopy: nothing moves for an hour, the other engine goes on, and
// whoever waits is let go when the device is closed.
func TestHangCopy(t *testing.T) {
	for _, closer := range []string{"device", "driver"} {
		t.Run("ended by closing the "+closer, func(t *testing.T) {
			inBubble(t, Options{Faults: map[int]Fault{0: {HangCopy: 2}}}, func(k *desk) {
				p, src, s, out := k.alloc(0, mega), k.host(mega, 1), k.stream(0), k.stream(0)
				k.must(k.on[0].CopyIn(p, src, s))
				k.must(k.on[0].CopyIn(p, src, s))
				hung := k.mark(0, s)
				time.Sleep(time.Second) // or it would come before, to an engine that is free
				again := k.stream(0)
				k.must(k.on[0].CopyIn(p, src, again))
				after := k.mark(0, again)
				waiting := make(chan error, 1)
				go func() {
					h, err := k.gpus[0].Thread()
					if err == nil {
						err = h.Synchronize(hung)
					}
					waiting <- err
				}()
				time.Sleep(time.Hour)
				for _, e := range []driver.Event{hung, after} {
					if done, err := k.on[0].Query(e); done || err != nil {
						t.Errorf("Query after an hour = %v, %v, want false, nil", done, err)
					}
				}
				k.must(k.on[0].CopyOut(src, p, out))
				if got := took(func() { k.must(k.settle(0, out)) }); got != perMega {
					t.Errorf("a copy out took %v beside a copy in that hangs, want %v", got, perMega)
				}
				if closer == "driver" {
					k.must(k.driver.Close())
				}
				k.must(k.gpus[0].Close())
				wantCode(t, "Synchronize", <-waiting, 709, driver.ErrLost)
				_, err := k.on[0].Query(hung)
				wantCode(t, "Query", err, 709, driver.ErrLost)
				k.must(k.gpus[1].Close())
				wantNone(k)
			})
		})
	}
}

// TestHangAgain: a device that hung is as new after its last Close.
func TestHangAgain(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {HangCopy: 1}}}, func(k *desk) {
		k.must(k.on[0].CopyIn(k.alloc(0, mega), k.host(mega, 1), k.stream(0)))
		synctest.Wait()
		k.must(k.gpus[0].Close())
		g, err := k.driver.Open(0)
		k.must(err)
		k.on[0], err = g.Thread()
		k.must(err)
		s := k.stream(0)
		k.must(k.on[0].CopyIn(k.alloc(0, mega), k.host(mega, 1), s))
		k.must(k.settle(0, s))
	})
}

// TestUnpinnedHang: the call itself hangs, as there CUDA's does.
func TestUnpinnedHang(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {HangCopy: 1}}}, func(k *desk) {
		p, s := k.alloc(0, mega), k.stream(0)
		src := k.mapped(mega, 1)
		ended := make(chan error, 1)
		go func() { ended <- k.on[0].CopyIn(p, src, s) }()
		time.Sleep(time.Hour)
		k.must(k.gpus[0].Close())
		wantCode(t, "CopyIn", <-ended, 709, driver.ErrLost)
	})
}

func TestOutOfMemoryAfter(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {OutOfMemoryAfter: 2 * mega}}}, func(k *desk) {
		if free, total, err := k.on[0].Memory(); free != 16<<30 || total != 16<<30 || err != nil {
			t.Errorf("Memory() = %d, %d, %v, want 16 GiB of 16 GiB", free, total, err)
		}
		p := k.alloc(0, mega)
		_, err := k.on[0].Alloc(mega + mega/2)
		wantCode(t, "Alloc of 2.5 MB in all", err, 2, driver.ErrOutOfMemory)
		k.must(k.on[0].Free(p))
		k.alloc(0, mega+mega/2)
		k.alloc(1, 3*mega) // the other device has no such fault
	})
}

func TestFreeBytes(t *testing.T) {
	inBubble(t, Options{Memory: 8 * mega, FreeBytes: 2 * mega}, func(k *desk) {
		k.alloc(0, mega)
		if free, total, err := k.on[0].Memory(); free != 2*mega-1_000_192 || total != 8*mega || err != nil {
			t.Errorf("Memory() = %d, %d, %v, want 2 MB less 1 MB in pieces of 256, of 8 MB", free, total, err)
		}
		_, err := k.on[0].Alloc(mega)
		wantCode(t, "Alloc past FreeBytes", err, 2, driver.ErrOutOfMemory)
		if !errors.Is(err, driver.ErrOutOfMemory) {
			t.Errorf("%v is no driver.ErrOutOfMemory", err)
		}
	})
}

func TestSlowBy(t *testing.T) {
	inBubble(t, Options{Faults: map[int]Fault{0: {SlowAfter: 2, SlowBy: 5}}}, func(k *desk) {
		p, src, s := k.alloc(0, mega), k.host(mega, 1), k.stream(0)
		for n, want := range []time.Duration{perMega, perMega, 5 * perMega, 5 * perMega} {
			got := took(func() {
				k.must(k.on[0].CopyIn(p, src, s))
				k.must(k.settle(0, s))
			})
			if got != want {
				t.Errorf("copy %d took %v, want %v", n+1, got, want)
			}
		}
	})
}
