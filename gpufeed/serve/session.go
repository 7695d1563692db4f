package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

const (
	// helloWithin is how long a peer may be silent at the start.
	helloWithin = 10 * time.Second
	// writeWithin is how long one may not read what it is told: portion bytes of
	// it. An answer of megabytes may be read for longer.
	writeWithin = 10 * time.Second
	portion     = 64 << 10
	// lookEvery bounds how long a slot that came back without a bell waits.
	lookEvery = 100 * time.Millisecond
)

// session is one consumer.
type session struct {
	server *Server
	conn   *net.UnixConn
	peer   int // process; 0: not known
	feed   *gpufeed.Feed
	ring   *ring
	log    *stepLog           // nil: the consumer wants none
	end    context.CancelFunc // of the goroutines
	work   sync.WaitGroup

	free    func(gpufeed.Batch) // what the consumer has returned
	device  atomic.Bool         // the consumer has handles of a GPU's memory
	process *os.File            // of that consumer; nil: not known
	bye     bool                // it has closed what it opened
	memory  uint64              // bytes of the server's that it has

	watched watched
	watches bool // it asks about the others, and counts as no consumer

	writing sync.Mutex // of messages

	mu   sync.Mutex      // of the following
	held []gpufeed.Batch // by slot; those without a layout are not held

	short chan struct{} // room for one: slots are short, so that release has to look
}

// run answers one consumer until it goes.
func (x *session) run(ctx context.Context) {
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	c := x.conn
	defer context.AfterFunc(ctx, x.interrupt)()
	defer c.Close()
	defer x.close()
	var err error
	if x.peer, err = allowed(c); err != nil {
		x.fail("request", err)
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(helloWithin))
	if !x.greet() {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	for {
		var r Request
		before := x.memory
		if err := read(c, mostBytes, x.long, &r); err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				x.fail("request", err)
			}
			return
		}
		if x.bye = r.Type == "bye"; x.bye {
			return
		}
		long := x.memory - before
		if err := x.heard(ctx, gone, r); err != nil {
			x.fail(kind(err), err)
			return
		}
		x.memory -= long
		x.server.memory.give(long)
	}
}

// greet takes hello; ok is false where the two do not understand each other.
func (x *session) greet() (ok bool) {
	var r Request
	if err := read(x.conn, mostHello, nil, &r); err != nil {
		if errors.Is(err, plan.ErrConfig) {
			x.fail("protocol", err)
		}
		return false
	}
	if r.Type != "hello" || r.Protocol != Protocol {
		x.fail("protocol", fmt.Errorf("%s of protocol %d: this feeder, voxpack %s, speaks %d and wants hello first; install the package of the same version",
			r.Type, r.Protocol, x.server.options.Version, Protocol))
		return false
	}
	return x.send(Welcome{"welcome", Protocol, x.server.options.Version, os.Getpid(), x.server.describe(), knows}) == nil
}

// heard answers a request. gone is called, which ends the work for it, when the
// consumer hangs up meanwhile: nobody reads the socket then.
func (x *session) heard(ctx context.Context, gone func(), r Request) error {
	var mu sync.Mutex // of both
	var look *time.Timer
	answered := false
	mu.Lock()
	look = time.AfterFunc(lookEvery, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case answered:
		case hungUp(x.conn):
			gone()
		default:
			look.Reset(lookEvery)
		}
	})
	mu.Unlock()
	err := x.answer(ctx, r)
	mu.Lock()
	defer mu.Unlock()
	answered = true
	look.Stop()
	return err
}

