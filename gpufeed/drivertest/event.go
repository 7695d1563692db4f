package drivertest

import "voxpack/gpufeed/driver"

// checkEvents: done before the first record, as CUDA has it; then only when
// the work is, and for good.
func checkEvents(r *rig) {
	h := r.first()
	s, e := h.stream(), h.event(false)
	if done, err := h.Query(e); err != nil || !done {
		r.Errorf("Query of an event that was never recorded = %v, %v, want true, nil", done, err)
	}
	h.must("Synchronize with an event that was never recorded", h.Synchronize(e))
	h.must("Wait for an event that was never recorded", h.Wait(s, e))

	p, got := h.alloc(batch), h.host(batch)
	src := [2][]byte{h.pattern(batch, 90), h.pattern(batch, 91)}
	// Whoever asks can be held up for longer than the copies take, so once in 20
	// times has to do: a driver that says "done" always never says otherwise.
	early := false
	for round := 0; round < 20 && (!early || round < 2); round++ {
		for range 4 {
			h.in(p, src[round%2], s)
			h.out(got, p, s)
		}
		h.mark(e, s)
		done, err := h.Query(e)
		h.must("Query", err)
		early = early || !done
		h.await(e)
		same(r.T, "what was copied before the event", got, src[round%2])
		for range 2 {
			if done, err := h.Query(e); err != nil || !done {
				r.Errorf("Query after Synchronize = %v, %v, want true, nil", done, err)
			}
		}
	}
	if !early {
		r.Errorf("Query said in 20 rounds that %d bytes were copied as soon as they were asked for", 8*batch)
	}
}

// checkRecordAgain: an event that is recorded again speaks of the new place,
// also in another stream.
func checkRecordAgain(r *rig) {
	h := r.first()
	a, b, e := h.stream(), h.stream(), h.event(false)
	p, q := h.alloc(batch), h.alloc(batch)
	src, got := h.pattern(batch, 95), h.host(batch)
	for _, s := range []driver.Stream{a, b, a} {
		clear(got)
		h.mark(e, b)
		h.in(p, src, s)
		h.within(q, p, batch, s)
		h.out(got, q, s)
		h.mark(e, s)
		h.await(e)
		same(r.T, "what was copied before the last record", got, src)
	}
}

// checkElapsed: the copies between two marks take time, and more of them take
// no less.
func checkElapsed(r *rig) {
	h := r.first()
	s, p, src := h.stream(), h.alloc(batch), h.pattern(batch, 96)
	marks := [3]driver.Event{h.event(true), h.event(true), h.event(true)}
	for range 3 {
		for i, e := range marks {
			if i > 0 {
				h.in(p, src, s)
			}
			h.mark(e, s)
		}
		h.await(marks[2])
		one, err := h.Elapsed(marks[0], marks[1])
		h.must("Elapsed", err)
		both, err := h.Elapsed(marks[0], marks[2])
		h.must("Elapsed", err)
		if one <= 0 || both < one {
			r.Errorf("one copy took %v and two took %v, want 0 < one <= two", one, both)
		}
	}

	plain := h.event(false)
	h.mark(plain, s)
	h.await(plain)
	_, err := h.Elapsed(marks[0], plain)
	refused(h, "Elapsed to an event that is not timed", err, 400)
	_, err = h.Elapsed(plain, marks[0])
	refused(h, "Elapsed from an event that is not timed", err, 400)
	_, err = h.Elapsed(marks[0], h.event(true))
	refused(h, "Elapsed to an event that was never recorded", err, 400)
}
