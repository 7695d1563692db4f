package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// gcPercent reads the setting without changing it.
func gcPercent() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func TestTheCollectorIsLateOnceOnly(t *testing.T) {
	t.Setenv("GOGC", "") // restores it
	os.Unsetenv("GOGC")
	defer debug.SetGCPercent(debug.SetGCPercent(123))
	lateCollector()
	if got := gcPercent(); got < 1000 {
		t.Errorf("GC percent before the first collection = %d, want the heap to grow first", got)
	}
	runtime.GC()
	for deadline := time.Now().Add(time.Minute); gcPercent() != gcUsual && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // cleanups run in a goroutine of the runtime
	}
	if got := gcPercent(); got != gcUsual {
		t.Errorf("GC percent after the first collection = %d, want %d", got, gcUsual)
	}
}

func TestTheCollectorObeysTheEnvironment(t *testing.T) {
	t.Setenv("GOGC", "77")
	defer debug.SetGCPercent(debug.SetGCPercent(77))
	lateCollector()
	if got := gcPercent(); got != 77 {
		t.Errorf("GC percent = %d, want that of GOGC, 77", got)
	}
}

func TestTheHeapOfABuildIsBounded(t *testing.T) {
	for _, c := range []struct{ limit, live, want int64 }{{300, 200, 300}, {300, 257, 300}, {300, 600, 700}} {
		if got := heapLimit(c.limit, c.live); got != c.want {
			t.Errorf("heapLimit(%d, %d) = %d, want %d", c.limit, c.live, got, c.want)
		}
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv(name, "") // restores it
		os.Unsetenv(name)
	}
	before := debug.SetMemoryLimit(-1)
	t.Setenv("GOMEMLIMIT", "1GiB")
	if boundHeap(1, 1); debug.SetMemoryLimit(-1) != before {
		t.Error("the limit of the environment is not obeyed")
	}
	os.Unsetenv("GOMEMLIMIT")
	defer debug.SetMemoryLimit(before)
	if boundHeap(1_000_000, 2); debug.SetMemoryLimit(-1) != 630_000_000 {
		t.Errorf("the limit for a million rows is %d bytes", debug.SetMemoryLimit(-1))
	}
}
