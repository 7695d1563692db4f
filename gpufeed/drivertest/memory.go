package drivertest

import (
	"cmp"
	"errors"
	"slices"

	"voxpack/gpufeed/driver"
)

// checkAlignment: the arena's fields stand at multiples of 256 from its start,
// which is worth something only if the start does.
func checkAlignment(r *rig) {
	h := r.first()
	type area struct {
		p     driver.Ptr
		bytes int
	}
	var areas []area
	for _, bytes := range []int{1, 255, 256, 257, 4096, 100_000, 1 << 20, 1, 3} {
		p := h.alloc(bytes)
		if p == 0 || p%256 != 0 {
			r.Errorf("Alloc(%d) = %#x, want a multiple of 256 that is not 0", bytes, uint64(p))
		}
		areas = append(areas, area{p, bytes})
	}
	slices.SortFunc(areas, func(a, b area) int { return cmp.Compare(a.p, b.p) })
	for i := range len(areas) - 1 {
		a, b := areas[i], areas[i+1]
		if a.p+driver.Ptr(a.bytes) > b.p {
			r.Errorf("%d bytes at %#x reach into %d bytes at %#x", a.bytes, uint64(a.p), b.bytes, uint64(b.p))
		}
	}
}

// checkReuse: an allocation of more than half of what is free can be made again
// and again only if Free gives it back.
func checkReuse(r *rig) {
	h := r.first()
	free, total, err := h.Memory()
	h.must("Memory", err)
	if free == 0 || free > total {
		r.Fatalf("Memory() = %d free of %d, want 0 < free <= total", free, total)
	}
	want := filled(4096, 1)
	for range 3 {
		bytes := int(free/10) * 6
		p, err := h.Alloc(bytes)
		h.must("Alloc of 60 % of what is free", err)
		less, _, err := h.Memory()
		h.must("Memory", err)
		if less >= free {
			r.Errorf("%d bytes are free before Alloc(%d) and %d after it", free, bytes, less)
		}
		src := h.host(4096)
		copy(src, want)
		end := p + driver.Ptr(bytes-4096)
		h.write(end, src)
		same(r.T, "the last page of it", h.read(end, 4096), want)
		h.must("Free", h.Free(p))
	}
}

// checkOutOfMemory: refused at once and after the memory ran out; in both cases
// what was there stays, and what is asked for next is had.
func checkOutOfMemory(r *rig) {
	h := r.first()
	free, total, err := h.Memory()
	h.must("Memory", err)
	kept := h.alloc(1 << 20)
	content := h.pattern(1<<20, 2)
	h.write(kept, content)

	if _, err := h.Alloc(int(total) + 1); !errors.Is(err, driver.ErrOutOfMemory) {
		r.Fatalf("Alloc(total + 1) = %v, want driver.ErrOutOfMemory", err)
	}
	var taken []driver.Ptr
	for range 5 {
		p, err := h.Alloc(int(free / 4))
		if err == nil {
			taken = append(taken, p)
			continue
		}
		refused(h, "Alloc past the end of the memory", err, 2)
		if !errors.Is(err, driver.ErrOutOfMemory) {
			r.Errorf("Alloc past the end of the memory = %v, want driver.ErrOutOfMemory", err)
		}
		break
	}
	if len(taken) == 0 || len(taken) == 5 {
		r.Errorf("%d quarters of the free memory were given, want 1 to 4", len(taken))
	}
	for _, p := range taken {
		h.must("Free", h.Free(p))
	}
	same(r.T, "memory taken before it ran out", h.read(kept, 1<<20), content)
	again := h.alloc(1 << 20)
	h.write(again, content)
	same(r.T, "memory taken after it ran out", h.read(again, 1<<20), content)
}

// checkPin: one registration serves every device, and pages can be registered
// again after they were let go.
func checkPin(r *rig) {
	h := r.first()
	const bytes = 1 << 20
	b := h.pageable(bytes)
	want := filled(bytes, 3)
	for range 2 {
		copy(b, want)
		h.must("Pin", h.Pin(b))
		for ordinal := range r.infos {
			r.together(1, []driver.GPU{r.open(ordinal)}, func(_ int, h *hands) {
				p, s := h.alloc(bytes), h.stream()
				h.in(p, b, s)
				h.settle(s)
				clear(b)
				h.out(b, p, s)
				h.settle(s)
				same(h.t, "a round through pinned memory", b, want)
			})
		}
		h.must("Unpin", h.Unpin(b))
	}
}

// checkPinTwice: CUDA says 712 to what is registered, 713 to what is not, and
// neither changes anything.
func checkPinTwice(r *rig) {
	h := r.first()
	b := h.pageable(1 << 16)
	h.must("Pin", h.Pin(b))
	refused(h, "Pin of pinned memory", h.Pin(b), 712)
	fill(b, 4)
	p := h.alloc(len(b))
	h.write(p, b)
	same(r.T, "memory pinned once", h.read(p, len(b)), filled(len(b), 4))
	h.must("Unpin", h.Unpin(b))
	refused(h, "Unpin of unpinned memory", h.Unpin(b), 713)
}

// checkBeside: calls that take memory or give it back may wait for all that the
// device was given, though nothing says so; they come back, and the work is done.
func checkBeside(r *rig) {
	gpus := []driver.GPU{r.open(0)}
	r.together(2, gpus, func(i int, h *hands) {
		s, p := h.stream(), h.alloc(batch)
		src, got := h.pattern(batch, uint64(90+i)), h.host(batch)
		for range 4 {
			h.in(p, src, s)
			h.out(got, p, s)
			other, err := h.Alloc(4096)
			h.must("Alloc", err)
			b := h.pageable(1 << 16)
			h.must("Pin", h.Pin(b))
			h.must("Unpin", h.Unpin(b))
			h.must("Free", h.Free(other))
			h.settle(s)
			same(h.t, "a copy beside calls that take memory", got, src)
			clear(got)
		}
	})
}
