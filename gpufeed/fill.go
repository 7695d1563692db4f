package gpufeed

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
)

// filler fills slots until there is nothing more to fill, the feed is closed or
// a batch has failed.
func (f *Feed) filler(row *perf.Track) {
	f.moveNear()
	for {
		waited := time.Now()
		select {
		case i := <-f.host.free:
			if !f.fillSlot(&f.host.slots[i], waited, row) {
				return
			}
		case <-f.stop:
			return
		}
	}
}

// fillSlot fills a free slot with the next batch and puts it in line; more is
// false when no further batch is to be filled.
func (f *Feed) fillSlot(s *slot, waited time.Time, row *perf.Track) (more bool) {
	s.move(Free, Preparing)
	ok, err := f.course.Next(&s.Batch, f.stop)
	if err != nil {
		return f.spoil(s, err)
	}
	if !ok {
		s.move(Preparing, Free)
		f.host.put(s.index)
		f.failure.signal() // Next may wait for a batch that does not exist
		return false
	}
	s.due, s.lost, s.cached, s.prepared = len(s.Rows), 0, false, time.Now()
	if err := f.fill(s); err != nil {
		return f.spoil(s, err)
	}
	f.meter.filled(s, waited, f.layouts[s.Bucket].held(s.fresh()))
	f.timeline.filled(row, s, waited, f.layouts[s.Bucket].Bytes)
	s.move(Preparing, Filled)
	f.filled.in <- s.index
	runtime.Gosched() // who hands it on: with a free slot at hand a filler would not stop before 10 ms are over
	return true
}

// spoil puts a slot that could not be filled in line.
func (f *Feed) spoil(s *slot, err error) bool {
	f.failure.set("fill", s.Seq, err)
	s.move(Preparing, Failed)
	f.filled.in <- s.index
	return false
}

// fill reads a slot's samples.
func (f *Feed) fill(s *slot) error {
	want := len(s.Rows)
	for {
		f.dev.look(s)
		d := Delivery{Seed: f.config.Plan.Seed, Epoch: s.At.Epoch, Rows: s.Rows}
		if s.cached {
			d.Skip = s.skip
		}
		err := f.source.Fill(f.layouts[s.Bucket], d, s.host)
		if err == nil {
			return nil
		}
		if err := f.leaveOut(s, err, want); err != nil {
			return err
		}
	}
}

// leaveOut takes the row that is corrupt out of a slot, if Config.SkipCorrupt
// says so. Others of the batch replace it: a trainer that asked for full
// batches may not be ready for a sample of nothing. A padded batch gets
// shorter.
func (f *Feed) leaveOut(s *slot, err error, want int) error {
	var corrupt *plan.CorruptError
	if !f.config.SkipCorrupt || !errors.As(err, &corrupt) {
		return err
	}
	s.Rows = slices.DeleteFunc(s.Rows[:s.due], func(row uint32) bool { return row == corrupt.For })
	gone := s.due - len(s.Rows)
	if gone == 0 {
		return err
	}
	s.due -= gone
	s.lost += gone
	f.meter.corrupt(corrupt, gone)
	if f.config.Plan.Tail != plan.Pad {
		s.repeat(want)
	}
	return nil
}

// repeat fills the rows up to n with those that are there.
func (s *slot) repeat(n int) {
	sound := len(s.Rows)
	for i := 0; sound > 0 && len(s.Rows) < n; i++ {
		s.Rows = append(s.Rows, s.Rows[i%sound])
	}
}
