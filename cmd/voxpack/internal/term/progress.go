package term

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"voxpack/compiler"
)

// ProgressAfter is a time within which nothing needs progress. Only a test of what
// commands print changes it: on a busy machine any command may take so long.
var ProgressAfter = 2 * time.Second

// Lines come this often.
const (
	ProgressEvery = 5 * time.Second
	ProgressTick  = 200 * time.Millisecond
)

// Progress shows how far a build is: a bar on a terminal, a line now and then
// elsewhere, nothing when it is over soon.
type Progress struct {
	out      io.Writer
	terminal bool
	started  time.Time
	stop     chan struct{} // closed by end
	done     sync.WaitGroup

	mu    sync.Mutex
	now   compiler.Progress
	since time.Time // when the phase began
}

// StartProgress shows a build's progress on out until End.
func StartProgress(out io.Writer, quiet bool) *Progress {
	out = Raw(out)
	p := &Progress{out: out, started: time.Now(), since: time.Now(), stop: make(chan struct{})}
	if f, ok := out.(*os.File); ok && os.Getenv("TERM") != "dumb" {
		p.terminal = IsTerminal(f.Fd())
	}
	if !quiet {
		p.done.Go(p.draw)
	}
	return p
}

// Report takes a step; compiler calls it from several goroutines.
func (p *Progress) Report(now compiler.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Phase != p.now.Phase {
		p.since = time.Now()
	} else if now.Done < p.now.Done {
		return // an older step, overtaken
	}
	p.now = now
}

// End takes the progress away; nothing is drawn behind it.
func (p *Progress) End() {
	close(p.stop)
	p.done.Wait()
}

// Kept says what an interrupted build leaves to the next one: the shards whose
// rows were reported as done, for those are stored.
func (p *Progress) Kept(dryRun bool) string {
	now, _ := p.state()
	switch {
	case dryRun:
		return "a dry run keeps nothing"
	case now.Phase != "computing" || now.Done == 0:
		return "no shard was finished"
	}
	return fmt.Sprintf("finished shards are kept (%s of %s), the next build goes on from there", Commas(now.Done), Count(now.Total, "row"))
}

func (p *Progress) state() (compiler.Progress, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now, time.Since(p.since)
}

func (p *Progress) draw() {
	select {
	case <-p.stop:
		return
	case <-time.After(ProgressAfter - time.Since(p.started)):
	}
	if p.terminal {
		p.drawBar()
		return
	}
	p.drawLines()
}

func (p *Progress) drawLines() {
	tick := time.NewTicker(ProgressEvery)
	defer tick.Stop()
	for {
		if now, since := p.state(); now.Total > 0 {
			fmt.Fprintf(p.out, "%s %s\n", now.Phase, pace(now, since))
		}
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
	}
}

func (p *Progress) drawBar() {
	refresh := make(chan any)
	bars := mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(24), mpb.WithManualRefresh(refresh))
	// A terminal echoes ^C where the cursor is; a line that began behind it
	// would be one too long for the screen and stay there.
	draw := func() {
		io.WriteString(p.out, "\r")
		refresh <- time.Now()
	}
	var bar *mpb.Bar
	phase := ""
	tick := time.NewTicker(ProgressTick)
	defer tick.Stop()
	for {
		if now, _ := p.state(); now.Total > 0 {
			if now.Phase != phase {
				if bar != nil {
					bar.Abort(true)
					draw() // without it the old bar may stay beside the new one
				}
				phase, bar = now.Phase, p.newBar(bars, now)
			}
			// The last step is left out: a full bar is done, and draws no more.
			bar.SetCurrent(int64(min(now.Done, now.Total-1)))
			draw()
		}
		select {
		case <-p.stop:
			if bar != nil {
				bar.Abort(false)
			}
			bars.Wait()
			if bar != nil {
				io.WriteString(p.out, "\r\x1b[A\x1b[J") // up one line, clear from there
			}
			return
		case <-tick.C:
		}
	}
}

func (p *Progress) newBar(bars *mpb.Progress, now compiler.Progress) *mpb.Bar {
	return bars.AddBar(int64(now.Total),
		mpb.PrependDecorators(decor.Name(now.Phase+" ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			now, since := p.state()
			return " " + pace(now, since)
		})))
}

// steadyAfter is how long a phase must have run before its rate says anything.
const steadyAfter = 500 * time.Millisecond

// pace is "1,234 of 13,100 rows, 512 rows/s, 23.1 s left"; what is not known yet
// or would be nought is left out.
func pace(now compiler.Progress, since time.Duration) string {
	s := fmt.Sprintf("%s of %s", Commas(now.Done), Count(now.Total, "row"))
	if now.Done == 0 || since < steadyAfter {
		return s
	}
	rate := float64(now.Done) / since.Seconds()
	if rate >= 10 {
		s += ", " + Commas(int64(rate)) + " rows/s"
	} else {
		s += fmt.Sprintf(", %.2g rows/s", rate)
	}
	left := time.Duration(float64(now.Total-now.Done) / rate * float64(time.Second))
	if left >= time.Millisecond {
		s += ", " + Duration(left) + " left"
	}
	return s
}
