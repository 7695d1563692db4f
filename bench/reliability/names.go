package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// odd are names of folders that a careless program takes for something else.
var odd = []string{"a folder with spaces", "two\nlines", "گفتار ۱", "e\u0301 é", "'quoted' \"twice\" $(no) `no`; no & no", "-o", "@main", "100%d*?[x]", "back\\slash\ttab", "\u202ereversed\u200b"}

// nameTrials plans the life of a dataset in folders of odd names, and a clock that has jumped.
func (l *lab) nameTrials(o options) (trials []func(context.Context, *desk) error) {
	for _, name := range odd {
		trials = append(trials, func(ctx context.Context, d *desk) error { return d.oddName(ctx, name) })
	}
	for range max(2, o.limits) {
		// Nanoseconds: to both sides, by up to thirty years.
		jump := time.Duration((l.rand.Float64()*2 - 1) * float64(30*365*24*time.Hour))
		trials = append(trials, func(ctx context.Context, d *desk) error { return d.jump(ctx, jump) })
	}
	return trials
}

// oddName runs each command in a folder of an odd name, and what mends a store as it is said.
func (d *desk) oddName(ctx context.Context, name string) error {
	at, err := d.copyOf("", "odd")
	if err != nil {
		return err
	}
	data, copied := filepath.Join(at, name), filepath.Join(at, "copy "+name)
	if err := os.CopyFS(data, os.DirFS(d.place("dataset"))); err != nil {
		return err
	}
	s := d.scenes[0]
	r := result{scene: "an odd folder", what: "names with spaces, signs, new lines", inject: fmt.Sprintf("%q", name), reads: true}
	step := func(args ...string) {
		out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
		if r.code = codeOf(err); err != nil && r.stuck == "" {
			r.stuck = fmt.Sprintf("%q: %v: %s", args, err, out)
		}
	}
	for _, args := range [][]string{{"build", data, "-q"}, {"show", data}, {"copy", data, copied, "-q"}, {"verify", copied, "--full"}, {"gc", data, "--apply"}, {"du", data},
		{"repair", data, "-q"}, {"tag", data, "one"}, {"log", data}, {"diff", data + "@one", data + "@main"}, {"rollback", data + "@one"}} {
		step(append([]string{d.program}, args...)...)
	}
	store := filepath.Join(data, ".voxpack")
	if err := os.Remove(filepath.Join(store, "format")); err != nil {
		return err
	}
	out, _ := exec.CommandContext(ctx, d.program, "show", data).CombinedOutput()
	switch cure := cureIn(string(out)); {
	case cure == "":
		r.stuck = "no cure in: " + string(out)
	case strings.ContainsAny(name, "\n\t\u202e"): // written so that no terminal obeys it, and so no word of a shell
		step("cp", filepath.Join(copied, "format"), store)
	default:
		step("sh", "-c", cure)
	}
	for _, store := range []string{store, copied} {
		if digest, err := d.feed(ctx, store); err != nil || digest != s.digest {
			r.lost = fmt.Sprintf("a feed of %q delivers %q, %v", store, digest, err)
		}
	}
	d.note(r)
	return ctx.Err()
}

// jump gives a store packs, and all files times, of a clock that was wrong by so much,
// and lets commands of this clock go on from there.
func (d *desk) jump(ctx context.Context, by time.Duration) error {
	s := d.scenes[1]
	store, err := d.copyOf(s.store, "trial")
	if err != nil {
		return err
	}
	data := filepath.Join(d.at, "jumped")
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	if err := exec.Command("cp", "-a", s.dataset, data).Run(); err != nil {
		return err
	}
	when := time.Now().Add(by)
	for _, dir := range []string{store, data} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chtimes(path, when, when)
		})
		if err != nil {
			return err
		}
	}
	packs, err := filepath.Glob(filepath.Join(store, "packs", "*"))
	if err != nil || len(packs) == 0 {
		return fmt.Errorf("no packs in %s: %w", store, err)
	}
	for _, pack := range packs { // their names begin with the time
		if err := os.Rename(pack, filepath.Join(filepath.Dir(pack), fmt.Sprintf("%016x-%s", when.UnixNano(), pack[len(pack)-8:]))); err != nil {
			return err
		}
	}
	r := result{scene: "edit", what: "a clock that has jumped", inject: by.String()}
	for range 2 {
		out, err := exec.CommandContext(ctx, d.program, "build", data, "-o", store, "-q").CombinedOutput()
		if r.code, r.said = codeOf(err), string(out); err != nil {
			break
		}
		if root, err := d.root(ctx, store); root != s.after {
			r.lost = fmt.Sprintf("the build makes %s, %v", root, err)
		}
		if err := edit(data, 1); err != nil { // the same text, in a file of now
			return err
		}
	}
	s2 := *s
	s2.before, s2.dataset = s.after, data
	d.judge(ctx, &s2, store, &r)
	d.note(r)
	return ctx.Err()
}
