package sim

import (
	"time"

	"voxpack/gpufeed/driver"
)

func (t *thread) CopyIn(dst driver.Ptr, src []byte, id driver.Stream) error {
	return t.call("cuMemcpyHtoDAsync", func() error {
		s, err := t.room(id, 0)
		if err != nil {
			return err
		}
		m, to := find(t.ctx.memory, uint64(dst), len(src))
		if m == nil {
			return t.refuse(invalidValue)
		}
		host := t.driver.findPinned(src)
		t.copy(s, op{dst: to, src: src, uses: [2]*memory{m, host}, count: &t.ctx.dev.counts.HostToDevice,
			legs: [2]leg{{engine: &t.ctx.engines.in, half: copyHalf}}}, len(src))
		return t.unpinned(s, host, len(src))
	})
}

func (t *thread) CopyOut(dst []byte, src driver.Ptr, id driver.Stream) error {
	return t.call("cuMemcpyDtoHAsync", func() error {
		s, err := t.room(id, 0)
		if err != nil {
			return err
		}
		m, from := find(t.ctx.memory, uint64(src), len(dst))
		if m == nil {
			return t.refuse(invalidValue)
		}
		host := t.driver.findPinned(dst)
		t.copy(s, op{dst: dst, src: from, uses: [2]*memory{m, host}, count: &t.ctx.dev.counts.DeviceToHost,
			legs: [2]leg{{engine: &t.ctx.engines.out, half: copyHalf}}}, len(dst))
		return t.unpinned(s, host, len(dst))
	})
}

// Copy queues up to a quarter of maxSpans pieces in one op, the rest in
// further ones; a piece that is refused keeps its op and those after it from
// being queued.
func (t *thread) Copy(pieces []driver.Span, id driver.Stream) error {
	return t.call("cuMemcpyDtoDAsync", func() error {
		for first := true; first || len(pieces) > 0; first = false {
			n := min(len(pieces), maxSpans/4)
			s, err := t.room(id, n)
			if err != nil || n == 0 {
				return err
			}
			bytes := 0
			for i, piece := range pieces[:n] {
				into, dst := find(t.ctx.memory, uint64(piece.Dst), piece.Bytes)
				from, src := find(t.ctx.memory, uint64(piece.Src), piece.Bytes)
				if into == nil || from == nil {
					return t.refuse(invalidValue)
				}
				*s.span(s.spanTail + uint64(i)) = span{dst, src, into, from}
				bytes += piece.Bytes
			}
			o := op{spans: n, count: &t.ctx.dev.counts.WithinDevice,
				legs: [2]leg{{engine: &t.ctx.engines.within, half: piecesHalf}}}
			if first {
				t.copy(s, o, bytes)
			} else { // of the same call: no further latency, no further copy
				t.push(s, o, bytes, -o.legs[0].engine.link.Latency)
			}
			pieces = pieces[n:]
		}
		return nil
	})
}

func (t *thread) CopyPeer(dst driver.Ptr, other driver.GPU, src driver.Ptr, bytes int, id driver.Stream) error {
	return t.call("cuMemcpyPeerAsync", func() error {
		s, err := t.room(id, 0)
		if err != nil {
			return err
		}
		g, ok := other.(*gpu)
		if !ok || g.ctx.driver != t.driver {
			return t.refuse(invalidContext)
		}
		if err := g.refuse(t.name); err != nil {
			return err
		}
		m, from := find(t.ctx.memory, uint64(src), bytes)
		far, to := find(g.ctx.memory, uint64(dst), bytes)
		if m == nil || far == nil {
			return t.refuse(invalidValue)
		}
		o := op{dst: to, src: from, uses: [2]*memory{m, far}}
		here, counts := &t.ctx.engines, &t.ctx.dev.counts
		switch {
		case g.ctx == t.ctx:
			o.count, o.legs[0] = &counts.WithinDevice, leg{engine: &here.within, half: copyHalf}
		case t.ctx.peers[g.Info().Ordinal]:
			o.count, o.legs[0] = &counts.Peer, leg{engine: &here.peer, half: copyHalf}
		default:
			o.count = &counts.Staged
			o.legs = [2]leg{{engine: &here.out, half: stageHalf}, {engine: &g.ctx.engines.in, half: unstageHalf}}
		}
		t.copy(s, o, bytes)
		return nil
	})
}

// Clear is work of the engine within the device, at its rate, and no copy.
func (t *thread) Clear(dst driver.Ptr, bytes int, id driver.Stream) error {
	return t.call("cuMemsetD8Async", func() error {
		s, err := t.room(id, 0)
		if err != nil {
			return err
		}
		m, to := find(t.ctx.memory, uint64(dst), bytes)
		if m == nil {
			return t.refuse(invalidValue)
		}
		t.push(s, op{dst: to, uses: [2]*memory{m}, count: &t.ctx.dev.counts.Cleared,
			legs: [2]leg{{engine: &t.ctx.engines.within, half: clearHalf}}}, bytes, 0)
		return nil
	})
}

