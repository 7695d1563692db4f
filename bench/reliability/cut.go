package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// cutMeanwhile is what the tables call it.
const cutMeanwhile = "packs are cut short meanwhile"

// cutTrials plans packs that are cut short while a command has them mapped. What it reads then
// is a fault of memory and not an error of a call.
func (l *lab) cutTrials(o options) (trials []func(context.Context, *desk) error) {
	for _, s := range l.scenes {
		if s.each || s.store == "" && s.from == "" || s.faults == 0 {
			continue
		}
		for range 2 * max(1, o.limits) {
			after, share := time.Duration(l.rand.Float64()*float64(s.takes)), l.rand.Float64()
			trials = append(trials, func(ctx context.Context, d *desk) error { return d.cut(ctx, s, after, share) })
		}
	}
	return trials
}

// cut cuts all files of a store's packs to a share of their lengths, at a moment of a command that reads
// them. The command may end well, or say what is wrong; afterwards verify has to find it.
func (d *desk) cut(ctx context.Context, s *scene, after time.Duration, share float64) error {
	mine := *s
	read := "trial"
	store, err := d.copyOf(s.store, "trial")
	if err != nil {
		return err
	}
	if s.from != "" {
		read = "from"
		if mine.from, err = d.copyOf(s.from, read); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(d.at, read, "packs", "*", "*.*"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no packs to cut for %s: %w", s.name, err)
	}
	args := d.arguments(&mine, store)
	r := result{scene: s.name, what: cutMeanwhile, inject: fmt.Sprintf("to %.3f after %v", share, after), reads: true}
	cutting := time.AfterFunc(after, func() {
		for _, file := range files { // some may be gone, which is no harm
			if info, err := os.Stat(file); err == nil {
				_ = syscall.Truncate(file, int64(float64(info.Size())*share))
			}
		}
	})
	err = r.run(ctx, args, 0)
	if cutting.Stop() || err != nil { // it was faster
		return err
	}
	d.note(r)
	check := result{scene: s.name, what: "verify after a cut", inject: r.inject, reads: true}
	out, err := exec.CommandContext(ctx, d.program, "verify", filepath.Join(d.at, read), "--full").CombinedOutput()
	if check.code, check.said = codeOf(err), string(out); check.code != 0 && !strings.Contains(check.said, "voxpack ") {
		check.lost = "no command that mends it"
	}
	d.note(check)
	return ctx.Err()
}
