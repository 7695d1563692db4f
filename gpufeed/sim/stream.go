package sim

import (
	"slices"
	"sync"
	"time"
)

// A stream holds a bounded number of ops that are not done, and pieces of copies within
// the device; a caller that asks for more waits, as with CUDA.
const (
	maxOps   = 256
	maxSpans = 4096
)

// stream is a queue of work and the goroutine that does it.
type stream struct {
	ctx   *context
	work  *sync.Cond // there is an op, or an end
	moved *sync.Cond // an op is done, or an end
	// Ops are numbered from 0: head is the first that is not done, tail the next
	// that is asked for.
	ring       [maxOps]op
	doneAt     [maxOps]time.Duration // of the last ops that were done
	head, tail uint64
	spans      []span // maxSpans of them, made by the first Copy
	spanHead   uint64
	spanTail   uint64
	closed     bool

	// The worker's own.
	clock time.Duration // when the last op was done, by the links
	timer *time.Timer
	stage []byte // host memory of staged copies
}

// op is a piece of work: a copy where it has a leg, a wait where it has on,
// else a record.
type op struct {
	queued   time.Duration
	dst, src []byte
	spans    int
	bytes    uint64
	count    *uint64 // of Counts
	uses     [2]*memory
	legs     [2]leg
	hangs    bool
	fails    bool
	event    *event
	on       *stream
	until    uint64 // the head of on that is waited for
}

// span is a piece of a copy within a device.
type span struct {
	dst, src   []byte
	into, from *memory
}

func (s *stream) span(n uint64) *span { return &s.spans[n%maxSpans] }

// newStream makes a stream and starts its worker. The lock is held.
func newStream(c *context) *stream {
	mu := &c.driver.mu
	s := &stream{ctx: c, work: sync.NewCond(mu), moved: sync.NewCond(mu), timer: time.NewTimer(time.Hour)}
	s.timer.Stop()
	c.running = append(c.running, s)
	c.workers.Go(s.run)
	return s
}

// run does the ops until the stream is closed and empty, or the context ends.
func (s *stream) run() {
	for {
		o := s.next()
		if o == nil || !s.do(o) {
			break
		}
		s.finish(o)
	}
	s.stop()
}

// next waits for an op; nil: there will be none.
func (s *stream) next() *op {
	s.ctx.driver.mu.Lock()
	defer s.ctx.driver.mu.Unlock()
	for s.head == s.tail && !s.closed && s.ctx.ended == nil {
		s.work.Wait()
	}
	if s.head == s.tail || s.ctx.ended != nil {
		return nil
	}
	return &s.ring[s.head%maxOps]
}

// do does an op. false: the context ended before it was done.
func (s *stream) do(o *op) bool {
	s.clock = max(s.clock, o.queued)
	if o.on != nil {
		return s.wait(o)
	}
	for _, l := range o.legs {
		if l.engine != nil && !s.pass(o, l) {
			return false
		}
	}
	return true
}

// wait waits for an event. If its device goes, it will never come: then this
// one goes too, as nothing after the wait may be done.
func (s *stream) wait(o *op) bool {
	s.ctx.driver.mu.Lock()
	defer s.ctx.driver.mu.Unlock()
	for o.on.head < o.until {
		switch {
		case s.ctx.ended != nil:
			return false
		case o.on.ctx.ended != nil:
			s.ctx.lose(*o.on.ctx.ended)
			return false
		}
		o.on.moved.Wait()
	}
	if o.on.head-o.until < maxOps { // else it was long ago
		s.clock = max(s.clock, o.on.doneAt[(o.until-1)%maxOps])
	}
	return true
}

// finish tells that the op at the head is done.
func (s *stream) finish(o *op) {
	s.ctx.driver.mu.Lock()
	defer s.ctx.driver.mu.Unlock()
	if o.count != nil {
		*o.count += o.bytes
	}
	if e := o.event; e != nil && e.on == s && e.until == s.head+1 {
		e.when = s.clock
	}
	s.doneAt[s.head%maxOps] = s.clock
	s.letGo(o)
	s.head++
	s.moved.Broadcast()
}

// letGo ends an op's use of memory. Ops are let go of in their order.
func (s *stream) letGo(o *op) {
	for _, m := range o.uses {
		m.release()
	}
	for range o.spans {
		p := s.span(s.spanHead)
		p.into.release()
		p.from.release()
		*p = span{}
		s.spanHead++
	}
	*o = op{}
}

// stop lets go of what will not be done.
func (s *stream) stop() {
	d := s.ctx.driver
	d.mu.Lock()
	defer d.mu.Unlock()
	for n := s.head; n < s.tail; n++ {
		s.letGo(&s.ring[n%maxOps])
	}
	s.ctx.running = slices.DeleteFunc(s.ctx.running, func(other *stream) bool { return other == s })
	if s.ctx.ended != nil {
		d.dying--
		d.stopped.Broadcast()
	}
	s.moved.Broadcast()
}

// event is a mark: the place in a stream where it was recorded last.
type event struct {
	ctx   *context
	timed bool
	on    *stream // nil: never recorded
	until uint64  // it is done when on.head is so far
	when  time.Duration
}

func (e *event) done() bool { return e.on == nil || e.on.head >= e.until }
