package feedrun

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// full is a file on a full disk, as Linux has one.
func full(t *testing.T) string {
	t.Helper()
	const path = "/dev/full"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s here", path)
	}
	return path
}

// TestAFullDiskEndsAFeedThatWritesIDs: an endless one would run on for nothing.
func TestAFullDiskEndsAFeedThatWritesIDs(t *testing.T) {
	r := runOf(t, fed(t, "en"), "--batch-size", "2", "--epochs", "0", "--ids", full(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a failing test must end too
	defer cancel()
	failed := r.deliver(ctx)
	if !errors.Is(failed, syscall.ENOSPC) || !strings.HasPrefix(failed.Error(), "--ids: ") {
		t.Errorf("deliver = %v, want that --ids has no space", failed)
	}
	err := r.finish(ctx, failed)
	if endOf(err) != machineFailed || strings.Count(err.Error(), "--ids") != 1 {
		t.Errorf("finish = %v (%s), want the error of --ids once, as one of the machine", err, endOf(err))
	}
}

// TestAnInterruptHidesNoLostIDs: what stood in memory when it came.
func TestAnInterruptHidesNoLostIDs(t *testing.T) {
	r := runOf(t, fed(t, "en"), "--batch-size", "2", "--steps", "2", "--ids", full(t))
	ctx, cancel := context.WithCancel(t.Context())
	if err := r.deliver(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	err := r.finish(ctx, ctx.Err())
	if endOf(err) != wasInterrupted || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("finish = %v (%s), want that --ids has no space, and the interrupt", err, endOf(err))
	}
}

// TestThePageSaysWhetherThePositionWasSaved looks at its line and at the error.
func TestThePageSaysWhetherThePositionWasSaved(t *testing.T) {
	d := fed(t, "en")
	at := filepath.Join(t.TempDir(), "at.json")
	for _, tt := range []struct {
		name, path, want string
		code             end
	}{
		{"saved", at, "cursor    epoch 0, 4 samples in, saved to " + at, ended},
		{"a full disk", full(t), "cursor    epoch 0, 4 samples in, not saved", machineFailed},
		{"not asked for", "", "cursor    epoch 0, 4 samples in", ended},
	} {
		args := []string{"--batch-size", "2", "--steps", "2"}
		if tt.path != "" {
			args = append(args, "--save-cursor", tt.path)
		}
		r := runOf(t, d, args...)
		var out bytes.Buffer
		r.stdout = &out
		err := r.finish(t.Context(), r.deliver(t.Context()))
		if !strings.HasSuffix(out.String(), tt.want+"\n") || endOf(err) != tt.code {
			t.Errorf("%s: report ends with %q, %s (%v); want %q and %s", tt.name, out.String()[max(0, out.Len()-120):], endOf(err), err, tt.want, tt.code)
		}
	}
}

// TestThePositionIsSavedBeforeTheReportIsMade: what breaks while the run is
// summed up, or kills it while it measures the machine, has lost nothing.
func TestThePositionIsSavedBeforeTheReportIsMade(t *testing.T) {
	at := filepath.Join(t.TempDir(), "at.json")
	r := runOf(t, fed(t, "en"), "--batch-size", "2", "--steps", "2", "--save-cursor", at)
	failed := r.deliver(t.Context())
	r.set = nil // nothing can be summed up
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a report came about without a set; this test sees nothing")
			}
		}()
		r.finish(t.Context(), failed)
	}()
	if c, err := ReadCursor(at); err != nil || c.Samples != 4 {
		t.Errorf("saved position %+v, %v, want behind 4 samples", c, err)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
}

// TestAPositionThatCannotBeSavedIsSaidAtOnce: in virtual time, with a folder that
// is gone for a while. At the end it is there again, and nothing was lost.
func TestAPositionThatCannotBeSavedIsSaidAtOnce(t *testing.T) {
	d := fed(t, "en")
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "dir")
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(os.Mkdir(dir, 0o777))
		r := runOf(t, d, "--batch-size", "1", "--epochs", "0", "--step-ms", "1000", "--save-cursor", filepath.Join(dir, "at.json"))
		var said bytes.Buffer
		r.said.out = &said
		must(os.Remove(dir))
		ctx, cancel := context.WithTimeout(context.Background(), 18500*time.Millisecond)
		defer cancel()
		failed := r.deliver(ctx)
		const want = "warning: the position was not saved: --save-cursor: "
		if strings.Count(said.String(), want) != 1 || !strings.HasSuffix(said.String(), "; it is tried again every 5s\n") {
			t.Errorf("after three failures: %q, want %q once, and that it is tried again", said.String(), want)
		}
		must(os.Mkdir(dir, 0o777))
		err := r.finish(ctx, failed)
		if endOf(err) != wasInterrupted || strings.Contains(err.Error(), "--save-cursor") || !r.saved {
			t.Errorf("finish = %v (%s), want the interrupt and a saved position", err, endOf(err))
		}
	})
}

// TestAWarningStandsOnALineOfItsOwn: the live line is taken away for it, once.
func TestAWarningStandsOnALineOfItsOwn(t *testing.T) {
	var out bytes.Buffer
	l := &live{out: &out, drawn: true}
	for range 2 {
		l.aside(func() { out.WriteString("said\n") })
	}
	if got, want := out.String(), "\r\x1b[Ksaid\nsaid\n"; got != want {
		t.Errorf("on the terminal: %q, want %q", got, want)
	}
}
