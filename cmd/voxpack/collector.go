package main

import (
	"os"
	"runtime"
	"runtime/debug"
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
