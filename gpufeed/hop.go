package gpufeed

import (
	"fmt"
	"sync/atomic"
	"time"

	"voxpack/gpufeed/driver"
)

// hop is one copy on the way: from the slots of the station before to those of a
// GPU. One goroutine queues copies, another waits for their ends.
type hop struct {
	dev     *devices
	index   int
	name    string // "host to GPU 0"
	gpu     driver.GPU
	to      *station
	from    *ring
	in, out *line
	stream  driver.Stream
	flights chan flight
	staged  bool // through the host

	since atomic.Int64  // when the copy that is waited for was queued, in ns since run.begin; 0: none is
	seq   atomic.Uint64 // its batch
}

// flight is a copy under way: slots by index.
type flight struct {
	from, to int32
	came     time.Time // its batch was there
	queued   time.Time
	bytes    int // that it carries
}

// newHop is the i-th copy of the way. Copies between GPUs are pushed by the one
// that has the batch.
func newHop(d *devices, i int, from *ring, in *line, to *station) *hop {
	h := &hop{
		dev: d, index: i, to: to, gpu: to.gpu, from: from, in: in, out: newLine(to.ring),
		flights: make(chan flight, len(to.ring.slots)),
	}
	source := "host"
	if i > 0 {
		h.gpu = d.stations[i-1].gpu
		source = fmt.Sprintf("GPU %d", h.gpu.Info().Ordinal)
	}
	h.name = fmt.Sprintf("%s to GPU %d", source, to.gpu.Info().Ordinal)
	return h
}

// prepare makes the stream and its events, and lets one GPU write to the other
// if it can.
func (h *hop) prepare(t driver.Thread) (err error) {
	if h.stream, err = t.NewStream(true); err != nil {
		return err
	}
	for i := range h.to.ring.slots {
		s := &h.to.ring.slots[i]
		for _, e := range []*driver.Event{&s.started, &s.done} {
			if *e, err = h.dev.event(t, h.gpu, true); err != nil {
				return err
			}
		}
	}
	if h.first() || h.gpu.Info().Ordinal == h.to.gpu.Info().Ordinal {
		return nil
	}
	direct, err := t.EnablePeer(h.to.gpu)
	if err == nil && !direct {
		h.staged = true
		a, b := h.gpu.Info().Ordinal, h.to.gpu.Info().Ordinal
		h.dev.notes.add("GPU %d cannot write to GPU %d directly: each batch goes through the host a second time; --data-gpu %d saves that way, without the cache", a, b, b)
	}
	return err
}

// first reports whether the copy is from the host, last whether it is to the
// consumer.
func (h *hop) first() bool { return h.index == 0 }
func (h *hop) last() bool  { return h.index == len(h.dev.stations)-1 }

func (h *hop) close(t driver.Thread) error {
	if h.stream == 0 {
		return nil
	}
	return t.CloseStream(h.stream)
}

// submit queues the copies, in the order of the batches.
func (h *hop) submit() {
	defer close(h.flights)
	t, err := h.gpu.Thread()
	if err != nil {
		h.fail(h.in.next, err)
		return
	}
	defer t.Leave()
	for {
		s, ok := h.in.wait(h.dev.run.stop)
		if !ok || s.state.Load() == uint32(Failed) {
			return
		}
		came := time.Now()
		var d *slot
		select {
		case i := <-h.to.ring.free:
			d = &h.to.ring.slots[i]
		case <-h.dev.run.stop:
			return
		}
		s.move(Filled, Copying)
		d.move(Free, Copying)
		d.set(&s.load)
		bytes, err := h.queue(t, s, d)
		if err != nil {
			h.fail(d.Seq, err) // what was queued of it is waited for by Close
			return
		}
		h.flights <- flight{s.index, d.index, came, time.Now(), bytes}
	}
}

// queue queues one batch, and says how many bytes come over the link for it.
func (h *hop) queue(t driver.Thread, s, d *slot) (bytes int, err error) {
	if err := t.Record(d.started, h.stream); err != nil {
		return 0, err
	}
	l := h.dev.content.layouts[s.Bucket]
	bytes = l.Bytes
	switch {
	case !h.first():
		err = t.CopyPeer(d.dev, h.to.gpu, s.dev, l.Bytes, h.stream)
	case h.dev.tier != nil:
		bytes, err = h.dev.tier.copyIn(t, h.stream, l, s, d)
	default:
		err = t.CopyIn(d.dev, s.host[:l.Bytes], h.stream)
	}
	if err != nil {
		return 0, err
	}
	if h.first() {
		h.dev.gauges.meter.crossed.Add(int64(bytes))
	}
	return bytes, t.Record(d.done, h.stream)
}

// await waits for the copies' ends, and hands their slots on.
func (h *hop) await() {
	t, err := h.gpu.Thread()
	if err != nil {
		h.fail(0, err)
		return
	}
	defer t.Leave()
	row := h.dev.gauges.timeline.link(h)
	ended := time.Now() // the copy before
	for flight := range h.flights {
		s, d := &h.from.slots[flight.from], &h.to.ring.slots[flight.to]
		h.seq.Store(d.Seq)
		h.since.Store(int64(flight.queued.Sub(h.dev.run.begin)) + 1)
		err := t.Synchronize(d.done)
		h.since.Store(0)
		if err != nil {
			h.fail(d.Seq, err)
			return
		}
		took, err := t.Elapsed(d.started, d.done)
		if err != nil {
			h.fail(d.Seq, err)
			return
		}
		now := time.Now()
		h.dev.gauges.meter.copied(h, d, flight.bytes, took)
		drawn := min(took, now.Sub(ended)) // the host may have learnt late of the end before
		d.ready, d.starved[h.index] = now, h.dev.gauges.meter.idle(h, flight.came.Sub(ended), now.Add(-drawn).Sub(ended))
		h.dev.gauges.timeline.copied(row, d, now.Add(-drawn), drawn, flight.bytes)
		ended = now
		s.move(Copying, Free)
		h.from.put(s.index)
		if h.last() {
			d.move(Copying, Ready)
		} else {
			d.move(Copying, Filled)
		}
		h.out.in <- d.index
	}
}

func (h *hop) fail(seq uint64, err error) { h.dev.run.failure.set(h.name, seq, err) }
