package gpufeed

import (
	"encoding/binary"
	"sync/atomic"
	"time"

	"voxpack/gpufeed/plan"
	"voxpack/internal/perf"
)

// gauges is all that measures a feed.
type gauges struct {
	meter    *meter
	depth    *depth
	timeline *timeline
	monitor  *monitor // nil: no GPU is watched
	signs    *signs
}

// meter measures a feed. What it notes for each batch allocates nothing.
type meter struct {
	fill  *perf.Stage
	hops  []*perf.Stage
	train *perf.Stage
	steps pace

	batches atomic.Int64
	crossed atomic.Int64 // bytes from the host to the first GPU

	filling average   // ns that a filler needed for a batch, lately
	copying []average // ns that each copy needed, lately
}

// pace is the times of the goroutine that calls Next.
type pace struct {
	asked, got  time.Time // when it asked, and when it got the batch before
	stall, step perf.Histogram
	lastStall   time.Duration
	lastStep    time.Duration // 0 with the first batch
}

// average follows a figure: each new value counts an eighth.
type average struct{ value atomic.Int64 }

func (a *average) add(d time.Duration) {
	if old := a.value.Load(); old == 0 {
		a.value.Store(int64(d))
	} else {
		a.value.Store(old + (int64(d)-old)/8)
	}
}

func newMeter(d *devices) *meter {
	m := &meter{fill: perf.NewStage("fill"), train: perf.NewStage("consumer")}
	if d != nil {
		for _, h := range d.hops {
			m.hops = append(m.hops, perf.NewStage(h.name))
		}
		m.copying = make([]average, len(d.hops))
	}
	return m
}

// ask notes that the consumer wants a batch.
func (m *meter) ask() { m.steps.asked = time.Now() }

// given notes that it got one, and says how.
func (m *meter) given(s *slot, l *Layout) Step {
	t, now := &m.steps, time.Now()
	m.batches.Add(1)
	t.lastStall, t.lastStep = now.Sub(t.asked), 0
	m.train.Pass(int64(len(s.Rows)), l.held(len(s.Rows)))
	if !t.got.IsZero() { // the work was on the batch before; the first comes after none
		t.lastStep = now.Sub(t.got)
		t.step.Record(t.lastStep)
		t.stall.Record(t.lastStall)
		m.train.WaitIn(t.lastStall)
		m.train.Work(max(t.lastStep-t.lastStall, 0), 0, 0)
	}
	t.got = now
	return Step{t.lastStep, t.lastStall, s.late(t.asked, t.lastStall, len(m.hops))}
}

// filled notes a batch that a filler has done, and how much of it was written.
func (m *meter) filled(s *slot, waited time.Time, bytes int64) {
	s.ready = time.Now()
	work := s.ready.Sub(s.prepared)
	m.fill.WaitOut(s.prepared.Sub(waited))
	m.fill.Work(work, int64(len(s.Rows)), bytes)
	m.filling.add(work)
}

// copied notes a batch that has reached a GPU.
func (m *meter) copied(h *hop, d *slot, bytes int, took time.Duration) {
	m.hops[h.index].Work(took, int64(len(d.Rows)), int64(bytes))
	m.copying[h.index].add(took)
}

// supply is how long a batch takes to come, lately, where nothing waits for
// anything: as long as its slowest part, in ns.
func (m *meter) supply(fillers int) int64 {
	slowest := m.filling.value.Load() / int64(fillers)
	for i := range m.copying {
		slowest = max(slowest, m.copying[i].value.Load())
	}
	return slowest
}

// idle notes how long a link had nothing to do before a copy: until the copy's
// batch came for want of input, which is returned, and from then on for want of a
// slot to copy to.
func (m *meter) idle(h *hop, input, all time.Duration) time.Duration {
	input = min(max(input, 0), all)
	m.hops[h.index].WaitIn(input)
	m.hops[h.index].WaitOut(all - input)
	return input
}

// held is what n samples take, without the gaps.
func (l *Layout) held(n int) int64 {
	bytes := 0
	for i := range l.Fields {
		bytes += n * l.Fields[i].Size
	}
	return int64(bytes)
}

// Stats is what a feed has done so far.
type Stats struct {
	Batches int64 // handed out
	Samples int64 // in them
	Bytes   int64 // of these samples

	Step  perf.Summary // from one batch to the next
	Stall perf.Summary // the part of it that the consumer waited

	Stages []perf.StageSummary // fill, each copy, the consumer

	Depth         int // batches prepared ahead, now
	Grown, Shrunk int
	Preparing     int // slots that are filled or copied to, now
	Ready         int // batches that wait for the consumer
	Training      int // batches that the consumer has

	CacheBytes, CacheSize uint64 // of the tier on the data GPU: in use, and all
	HostBytes             int64  // that were copied from the host to a GPU
	Devices               []Usage

	Fillers  []FillerStats
	KeptMS   float64 // how long the consumer keeps a batch, mean
	Real     float64 // the part of the frames that is not padding; 0: not known
	Slots    int     // that the consumer's batches lie in
	MaxDepth int     // batches that may be prepared ahead
	Staged   bool    // copies between the GPUs go through the host

	Lost    int64                // deliveries left out since their bytes are corrupt
	Corrupt []*plan.CorruptError // one for each such row, by row
	Mended  int                  // shards that were corrupt and were made anew, by all feeds of Config.Mender
}

