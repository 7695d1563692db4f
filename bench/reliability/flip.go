package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// judgeHarm looks at a store in which a file was harmed: verify --full has to find it, a
// feed delivers what it did before or refuses, and repair, with what it advises, makes the
// same root and the same feed again. The program's own files are harmed too; what may be
// deleted at any time is not looked for, and a build after an edit has to be right.
func (d *desk) judgeHarm(ctx context.Context, s *harmed, store string, r *result) {
	out, err := exec.CommandContext(ctx, d.program, "verify", store, "--full").CombinedOutput()
	r.code, r.said = codeOf(err), string(out)
	if r.code == 0 && !s.own {
		r.lost = "verify --full finds nothing"
	}
	if digest, err := d.feed(ctx, store); err == nil && digest != s.digest {
		r.lost = "a feed delivers other bytes"
	}
	if s.own {
		root, err := d.build(ctx, s.another, store)
		if err != nil && advised(ctx, err.Error()) { // a file that was swapped with it is not the program's own
			root, err = d.build(ctx, s.another, store)
		}
		if err != nil || root != s.edited {
			r.lost = fmt.Sprintf("a build after an edit makes %s, %v", root, err)
		}
		return
	}
	var said []byte
	for range 3 { // what is advised, and again
		cmd := exec.CommandContext(ctx, d.program, "repair", store, "--dataset", s.dataset, "-q")
		if said, err = cmd.CombinedOutput(); err == nil {
			break
		}
		advised(ctx, string(said))
	}
	if err != nil {
		r.stuck = fmt.Sprintf("repair: %v: %s", err, said)
		return
	}
	if err := d.verify(ctx, store); err != nil {
		r.stuck = "verify --full after repair: " + err.Error()
	}
	root, err := d.root(ctx, store)
	if digest, feed := d.feed(ctx, store); root != s.root || digest != s.digest {
		r.lost = fmt.Sprintf("repair makes %s, %v; a feed of it delivers %s, %v", root, err, digest, feed)
	}
}

// harmed is a store whose files are harmed, and what it holds.
type harmed struct {
	dataset, root, digest string
	another, edited       string // the dataset with an edit, and its root
	own                   bool   // what is harmed is no part of the format
	rows                  map[uint32][32]byte
}

// advised runs the cure that a message names, and reports whether it names one.
func advised(ctx context.Context, said string) bool {
	cure := cureIn(said)
	if cure != "" {
		_ = exec.CommandContext(ctx, "sh", "-c", cure).Run() // what comes next tells
	}
	return cure != ""
}

// cureIn is the command that a message names as the cure.
func cureIn(said string) string {
	for _, words := range []string{"this command repairs it: ", "this command writes it again: "} {
		if _, line, ok := strings.Cut(said, words); ok {
			line, _, _ = strings.Cut(line, "\n")
			line, _, _ = strings.Cut(line, ": ")
			return line
		}
	}
	return ""
}

// smallStore builds the small dataset in so many versions, a pack each, and returns its
// files: those of the format, and the program's own.
func (l *lab) smallStore(ctx context.Context, name string, versions int) (h harmed, format, own []string, err error) {
	h.dataset, h.another = l.place(name+"-dataset"), l.place(name+"-another")
	store := l.place(name)
	if err = os.CopyFS(h.dataset, os.DirFS(l.place("small"))); err != nil {
		return h, nil, nil, err
	}
	for n := range versions {
		if err = edit(h.dataset, n); err != nil {
			return h, nil, nil, err
		}
		if h.root, err = l.build(ctx, h.dataset, store); err != nil {
			return h, nil, nil, err
		}
	}
	if h.digest, err = l.feed(ctx, store); err != nil {
		return h, nil, nil, err
	}
	if err = os.CopyFS(h.another, os.DirFS(h.dataset)); err == nil {
		err = edit(h.another, 5)
	}
	if err == nil {
		h.edited, err = l.build(ctx, h.another, l.place(name+"-edited"))
	}
	if err != nil {
		return h, nil, nil, err
	}
	err = filepath.WalkDir(store, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		switch file, _ := filepath.Rel(store, path); {
		case file == "lock" || strings.HasPrefix(file, "runs/"):
		case strings.HasPrefix(file, "cache/"):
			own = append(own, file)
		default:
			format = append(format, file)
		}
		return nil
	})
	return h, format, own, err
}

