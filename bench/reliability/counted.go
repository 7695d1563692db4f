package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"voxpack/compiler"
)

// aloud is what this program is called with to be a build that says, after each row,
// how many are stored: what progress shows to people comes too seldom to count by.
const aloud = "build-aloud"

func buildAloud(ctx context.Context, dataset, store string, stdout io.Writer) error {
	o := compiler.Options{Dataset: dataset, Store: store, Workers: 1, Config: compiler.Config{PerShard: 2}}
	o.Progress = func(p compiler.Progress) {
		if p.Phase == "computing" {
			fmt.Fprintln(stdout, "stored", p.Done)
		}
	}
	r, err := compiler.Build(ctx, o)
	if err == nil {
		fmt.Fprintln(stdout, "end", r.Dataset, r.Stages["mel"].Run)
	}
	return err
}

// countedTrials plans kills of a first build whose finished rows are counted: the next
// build computes at most the others.
func (l *lab) countedTrials(o options) (trials []func(context.Context, *desk) error) {
	for range max(1, o.kills/20) {
		part := l.rand.Float64()
		trials = append(trials, func(ctx context.Context, d *desk) error { return d.counted(ctx, part) })
	}
	return trials
}

func (d *desk) counted(ctx context.Context, part float64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	whole, err := d.copyOf("", "whole")
	if err != nil {
		return err
	}
	began := time.Now()
	build := func(ctx context.Context, store string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, self, aloud, d.place("dataset"), store)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		return cmd.Output()
	}
	want, err := build(ctx, whole)
	if err != nil {
		return saidBy(err)
	}
	takes := time.Since(began)
	store := filepath.Join(d.at, "trial")
	if err := os.RemoveAll(store); err != nil {
		return err
	}
	after := time.Duration(part * float64(takes))
	r := result{scene: "first build, rows counted", what: "SIGKILL at a random moment", inject: after.String()}
	limited, cancel := context.WithTimeout(ctx, after)
	out, err := build(limited, store)
	cancel()
	r.code = codeOf(err)
	stored := 0
	for line := range strings.Lines(string(out)) {
		fmt.Sscanf(line, "stored %d", &stored)
	}
	again, err := build(ctx, store)
	if err != nil {
		r.stuck = saidBy(err).Error()
	}
	var root, wanted string
	var mels, all int
	fmt.Sscanf(string(lastLine(again)), "end %s %d", &root, &mels)
	fmt.Sscanf(string(lastLine(want)), "end %s %d", &wanted, &all)
	if r.stuck == "" && (root != wanted || mels > all-stored) {
		r.lost = fmt.Sprintf("%d of %d rows were stored, and the next build computes %d; it makes %s, want %s", stored, all, mels, root, wanted)
	}
	d.note(r)
	return ctx.Err()
}

func lastLine(out []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return lines[len(lines)-1]
}
