package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// Feed delivers the batches of a set, in order, through a ring of slots.
type Feed struct {
	config  Config
	content *content // what is delivered
	route   *route   // the slots that it passes through
	run     *run     // the goroutines, and what ends them
	gauges  *gauges  // what is measured
	notes   *notes   // for the user
	taker   taker    // of the goroutine that calls Next
	loans   loans    // what the consumer has
	closing closing
}

// taker is what the goroutine that calls Next keeps from one call to the next.
type taker struct {
	at     plan.Position // after the last batch that was handed out
	barren uint64        // epoch + 1 since which nothing could be read; 0: the last batch had a sample
	wait   *time.Timer
}

// loans are the batches that the consumer has.
type loans struct {
	held  atomic.Int64
	stuck atomic.Bool // a copy out of a batch does not end
}

// notes are sentences for the user. Open writes them, one goroutine after another.
type notes struct{ list []string }

func (n *notes) add(format string, args ...any) {
	n.list = append(n.list, fmt.Sprintf(format, args...))
}

// Open allocates everything and begins to fill. ctx bounds the opening alone.
// What is wrong with the config is listed in one error.
func Open(ctx context.Context, set *plan.Set, c Config) (_ *Feed, err error) {
	if c.Reference {
		if set, err = set.WithReferences(); err != nil {
			return nil, err
		}
	}
	if err := c.findPieces(set.Dataset().Root); err != nil {
		return nil, err
	}
	if err := c.findNorm(ctx, set); err != nil {
		return nil, err
	}
	reader, err := NewReader(set, c.normal().Checks)
	if err != nil {
		return nil, err
	}
	reader.Mender = c.Mender
	return open(ctx, set, c, reader)
}

func open(ctx context.Context, set *plan.Set, c Config, from source) (_ *Feed, err error) {
	c = c.normal()
	if err := c.check(); err != nil {
		return nil, plan.Invalid(err)
	}
	f := &Feed{config: c, route: &route{}, run: newRun(), gauges: &gauges{}, notes: &notes{}}
	if f.content, err = newContent(set, c, from); err != nil {
		return nil, err
	}
	f.content.course.Position(&f.taker.at)
	f.taker.wait = time.NewTimer(time.Hour)
	f.taker.wait.Stop()
	if n := f.content.course.Uncertain(); n > 0 {
		f.notes.add("%d rows may come a second time in this epoch: the snapshot that the cursor was taken on cannot be read any more", n)
	}
	if c.Driver != nil {
		f.route.dev = &devices{config: c, content: f.content, run: f.run, gauges: f.gauges, notes: f.notes}
	}
	if err := f.route.allocate(ctx, c, f.content, f.notes); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.start()
	return f, nil
}

// start runs the goroutines; Close waits for them.
func (f *Feed) start() {
	f.gauges.meter = newMeter(f.route.dev)
	f.gauges.depth = newDepth(f)
	f.gauges.timeline = newTimeline(f.config.Trace)
	f.gauges.signs = &signs{fillers: make([]tally, f.config.Fillers)}
	// Not among the work that Close waits for: a draw of many rows takes its
	// time, uses nothing that Close frees, and ends by itself.
	go f.content.course.Draw(f.run.stop)
	for i := range f.config.Fillers {
		filler := &filler{f.content, f.route, f.run, f.gauges, f.gauges.timeline.filler(i + 1), i + 1, f.config.Planted}
		f.run.work.Go(filler.loop)
	}
	f.route.dev.start()
	f.gauges.monitor = f.route.dev.watch()
}

// Next is the next batch. It blocks until there is one, ctx is done or
// Config.WaitTimeout has passed; after the last one it is io.EOF. Any other
// error is a *StageError, and comes after all batches before it. Next is for
// one goroutine at a time. It allocates nothing.
func (f *Feed) Next(ctx context.Context) (Batch, error) {
	f.gauges.meter.ask()
	if ctx.Err() != nil {
		return Batch{}, context.Cause(ctx)
	}
	select {
	case <-f.run.stop: // what is ready stays where it is: Close waits for its end
		return Batch{}, ErrClosed
	default:
	}
	for {
		s, err := f.take(ctx)
		if err != nil {
			return Batch{}, err
		}
		f.taker.at.Set(&s.At)
		if len(s.Rows) == 0 && s.lost > 0 { // nothing of it can be read
			seq := s.Seq
			s.move(Ready, Free)
			f.route.last.put(s.index)
			if err := f.starve(ctx, seq); err != nil {
				return Batch{}, err
			}
			continue
		}
		f.taker.barren = 0
		if f.loans.held.Add(1) < 0 {
			return Batch{}, ErrClosed
		}
		return f.hand(s), nil
	}
}

