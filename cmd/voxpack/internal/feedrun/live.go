package feedrun

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// live shows how far a feed is: one line that is drawn again and again on a
// terminal, a line now and then elsewhere.
type live struct {
	run     *run
	out     io.Writer
	width   func() int    // columns; nil: no terminal
	seen    []look        // the last ones, oldest first
	inEpoch int           // batches of an epoch; 0: not known
	drawing sync.Mutex    // for out and drawn
	drawn   bool          // a line stands on the terminal
	stop    chan struct{} // closed by end
	work    sync.WaitGroup
}

// look is what was counted at a time.
type look struct {
	at time.Time
	gpufeed.Stats
}

// window is how many looks a rate is taken over: one second on a terminal.
const window = 6

// newLive looks where a run is shown.
func newLive(r *run) *live {
	l := &live{run: r, out: term.Raw(r.said.out), stop: make(chan struct{})}
	if f, ok := l.out.(*os.File); ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(f.Fd()) {
		l.width = func() int { return columns(f.Fd()) }
	}
	return l
}

// start begins to show the run, unless it is to be quiet.
func (l *live) start() {
	if !l.run.options.Quiet {
		l.work.Go(l.show)
	}
}

// end takes the line away; nothing is drawn behind it.
func (l *live) end() {
	close(l.stop)
	l.work.Wait()
	l.aside(func() {})
}

// aside takes the line away and lets print write in its place; the next line
// stands below.
func (l *live) aside(print func()) {
	l.drawing.Lock()
	defer l.drawing.Unlock()
	if l.drawn {
		io.WriteString(l.out, "\r\x1b[K")
	}
	l.drawn = false
	print()
}

func (l *live) show() {
	first, every := term.ProgressAfter, term.ProgressEvery
	if l.width != nil {
		first, every = term.ProgressTick, term.ProgressTick
	}
	l.look()
	select {
	case <-l.stop:
		return
	case <-time.After(first):
	}
	l.inEpoch = epochBatches(l.run.set, l.run.config)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		l.look()
		l.draw()
		select {
		case <-l.stop:
			return
		case <-tick.C:
		}
	}
}

func (l *live) look() {
	l.seen = append(l.seen, look{time.Now(), l.run.feed.Stats()})
	l.seen = l.seen[max(0, len(l.seen)-window):]
}

func (l *live) draw() {
	now := l.state()
	l.drawing.Lock()
	defer l.drawing.Unlock()
	if l.width == nil {
		fmt.Fprintln(l.out, now.line(1000))
		return
	}
	// A terminal that wraps would keep what stands on the line before; its last
	// column stays free, for some wrap there already.
	fmt.Fprintf(l.out, "\r%s\x1b[K", now.line(l.width()-1))
	l.drawn = true
}

// state is what the last looks say.
func (l *live) state() liveState {
	first, last := l.seen[0], l.seen[len(l.seen)-1]
	c := l.run.config
	epoch, batch := l.run.spot.now()
	s := liveState{
		epoch: int(epoch-l.run.firstEpoch()) + 1, epochs: c.Plan.Epochs, batch: batch, inEpoch: l.inEpoch, steps: c.Plan.Steps, step: int(last.Batches),
		preparing: last.Preparing, ready: last.Ready, training: last.Training,
	}
	if seconds := last.at.Sub(first.at).Seconds(); seconds > 0 {
		s.samples = float64(last.Samples-first.Samples) / seconds
		s.bytes = float64(last.Bytes-first.Bytes) / seconds
		s.left = s.remaining(float64(last.Batches-first.Batches) / seconds)
	}
	if steps := last.Step.TotalMS - first.Step.TotalMS; steps > 0 {
		s.stall = (last.Stall.TotalMS - first.Stall.TotalMS) / steps
	}
	return s
}

// columns is the width of a terminal; 80 where it does not say.
func columns(fd uintptr) int {
	size, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil || size.Col == 0 {
		return 80
	}
	return int(size.Col)
}

// mostDrawn is the largest selection whose order is drawn only to count the
// batches of its buckets: it takes a core and 20 B a row for a moment.
const mostDrawn = 1_000_000

// epochBatches is the number of batches of an epoch, 0 where it is not known or
// differs from one to the next.
func epochBatches(set *plan.Set, c gpufeed.Config) int {
	rows := set.Selected()
	switch {
	case len(set.Selection.Weights) > 0:
		return 0
	case len(set.Buckets()) == 1 && c.Plan.Tail == plan.Drop:
		return rows / c.Plan.Batch
	case len(set.Buckets()) == 1:
		return (rows + c.Plan.Batch - 1) / c.Plan.Batch
	case rows > mostDrawn:
		return 0
	}
	order, err := set.Order(plan.None, c.Plan.Seed, 0)
	if err != nil {
		return 0
	}
	batches, err := order.Batches(c.Plan)
	if err != nil {
		return 0
	}
	n, share := 0, make([]uint32, c.Plan.Share())
	for {
		if _, ok := batches.Next(share); !ok {
			return n
		}
		n++
	}
}
