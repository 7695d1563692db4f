package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// leap is a jump of a command's clock: after so long it is wrong by so much.
type leap struct{ after, by time.Duration }

// leaps are the jumps of one command, one after the other.
type leaps []leap

func (l leaps) String() string {
	text := ""
	for _, j := range l {
		text += fmt.Sprintf(" %v after %v", j.by, j.after.Round(time.Millisecond))
	}
	return text
}

// start starts a command. ended is for when it has ended; an error of it: a clock did not jump.
func (l leaps) start(cmd *exec.Cmd) (ended func() error, err error) {
	if l == nil {
		return func() error { return nil }, cmd.Start()
	}
	clock, err := startWithClock(cmd)
	if err != nil {
		return nil, err
	}
	done := make(chan struct{})
	var jumping sync.WaitGroup
	var failed error
	jumping.Go(func() {
		for _, j := range l {
			select {
			case <-done:
				return
			case <-time.After(j.after):
				failed = errors.Join(failed, clock.jump(j.by))
			}
		}
	})
	return func() error {
		close(done)
		jumping.Wait()
		return errors.Join(failed, clock.close())
	}, nil
}

// clockTrials plans commands whose clock jumps while they run, to either side, by an hour to
// thirty years; of every second one it is set right again.
func (l *lab) clockTrials(o options) (trials []func(context.Context, *desk) error) {
	if runtime.GOARCH != "amd64" {
		fmt.Fprintln(l.log, "NOTICE: not amd64: no clock that jumps while a command runs")
		return nil
	}
	for _, s := range l.scenes {
		if s.each || s.faults == 0 {
			continue
		}
		for n := range max(1, o.limits) {
			by := time.Duration(math.Exp(l.rand.Float64()*math.Log(30*365*24)) * float64(time.Hour))
			if l.rand.IntN(2) == 0 {
				by = -by
			}
			js := leaps{{time.Duration(l.rand.Float64() * float64(s.takes)), by}}
			if n%2 == 1 {
				js = append(js, leap{time.Duration(l.rand.Float64() * float64(s.takes) / 2), 0})
			}
			trials = append(trials, func(ctx context.Context, d *desk) error { return d.leap(ctx, s, js) })
		}
	}
	return trials
}

// leap runs a scene's command with a clock that jumps. It has to end well all the same; and an edit of a
// recording after it, which leaves the length as it was, has to be seen.
func (d *desk) leap(ctx context.Context, s *scene, js leaps) error {
	data, err := d.copyOf(s.dataset, "leapt")
	if err != nil {
		return err
	}
	mine := *s
	mine.dataset = data
	if err := d.trial(ctx, &mine, fault{what: "a clock that jumps meanwhile", clock: js}); err != nil || s.joins != nil {
		return err
	}
	r := result{scene: s.name, what: "an edit after a clock that jumped", inject: js.String(), must: true}
	clips, err := filepath.Glob(filepath.Join(data, "wavs", "*.wav"))
	if err != nil || len(clips) == 0 {
		return fmt.Errorf("no clips in %s: %w", data, err)
	}
	if err := rewritten(func(b []byte) []byte {
		copy(b[len(b)/2:], bytes.Repeat([]byte{3, 1}, 400))
		return b
	})(clips[len(clips)/2], ""); err != nil {
		return err
	}
	clean, err := d.copyOf("", "clean")
	if err != nil {
		return err
	}
	want, err := d.build(ctx, data, clean)
	if err != nil {
		return err
	}
	if got, err := d.build(ctx, data, filepath.Join(d.at, "trial")); err != nil || got != want {
		r.lost = fmt.Sprintf("the next build makes %s, %v, want %s", got, err, want)
	}
	d.note(r)
	return os.RemoveAll(clean)
}
