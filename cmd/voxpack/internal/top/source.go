package top

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"voxpack/gpufeed/inventory"
	"voxpack/gpufeed/serve"
)

// answerWithin is how long a feeder may take for a look, which it does in
// milliseconds: one that is stopped must not hold up the others.
const answerWithin = 2 * time.Second

// stepsAsked is how many steps of a consumer a look reads: those of a second,
// down to steps of 4 ms.
const stepsAsked = 256

// source looks at feeders and GPUs. It belongs to one goroutine at a time.
type source struct {
	addresses func() []string // where feeders may answer now
	all       bool            // these are whatever lies in a folder: one that never answered is none
	feeders   map[string]*watched
	gauges    *inventory.Gauges
	first     *Look // that found the feeders, and is the first one to be shown
}

// watched is a feeder over several looks.
type watched struct {
	socket  string
	watcher *serve.Watcher // nil: it did not answer
	seen    bool           // it has answered
	before  uint64         // the feeder's time at the last look
}

// close hangs up everywhere.
func (s *source) close() error {
	for _, f := range s.feeders {
		f.hangUp()
	}
	return s.gauges.Close()
}

// look asks everybody at once.
func (s *source) look(ctx context.Context) Look {
	if first := s.first; first != nil {
		s.first = nil
		return *first
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	sockets := s.addresses()
	for socket, f := range s.feeders { // one that ended takes its socket away
		if !slices.Contains(sockets, socket) {
			f.hangUp()
			delete(s.feeders, socket)
		}
	}
	feeders := make([]Feeder, len(sockets))
	var work sync.WaitGroup
	for i, socket := range sockets {
		if s.feeders[socket] == nil {
			s.feeders[socket] = &watched{socket: socket}
		}
		f := s.feeders[socket]
		work.Go(func() { feeders[i] = f.look(ctx) })
	}
	work.Wait()
	feeders = slices.DeleteFunc(feeders, func(f Feeder) bool { return f.Error != "" && s.all && !s.feeders[f.Socket].seen })
	return Look{At: time.Now(), Feeders: feeders, GPUs: gpusOf(s.gauges.Look())}
}

// look asks the feeder, and connects to it where it has come back.
func (f *watched) look(ctx context.Context) Feeder {
	l, err := f.ask(ctx)
	if err != nil {
		f.hangUp()
		return Feeder{Socket: f.socket, Error: whyNot(err), Consumers: []Consumer{}}
	}
	now := Feeder{Socket: f.socket, PID: l.PID, Version: l.Version, Dataset: l.Dataset.Root, Consumers: []Consumer{}}
	for _, s := range l.Sessions {
		now.Consumers = append(now.Consumers, consumerOf(l, s, f.before))
	}
	f.seen, f.before = true, l.Now
	return now
}

func (f *watched) ask(ctx context.Context) (l *serve.Look, err error) {
	if f.watcher == nil {
		if f.watcher, err = serve.Watch(ctx, f.socket); err != nil {
			return nil, err
		}
		f.before = 0
	}
	return f.watcher.Look(ctx, stepsAsked)
}

func (f *watched) hangUp() {
	if f.watcher != nil {
		f.watcher.Close()
	}
	f.watcher = nil
}

// hasEnded is why a feeder does not answer most often.
const hasEnded = "it has ended; it is shown again when it returns"

// whyNot says why a feeder did not answer.
func whyNot(err error) string {
	switch {
	case errors.Is(err, serve.ErrNoFeeder), errors.Is(err, serve.ErrGone):
		return hasEnded
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("no answer for %v", answerWithin)
	}
	return err.Error()
}

// consumerOf is what a look says of a session; its steps are those since another
// time of the feeder's.
func consumerOf(l *serve.Look, s serve.Seen, before uint64) Consumer {
	c := Consumer{
		Number: s.ID, PID: s.PID, Name: processName(s.PID), Rank: s.Rank, World: s.World, Batch: s.Batch, Device: s.Transport,
		Batches: int64(s.Taken), Samples: int64(s.Taken) * int64(s.Samples),
		Ring: Ring{Slots: s.Slots, Preparing: s.Preparing, Ready: s.Ready, Training: s.Held},
	}
	if g := s.GPU; g != nil {
		c.Device = "GPU " + cmp.Or(g.Bus, g.UUID)
		if g.Ordinal != nil {
			c.Device = fmt.Sprintf("GPU %d", *g.Ordinal)
		}
	}
	// The last stage is the feeder's own hand that publishes, which the trainer's
	// steps tell better. Its bytes are a few batches ahead of what was taken, but only rise:
	// batches of buckets differ, so that a part of them would fall at times.
	if n := len(s.Stages); n > 0 {
		c.Bytes, c.Stages = s.Stages[n-1].Bytes, s.Stages[:n-1]
	}
	if s.HasSteps {
		c.Steps = stepsOf(lastSteps(s.Log, before).Steps().Summary())
	}
	c.Findings = findingsOf(l, s.Session, s.Log.Steps().Summary())
	return c
}

// Once looks at one feeder one time, over all that its consumers have noted; running
// is false where none listens there.
func Once(ctx context.Context, socket string) (f Feeder, running bool) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	w := &watched{socket: socket}
	defer w.hangUp()
	f = w.look(ctx)
	return f, f.Error != hasEnded
}

// lastSteps is what a log has of the time since another one, and at least its last
// step.
func lastSteps(l serve.StepLog, since uint64) serve.StepLog {
	from := func(n int, old func(int) bool) int {
		first := 0
		for first < n && old(first) {
			first++
		}
		return max(0, min(first-1, n-2))
	}
	l.Takes = l.Takes[from(len(l.Takes), func(i int) bool { return l.Takes[i].Got <= since }):]
	l.Marks = l.Marks[from(len(l.Marks), func(i int) bool { return l.Marks[i].Begin <= since }):]
	return l
}

// stepsOf are the figures of steps.
func stepsOf(s serve.StepSummary) *Steps {
	steps := &Steps{Count: s.Period.Count, MeanMS: s.Period.MeanMS, P99MS: s.Period.P99MS}
	part := func(ms float64) *float64 {
		p := min(1, ms/s.Period.TotalMS)
		return &p
	}
	if s.Period.TotalMS == 0 {
		return steps
	}
	if !s.Hidden {
		steps.Load, steps.Copy = part(s.Load.TotalMS), part(s.Copy.TotalMS)
	}
	if s.Marked {
		steps.Train = part(s.Train.TotalMS)
	}
	return steps
}

// processName is what the system calls a process, "" where it does not tell.
func processName(pid int) string {
	if pid <= 0 {
		return ""
	}
	name, _ := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "comm"))
	return strings.TrimSuffix(string(name), "\n")
}

// gpusOf are the machine's GPUs.
func gpusOf(list []inventory.GPU) []GPU {
	gpus := []GPU{}
	for _, g := range list {
		one := GPU{Bus: g.Address.String(), Name: g.Name}
		if g.Busy >= 0 {
			busy := float64(g.Busy)
			one.Busy = &busy
		}
		if g.Used >= 0 {
			one.Used = &g.Used
		}
		if memory := int64(g.Memory); memory > 0 {
			one.Memory = &memory
		}
		gpus = append(gpus, one)
	}
	return gpus
}
