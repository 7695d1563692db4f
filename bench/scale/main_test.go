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

// TestBenchRunsTheProgram is the whole bench over too few rows to say anything: every
// step's check has to hold and its line to be there.
func TestBenchRunsTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	dir := t.TempDir()
	var out, log bytes.Buffer
	if err := run(t.Context(), []string{"-n", "200", "-dir", dir}, &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	for _, s := range steps {
		if !regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(s.name) + ` \| \d+\.\d\d \| .* \| \d+\.\d\d \|$`).MatchString(out.String()) {
			t.Errorf("no line of %q in\n%s", s.name, out.String())
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

func TestNeedlessWorkFailsTheCheck(t *testing.T) {
	with := func(text, audio, shards, kept, rejected int) report {
		var r report
		r.Rows.Kept, r.Rows.Rejected, r.Shards.Written = kept, rejected, shards
		r.Stages = map[string]struct{ Run, Hit int }{"text": {Run: text}, "audio": {Run: audio}}
		return r
	}
	for _, c := range []struct {
		name string
		r    report
		want counts
		err  string // part of it; "" none
	}{
		{"nothing is done", with(0, 0, 0, 9, 0), counts{}, ""},
		{"a stage runs for nothing", with(0, 2, 0, 9, 0), counts{}, "audio for 2"},
		{"a shard is written for nothing", with(1, 0, 2, 9, 0), counts{1, 0, 1}, "2 shards"},
		{"any number of shards", with(9, 9, 4, 9, 0), counts{9, 9, -1}, ""},
		{"a row is lost", with(0, 0, 0, 8, 1), counts{}, "8 rows kept"},
	} {
		err := c.r.check(c.want, 9)
		if got := err == nil; got != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: check() = %v, want %q", c.name, err, c.err)
		}
	}
}

func TestRowsDiffer(t *testing.T) {
	texts, sounds := map[string]bool{}, map[string]bool{}
	for row := range 3000 {
		texts[words(row)], sounds[string(clip(uint64(row)))] = true, true
	}
	if len(texts) != 3000 || len(sounds) != 3000 {
		t.Errorf("%d texts and %d sounds of 3000 rows differ", len(texts), len(sounds))
	}
}

func TestAnEditChangesOneRow(t *testing.T) {
	c, err := newCorpus(filepath.Join(t.TempDir(), "corpus"), 5)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Join(c.lines, "\n") + "\n"
	if err := errors.Join(c.editText(2), c.grow(1)); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(c.dir, "metadata.csv"))
	if err != nil || len(c.lines) != 6 || string(after) != strings.Replace(before, c.lines[2][:len(c.lines[2])-len(" once more")]+"\n", c.lines[2]+"\n", 1)+c.lines[5]+"\n" {
		t.Errorf("metadata after an edit and an append is\n%s(%v), before\n%s", after, err, before)
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-n", "3"}, {"extra"}, {"-what"}} {
		if _, err := parse(args, new(bytes.Buffer)); !errors.Is(err, program.ErrUsage) {
			t.Errorf("parse(%q) = %v, want a usage error", args, err)
		}
	}
}
