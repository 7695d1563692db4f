package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// harm is a way to harm a file as a whole.
type harm struct {
	what string
	do   func(path, other string) error
}

// rewritten changes the bytes of a file.
func rewritten(change func(b []byte) []byte) func(path, other string) error {
	return func(path, _ string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, change(bytes.Clone(b)), 0o666)
	}
}

var harms = []harm{
	{"cut to nothing", rewritten(func(b []byte) []byte { return nil })},
	{"cut to one half", rewritten(func(b []byte) []byte { return b[:len(b)/2] })},
	{"cut by one byte", rewritten(func(b []byte) []byte { return b[:max(0, len(b)-1)] })},
	{"longer by one byte", rewritten(func(b []byte) []byte { return append(b, 0) })},
	{"all zeros", rewritten(func(b []byte) []byte { return make([]byte, len(b)) })},
	{"deleted", func(path, _ string) error { return os.Remove(path) }},
	{"swapped with another", func(path, other string) error {
		return errors.Join(os.Rename(path, path+".x"), os.Rename(other, path), os.Rename(path+".x", other))
	}},
	{"written over by another", func(path, other string) error {
		b, err := os.ReadFile(other)
		if err != nil {
			return err
		}
		return os.WriteFile(path, b, 0o666)
	}},
	{"there twice", func(path, _ string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(filepath.Dir(path), "copy-"+filepath.Base(path)), b, 0o666)
	}},
}

// fileTrials plans harm to each file of a store of three packs; of two files each has to
// be found, and folders can be lost too.
func (l *lab) fileTrials(o options) (trials []func(context.Context, *desk) error) {
	h, format, own, err := l.smallStore(context.Background(), "files", 3)
	if err != nil {
		return []func(context.Context, *desk) error{func(context.Context, *desk) error { return err }}
	}
	n := 0
	add := func(file, other string, way harm) {
		h := h
		h.own = slices.Contains(own, file)
		if n++; n%o.harms == 0 {
			trials = append(trials, func(ctx context.Context, d *desk) error { return d.harmFile(ctx, &h, file, other, way) })
		}
	}
	for _, file := range slices.Concat(format, own) {
		var same []string
		for _, f := range format {
			if f != file && filepath.Base(f) == filepath.Base(file) {
				same = append(same, f)
			}
		}
		for _, way := range harms {
			switch others := slices.Concat(same, l.someOther(format, file)); way.what {
			case "swapped with another", "written over by another":
				for _, other := range others {
					add(file, other, way)
				}
			case "there twice":
				if filepath.Dir(filepath.Dir(file)) == "packs" { // elsewhere it is one more ref, or nothing
					add(file, "", way)
				}
			default:
				add(file, "", way)
			}
		}
	}
	return trials
}

// someOther draws a file that is another one.
func (l *lab) someOther(files []string, not string) []string {
	for {
		if f := files[l.rand.IntN(len(files))]; f != not {
			return []string{f}
		}
	}
}

func (d *desk) harmFile(ctx context.Context, h *harmed, file, other string, way harm) error {
	store, err := d.copyOf(d.place("files"), "trial")
	if err != nil {
		return err
	}
	path, otherPath := filepath.Join(store, file), filepath.Join(store, other)
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := way.do(path, otherPath); err != nil {
		return err
	}
	after, err := os.ReadFile(path)
	if err == nil && bytes.Equal(before, after) && way.what != "there twice" {
		return nil // the other one is the same
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r := result{scene: "a file of a store of three packs", what: way.what, inject: file + " " + other, reads: true}
	d.judgeHarm(ctx, h, store, &r)
	d.note(r)
	return ctx.Err()
}
