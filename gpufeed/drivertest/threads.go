package drivertest

import "voxpack/gpufeed/driver"

// checkThreads: each thread has memory, a stream and events of its own, and
// sees its own bytes only.
func checkThreads(r *rig) {
	var gpus []driver.GPU
	for i := range r.infos {
		gpus = append(gpus, r.open(i))
	}
	const threads, rounds, bytes = 8, 25, 100_000
	r.together(threads, gpus, func(i int, h *hands) {
		s, e := h.stream(), h.event(false)
		src, got := h.host(bytes), h.host(bytes)
		for round := range rounds {
			p, err := h.Alloc(2 * bytes)
			h.must("Alloc", err)
			fill(src, uint64(1000*i+round))
			h.in(p, src, s)
			h.within(p+bytes, p, bytes, s)
			h.out(got, p+bytes, s)
			h.mark(e, s)
			h.await(e)
			same(h.t, "bytes of a thread", got, src)
			h.must("Free", h.Free(p))
		}
	})
}

// checkRing: the feeder's shape. A submitter queues batches from three slots,
// a waiter gives a slot back when its event is done, and only then is it
// filled again.
func checkRing(r *rig) {
	g := r.open(0)
	const slots, batches, bytes = 3, 40, 1 << 20
	type slot struct {
		host, back []byte
		dev        driver.Ptr
		copied     driver.Event
		seed       uint64
	}
	var ring [slots]slot
	free, queued := make(chan int, slots), make(chan int, slots)
	stop := make(chan struct{})
	r.together(2, []driver.GPU{g}, func(i int, h *hands) {
		if i == 1 {
			defer close(stop)
			for n := range queued {
				h.await(ring[n].copied)
				same(h.t, "a batch of the ring", ring[n].back, filled(bytes, ring[n].seed))
				free <- n
			}
			return
		}
		s := h.stream()
		for n := range ring {
			ring[n] = slot{host: h.host(bytes), back: h.host(bytes), dev: h.alloc(bytes), copied: h.event(false)}
			free <- n
		}
		// The waiter is done before the slots are given back.
		defer func() { close(queued); <-stop }()
		for batch := range uint64(batches) {
			var n int
			select {
			case n = <-free:
			case <-stop:
				return
			}
			q := &ring[n]
			q.seed = 2000 + batch
			fill(q.host, q.seed)
			h.in(q.dev, q.host, s)
			h.out(q.back, q.dev, s)
			h.mark(q.copied, s)
			queued <- n
		}
	})
}
