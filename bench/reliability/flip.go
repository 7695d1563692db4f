package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// flipScene flips one bit in a file of a store, and looks at whether a feed is
// right or refused, and whether build --rehash heals it.
func (l *lab) flipScene(ctx context.Context, n int, t *table) error {
	s := l.scenes[1]
	var files []string
	err := filepath.WalkDir(s.store, func(path string, d fs.DirEntry, err error) error {
		if info, e := d.Info(); err == nil && e == nil && info.Mode().IsRegular() && info.Size() > 0 {
			files = append(files, strings.TrimPrefix(path, s.store))
		}
		return err
	})
	if err != nil {
		return err
	}
	for i := range n {
		if err := l.flip(ctx, files[i%len(files)], t); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) flip(ctx context.Context, file string, t *table) error {
	s := *l.scenes[1]
	s.dataset, s.after = filepath.Join(l.dir, "dataset"), s.before
	store, err := l.copyOf(s.store)
	if err != nil {
		return err
	}
	path := filepath.Join(store, file)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	bit := l.rand.IntN(8 * len(b))
	b[bit/8] ^= 1 << (bit % 8)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, l.program, "verify", store, "--full").CombinedOutput()
	r := result{scene: "bit flip", what: kindOf(file), inject: fmt.Sprintf("%s bit %d", file, bit), code: codeOf(err), said: string(out), reads: true}
	if digest, err := l.feed(ctx, store); err == nil && digest != l.digest {
		r.lost = "a feed delivers other bytes"
	}
	root, err := l.build(ctx, s.dataset, store, "--rehash")
	if err != nil && strings.Contains(err.Error(), "this command repairs it: ") {
		_, line, _ := strings.Cut(err.Error(), "this command repairs it: ")
		line, _, _ = strings.Cut(strings.SplitN(line, "\n", 2)[0], ": ")
		if out, err := exec.CommandContext(ctx, "sh", "-c", line).CombinedOutput(); err != nil {
			r.stuck = line + ": " + string(out)
		}
		root, err = l.build(ctx, s.dataset, store, "--rehash")
	}
	digest := ""
	if err == nil {
		digest, err = l.feed(ctx, store)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.stuck = "after build --rehash: " + err.Error()
	case root != s.before || digest != l.digest:
		r.lost = "build --rehash makes " + root
	}
	t.add(r)
	for _, w := range r.wrong() {
		fmt.Fprintf(l.log, "WRONG: %s: verify %d: %s\n%s\n", r.inject, r.code, w, r.said)
	}
	return nil
}

// kindOf is the kind of file that a bit is flipped in.
func kindOf(file string) string {
	switch {
	case strings.HasPrefix(file, "/cache"):
		return "in the cache"
	case strings.HasPrefix(file, "/packs"):
		return "in a pack"
	}
	return "in " + strings.TrimPrefix(file, "/")
}
