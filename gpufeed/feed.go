package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// source fills slots: a Reader.
type source interface {
	Fill(l *Layout, d Delivery, slot []byte) error
}

// Feed delivers the batches of a set, in order, through a ring of slots.
type Feed struct {
	set      *plan.Set
	config   Config
	layouts  []*Layout // by bucket
	source   source
	course   *plan.Course
	host     *ring
	arena    *arena
	filled   *line // of the host's ring
	dev      *devices
	out      *line // what Next takes from: filled, or that of the last device
	last     *ring // the slots that it hands out
	failure  *failure
	meter    *meter
	depth    *depth
	timeline *timeline
	monitor  *monitor
	notes    []string
	near     []int // CPUs for the fillers; nil: any

	at     plan.Position // after the last batch that was handed out
	barren uint64        // epoch + 1 since which nothing could be read; 0: the last batch had a sample
	wait   *time.Timer
	leased atomic.Int64
	lookup *plan.Lookup // of BatchAt
	stuck  atomic.Bool  // a copy out of a batch does not end
	begin  time.Time
	stop   chan struct{} // closed by the first Close
	work   sync.WaitGroup
	closed sync.Mutex // of the following
	freed  bool
	ended  error // what the Close returned that freed everything
}

// Open allocates everything and begins to fill. ctx bounds the opening alone.
// What is wrong with the config is listed in one error.
func Open(ctx context.Context, set *plan.Set, c Config) (_ *Feed, err error) {
	if c.Reference {
		if set, err = set.WithReferences(); err != nil {
			return nil, err
		}
	}
	reader, err := NewReader(set, c.normal().Checks)
	if err != nil {
		return nil, err
	}
	return open(ctx, set, c, reader)
}

func open(ctx context.Context, set *plan.Set, c Config, from source) (_ *Feed, err error) {
	c = c.normal()
	if err := c.check(); err != nil {
		return nil, plan.Invalid(err)
	}
	f := &Feed{set: set, config: c, lookup: set.Lookup(c.Plan), source: from, failure: newFailure(), begin: time.Now(), stop: make(chan struct{}), wait: time.NewTimer(time.Hour)}
	f.wait.Stop()
	if f.course, err = set.Course(c.Plan); err != nil {
		return nil, err
	}
	f.course.Position(&f.at)
	if n := f.course.Uncertain(); n > 0 {
		f.note("%d rows may come a second time in this epoch: the snapshot that the cursor was taken on cannot be read any more", n)
	}
	bytes := 0
	if f.layouts, bytes, err = c.layouts(set); err != nil {
		return nil, err
	}
	if err := f.allocate(ctx, bytes); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.start()
	return f, nil
}

// allocate makes everything that a batch passes through. bytes is the largest
// layout.
func (f *Feed) allocate(ctx context.Context, bytes int) (err error) {
	c := f.config
	slots, active := c.hostSlots()
	if f.arena, err = newArena(slots, bytes, c.Driver != nil || c.Shared); err != nil {
		return err
	}
	if c.Shared {
		if err = f.arena.touch(ctx); err != nil {
			return err
		}
	}
	if c.Driver != nil {
		if err = f.openPlaces(ctx); err != nil {
			return err
		}
		if err = f.settle(); err != nil {
			return err
		}
		if slots, err = f.pin(slots); err != nil {
			return err
		}
	}
	f.host = newRing(slots, min(slots, active), c.Plan.Share(), len(f.layouts))
	for i := range f.host.slots {
		f.host.slots[i].host = f.arena.at(i)
	}
	f.filled = newLine(f.host)
	f.out, f.last = f.filled, f.host
	if c.Driver != nil {
		if err = f.openHops(ctx, bytes); err != nil {
			return err
		}
	}
	f.meter = newMeter(f.dev)
	f.depth = newDepth(f)
	f.timeline = newTimeline(c.Trace)
	return nil
}

// start runs the goroutines; Close waits for them.
func (f *Feed) start() {
	// Not among the work that Close waits for: a draw of many rows takes its
	// time, uses nothing that Close frees, and ends by itself.
	go f.course.Draw(f.stop)
	for i := range f.config.Fillers {
		row := f.timeline.filler(i + 1)
		f.work.Go(func() { f.filler(row) })
	}
	f.dev.start(f)
	f.watch()
}

