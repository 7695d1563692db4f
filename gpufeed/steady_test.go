package gpufeed

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
	"voxpack/internal/perf"
)

// TestAHundredThousandBatches: in the steady state, with epochs that begin and
// end, a feed allocates nothing and its anonymous memory does not grow.
func TestAHundredThousandBatches(t *testing.T) {
	const batches = 100_000
	for name, c := range map[string]Config{
		"host": {Plan: plan.Options{Batch: 8}},
		"dual": {Plan: plan.Options{Batch: 8}, ModelGPU: 1, Driver: simulated(t, sim.Options{Pace: sim.Unpaced})},
	} {
		t.Run(name, func(t *testing.T) {
			if raceDetector {
				t.Skip("the race detector allocates")
			}
			f := endless(t, c)
			run := func(n int) {
				for range n {
					b, err := f.Next(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					b.Release()
				}
			}
			run(batches / 10)
			var before, after runtime.MemStats
			debug.FreeOSMemory()
			anonymous := anonymousBytes(t)
			runtime.ReadMemStats(&before)
			run(batches)
			runtime.ReadMemStats(&after)
			grown := anonymousBytes(t) - anonymous
			// Timers and the collector's own goroutines may allocate now and then. A goroutine that
			// waits takes its place in a queue from where it runs, and gives it back where it wakes:
			// each processor of the runtime may come to keep 128 of them.
			if n := after.Mallocs - before.Mallocs; n > uint64(batches/1000+128*runtime.GOMAXPROCS(0)) {
				t.Errorf("%d allocations in %d batches, want 0 for each", n, batches)
			} else {
				t.Logf("%d allocations in %d batches; anonymous memory grew by %d kB", n, batches, grown>>10)
			}
			if grown > 2<<20 {
				t.Errorf("anonymous memory grew by %d kB", grown>>10)
			}
		})
	}
}

// anonymousBytes is the process's anonymous memory that is resident, 0 where
// the system does not tell.
func anonymousBytes(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kB, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(kB), " kB"))
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	return 0
}

// TestATimelineShowsTheOverlap: fills, copies and the trainer's steps are on
// rows of their own, and go on at the same time.
func TestATimelineShowsTheOverlap(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(57)), plan.Selection{})
	trace := perf.NewTrace(0)
	synctest.Test(t, func(t *testing.T) {
		l := layout(t, datatest.Schema, 8, 0)
		d := sim.New(sim.Options{In: sim.Link{BytesPerSecond: float64(l.Bytes) / 4.2e-3}})
		defer closeSim(t, d)
		reader, err := NewReader(set, ChecksFirst)
		if err != nil {
			t.Fatal(err)
		}
		f, err := open(context.Background(), set, Config{Driver: d, Plan: plan.Options{Batch: 8}, Fillers: 1, Trace: trace},
			&paced{source: reader, takes: func(int64) time.Duration { return 3 * time.Millisecond }})
		if err != nil {
			t.Fatal(err)
		}
		train(t, f, 100, 5*time.Millisecond)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	var out bytes.Buffer
	if _, err := trace.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	busy := busyByEvent(t, &out)
	total := 100 * 5 * time.Millisecond
	for name, most := range map[string]time.Duration{"fill": 3, "copy": 4, "train": 5} {
		if got := busy[name]; got < most*100*time.Millisecond*9/10 || got > total*11/10 {
			t.Errorf("%s: %v in %v", name, got, total)
		}
	}
	if sum := busy["fill"] + busy["copy"] + busy["train"]; sum < total*2 {
		t.Errorf("%v of work in %v: no overlap", sum, total)
	}
}

// busyByEvent adds up the lengths of a trace's events.
func busyByEvent(t testing.TB, r io.Reader) map[string]time.Duration {
	t.Helper()
	var doc struct {
		TraceEvents []struct {
			Name string
			Ph   string
			Dur  float64
		}
	}
	if err := json.NewDecoder(r).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	busy := map[string]time.Duration{}
	for _, e := range doc.TraceEvents {
		if e.Ph == "X" {
			busy[e.Name] += time.Duration(e.Dur * 1e3)
		}
	}
	return busy
}

// TestAStoreThatIsDeletedUnderAFeed is read on, as its files are open, or ends
// the feed with an error that names what is gone; the process goes on.
func TestAStoreThatIsDeletedUnderAFeed(t *testing.T) {
	d := datatest.Dataset(t, datatest.Samples(57))
	set := choose(t, d, plan.Selection{})
	want := expect(t, set, Config{Plan: plan.Options{Batch: 8, Epochs: 2}})
	f, err := Open(context.Background(), set, Config{Plan: plan.Options{Batch: 8, Epochs: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(d.Store.Dir()); err != nil {
		t.Fatal(err)
	}
	same(t, set, 8, collect(t, f), want)
}
