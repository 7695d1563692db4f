package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"voxpack/gpufeed/plan"
)

// failedBatch finds the batch that an error names.
var failedBatch = regexp.MustCompile(`(fill|host to GPU \d|GPU \d to GPU \d): batch (\d+): `)

// checkEnd: exit code, messages and report say the same.
func (r *running) checkEnd(t *testing.T, tr trial) {
	t.Helper()
	if r.code != tr.code {
		t.Errorf("exit code %d, want %d; it said\n%s%s", r.code, tr.code, r.stderr.String(), r.stdout.String())
	}
	for _, want := range tr.says {
		if !regexp.MustCompile(want).MatchString(r.stderr.String()) {
			t.Errorf("it said\n%swant %s", r.stderr.String(), want)
		}
	}
	if r.report == nil {
		return
	}
	want := map[int]string{exitDone: "done", exitInterrupted: "interrupted"}[r.code]
	if want == "" {
		want = "failed"
	}
	if r.report.Ended != want {
		t.Errorf("the report says %q, want %q", r.report.Ended, want)
	}
	if n := failedBatch.FindStringSubmatch(r.stderr.String()); n != nil && !tr.others && n[2] != fmt.Sprint(r.report.Batches) {
		t.Errorf("batch %s failed, and %d were delivered before", n[2], r.report.Batches)
	}
}

// checkDelivered: what came was right, and the position is behind it.
func (r *running) checkDelivered(t *testing.T, tr trial) {
	t.Helper()
	if tr.others {
		return
	}
	m := r.machine
	if len(r.ids) > len(m.ids) || !slices.Equal(r.ids, m.ids[:len(r.ids)]) {
		t.Errorf("it delivered %q, want the beginning of %q", r.ids, m.ids[:min(len(r.ids), len(m.ids))])
	}
	if r.report == nil {
		return
	}
	if int(r.report.Samples) != len(r.ids) {
		t.Errorf("%d samples are reported, %d ids were written", r.report.Samples, len(r.ids))
	}
	for epoch, digest := range r.report.Digests {
		if whole := len(r.ids) >= 10*(epoch+1); whole && digest != m.digests[epoch] {
			t.Errorf("digest of epoch %d is %s, want %s", epoch, digest, m.digests[epoch])
		}
	}
	if r.cursor == nil || cursorCount(r.cursor) != len(r.ids) {
		t.Errorf("the position is %+v, want behind %d samples", r.cursor, len(r.ids))
	}
}

// cursorCount is how many samples lie before a position.
func cursorCount(c *plan.Cursor) int { return 10*int(c.Epoch) + int(c.Samples) }

// checkResume: another run, on a sound machine, delivers what is left.
func (r *running) checkResume(t *testing.T) {
	t.Helper()
	from, rest := cursorCount(r.cursor), filepath.Join(t.TempDir(), "rest")
	voxpack(t, "feed", r.dataset, "-q", "--record", "none", "--device", "host", "--batch-size", "2", "--steps", "6", "--resume", filepath.Join(r.dir, "at.json"), "--ids", rest)
	if got, want := linesOf(t, rest), r.machine.ids[from:from+12]; !slices.Equal(got, want) {
		t.Errorf("behind the position came %q, want %q", got, want)
	}
}

// checkLeft: no process, no memory, no misuse of the driver; what was not
// delivered can be had.
func (r *running) checkLeft(t *testing.T, tr trial) {
	t.Helper()
	if err := syscall.Kill(-r.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("of its processes some are left: %v", err)
	}
	checkMisuse(t, r.counters)
	if live := liveOf(r.counters); (len(live) > 0) != tr.frozen {
		t.Errorf("at the end of the process it had %v, want something: %v", live, tr.frozen)
	}
	if r.cursor != nil && r.code != exitDone && !tr.wrecked && !tr.others {
		r.checkResume(t)
	}
}

// liveOf is what was taken from a driver and not given back.
func liveOf(counters map[string]int64) map[string]int64 {
	live := map[string]int64{}
	for name, n := range counters {
		if n != 0 && (strings.HasPrefix(name, "live_") || name == "contexts" || name == "pinned_ranges") {
			live[name] = n
		}
	}
	return live
}

// checkMisuse looks for calls that cost overlap or are wrong.
func checkMisuse(t *testing.T, counters map[string]int64) {
	t.Helper()
	for _, name := range []string{"unpinned_copies", "stream0_calls", "spin_syncs", "spin_contexts", "invalid_contexts", "freed_while_shared"} {
		if n, ok := counters[name]; n != 0 || counters != nil && !ok {
			t.Errorf("%s is %d, want 0", name, n)
		}
	}
}