// Stats may be called at any time, from anywhere; it allocates.
func (f *Feed) Stats() Stats {
	m, d := f.gauges.meter, f.gauges.depth
	s := Stats{
		Batches: m.batches.Load(), Samples: m.train.Items(), Bytes: m.train.Bytes(),
		Step: m.steps.step.Summary(), Stall: m.steps.stall.Summary(), HostBytes: m.crossed.Load(),
		Depth: d.now(), Grown: int(d.grown.Load()), Shrunk: int(d.shrunk.Load()),
	}
	s.Slots, s.MaxDepth, s.Staged = len(f.route.last.slots), len(f.route.host.slots)-d.extra, f.route.dev.staged()
	f.gauges.signs.into(&s)
	s.Stages = append(s.Stages, m.fill.Summary())
	for _, h := range m.hops {
		s.Stages = append(s.Stages, h.Summary())
	}
	s.Stages = append(s.Stages, m.train.Summary())
	s.Preparing, s.Ready, s.Training = f.route.busy()
	s.Devices = f.route.dev.usage()
	s.CacheBytes, s.CacheSize = f.route.tier().bytes()
	s.Lost, s.Corrupt = f.content.losses.list()
	s.Mended = f.config.Mender.Count()
	return s
}

// mostCopies is how many copies a batch passes through: to the data GPU, and
// from there to the one that trains.
const mostCopies = 2

// Step is what lies between two batches, as who takes them sees it.
type Step struct {
	Took  time.Duration // 0: there was no batch before
	Stall time.Duration // the part of it in which the consumer waited
	// Late is the part of the stall that each stage of Stats.Stages but the last,
	// the consumer, answers for: what would go away if it and all before it took
	// no time, and would stay if only those before it did. What no stage answers
	// for went into handing the batch over.
	Late [mostCopies + 1]time.Duration
}

// late shares the wait for a batch among filling and the copies. It goes from the
// last to the first: a link that had nothing to do before this batch came was
// late by no more than the rest, for the batch would have come that much sooner.
func (l *load) late(asked time.Time, stall time.Duration, copies int) (late [mostCopies + 1]time.Duration) {
	left := min(max(l.ready.Sub(asked), 0), stall)
	for i := copies; i > 0; i-- {
		before := min(left, l.starved[i-1])
		late[i], left = left-before, before
	}
	late[0] = left
	return late
}

// signs tell why a consumer waits where the times of stages are the same: one
// filler that is slow, batches that are kept for long, padding.
type signs struct {
	fillers []tally
	kept    tally // by the consumer
	frames  atomic.Int64
	real    atomic.Int64 // of frames: not padding
}

// tally adds up times.
type tally struct{ count, total atomic.Int64 }

func (t *tally) add(d time.Duration) {
	t.count.Add(1)
	t.total.Add(int64(d))
}

// ms is the mean, 0 of nothing.
func (t *tally) ms() float64 {
	n := t.count.Load()
	if n == 0 {
		return 0
	}
	return float64(t.total.Load()) / float64(n) / 1e6
}

// FillerStats is what one filler did.
type FillerStats struct {
	Batches int64
	MeanMS  float64 // for a batch
}

// filled notes who filled a slot, and how much of it is padding. Rows that the
// tier has are not looked at: the slot does not have them.
func (g *signs) filled(filler int, took time.Duration, l *Layout, s *slot) {
	g.fillers[filler-1].add(took)
	f, framed := l.Field(plan.FramesColumn)
	if !framed {
		return
	}
	frames := l.Form.Frames
	if l.Form.Segment > 0 {
		frames = l.Form.Segment
	}
	for i := range s.Rows {
		if s.cached && s.skip[i] {
			continue
		}
		g.frames.Add(int64(frames))
		g.real.Add(int64(min(int(binary.LittleEndian.Uint32(f.at(s.host, i))), frames)))
	}
}

// into puts the signs into a feed's stats.
func (g *signs) into(s *Stats) {
	for i := range g.fillers {
		s.Fillers = append(s.Fillers, FillerStats{g.fillers[i].count.Load(), g.fillers[i].ms()})
	}
	s.KeptMS = g.kept.ms()
	if n := g.frames.Load(); n > 0 {
		s.Real = float64(g.real.Load()) / float64(n)
	}
}
