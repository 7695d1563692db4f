package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// kind is one sort of rebuild, or of a dry run, which finds all that a build
// would and writes nothing.
type kind struct {
	name string
	goal time.Duration
	edit func(c *corpus, round int) error // nil: nothing was edited
	runs []string                         // the stages that run, on one row each
	args []string                         // further flags
	bare bool                             // without the store: every row is new
}

// kinds are the rebuilds with a goal.
var kinds = []kind{
	{name: "no-op", goal: 100 * time.Millisecond},
	{name: "one text edited", goal: 150 * time.Millisecond, edit: (*corpus).editText, runs: []string{"text", "tokens"}},
	{name: "one clip edited", goal: 150 * time.Millisecond, edit: (*corpus).editAudio, runs: []string{"audio", "mel"}},
	{name: "dry run over the store", goal: 2 * time.Second, args: []string{"--dry-run"}},
	{name: "dry run without a store", goal: 2 * time.Second, args: []string{"--dry-run"}, bare: true},
}

// measure edits, builds and checks that the build did what the edit asked for.
func (k *kind) measure(ctx context.Context, program string, c *corpus, round int) (outcome, error) {
	store := filepath.Join(c.dir, ".voxpack")
	before, err := listing(store)
	if err != nil {
		return outcome{}, err
	}
	if k.edit != nil {
		if err := k.edit(c, round); err != nil {
			return outcome{}, fmt.Errorf("edit: %w", err)
		}
	}
	args := k.args
	if k.bare {
		args = append(slices.Clone(args), "-o", filepath.Join(c.dir, "none"))
	}
	out, err := build(ctx, program, c.dir, args...)
	if err != nil {
		return out, err
	}
	if err := k.check(out.report); err != nil {
		return out, err
	}
	if _, err := os.Stat(filepath.Join(c.dir, "none")); err == nil {
		return out, fmt.Errorf("a dry run made a store")
	}
	after, err := listing(store)
	if err == nil && k.edit == nil && !maps.Equal(before, after) {
		err = fmt.Errorf("a file of the store changed though nothing was edited")
	}
	return out, err
}

// check compares a report with what had to be done.
func (k *kind) check(r report) error {
	if k.bare {
		return checkBare(r)
	}
	shards := 1
	if k.edit == nil {
		shards = 0
		if r.BytesWritten != 0 {
			return fmt.Errorf("%d bytes were written though nothing was edited", r.BytesWritten)
		}
	}
	if r.Shards.Written != shards {
		return fmt.Errorf("%d shards were written, want %d", r.Shards.Written, shards)
	}
	if r.ran() != len(k.runs) {
		return fmt.Errorf("%d rows ran, counted over the stages, want %d: %v", r.ran(), len(k.runs), r.Stages)
	}
	for _, stage := range k.runs {
		if n := r.Stages[stage].Run; n != 1 {
			return fmt.Errorf("%d rows ran in %s, want 1", n, stage)
		}
	}
	return nil
}

// checkBare: where there is no store every row is new, and nothing is written.
func checkBare(r report) error {
	if rows := r.Rows.Kept + r.Rows.Rejected; r.Rows.Kept == 0 || r.Stages["text"].Run != rows || r.Shards.Written == 0 || r.BytesWritten != 0 {
		return fmt.Errorf("without a store text would run for %d of %d rows, %d shards and %d bytes be written; want all, some and none",
			r.Stages["text"].Run, rows, r.Shards.Written, r.BytesWritten)
	}
	return nil
}

// state is what must not change in a file that nobody writes.
type state struct {
	size  int64
	mtime time.Time
}

// listing is the state of every file and folder below dir.
func listing(dir string) (map[string]state, error) {
	all := map[string]state{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[path] = state{info.Size(), info.ModTime()}
		return nil
	})
	return all, err
}
