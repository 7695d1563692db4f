package sim

import (
	"testing"
	"time"

	"voxpack/gpufeed/driver"
)

// TestBounds: to the byte, in every call that takes device memory, and nothing
// is queued.
func TestBounds(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		const size = 1000
		p, q, far, freed := k.alloc(0, size), k.alloc(0, size), k.alloc(1, size), k.alloc(0, size)
		k.must(k.on[0].Free(freed))
		host, s, h := k.host(size, 1), k.stream(0), k.on[0]
		calls := []struct {
			name string
			call func(p driver.Ptr, bytes int) error
		}{
			{"CopyIn", func(p driver.Ptr, n int) error { return h.CopyIn(p, host[:n], s) }},
			{"CopyOut", func(p driver.Ptr, n int) error { return h.CopyOut(host[:n], p, s) }},
			{"Clear", func(p driver.Ptr, n int) error { return h.Clear(p, n, s) }},
			{"Copy to", func(p driver.Ptr, n int) error {
				return h.Copy([]driver.Span{{Dst: q, Src: q, Bytes: 1}, {Dst: p, Src: q, Bytes: n}}, s)
			}},
			{"Copy from", func(p driver.Ptr, n int) error { return h.Copy([]driver.Span{{Dst: q, Src: p, Bytes: n}}, s) }},
			{"CopyPeer to", func(p driver.Ptr, n int) error { return h.CopyPeer(p, k.gpus[0], q, n, s) }},
			{"CopyPeer from", func(p driver.Ptr, n int) error { return h.CopyPeer(q, k.gpus[0], p, n, s) }},
		}
		for _, c := range calls {
			k.must(c.call(p, size))
			k.must(c.call(p+size-1, 1))
			k.must(c.call(p+size, 0))
			queued := k.driver.Counts().Copies
			for _, wrong := range []struct {
				name  string
				p     driver.Ptr
				bytes int
			}{
				{"a byte past the end", p + 1, size}, {"before the start", p - 2, 2}, {"a byte after the end", p + size, 1},
				{"freed", freed, size}, {"of another device", far, size}, {"never given", 1 << 60, 1},
			} {
				wantCode(t, c.name+" memory "+wrong.name, c.call(wrong.p, wrong.bytes), 1, nil)
			}
			if n := k.driver.Counts().Copies; n != queued {
				t.Errorf("%s: %d refused copies were queued", c.name, n-queued)
			}
		}
		wantCode(t, "CopyPeer to this device's memory as the other's", h.CopyPeer(q, k.gpus[1], p, 1, s), 1, nil)
		k.must(k.settle(0, s))
	})
}

// TestHandles: what was closed, or is another device's.
func TestHandles(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		p, host, h := k.alloc(0, 1000), k.host(1000, 1), k.on[0]
		closed, foreign, s := k.stream(0), k.stream(1), k.stream(0)
		k.must(h.CloseStream(closed))
		gone, theirs, e := k.mark(0, s), k.mark(1, foreign), k.mark(0, s)
		k.must(h.CloseEvent(gone))
		_, query := h.Query(gone)
		_, elapsed := h.Elapsed(e, theirs)
		for _, tt := range []struct {
			name string
			err  error
		}{
			{"CopyIn in a closed stream", h.CopyIn(p, host, closed)},
			{"CopyIn in a stream of another device", h.CopyIn(p, host, foreign)},
			{"CloseStream of a closed stream", h.CloseStream(closed)},
			{"CloseStream of another device's", h.CloseStream(foreign)},
			{"Record of a closed event", h.Record(gone, s)},
			{"Record of another device's event", h.Record(theirs, s)},
			{"Wait for a closed event", h.Wait(s, gone)},
			{"Synchronize with a closed event", h.Synchronize(gone)},
			{"Query of a closed event", query},
			{"CloseEvent of a closed event", h.CloseEvent(gone)},
			{"CloseEvent of another device's", h.CloseEvent(theirs)},
			{"Elapsed between devices", elapsed},
		} {
			wantCode(t, tt.name, tt.err, 400, nil)
		}
		k.must(h.Wait(s, theirs))
		k.must(h.Synchronize(theirs))
		wantCode(t, "Free of freed memory", func() error { _ = h.Free(p); return h.Free(p) }(), 1, nil)
	})
}