// mended: of so many flipped bits in packs one is tried by the program's commands, and
// repaired. The others are looked for and fed in this process, which takes a tenth.
const mended = 10

// bitTrials plans flips of every byte of a small store: of each bit in the short files
// that are text, of one bit in the others.
func (l *lab) bitTrials(o options) (trials []func(context.Context, *desk) error) {
	h, format, own, err := l.smallStore(context.Background(), "bits", 1)
	if err != nil {
		return []func(context.Context, *desk) error{func(context.Context, *desk) error { return err }}
	}
	if h.rows, err = rows(context.Background(), l.place("bits")); err != nil {
		return []func(context.Context, *desk) error{func(context.Context, *desk) error { return err }}
	}
	n := 0
	for _, file := range slices.Concat(format, own) {
		b, err := os.ReadFile(filepath.Join(l.place("bits"), file))
		if err != nil {
			return []func(context.Context, *desk) error{func(context.Context, *desk) error { return err }}
		}
		h := h
		h.own = slices.Contains(own, file)
		for at := range b[:min(len(b), 1<<13)] { // the rest of the cache's DISCARD is a hole
			bits := []int{l.rand.IntN(8)}
			if len(b) < 1000 && !h.own {
				bits = []int{0, 1, 2, 3, 4, 5, 6, 7}
			}
			for _, bit := range bits {
				if n++; n%o.every == 0 && (!h.own || n%8 == 0) {
					try := (*desk).flip
					if kindOf(file) == inPack && n/o.every%mended != 0 {
						try = (*desk).quickFlip
					}
					trials = append(trials, func(ctx context.Context, d *desk) error { return try(d, ctx, &h, file, at, bit) })
				}
			}
		}
	}
	return trials
}

func (d *desk) flip(ctx context.Context, h *harmed, file string, at, bit int) error {
	store, err := d.copyOf(d.place("bits"), "trial")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(store, file), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := flipIn(f, int64(at), bit); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	r := result{scene: "every byte of a small store", what: "a flipped bit " + kindOf(file), inject: fmt.Sprintf("%s byte %d bit %d", file, at, bit), reads: true}
	d.judgeHarm(ctx, h, store, &r)
	d.note(r)
	return ctx.Err()
}

// quickFlip flips a bit of a pack, looks for it, feeds the store, and flips it back.
func (d *desk) quickFlip(ctx context.Context, h *harmed, file string, at, bit int) error {
	store := filepath.Join(d.at, "bits")
	if _, err := os.Stat(store); err != nil {
		if _, err := d.copyOf(d.place("bits"), "bits"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(filepath.Join(store, file), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := flipIn(f, int64(at), bit); err != nil {
		return err
	}
	r := result{scene: "every byte of a small store", what: "a flipped bit " + kindOf(file), inject: fmt.Sprintf("%s byte %d bit %d", file, at, bit), reads: true, code: 1}
	n, err := findings(ctx, store)
	if err == nil && n == 0 {
		r.code, r.lost = 0, "verify --full finds nothing"
	}
	got, refused := rows(ctx, store)
	if refused != nil {
		r.said = refused.Error()
	}
	for row, sum := range got {
		if sum != h.rows[row] {
			r.lost = fmt.Sprintf("row %d has other bytes", row)
		}
	}
	d.note(r)
	return errors.Join(err, flipIn(f, int64(at), bit))
}

// flipIn flips a bit of a file in place.
func flipIn(f *os.File, at int64, bit int) error {
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, at); err != nil {
		return err
	}
	b[0] ^= 1 << bit
	_, err := f.WriteAt(b, at)
	return err
}

const inPack = "in a pack"

// kindOf is the kind of file that was harmed.
func kindOf(file string) string {
	switch {
	case strings.HasPrefix(file, "cache/"):
		return "in the cache"
	case strings.HasPrefix(file, "packs/"):
		return inPack
	}
	return "in " + file
}
