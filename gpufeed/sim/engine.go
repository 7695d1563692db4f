package sim

import (
	"runtime"
	"time"
)

// engine moves bytes in one direction of a device, one copy after the other.
type engine struct {
	link Link
	free time.Duration // when the last copy that it was given ends
	hung bool          // it never will
}

// leg is an op's way through one engine.
type leg struct {
	engine *engine
	cost   time.Duration
	half   func(s *stream, o *op, n int) // moves the first or the second half
}

// slack is the lateness that is put down to timers and not charged to the link:
// those of a process that has nothing else to do are 1.0 ms late in the middle,
// 1.1 at the 99th percentile and 3.5 at most (600 of 10 µs, Go 1.26.8, Linux,
// two cores). A copy that ended later was held up by the processor or its
// memory: the link is not faster than that.
const slack = 5 * time.Millisecond

// pass moves an op's bytes through an engine: half when its turn comes, half
// when the link has had its time. false: the context ended before that.
func (s *stream) pass(o *op, l leg) bool {
	begin, end, ok := s.occupy(o, l)
	if !ok || !s.sleep(begin) {
		return false
	}
	l.half(s, o, 0)
	if s.ctx.driver.options.Pace == Unpaced {
		runtime.Gosched() // whoever is too early shall be seen here too
	}
	if o.hangs {
		<-s.ctx.quit
		return false
	}
	if !s.sleep(end) {
		return false
	}
	if o.fails {
		s.ctx.driver.mu.Lock()
		s.ctx.lose(eccUncorrectable)
		s.ctx.driver.mu.Unlock()
		return false
	}
	l.half(s, o, 1)
	s.arrive(l.engine, end)
	return true
}

// occupy takes the engine for the time of a copy. false: it hangs, and the
// context ended.
func (s *stream) occupy(o *op, l leg) (begin, end time.Duration, ok bool) {
	d := s.ctx.driver
	d.mu.Lock()
	if l.engine.hung {
		d.mu.Unlock()
		<-s.ctx.quit
		return 0, 0, false
	}
	defer d.mu.Unlock()
	if o.hangs {
		l.engine.hung, s.ctx.broken = true, true
	}
	if d.options.Pace == Unpaced {
		return 0, 0, true
	}
	begin = max(s.clock, l.engine.free)
	end = begin + l.cost
	l.engine.free = end
	return begin, end, true
}

// arrive sets the stream's clock to the end of a copy.
func (s *stream) arrive(e *engine, end time.Duration) {
	d := s.ctx.driver
	now := d.now()
	if d.options.Pace == Linked && now-end <= slack {
		s.clock = end
		return
	}
	s.clock = now
	d.mu.Lock()
	e.free = max(e.free, now)
	d.mu.Unlock()
}

// sleep waits until a time since the driver was made. false: the context ended.
func (s *stream) sleep(until time.Duration) bool {
	wait := until - s.ctx.driver.now()
	if wait <= 0 {
		return true
	}
	s.timer.Reset(wait)
	select {
	case <-s.timer.C:
		return true
	case <-s.ctx.quit:
		s.timer.Stop()
		return false
	}
}

// part is the first or the second half of b.
func part(b []byte, n int) []byte {
	if n == 0 {
		return b[:len(b)/2]
	}
	return b[len(b)/2:]
}

func copyHalf(_ *stream, o *op, n int) { copy(part(o.dst, n), part(o.src, n)) }

func clearHalf(_ *stream, o *op, n int) { clear(part(o.dst, n)) }

func piecesHalf(s *stream, o *op, n int) {
	for i := range uint64(o.spans) {
		p := s.span(s.spanHead + i)
		copy(part(p.dst, n), part(p.src, n))
	}
}

// stageHalf and unstageHalf are the two legs of a copy through the host.
func stageHalf(s *stream, o *op, n int) {
	if cap(s.stage) < len(o.src) {
		s.stage = make([]byte, len(o.src))
	}
	s.stage = s.stage[:len(o.src)]
	copy(part(s.stage, n), part(o.src, n))
}

func unstageHalf(s *stream, o *op, n int) { copy(part(o.dst, n), part(s.stage, n)) }