// Next is the next batch. It blocks until there is one, ctx is done or
// Config.WaitTimeout has passed; behind the last one it is io.EOF. Any other
// error is a *StageError, and comes behind all batches before it. Next is for
// one goroutine at a time. It allocates nothing.
func (f *Feed) Next(ctx context.Context) (Batch, error) {
	f.meter.ask()
	if ctx.Err() != nil {
		return Batch{}, context.Cause(ctx)
	}
	select {
	case <-f.stop: // what is ready stays where it is: Close waits for its end
		return Batch{}, ErrClosed
	default:
	}
	for {
		s, err := f.take(ctx)
		if err != nil {
			return Batch{}, err
		}
		f.at.Set(&s.At)
		if len(s.Rows) == 0 && s.lost > 0 { // nothing of it can be read
			seq := s.Seq
			s.move(Ready, Free)
			f.last.put(s.index)
			if err := f.starve(ctx, seq); err != nil {
				return Batch{}, err
			}
			continue
		}
		f.barren = 0
		if f.leased.Add(1) < 0 {
			return Batch{}, ErrClosed
		}
		return f.hand(s), nil
	}
}

// starve is why Next does not look for a batch behind one of which nothing was
// left, nil if it does. Where a whole epoch was like that, no later one helps:
// the store cannot be read any more.
func (f *Feed) starve(ctx context.Context, seq uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.barren == 0 {
		f.barren = f.at.Epoch + 1
	}
	if f.at.Epoch <= f.barren {
		return nil
	}
	return f.unreadable(seq)
}

// unreadable ends the feed since nothing was left of its batches.
func (f *Feed) unreadable(seq uint64) error {
	f.failure.set("fill", seq, fmt.Errorf("not one sample of an epoch could be read: %w; see voxpack verify --full", store.ErrDamaged))
	return f.failure.of(seq)
}

// hand gives a slot to the consumer.
func (f *Feed) hand(s *slot) Batch {
	s.move(Ready, Training)
	s.lease.Store(s.Seq + 1)
	f.meter.given(s, f.layouts[s.Bucket])
	f.depth.observe(f.meter)
	if f.config.Trace != nil {
		preparing, ready, _ := f.busy()
		f.timeline.step(f.meter, s, preparing, ready)
	}
	return Batch{
		Seq: s.Seq, Epoch: s.At.Epoch, Bucket: s.Bucket, Layout: f.layouts[s.Bucket],
		Rows: s.Rows, Host: s.host, Lost: s.lost, Device: f.dev.memory(s), feed: f, slot: s,
	}
}

// take is the slot of the next batch.
func (f *Feed) take(ctx context.Context) (*slot, error) {
	armed := false
	defer func() {
		if armed {
			f.wait.Stop()
		}
	}()
	for {
		if s, ok := f.out.poll(); ok {
			if s.state.Load() == uint32(Failed) { // a filler's, on the host
				f.out.next--
				return nil, f.failure.of(s.Seq)
			}
			if f.dev == nil {
				s.move(Filled, Ready)
			}
			return s, nil
		}
		if err := f.over(); err != nil {
			return nil, err
		}
		if !armed {
			f.depth.held()
			f.wait.Reset(f.config.WaitTimeout)
			armed = true
		}
		select {
		case i := <-f.out.in:
			f.out.keep(i)
		case <-f.failure.wake:
		case <-f.stop:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-f.wait.C:
			return nil, fmt.Errorf("%w within %v: %s", ErrWaitTimeout, f.config.WaitTimeout, f.states())
		}
	}
}

// over is why no further batch comes, nil if one does.
func (f *Feed) over() error {
	select {
	case <-f.stop:
		return ErrClosed
	default:
	}
	if err := f.failure.of(f.out.next); err != nil {
		return err
	}
	if end, known := f.course.Length(); !known || f.out.next < end {
		return nil
	}
	if f.barren != 0 && f.meter.batches.Load() == 0 {
		return f.unreadable(f.out.next)
	}
	return io.EOF
}

// states says where the slots are, for a person who waits.
func (f *Feed) states() string {
	var n [Failed + 1]int
	f.last.count(&n)
	text := ""
	for s, count := range n {
		if count > 0 {
			text += fmt.Sprintf("%d %v, ", count, State(s))
		}
	}
	if held := f.leased.Load(); held > 0 {
		text += fmt.Sprintf("the consumer holds %d, release batches when they are used, ", held)
	}
	return text[:len(text)-2]
}

// Cursor is the position behind the last batch that Next has handed out. It is
// for the goroutine that calls Next.
func (f *Feed) Cursor() (plan.Cursor, error) {
	return f.course.Cursor(&f.at)
}

// Notes are sentences for the user: what was left smaller than asked for, and
// which setting changes it.
func (f *Feed) Notes() []string { return f.notes }