func (x *session) answer(ctx context.Context, r Request) error {
	switch r.Type {
	case "start":
		if x.feed != nil {
			return fmt.Errorf("%w: start came twice; a connection has one feed", plan.ErrConfig)
		}
		if err := r.check(); err != nil {
			return err
		}
		return x.start(ctx, r.Start)
	case "sessions", "steps":
		x.watch()
		return x.ask(ctx, r)
	case "encode", "decode", "describe", "stats", "row", "rows", "batch":
		return x.ask(ctx, r)
	case "free_cache":
		return x.freeCache()
	case "ids":
		file, bytes, err := x.server.idTable()
		if err != nil {
			return err
		}
		return x.send(IDs{"ids", x.server.options.Dataset.Root.Rows, bytes}, file)
	}
	return fmt.Errorf("%w: no request is called %q", plan.ErrConfig, r.Type)
}

// start opens the consumer's feed and hands out its memory.
func (x *session) start(ctx context.Context, r Start) error {
	if x.watches {
		x.watches = false
		x.server.count(+1)
	}
	if err := x.server.checkTold(&r); err != nil {
		return err
	}
	selection, config, err := x.server.wanted(r)
	if err != nil {
		return err
	}
	set, err := x.server.set(selection)
	if err != nil {
		return err
	}
	if full := slices.Max(set.Buckets()); len(selection.Buckets) > 0 && slices.Max(selection.Buckets) > full {
		return asked("a bucket of %d frames: the dataset's mels have %d", slices.Max(selection.Buckets), full)
	}
	if err := x.server.chooseGPUs(r, &config); err != nil {
		return err
	}
	need, err := config.Need(set)
	if err != nil {
		return err
	}
	if err := x.reserve(need.Bytes, "%d batches of %.1f MB", need.Slots, megabytes(need.Slot)); err != nil {
		return err
	}
	config.Statistics = x.server.known
	if x.feed, err = gpufeed.Open(ctx, set, config); err != nil {
		return err
	}
	cursor, err := x.cursor()
	if err != nil {
		return err
	}
	memory, device, files := x.slots()
	share := config.Plan.Share()
	// Ids stand in it, of which an order may end with longer ones than it began with.
	room := 2*len(cursor) + 2048*len(x.feed.Layouts()) + 1024
	if err := x.reserve(uint64(memory.Slots)*uint64(room), "the cursors of %d batches", memory.Slots); err != nil {
		return err
	}
	if x.ring, err = newRing(memory.Slots, share, room); err != nil {
		return err
	}
	files = append(files, x.ring.file)
	if x.log = x.newLog(r.Steps); x.log != nil {
		files = append(files, x.log.file)
	}
	x.held, x.short = make([]gpufeed.Batch, memory.Slots), make(chan struct{}, 1)
	epoch := uint64(0)
	if config.Plan.Resume != nil {
		epoch = config.Plan.Resume.Epoch
	}
	x.watched.begin(x, r, set, selection, config)
	err = x.send(Started{
		Type: "started", ArenaBytes: memory.Bytes, SlotBytes: memory.Slot, RingBytes: len(x.ring.mem), Slots: memory.Slots,
		Samples: share, Rank: config.Plan.Rank, World: max(1, config.Plan.World), Batch: config.Plan.Batch, Selected: set.Selected(),
		Batches: set.EpochBatches(config.Plan, epoch), Epoch: epoch, Layouts: layouts(x.feed.Layouts()),
		Segment: config.Segment, Reference: reference(config.Reference), MelNorm: config.MelNorm, Extra: append([]string{}, config.Extra...),
		Cursor: cursor, Notes: append([]string{}, x.feed.Notes()...), Device: device, StepsBytes: x.log.bytes(),
	}, files...)
	if err != nil {
		x.device.Store(false) // nobody has it
		return err
	}
	ctx, x.end = context.WithCancel(ctx)
	x.work.Go(func() { x.publish(ctx) })
	x.work.Go(func() { x.release(ctx) })
	return nil
}

// newLog is memory for the consumer to note its steps in; nil where it wants none,
// or where none is left: a training does not depend on it.
func (x *session) newLog(wanted bool) *stepLog {
	if !wanted || x.reserve(logBytes, "a step log") != nil {
		return nil
	}
	l, err := newStepLog()
	if err != nil {
		return nil
	}
	return l
}

