package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestNoPackageWorksBeforeMain: every command pays what packages compute in
// package variables and init functions, so tables that cost are made when they
// are first used. Allocations are counted, as they are nearly the same in each
// run (maps grow by their seed) and on each machine. Before this rule the 19
// languages took 27,944 allocations, 2.4 MB and 3.5 of 8 ms of "voxpack version";
// the most that a package takes now is 266 allocations, and 80 KiB.
func TestNoPackageWorksBeforeMain(t *testing.T) {
	const mostAllocations, mostBytes = 400, 128 << 10
	cmd := exec.Command("voxpack", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^init (voxpack/\S+) @.* (\d+) bytes, (\d+) allocs$`)
	packages := line.FindAllStringSubmatch(trace.String(), -1)
	if len(packages) < 10 {
		t.Fatalf("%d packages of ours in the trace, want more:\n%s", len(packages), trace.String())
	}
	for _, p := range packages {
		if p[1] == "voxpack/cmd/voxpack" {
			continue // what its test files make counts here too
		}
		bytes, _ := strconv.Atoi(p[2])
		allocations, _ := strconv.Atoi(p[3])
		if allocations > mostAllocations || bytes > mostBytes {
			t.Errorf("%s allocates %d times and %d bytes before main, at most %d and %d: make its tables when they are first used (sync.OnceValue)",
				p[1], allocations, bytes, mostAllocations, mostBytes)
		}
	}
}
