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
