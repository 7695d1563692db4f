package fakecuda

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Count reads a counter of the library in dir as this process uses it, at any
// time. Which there are is in c/fake.h.
func Count(t testing.TB, dir, name string) int64 {
	t.Helper()
	return CountOf(t, dir, os.Getpid(), name)
}

// CountOf reads a counter of another process, which may run or be dead.
func CountOf(t testing.TB, dir string, pid int, name string) int64 {
	t.Helper()
	counters := Report(t, filepath.Join(dir, fmt.Sprintf("counters.%d", pid)))
	n, ok := counters[name]
	if !ok {
		t.Fatalf("the library has no counter %q", name)
	}
	return n
}

// Live is what was taken from the library in dir by this process and not given
// back, by kind, without what is 0.
func Live(t testing.TB, dir string) map[string]int {
	t.Helper()
	live := map[string]int{}
	for name, n := range Report(t, filepath.Join(dir, fmt.Sprintf("counters.%d", os.Getpid()))) {
		if n != 0 && (strings.HasPrefix(name, "live_") || name == "contexts" || name == "pinned_ranges") {
			live[name] = int(n)
		}
	}
	return live
}

// Report reads all counters from the file that FAKECUDA_REPORT named.
func Report(t testing.TB, file string) map[string]int64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	counters := map[string]int64{}
	for line := range bytes.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
		if !ok || err != nil {
			t.Fatalf("%s: %q is not a counter", file, line)
		}
		counters[name] = n
	}
	return counters
}
