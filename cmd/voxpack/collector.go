package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// gcUsual is how much the heap grows between two collections, in percent.
const gcUsual = 75

// lateCollector lets the heap grow to 48 MB before the first garbage
// collection, which in Go comes at 4 MB. A build with nothing to do allocates
// 40 MB over 13,100 rows and is done; five collections on the way took an
// eighth of its CPU time (2 cores). From the first collection on a long build
// needs less memory than Go's usual 100 % would have it: 145 to 157 MB of
// anonymous memory for 13,100 clips instead of 160 to 185, once 204, in the same
// time (medians of four by turns 4.8 and 4.7 s, 2026-11-22). A GOGC in the
// environment is obeyed instead.
func lateCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	// The first collection comes at 4 MB × percent / 100. The one that frees
	// first also ends the exception.
	debug.SetGCPercent(1200)
	first := new([64]byte)
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, gcUsual)
}

// A build should take no more than 200 MB and 500 bytes a row. These are a tenth less, since the runtime counts no
// memory of its own threads and mappings; a worker holds blocks and what it computes with.
const (
	heapFixed  = 100_000_000
	heapWorker = 40_000_000
	heapRow    = 450
)

// boundHeap has garbage collected sooner where a build of so many rows would take more memory than it should. A GOGC or
// GOMEMLIMIT in the environment is obeyed instead.
func boundHeap(rows, workers int) {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		keepBelow(heapFixed + heapWorker*int64(workers) + heapRow*int64(rows))
	}
}

// keepBelow sets the limit, and after each collection again.
func keepBelow(limit int64) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(heapLimit(limit, int64(live[0].Value.Uint64())))
	runtime.AddCleanup(new([64]byte), keepBelow, limit)
}

// heapLimit is the limit, or a sixth over what lives: a collector without room runs all the time. 200,000 rows with
// at most 285 MB that lived took 28 s of a processor without a limit, 32 with 335 MB and 46 with 293.
func heapLimit(limit, live int64) int64 { return max(limit, live+live/6) }
