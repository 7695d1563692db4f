package drivertest

import (
	"testing"

	"voxpack/gpufeed/driver"
)

// checkAllocations: what a feed does for each batch, over and over.
func checkAllocations(r *rig) {
	if raceEnabled {
		r.Skip("the race detector allocates by itself")
	}
	gpus := []driver.GPU{r.open(0)}
	far := gpus[0]
	if len(r.infos) > 1 {
		far = r.open(1)
	}
	const bytes = 64 << 10
	var away driver.Ptr
	r.together(1, []driver.GPU{far}, func(_ int, h *hands) {
		p, err := h.Alloc(bytes)
		h.must("Alloc", err)
		away = p
	})
	r.together(1, gpus, func(_ int, h *hands) {
		a, b, in, out := h.alloc(bytes), h.alloc(bytes), h.stream(), h.stream()
		from, to, src := h.event(true), h.event(true), h.pattern(bytes, 120)
		back := h.host(bytes)
		var pieces []driver.Span
		for at := 0; at < bytes; at += bytes / 32 {
			pieces = append(pieces, driver.Span{Dst: b + driver.Ptr(at), Src: a + driver.Ptr(at), Bytes: bytes / 32})
		}
		if n := testing.AllocsPerRun(100, func() {
			h.mark(from, in)
			h.in(a, src, in)
			h.must("Copy", h.Copy(pieces, in))
			h.must("CopyPeer", h.CopyPeer(away, far, b, bytes, in))
			h.mark(to, in)
			h.hold(out, to)
			h.out(back, b, out)
			h.must("Clear", h.Clear(b, bytes, out))
			h.mark(to, out)
			h.await(to)
			_, err := h.Query(to)
			h.must("Query", err)
			_, err = h.Elapsed(from, to)
			h.must("Elapsed", err)
		}); n != 0 {
			h.t.Errorf("%v allocations per batch, want 0", n)
		}
	})
	r.together(1, []driver.GPU{far}, func(_ int, h *hands) { h.must("Free", h.Free(away)) })
}
