package gpufeed

import (
	"fmt"
	"time"

	"voxpack/internal/perf"
)

// timeline writes what the parts of a feed do to a trace, one row each. All of
// it may be nil.
type timeline struct {
	trace *perf.Trace
	begin time.Time

	waiting, filling, copying, stalled, training, slots perf.EventName

	trainer, ring *perf.Track
}

func newTimeline(t *perf.Trace) *timeline {
	return &timeline{
		trace: t, begin: time.Now(),
		waiting: t.Name("wait for a free slot"), filling: t.Name("fill", "batch", "bytes"),
		copying: t.Name("copy", "batch", "bytes"), stalled: t.Name("stall", "batch"),
		training: t.Name("train", "batch", "samples"), slots: t.Name("slots", "preparing", "ready"),
		trainer: t.NewTrack("trainer", "steps"), ring: t.NewTrack("host", "ring"),
	}
}

// at is a time on the line.
func (t *timeline) at(when time.Time) time.Duration { return when.Sub(t.begin) }

// filler is the row of a filler.
func (t *timeline) filler(i int) *perf.Track {
	return t.trace.NewTrack("host", fmt.Sprintf("filler %d", i))
}

// link is the row of the copies to a GPU.
func (t *timeline) link(h *hop) *perf.Track {
	return t.trace.NewTrack(fmt.Sprintf("GPU %d", h.to.gpu.Info().Ordinal), h.name)
}

// filled draws a batch that a filler has done.
func (t *timeline) filled(row *perf.Track, s *slot, waited time.Time, bytes int) {
	if row == nil {
		return
	}
	if gap := s.prepared.Sub(waited); gap > 0 {
		row.Complete(t.waiting, t.at(waited), gap, 0, 0)
	}
	row.Complete(t.filling, t.at(s.prepared), time.Since(s.prepared), int64(s.Seq), int64(bytes))
}

// copied draws a copy that has ended. Its length is the GPU's, its end that at
// which the host learnt of it.
func (t *timeline) copied(row *perf.Track, d *slot, start time.Time, took time.Duration, bytes int) {
	if row != nil {
		row.Complete(t.copying, t.at(start), took, int64(d.Seq), int64(bytes))
	}
}

// step draws what lies between two batches: what the consumer did with the one
// before, and how long it waited for this one.
func (t *timeline) step(m *meter, s *slot, preparing, ready int) {
	if t.trainer == nil {
		return
	}
	if m.steps.lastStep > 0 {
		worked := m.steps.lastStep - m.steps.lastStall
		t.trainer.Complete(t.training, t.at(m.steps.asked.Add(-worked)), worked, int64(s.Seq)-1, int64(len(s.Rows)))
	}
	t.trainer.Complete(t.stalled, t.at(m.steps.asked), m.steps.lastStall, int64(s.Seq), 0)
	t.ring.Counter(t.slots, t.at(m.steps.got), int64(preparing), int64(ready))
}