// TestElapsedEarly: CUDA's "not ready" while one of them is not done.
func TestElapsedEarly(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		s := k.stream(0)
		from := k.mark(0, s)
		k.must(k.on[0].CopyIn(k.alloc(0, mega), k.host(mega, 1), s))
		to := k.mark(0, s)
		_, err := k.on[0].Elapsed(from, to)
		wantCode(t, "Elapsed", err, 600, nil)
	})
}

// TestPast: a thread after Leave, a device after Close, the driver after Close.
func TestPast(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		k.on[0].Leave()
		k.on[0].Leave()
		_, err := k.on[0].Alloc(1)
		wantCode(t, "Alloc after Leave", err, 201, nil)

		shared, err := k.driver.Open(1)
		k.must(err)
		k.must(shared.Close())
		wantCode(t, "second Close", shared.Close(), 201, nil)
		_, err = shared.Thread()
		wantCode(t, "Thread of a closed one of two", err, 709, driver.ErrLost)
		p := k.alloc(1, 1)
		k.must(k.on[1].Free(p))
		k.must(k.gpus[1].Close())
		_, err = k.on[1].Alloc(1)
		wantCode(t, "Alloc after Close", err, 709, driver.ErrLost)

		k.must(k.driver.Close())
		_, err = k.driver.Open(0)
		wantCode(t, "Open after Close", err, 4, nil)
		k.must(k.driver.Close())
	})
}

// TestUnderACopy: what would spoil data without a word on a real device.
func TestUnderACopy(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		p, q, far := k.alloc(0, mega), k.alloc(0, mega), k.alloc(1, mega)
		piece, piece2 := k.alloc(0, mega), k.alloc(0, mega)
		src, s := k.host(mega, 1), k.stream(0)
		k.must(k.on[0].CopyIn(p, src, s))
		k.must(k.on[0].Copy([]driver.Span{{Dst: q, Src: p, Bytes: mega}, {Dst: piece, Src: piece2, Bytes: 1}}, s))
		k.must(k.on[0].CopyPeer(far, k.gpus[1], q, mega, s))
		time.Sleep(perMega / 2)
		wantPanic(t, "Free of a destination", func() { _ = k.on[0].Free(p) })
		wantPanic(t, "Free of a destination that waits its turn", func() { _ = k.on[0].Free(q) })
		wantPanic(t, "Free of a piece's destination", func() { _ = k.on[0].Free(piece) })
		wantPanic(t, "Free of a piece's source", func() { _ = k.on[0].Free(piece2) })
		wantPanic(t, "Free of a peer's destination", func() { _ = k.on[1].Free(far) })
		wantPanic(t, "Unpin of a source", func() { _ = k.on[1].Unpin(src) })
		k.must(k.settle(0, s))
		k.must(k.on[0].Unpin(src))
		k.must(k.on[0].Free(p))
		k.must(k.on[0].Free(q))
		k.must(k.on[1].Free(far))
	})
}

// TestSharedThread: two goroutines with one thread would be on OS threads of
// which one has no device.
func TestSharedThread(t *testing.T) {
	inBubble(t, Options{}, func(k *desk) {
		s := k.stream(0)
		k.must(k.on[0].CopyIn(k.alloc(0, mega), k.host(mega, 1), s))
		e := k.mark(0, s)
		done := make(chan error)
		go func() { done <- k.on[0].Synchronize(e) }()
		time.Sleep(perMega / 2)
		wantPanic(t, "a second goroutine", func() { _, _ = k.on[0].Query(e) })
		k.must(<-done)
		_, err := k.on[0].Query(e)
		k.must(err)
	})
}
