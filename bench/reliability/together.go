package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// readers is how many feeds read a store at a time, beside what changes it.
const readers = 50

// togetherTrials plans one long trial: two builders that build one version after the
// other, gc, copy, verify and the readers, all over one store.
func (l *lab) togetherTrials(o options) []func(context.Context, *desk) error {
	if o.seconds == 0 {
		return nil
	}
	return []func(context.Context, *desk) error{func(ctx context.Context, d *desk) error { return d.together(ctx, time.Duration(o.seconds)*time.Second) }}
}

func (d *desk) together(ctx context.Context, long time.Duration) error {
	const versions = 5
	store, copied, data := filepath.Join(d.at, "shared"), filepath.Join(d.at, "shared-copy"), make([]string, versions)
	digests := map[string]bool{}
	for n := range data {
		data[n] = filepath.Join(d.at, fmt.Sprintf("version%d", n))
		if err := os.CopyFS(data[n], os.DirFS(d.place("dataset"))); err != nil {
			return err
		}
		if err := edit(data[n], n); err != nil {
			return err
		}
		if _, err := d.build(ctx, data[n], store); err != nil {
			return err
		}
		digest, err := d.feed(ctx, store)
		if err != nil {
			return err
		}
		digests[digest] = true
	}
	stop, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	var wg sync.WaitGroup
	repeat := func(what string, args func(n int) []string, feed bool) {
		for n := 0; stop.Err() == nil; n++ {
			r := result{scene: "all at once", what: what, reads: true}
			out, err := exec.CommandContext(ctx, d.program, args(n)...).CombinedOutput()
			if r.code, r.said = codeOf(err), string(out); r.code == 3 && !strings.Contains(r.said, "is at work") && !strings.Contains(r.said, "writes to") && !strings.Contains(r.said, "busy") {
				r.lost = "refused, and not since another one is at work"
			}
			if feed && r.code == 0 && !holdsOne(r.said, digests) {
				r.lost = "a feed delivers what no version holds"
			}
			if feed && r.code != 0 {
				r.lost = "a reader does not find what it needs"
			}
			d.note(r)
		}
	}
	for range 2 {
		wg.Go(func() {
			repeat("build", func(n int) []string { return []string{"build", data[n%versions], "-o", store, "-q"} }, false)
		})
	}
	wg.Go(func() { repeat("gc --apply", func(int) []string { return []string{"gc", store, "--apply"} }, false) })
	wg.Go(func() { repeat("copy", func(int) []string { return []string{"copy", store, copied, "-q"} }, false) })
	wg.Go(func() {
		repeat("verify --full", func(int) []string { return []string{"verify", store, "--full"} }, false)
	})
	for range readers {
		wg.Go(func() {
			repeat("feed, 50 at a time", func(int) []string {
				return []string{"feed", store, "--digest", "-q", "--record", "none", "--batch-size", "4", "--tail", "pad", "--epochs", "1", "--json"}
			}, true)
		})
	}
	wg.Wait()
	r := result{scene: "all at once", what: "what is left", reads: true}
	for _, dir := range []string{store, copied} {
		if err := d.verify(ctx, dir); err != nil {
			r.lost = err.Error()
		}
		if digest, err := d.feed(ctx, dir); err != nil || !digests[digest] {
			r.lost = fmt.Sprintf("a feed delivers %s, %v", digest, err)
		}
	}
	if root, err := d.build(ctx, data[0], store); err != nil {
		r.stuck = err.Error()
	} else if got, _ := d.root(ctx, store); got != root {
		r.lost = "the ref names " + got
	}
	d.note(r)
	return ctx.Err()
}

// holdsOne reports whether a text has one of the names in it.
func holdsOne(text string, names map[string]bool) bool {
	for name := range names {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}