// watch has the session count as no consumer: a feeder that lingers does not wait
// for who watches it.
func (x *session) watch() {
	if x.feed == nil && !x.watches {
		x.watches = true
		x.server.count(-1)
	}
}

// wanted is what a consumer asks for, over what the feeder was told.
func (s *Server) wanted(r Start) (plan.Selection, gpufeed.Config, error) {
	selection, c := s.options.Selection, s.options.Config
	take(&selection.Split, r.Split)
	take(&selection.Val, r.Val)
	take(&selection.Train, r.Train)
	take(&c.Plan.Batch, r.Batch)
	take(&c.Plan.Tail, r.Tail)
	take(&c.Plan.Seed, r.Seed)
	take(&c.Plan.Shuffle, r.Shuffle)
	take(&c.Plan.Epochs, r.Epochs)
	take(&c.Depth, r.Ahead)
	take(&selection.Languages, r.Languages)
	take(&selection.Speakers, r.Speakers)
	take(&selection.Buckets, r.Buckets)
	if r.Weights != nil {
		if err := weigh(s.options.Dataset, &selection, *r.Weights); err != nil {
			return selection, c, err
		}
	}
	if r.Chosen != nil {
		selection.Chosen = nil
		if len(*r.Chosen) > 0 {
			var err error
			if selection.Chosen, err = plan.Choose(s.options.Dataset, *r.Chosen); err != nil {
				return selection, c, err
			}
		}
	}
	if take(&c.Columns, r.Columns); len(c.Columns) == 0 {
		c.Columns = nil
	}
	take(&c.Segment, r.Segment)
	if r.Reference != nil {
		c.Reference = *r.Reference == sameSpeaker
	}
	take(&c.MelNorm, r.MelNorm)
	take(&c.Extra, r.Extra)
	c.Plan.Rank, c.Plan.World = r.Rank, r.World
	c.Shared, c.FixedDepth = true, true
	c.WaitTimeout = 24 * time.Hour // a trainer may evaluate, or be looked at, for long
	if share := max(1, c.Plan.Batch/max(1, c.Plan.World)); c.Depth == 0 {
		c.Depth = max(4, min(8, 64/share))
	}
	if len(r.Cursor) > 0 && string(r.Cursor) != "null" {
		cursor, err := plan.ParseCursor(r.Cursor)
		if err != nil {
			return selection, c, err
		}
		if cursor.Epoch > mostExact {
			return selection, c, fmt.Errorf("%w: epoch %d", plan.ErrCursor, cursor.Epoch)
		}
		c.Plan.Resume = &cursor
	}
	return selection, c, nil
}

// publish hands batches to the consumer, as they come.
func (x *session) publish(ctx context.Context) {
	for {
		b, err := x.feed.Next(ctx)
		if errors.Is(err, gpufeed.ErrWaitTimeout) {
			continue
		}
		if ctx.Err() != nil {
			b.Release()
			return
		}
		if err == io.EOF {
			x.ring.finish(ended)
			return
		}
		if err == nil {
			x.watched.published(b.Step)
			err = x.hand(b)
		}
		if err != nil {
			x.fail(kind(err), err)
			x.ring.finish(failed)
			return
		}
	}
}

// hand gives one batch to the consumer. It is the feed's again when release
// sees that it came back.
func (x *session) hand(b gpufeed.Batch) error {
	cursor, err := x.cursor()
	if err != nil {
		b.Release()
		return err
	}
	x.mu.Lock() // while it is published too: what came by way of another process is no order that Go knows of
	x.held[b.Slot()] = b
	err = x.ring.publish(b.Slot(), entry{seq: b.Seq, epoch: b.Epoch, bucket: b.Bucket, lost: b.Lost, rows: b.Rows, cursor: cursor})
	x.mu.Unlock()
	if _, short := x.takeBack(); short {
		select {
		case x.short <- struct{}{}:
		default: // release knows
		}
	}
	return err
}

