package drivertest

import (
	"fmt"

	"voxpack/gpufeed/driver"
)

// checkInOut: at any place and of any size, and the bytes beside stay.
func checkInOut(r *rig) {
	h := r.first()
	const room = 1 << 20
	p, s := h.alloc(room), h.stream()
	before := h.pattern(room, 5)
	src := h.pattern(room, 6)
	got := h.host(room)
	part := h.host(room)
	for _, tt := range []struct{ at, bytes int }{
		{0, room}, {0, 1}, {1, 1}, {255, 2}, {256, 256}, {4095, 4098}, {room - 1, 1}, {3, room - 6}, {512, 0}, {1000, 65_537},
	} {
		name := fmt.Sprintf("%d bytes at %d", tt.bytes, tt.at)
		end := tt.at + tt.bytes
		h.in(p, before, s)
		h.in(p+driver.Ptr(tt.at), src[tt.at:end], s)
		h.out(got, p, s)
		fill(part, 7)
		h.out(part[tt.at:end], p+driver.Ptr(tt.at), s)
		h.settle(s)

		want := filled(room, 5)
		copy(want[tt.at:end], src[tt.at:end])
		same(r.T, "in: "+name, got, want)
		want = filled(room, 7)
		copy(want[tt.at:end], src[tt.at:end])
		same(r.T, "out: "+name, part, want)
	}
}

// checkPieces: a gather of many odd pieces, and the list may be used again as
// soon as the call returned.
func checkPieces(r *rig) {
	h := r.first()
	const room, pieces = 1 << 20, 1500
	from, to, s := h.alloc(room), h.alloc(room), h.stream()
	src, before, got := h.pattern(room, 8), h.pattern(room, 9), h.host(room)
	want := filled(room, 9)
	var spans []driver.Span
	at := 1
	for i := range pieces {
		bytes := 1 + i*37%677
		source := (i * 7919) % (room - 700)
		spans = append(spans, driver.Span{Dst: to + driver.Ptr(at), Src: from + driver.Ptr(source), Bytes: bytes})
		copy(want[at:at+bytes], src[source:])
		at += bytes + i%3
	}
	h.in(from, src, s)
	h.in(to, before, s)
	h.must("Copy of nothing", h.Copy(nil, s))
	h.must("Copy", h.Copy(spans, s))
	clear(spans)
	h.out(got, to, s)
	h.settle(s)
	same(r.T, fmt.Sprintf("%d pieces", pieces), got, want)
}

func checkClear(r *rig) {
	h := r.first()
	const room = 1 << 18
	p, s := h.alloc(room), h.stream()
	before, got := h.pattern(room, 10), h.host(room)
	for _, tt := range []struct{ at, bytes int }{{0, room}, {1, 1}, {255, 513}, {4096, 4096}, {room - 3, 3}} {
		h.in(p, before, s)
		h.must("Clear", h.Clear(p+driver.Ptr(tt.at), tt.bytes, s))
		h.out(got, p, s)
		h.settle(s)
		want := filled(room, 10)
		clear(want[tt.at : tt.at+tt.bytes])
		same(r.T, fmt.Sprintf("%d bytes at %d", tt.bytes, tt.at), got, want)
	}
}

// checkUnpinned: it may be read until the copy is done. Most drivers stage it before
// they return, but where the GPU reads pageable memory by itself none has to.
func checkUnpinned(r *rig) {
	h := r.first()
	p, s := h.alloc(batch), h.stream()
	src, got := h.pageable(batch), h.pageable(batch)
	for round := range uint64(3) {
		fill(src, 20+round)
		h.in(p, src, s)
		h.settle(s)
		clear(src)
		h.out(got, p, s)
		h.settle(s)
		same(r.T, "a round through unpinned memory", got, filled(batch, 20+round))
	}
}
