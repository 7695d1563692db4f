package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// desk is a folder in which one trial after another is made, while others are made
// at other desks.
type desk struct {
	*lab
	at string
}

// over reports whether no more trials are to be made.
func (l *lab) over() bool { return !l.until.IsZero() && time.Now().After(l.until) }

// each makes all trials, as many at a time as there are desks.
func (l *lab) each(ctx context.Context, trials []ranked) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for n := range l.desks {
		d := &desk{l, filepath.Join(l.dir, fmt.Sprintf("desk%d", n))}
		if err := os.MkdirAll(d.at, 0o777); err != nil {
			return err
		}
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(trials) && ctx.Err() == nil && !l.over(); i = int(next.Add(1)) - 1 {
				if err := trials[i].make(ctx, d); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// copyOf copies a template to a name at the desk, in place of what is there; holes stay holes.
func (d *desk) copyOf(template, name string) (string, error) {
	place := filepath.Join(d.at, name)
	if err := os.RemoveAll(place); err != nil || template == "" {
		return place, err
	}
	return place, exec.Command("cp", "-a", "--sparse=always", template, place).Run()
}

// note adds a result to the tables, and says what is wrong with it.
func (l *lab) note(r result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.table.add(r)
	for _, w := range r.wrong() {
		fmt.Fprintf(l.log, "WRONG: %s, %s %s: exit %d: %s\n%s\n", r.scene, r.what, r.inject, r.code, w, r.said[:min(len(r.said), 700)])
	}
}
