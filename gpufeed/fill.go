package gpufeed

import (
	"runtime"
	"time"

	"voxpack/internal/perf"
)

// filler is a goroutine that takes free slots of the host and fills them.
type filler struct {
	content *content
	route   *route
	run     *run
	gauges  *gauges
	track   *perf.Track
	number  int                      // from 1
	planted func(Fill) time.Duration // nil: none
}

// loop fills slots until there is nothing more to fill, the feed is closed or a
// batch has failed.
func (f *filler) loop() {
	f.route.moveToCPUs()
	for {
		waited := time.Now()
		select {
		case i := <-f.route.host.free:
			if !f.fill(&f.route.host.slots[i], waited) {
				return
			}
		case <-f.run.stop:
			return
		}
	}
}

// fill fills a free slot with the next batch and puts it in line; more is false
// when no further batch is to be filled.
func (f *filler) fill(s *slot, waited time.Time) (more bool) {
	s.move(Free, Preparing)
	ok, err := f.content.course.Next(&s.Batch, f.run.stop)
	if err != nil {
		return f.spoil(s, err)
	}
	if !ok {
		s.move(Preparing, Free)
		f.route.host.put(s.index)
		f.run.failure.signal() // Next may wait for a batch that does not exist
		return false
	}
	s.due, s.lost, s.cached, s.prepared = len(s.Rows), 0, false, time.Now()
	if err := f.content.fill(s, f.route.tier()); err != nil {
		return f.spoil(s, err)
	}
	layout := f.content.layouts[s.Bucket]
	bytes := layout.held(s.fresh())
	f.linger(s, bytes)
	f.gauges.meter.filled(s, waited, bytes)
	f.gauges.signs.filled(f.number, time.Since(s.prepared), layout, s)
	f.gauges.timeline.filled(f.track, s, waited, layout.Bytes)
	s.move(Preparing, Filled)
	f.route.filled.in <- s.index
	// Without it the goroutine that hands the slot on waits up to 10 ms: a filler
	// that finds a free slot at once does not stop before.
	runtime.Gosched()
	return true
}

// linger waits for as long as was planted, or until the feed is closed.
func (f *filler) linger(s *slot, bytes int64) {
	if f.planted == nil {
		return
	}
	wait := time.NewTimer(f.planted(Fill{f.number, s.Seq, bytes, time.Since(s.prepared)}))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-f.run.stop:
	}
}

// spoil puts a slot that could not be filled in line.
func (f *filler) spoil(s *slot, err error) bool {
	f.run.failure.set("fill", s.Seq, err)
	s.move(Preparing, Failed)
	f.route.filled.in <- s.index
	return false
}
