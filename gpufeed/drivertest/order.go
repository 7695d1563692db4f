package drivertest

import "voxpack/gpufeed/driver"

// checkOrder: a chain in which every step reads what the one before it wrote,
// and the first buffer is written again after it.
func checkOrder(r *rig) {
	h := r.first()
	a, b, s := h.alloc(batch), h.alloc(batch), h.stream()
	one, two, got := h.pattern(batch, 50), h.pattern(batch, 51), [2][]byte{h.host(batch), h.host(batch)}
	for range 3 {
		h.in(a, one, s)
		h.within(b, a, batch, s)
		h.in(a, two, s)
		h.out(got[0], b, s)
		h.within(b, a, batch, s)
		h.must("Clear", h.Clear(a, batch, s))
		h.out(got[1], b, s)
		h.settle(s)
		same(r.T, "what was copied on before the second write", got[0], one)
		same(r.T, "what was copied on before the clear", got[1], two)
		clear(got[0])
		clear(got[1])
	}
}

// checkCloseStream: the call returns at once, and the work goes on.
func checkCloseStream(r *rig) {
	h := r.first()
	p, e := h.alloc(batch), h.event(false)
	src, got := h.pattern(batch, 55), h.host(batch)
	for range 3 {
		s, err := h.NewStream(false)
		h.must("NewStream", err)
		h.in(p, src, s)
		h.out(got, p, s)
		h.mark(e, s)
		h.must("CloseStream", h.CloseStream(s))
		h.await(e)
		same(r.T, "what was copied by a stream that was closed", got, src)
		clear(got)
	}
}

// checkWait: without the wait the copy out, on another engine, would begin
// together with the copy in and read what was there before. Rounds go on
// without a wait of the host: the two streams hand the buffer to and fro.
func checkWait(r *rig) {
	h := r.first()
	const rounds = 4
	p := h.alloc(batch)
	in, out := h.stream(), h.stream()
	urgent, err := h.NewStream(true)
	h.must("NewStream of high priority", err)
	filledEvent, drained := h.event(false), h.event(false)
	var src, got [rounds][]byte
	for i := range rounds {
		src[i], got[i] = h.pattern(batch, uint64(60+i)), h.host(batch)
	}
	for i := range rounds {
		if i > 0 {
			h.hold(in, drained)
		}
		h.in(p, src[i], in)
		h.mark(filledEvent, in)
		h.hold(out, filledEvent)
		h.out(got[i], p, out)
		h.mark(drained, out)
	}
	h.hold(urgent, drained)
	h.settle(urgent)
	for i := range rounds {
		same(r.T, "a batch that another stream took over", got[i], src[i])
	}
	h.must("CloseStream", h.CloseStream(urgent))
}

// checkWaitAcross: device 0 pushes a batch and records; device 1 waits for that
// event before it reads the batch, and the host waits for device 1 only.
func checkWaitAcross(r *rig) {
	gpus := []driver.GPU{r.open(0), r.open(r.second())}
	// Room for all that is ever sent: whoever gives up leaves nobody behind.
	arena := make(chan driver.Ptr, 1)
	ready, consumed := make(chan driver.Event, 3), make(chan driver.Event, 3)
	idle := make(chan struct{})
	r.together(2, gpus, func(i int, h *hands) {
		s := h.stream()
		if i == 0 {
			defer close(ready)
			to, mine, e := <-arena, h.alloc(batch), h.event(false)
			for round := range 3 {
				if then, ok := <-consumed; ok {
					h.hold(s, then)
				}
				h.in(mine, h.pattern(batch, uint64(70+round)), s)
				if to != 0 {
					h.must("CopyPeer", h.CopyPeer(to, gpus[1], mine, batch, s))
				}
				h.mark(e, s)
				ready <- e
			}
			<-idle
			return
		}
		defer close(idle)
		defer close(consumed)
		defer close(arena)
		p, e := h.alloc(batch), h.event(false)
		arena <- p
		h.mark(e, s)
		var got [3][]byte
		for round := range got {
			consumed <- e
			got[round] = h.host(batch)
			then, ok := <-ready
			if !ok {
				return
			}
			h.hold(s, then)
			h.out(got[round], p, s)
			h.mark(e, s)
		}
		h.await(e)
		for round := range got {
			same(h.t, "a batch pushed by the other device", got[round], filled(batch, uint64(70+round)))
		}
	})
}

// checkWaitOnce: were a wait for the latest record and not for the one before
// it, each stream would wait for the other here, for ever.
func checkWaitOnce(r *rig) {
	h := r.first()
	a, b := h.stream(), h.stream()
	e, back := h.event(false), h.event(false)
	p, q := h.alloc(batch), h.alloc(batch)
	src, got := h.pattern(batch, 80), h.host(batch)
	h.in(p, src, a)
	h.mark(e, a)
	h.hold(b, e)
	h.within(q, p, batch, b)
	h.mark(back, b)
	h.hold(a, back)
	h.must("Clear", h.Clear(p, batch, a))
	h.mark(e, a)
	h.out(got, q, b)
	h.settle(b)
	h.await(e)
	same(r.T, "what was copied on before the clear", got, src)
}
