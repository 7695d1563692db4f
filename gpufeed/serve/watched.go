package serve

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// watched is what watchers may see of a session, from its start to its end.
type watched struct {
	id int // of the server's lock

	mu    sync.Mutex    // of the following: what is looked at stays until the look is over
	feed  *gpufeed.Feed // nil: the session does not run
	ring  *ring
	log   *stepLog
	about Session // what does not change
	taken uint64  // batches, as the last look found

	late [len(gpufeed.Step{}.Late)]atomic.Int64 // ns, by stage, of all batches
}

// begin lets watchers see a session that has started.
func (w *watched) begin(x *session, r Start, set *plan.Set, selection plan.Selection, c gpufeed.Config) {
	order := c.Plan.Normal()
	about := Session{
		PID: x.peer, Started: monotonic(), Rank: order.Rank, World: order.World, Batch: order.Batch, Samples: order.Share(),
		Transport: cmp.Or(r.Transport, transportHost), HasSteps: x.log != nil,
		Setup: Setup{
			Rows: set.Selected(), Split: string(cmp.Or(selection.Split, plan.All)), Seed: order.Seed, Shuffle: string(order.Shuffle), Tail: string(order.Tail),
			Epochs: order.Epochs, Buckets: len(set.Buckets()), Segment: c.Segment, Reference: reference(c.Reference),
			Checks: string(cmp.Or(c.Checks, gpufeed.ChecksFirst)), Depth: c.Depth, Dual: c.Driver != nil && c.DataGPU != c.ModelGPU,
		},
	}
	for _, l := range x.feed.Layouts() {
		about.Setup.BatchBytes = max(about.Setup.BatchBytes, l.Bytes)
	}
	if e, ok := x.feed.Export(); ok {
		about.GPU = &GPU{UUID: e.GPU.UUID, Bus: e.GPU.Bus, Ordinal: &e.GPU.Ordinal}
	}
	w.mu.Lock()
	w.feed, w.ring, w.log, w.about = x.feed, x.ring, x.log, about
	w.mu.Unlock()
	s := x.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started++
	w.id = s.started
	s.watched = append(s.watched, w)
}

// end takes the session from who watches. It waits for a look that is under way,
// which takes well under a millisecond, for what is looked at goes next.
func (w *watched) end(s *Server) {
	s.mu.Lock()
	s.watched = slices.DeleteFunc(s.watched, func(one *watched) bool { return one == w })
	s.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.feed, w.ring, w.log = nil, nil, nil
}

// published adds up who made a batch late.
func (w *watched) published(step gpufeed.Step) {
	for i, late := range step.Late {
		w.late[i].Add(int64(late))
	}
}

// look is the session as it is now; there is false where it has ended.
func (w *watched) look() (about Session, there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.feed == nil {
		return about, false
	}
	about = w.about
	about.State = stateName(w.ring.mem.word(atState).Load())
	about.Published, about.Taken, about.Held = w.ring.counts(w.taken)
	w.taken = about.Taken
	stats := w.feed.Stats() // after the ring: what was published is in it
	about.Returned, about.Slots = about.Taken-uint64(about.Held), w.ring.slots
	about.Preparing, about.Ready = stats.Preparing, stats.Ready+min(max(int(about.Published-about.Taken), 0), w.ring.slots)
	about.Stages, about.KeptMS, about.Real, about.Staged, about.Lost = stats.Stages, stats.KeptMS, stats.Real, stats.Staged, stats.Lost
	for i := range stats.Stages[1:] {
		about.Late = append(about.Late, float64(w.late[i].Load())/float64(time.Millisecond))
	}
	about.Fillers, about.Devices = []Filler{}, []Used{}
	for _, f := range stats.Fillers {
		about.Fillers = append(about.Fillers, Filler{f.Batches, f.MeanMS})
	}
	for _, d := range stats.Devices {
		about.Devices = append(about.Devices, Used{d.GPU, d.Role, d.Name, d.Bus, d.Taken, d.Utilisation, d.Memory})
	}
	return about, true
}

// stateName is a ring's state. The consumer can write there too: what is no state
// was not written by the feeder.
func stateName(word uint32) string {
	switch word {
	case running:
		return "running"
	case ended:
		return "ended"
	}
	return "failed"
}

// steps are the last steps that the consumer noted, at most so many.
func (w *watched) steps(last int) (l StepLog, running bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.read(last, monotonic()), w.feed != nil
}

// sessionsNow answers what the feeder does for its consumers.
func (s *Server) sessionsNow() Sessions {
	s.mu.Lock()
	list := slices.Clone(s.watched)
	ids := make([]int, len(list))
	for i, w := range list {
		ids[i] = w.id
	}
	s.mu.Unlock()
	all := Sessions{Type: "sessions", Sessions: []Session{}}
	all.Feeder = Feeder{PID: os.Getpid(), Version: s.options.Version, Now: monotonic(), Cores: runtime.GOMAXPROCS(0)}
	all.Memory, all.Most = s.memory.state()
	for i, w := range list {
		if about, there := w.look(); there {
			about.ID = ids[i]
			all.Sessions = append(all.Sessions, about)
		}
	}
	return all
}

// stepsOf answers what one session's consumer noted.
func (s *Server) stepsOf(id, last int) (any, error) {
	s.mu.Lock()
	i := slices.IndexFunc(s.watched, func(w *watched) bool { return w.id == id })
	var w *watched
	if i >= 0 {
		w = s.watched[i]
	}
	s.mu.Unlock()
	if w == nil {
		return nil, asked("steps: no session %d is here now", id)
	}
	log, running := w.steps(last)
	if !running {
		return nil, asked("steps: session %d has just ended", id)
	}
	return StepsOf{"steps", id, log}, nil
}