func (t *thread) Record(id driver.Event, in driver.Stream) error {
	return t.call("cuEventRecord", func() error {
		s, err := t.room(in, 0)
		if err != nil {
			return err
		}
		e := t.driver.events[id]
		if e == nil || e.ctx != t.ctx {
			return t.refuse(invalidHandle)
		}
		t.push(s, op{event: e}, 0, 0)
		e.on, e.until = s, s.tail
		return nil
	})
}

func (t *thread) Wait(in driver.Stream, id driver.Event) error {
	return t.call("cuStreamWaitEvent", func() error {
		s, err := t.room(in, 0)
		if err != nil {
			return err
		}
		e := t.driver.events[id]
		if e == nil {
			return t.refuse(invalidHandle)
		}
		if e.on != nil {
			t.push(s, op{on: e.on, until: e.until}, 0, 0)
		}
		return nil
	})
}

func (t *thread) Synchronize(id driver.Event) error {
	return t.call("cuEventSynchronize", func() error {
		e := t.driver.events[id]
		switch {
		case e == nil:
			return t.refuse(invalidHandle)
		case e.on == nil:
			return nil
		}
		return t.reach(e.on, e.until)
	})
}

func (t *thread) Query(id driver.Event) (done bool, err error) {
	err = t.call("cuEventQuery", func() error {
		e := t.driver.events[id]
		if e == nil {
			return t.refuse(invalidHandle)
		}
		done = e.done()
		if !done && e.on.ctx.ended != nil {
			return t.refuse(*e.on.ctx.ended)
		}
		return nil
	})
	return done, err
}

func (t *thread) Elapsed(from, to driver.Event) (between time.Duration, err error) {
	err = t.call("cuEventElapsedTime", func() error {
		a, b := t.driver.events[from], t.driver.events[to]
		switch {
		case a == nil || b == nil || a.ctx != b.ctx || !a.timed || !b.timed || a.on == nil || b.on == nil:
			return t.refuse(invalidHandle)
		case !a.done() || !b.done():
			return t.refuse(notReady)
		}
		between = b.when - a.when
		return nil
	})
	return between, err
}

// room finds a stream and waits until an op of that many spans fits into it.
func (t *thread) room(id driver.Stream, spans int) (*stream, error) {
	for {
		s, err := t.stream(id)
		if err != nil {
			return nil, err
		}
		if spans > 0 && s.spans == nil {
			s.spans = make([]span, maxSpans)
		}
		if s.tail-s.head < maxOps && s.spanTail-s.spanHead+uint64(spans) <= maxSpans {
			return s, nil
		}
		s.moved.Wait()
		if err := t.gpu.refuse(t.name); err != nil {
			return nil, err
		}
	}
}

// copy queues an op that Fault counts.
func (t *thread) copy(s *stream, o op, bytes int) {
	n := &t.ctx.dev.counts.Copies
	*n++
	o.fails = *n == t.ctx.dev.fault.FailCopy
	o.hangs = *n == t.ctx.dev.fault.HangCopy
	t.push(s, o, bytes, 0)
}

// push queues an op for which there is room. It takes extra longer than its
// links say.
func (t *thread) push(s *stream, o op, bytes int, extra time.Duration) {
	o.queued, o.bytes = t.driver.now(), uint64(bytes)
	for i := range o.legs {
		if l := &o.legs[i]; l.engine != nil {
			slower := t.ctx.dev.fault.slowed(t.ctx.dev.counts.Copies)
			l.cost = time.Duration(float64(l.engine.link.cost(bytes)+extra) * slower)
		}
	}
	for _, m := range o.uses {
		m.use()
	}
	for range o.spans {
		p := s.span(s.spanTail)
		p.into.use()
		p.from.use()
		s.spanTail++
	}
	s.ring[s.tail%maxOps] = o
	s.tail++
	s.work.Signal()
}

// unpinned waits for a copy whose host memory nobody pinned, as CUDA does.
func (t *thread) unpinned(s *stream, host *memory, bytes int) error {
	if host != nil || bytes == 0 {
		return nil
	}
	t.ctx.dev.counts.Unpinned++
	return t.reach(s, s.tail)
}

// reach waits until a stream has done its ops up to head.
func (t *thread) reach(s *stream, head uint64) error {
	for s.head < head {
		if err := t.gpu.refuse(t.name); err != nil {
			return err
		}
		if s.ctx.ended != nil {
			return t.refuse(*s.ctx.ended)
		}
		s.moved.Wait()
	}
	return nil
}
