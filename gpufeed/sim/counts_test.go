package sim

import (
	"maps"
	"testing"

	"voxpack/gpufeed/driver"
)

// TestCounts: each way apart, by the bytes that were moved, for the device that
// was asked.
func TestCounts(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		p, far, host, s := k.alloc(0, mega), k.alloc(1, mega), k.host(mega, 1), k.stream(0)
		h := k.on[0]
		k.must(h.CopyIn(p, host, s))
		k.must(h.CopyOut(host[:10], p, s))
		k.must(h.Copy([]driver.Span{{Dst: p, Src: p + 500, Bytes: 20}, {Dst: p + 100, Src: p + 600, Bytes: 30}}, s))
		k.must(h.CopyPeer(p+2000, k.gpus[0], p, 40, s))
		k.must(h.CopyPeer(far, k.gpus[1], p, 60, s))
		_, err := h.EnablePeer(k.gpus[1])
		k.must(err)
		k.must(h.CopyPeer(far, k.gpus[1], p, 70, s))
		k.must(h.Clear(p, 80, s))
		loose := k.mapped(90, 1)
		k.must(h.CopyIn(p, loose, s))
		k.must(h.CopyOut(loose, p, s))
		k.must(k.settle(0, s))

		want := Counts{
			HostToDevice: mega + 90, DeviceToHost: 10 + 90, WithinDevice: 20 + 30 + 40, Staged: 60, Peer: 70, Cleared: 80,
			Copies: 8, Unpinned: 2,
			Allocations: 1, Bytes: mega, PeakBytes: mega, Streams: 1, Events: 1, Pinned: 1, PinnedBytes: mega, Threads: 1, Open: 1,
		}
		if got := k.driver.CountsOf(0); got != want {
			t.Errorf("device 0:\n%+v, want\n%+v", got, want)
		}
		other := Counts{Allocations: 1, Bytes: mega, PeakBytes: mega, Threads: 1, Open: 1}
		if got := k.driver.CountsOf(1); got != other {
			t.Errorf("device 1:\n%+v, want\n%+v", got, other)
		}
		want.add(other)
		if got := k.driver.Counts(); got != want {
			t.Errorf("in all:\n%+v, want\n%+v", got, want)
		}
	})
}

// TestUnpinned: host memory that is pinned in part only is not pinned.
func TestUnpinned(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		b, s := k.mapped(mega, 1), k.stream(0)
		p := k.alloc(0, mega)
		k.must(k.on[0].Pin(b[1000:2000]))
		for _, tt := range []struct {
			from, to, unpinned int
		}{{1000, 2000, 0}, {1001, 1002, 0}, {999, 1001, 1}, {1999, 2001, 1}, {2000, 2001, 1}, {0, mega, 1}} {
			before := k.driver.Counts().Unpinned
			k.must(k.on[0].CopyIn(p, b[tt.from:tt.to], s))
			if got := k.driver.Counts().Unpinned - before; got != tt.unpinned {
				t.Errorf("bytes %d to %d: %d unpinned copies, want %d", tt.from, tt.to, got, tt.unpinned)
			}
		}
		wantCode(t, "Pin of what begins before", k.on[0].Pin(b[:1001]), 712, nil)
		wantCode(t, "Pin of what ends after", k.on[0].Pin(b[1999:]), 712, nil)
		wantCode(t, "Pin of all around", k.on[0].Pin(b), 712, nil)
		k.must(k.on[1].Pin(b[2000:]))
		k.must(k.on[1].Pin(b[:1000]))
		wantCode(t, "Unpin of a part", k.on[0].Unpin(b[1001:2000]), 713, nil)
		k.must(k.settle(0, s))
	})
}

// TestLeaks: what a sound device had when it was closed stays counted.
func TestLeaks(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		k.must(k.on[0].CopyIn(k.alloc(0, 1000), k.host(1000, 1), k.stream(0)))
		k.mark(0, k.stream(0))
		for i, h := range k.on {
			h.Leave()
			k.must(k.gpus[i].Close())
		}
		k.must(k.driver.Close())
		want := map[string]int{"allocations": 1, "streams": 2, "events": 1, "pinned": 1, "threads": 0, "open": 0}
		if got := k.driver.Live(); !maps.Equal(got, want) {
			t.Errorf("Live() = %v, want %v", got, want)
		}
	})
}

// TestNoPeer: the platform says no, and the bytes go through the host.
func TestNoPeer(t *testing.T) {
	inBubble(t, Options{NoPeer: true}, func(k *desk) {
		if ok, err := k.on[0].EnablePeer(k.gpus[1]); ok || err != nil {
			t.Errorf("EnablePeer = %v, %v, want false, nil", ok, err)
		}
		p, far, s := k.alloc(0, 1000), k.alloc(1, 1000), k.stream(0)
		k.must(k.on[0].CopyPeer(far, k.gpus[1], p, 1000, s))
		k.must(k.settle(0, s))
		if c := k.driver.Counts(); c.Staged != 1000 || c.Peer != 0 {
			t.Errorf("%d bytes staged and %d peer to peer, want 1000 and 0", c.Staged, c.Peer)
		}
	})
}