// cursor is the position after the last batch.
func (x *session) cursor() ([]byte, error) {
	c, err := x.feed.Cursor()
	if err != nil {
		return nil, err
	}
	return json.Marshal(c)
}

// release takes back what the consumer returns when batches do not flow. While
// they do, publish does; to wait for the bell at the same time would cost the
// fillers a processor: Go lends the place of a thread that sleeps in the kernel to
// another goroutine after up to 10 ms only.
func (x *session) release(ctx context.Context) {
	for ctx.Err() == nil {
		if rung, short := x.takeBack(); short {
			runtime.Gosched() // fillers that just got a slot go first
			x.ring.await(rung, lookEvery)
			continue
		}
		select {
		case <-x.short:
		case <-ctx.Done():
		}
	}
}

// takeBack releases what is back, reports whether slots are short, and says when
// the consumer has to wake the feeder next. rung is the bell from before the
// look: what comes back after it changes the bell.
func (x *session) takeBack() (rung uint32, short bool) {
	rung = x.ring.rung()
	held := x.sweep(x.ring.returned)
	short = len(x.held)-held < 2
	x.ring.wakeAt(rung + patience(held, short))
	return rung, short
}

// patience is how many batches have to come back before the feeder is woken: a
// wake costs both sides some microseconds. While slots are not short the next
// batch that is published looks by itself; when they are, half of what the
// consumer has is enough to go on with, and the other half is there for it.
func patience(held int, short bool) uint32 {
	if short {
		return uint32(max(1, held/2))
	}
	return uint32(held) + 1
}

// sweep releases the held batches that are back, and counts the others.
func (x *session) sweep(back func(slot int, seq uint64) bool) (held int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for slot, b := range x.held {
		switch {
		case b.Layout == nil:
		case back(slot, b.Seq):
			x.held[slot] = gpufeed.Batch{}
			x.free(b)
		default:
			held++
		}
	}
	return held
}

// close frees what the session has. The consumer is gone, or is told to go: its
// views stay as they are, since nobody writes there any more.
func (x *session) close() {
	x.watched.end(x.server)
	if x.end != nil {
		x.end()
		x.ring.leave()
		x.work.Wait()
	}
	x.part()
	if x.feed != nil {
		_ = x.feed.Close() // ends the fillers, and then says that batches are held: what is released before that is filled again
		x.free = gpufeed.Batch.Release
		x.sweep(func(int, uint64) bool { return true })
		err := x.feed.Close() // on the host nothing is under way that could fail
		x.server.gpus.keep(err)
		_ = x.server.lose(err) // the consumer may have gone before it was seen
	}
	x.ring.close()
	x.log.close()
	x.server.memory.give(x.memory)
}

// fail tells the consumer why it ends. Where it does not hear it, it is gone.
func (x *session) fail(kind string, err error) {
	_ = x.send(Failure{"error", kind, x.server.lose(err).Error()})
}

// send says something to the consumer, with descriptors.
func (x *session) send(m any, files ...int) error {
	b, err := encode(m)
	if err != nil {
		return err
	}
	var rights []byte
	if len(files) > 0 {
		rights = unix.UnixRights(files...)
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	return write(x.conn, b, rights)
}

// listener is who is told something: a *net.UnixConn.
type listener interface {
	SetWriteDeadline(time.Time) error
	WriteMsgUnix(b, oob []byte, to *net.UnixAddr) (n, oobn int, err error)
}

// write sends bytes, with descriptors, portion by portion.
func write(to listener, b, rights []byte) (err error) {
	for len(b) > 0 && err == nil {
		_ = to.SetWriteDeadline(time.Now().Add(writeWithin))
		var n int
		n, _, err = to.WriteMsgUnix(b[:min(portion, len(b))], rights, nil)
		b, rights = b[n:], nil
	}
	return err
}