// starve is why Next does not look for a batch after one of which nothing was
// left, nil if it does. Where a whole epoch was like that, no later one helps:
// the store cannot be read any more.
func (f *Feed) starve(ctx context.Context, seq uint64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.taker.barren == 0 {
		f.taker.barren = f.taker.at.Epoch + 1
	}
	if f.taker.at.Epoch <= f.taker.barren {
		return nil
	}
	return f.unreadable(seq)
}

// unreadable ends the feed since nothing was left of its batches.
func (f *Feed) unreadable(seq uint64) error {
	f.run.failure.set("fill", seq, fmt.Errorf("not one sample of an epoch could be read: %w; see voxpack verify --full", store.ErrDamaged))
	return f.run.failure.of(seq)
}

// hand gives a slot to the consumer.
func (f *Feed) hand(s *slot) Batch {
	s.move(Ready, Training)
	s.handed = time.Now()
	s.lease.Store(s.Seq + 1)
	step := f.gauges.meter.given(s, f.content.layouts[s.Bucket])
	f.gauges.depth.observe(f.gauges.meter)
	if f.config.Trace != nil {
		preparing, ready, _ := f.route.busy()
		f.gauges.timeline.step(f.gauges.meter, s, preparing, ready)
	}
	return Batch{
		Seq: s.Seq, Epoch: s.At.Epoch, Bucket: s.Bucket, Layout: f.content.layouts[s.Bucket],
		Rows: s.Rows, Host: s.host, Lost: s.lost, Device: f.route.dev.memory(s), Step: step, feed: f, slot: s,
	}
}

// take is the slot of the next batch.
func (f *Feed) take(ctx context.Context) (*slot, error) {
	armed := false
	defer func() {
		if armed {
			f.taker.wait.Stop()
		}
	}()
	for {
		if s, ok := f.route.out.poll(); ok {
			if s.state.Load() == uint32(Failed) { // a filler's, on the host
				f.route.out.next--
				return nil, f.run.failure.of(s.Seq)
			}
			if f.route.dev == nil {
				s.move(Filled, Ready)
			}
			return s, nil
		}
		if err := f.over(); err != nil {
			return nil, err
		}
		if !armed {
			f.gauges.depth.held()
			f.taker.wait.Reset(f.config.WaitTimeout)
			armed = true
		}
		select {
		case i := <-f.route.out.in:
			f.route.out.keep(i)
		case <-f.run.failure.wake:
		case <-f.run.stop:
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-f.taker.wait.C:
			return nil, fmt.Errorf("%w within %v: %s", ErrWaitTimeout, f.config.WaitTimeout, f.states())
		}
	}
}

// over is why no further batch comes, nil if one does.
func (f *Feed) over() error {
	select {
	case <-f.run.stop:
		return ErrClosed
	default:
	}
	if err := f.run.failure.of(f.route.out.next); err != nil {
		return err
	}
	if end, known := f.content.course.Length(); !known || f.route.out.next < end {
		return nil
	}
	if f.taker.barren != 0 && f.gauges.meter.batches.Load() == 0 {
		return f.unreadable(f.route.out.next)
	}
	return io.EOF
}

// states says where the slots are, for a person who waits.
func (f *Feed) states() string {
	var n [Failed + 1]int
	f.route.last.count(&n)
	text := ""
	for s, count := range n {
		if count > 0 {
			text += fmt.Sprintf("%d %v, ", count, State(s))
		}
	}
	if held := f.loans.held.Load(); held > 0 {
		text += fmt.Sprintf("the consumer holds %d, release batches when they are used, ", held)
	}
	return text[:len(text)-2]
}

// Cursor is the position after the last batch that Next has handed out. It is
// for the goroutine that calls Next.
func (f *Feed) Cursor() (plan.Cursor, error) {
	return f.content.course.Cursor(&f.taker.at)
}

// Notes are sentences for the user: what was left smaller than asked for, and
// which setting changes it.
func (f *Feed) Notes() []string { return f.notes.list }

// Layouts are the shapes of the batches, one for each bucket.
func (f *Feed) Layouts() []*Layout { return f.content.layouts }

// FreeCache gives the memory of the cache tier back, and says how much that is: at
// once, or when the batches that were filled to rely on it are on their way. From
// then on every row comes from the host.
func (f *Feed) FreeCache() (bytes uint64, err error) {
	f.closing.mu.Lock()
	defer f.closing.mu.Unlock()
	d := f.route.dev
	if d == nil || d.tier == nil || f.closing.done {
		return 0, nil
	}
	err = onThread(d.first().gpu, func(t driver.Thread) error {
		bytes, err = d.tier.drop(t, d.hops[0].stream)
		return err
	})
	return bytes, err
}
