package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// writingCalls are those of fileCalls by which something on a disk changes.
var writingCalls = []string{"openat", "ftruncate", "msync", "fsync", "renameat", "linkat", "unlinkat", "mkdirat", "fchmodat", "write", "pwrite64", "fallocate", "sync_file_range"}

// smallScenes are a build, gc, repair and copy over stores of three clips of 90 ms, which make so few
// system calls that each one of those that write can be the last.
func (l *lab) smallScenes(ctx context.Context) ([]*scene, error) {
	data, edited, store, spoilt := l.place("small"), l.place("small-edited"), l.place("small-store"), l.place("small-spoilt")
	first, err := l.build(ctx, data, store)
	if err != nil {
		return nil, err
	}
	last := first
	for n := range 3 {
		if err := edit(data, n); err != nil {
			return nil, err
		}
		if last, err = l.build(ctx, data, store); err != nil {
			return nil, err
		}
	}
	err = errors.Join(os.CopyFS(edited, os.DirFS(data)), edit(edited, 4), exec.Command("cp", "-a", store, spoilt).Run())
	if err == nil {
		err = l.spoil(spoilt)
	}
	if err != nil {
		return nil, err
	}
	return []*scene{
		{name: "a small build", store: store, before: last, dataset: edited, command: []string{"build", "DATASET", "-o", "STORE", "-q"}, each: true},
		{name: "a small gc --apply", store: store, before: last, dataset: data, command: []string{"gc", "STORE", "--apply"}, again: true, each: true},
		{name: "a small repair", store: spoilt, damaged: true, before: last, dataset: data, command: []string{"repair", "STORE", "--dataset", "DATASET", "-q"}, again: true, each: true},
		{name: "a small copy", from: store, dataset: data, command: []string{"copy", "FROM", "STORE", "-q"}, again: true, each: true},
	}, nil
}

// everyTrials plans a kill at each n-th call of a thread that writes, of one in o.every of them.
func (l *lab) everyTrials(o options) (trials []func(context.Context, *desk) error) {
	n := 0
	for _, s := range l.scenes {
		if !s.each {
			continue
		}
		for _, call := range writingCalls {
			for when := range s.calls[call] {
				if n++; n%o.every != 0 {
					continue
				}
				f := fault{what: "SIGKILL at every system call that writes", inject: call + ":signal=KILL", when: when + 1}
				trials = append(trials, func(ctx context.Context, d *desk) error { return d.trial(ctx, s, f) })
			}
		}
	}
	return trials
}
