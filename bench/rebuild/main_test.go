package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"voxpack/bench/program"
)

// TestBenchRunsTheProgram is the whole bench over a corpus that is too small to
// say anything: the checks of every run must hold and the tables be complete.
func TestBenchRunsTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	t.Setenv("VOXPACK_CORPORA", "")
	given := t.TempDir() + "/given"
	var log bytes.Buffer
	if err := program.Go(t.Context(), &log, "run", "voxpack/bench/gencorpus", "-n", "40", "-max-seconds", "2", given); err != nil {
		t.Fatalf("gencorpus: %v\n%s", err, log.Bytes())
	}
	metadata, err := os.ReadFile(filepath.Join(given, "metadata.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-corpus", given, "-runs", "2"}, &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	for _, line := range []string{`\| first \| \d+ .*\| – \|`, `\| no-op \| \d+ .*\| 100 \| (met|\*\*missed\*\*) \|`, `\| one text edited \| \d+ .*\| 150 \|`,
		`\| one clip edited \| \d+ .*\| 150 \|`, `\| dry run over the store \| \d+ .*\| 2000 \|`, `\| dry run without a store \| \d+ .*\| 2000 \| (met|\*\*missed\*\*) \|`, `first touch of memory, GB/s \| \d`, `fsync of 4 KiB, ms \| \d`, `lstat of all clips, one goroutine, ms \| \d`} {
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("no line %s in\n%s", line, out.String())
		}
	}
	after, err := os.ReadFile(filepath.Join(given, "metadata.csv"))
	if err != nil || !bytes.Equal(after, metadata) {
		t.Errorf("the given corpus was changed (%v)", err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(given), "voxpack-rebuild-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestNeedlessWorkFailsTheCheck(t *testing.T) {
	with := func(shards int, bytes int64, runs ...string) report {
		r := report{BytesWritten: bytes, Stages: map[string]struct{ Run, Hit int }{}}
		r.Shards.Written = shards
		for _, s := range runs {
			c := r.Stages[s]
			c.Run++
			r.Stages[s] = c
		}
		return r
	}
	noop, text, clip, dry, bare := &kinds[0], &kinds[1], &kinds[2], &kinds[3], &kinds[4]
	all := with(1, 0, "text", "text")
	all.Rows.Kept, all.Rows.Rejected = 1, 1
	some := all
	some.Rows.Kept = 5
	wrote := all
	wrote.BytesWritten = 1
	for _, c := range []struct {
		name string
		kind *kind
		r    report
		want string // part of the error; "" none
	}{
		{"a no-op does nothing", noop, with(0, 0), ""},
		{"a no-op that writes", noop, with(0, 7), "7 bytes"},
		{"a no-op that runs a stage", noop, with(0, 0, "mel"), "1 rows ran"},
		{"a text runs text and tokens", text, with(1, 9, "text", "tokens"), ""},
		{"a text must not run a mel", text, with(1, 9, "text", "tokens", "mel"), "3 rows ran"},
		{"a text that nobody noticed", text, with(0, 0), "0 shards"},
		{"a clip runs audio and mel", clip, with(1, 9, "audio", "mel"), ""},
		{"a clip rewrites one shard", clip, with(2, 9, "audio", "mel"), "2 shards"},
		{"a dry run finds nothing to do", dry, with(0, 0), ""},
		{"a dry run that would run a row", dry, with(0, 0, "text"), "1 rows ran"},
		{"a dry run of new rows", bare, all, ""},
		{"a dry run that takes some for known", bare, some, "2 of 6 rows"},
		{"a dry run that writes", bare, wrote, "1 bytes be written"},
		{"a clip that runs something else", clip, with(1, 9, "audio", "text"), "0 rows ran in mel"},
	} {
		err := c.kind.check(c.r)
		if got := err == nil; got != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: check() = %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-runs", "0"}, {"-n", "3"}, {"extra"}, {"-what"}} {
		if _, err := parse(args, new(bytes.Buffer)); !errors.Is(err, program.ErrUsage) {
			t.Errorf("parse(%q) = %v, want a usage error", args, err)
		}
	}
}
