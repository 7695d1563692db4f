package main

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"syscall"
)

// codeOf is an exit code; -1 after SIGKILL, and 128 and more after another signal.
func codeOf(err error) int {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	switch status := exit.Sys().(syscall.WaitStatus); {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return -1
	case status.Signaled():
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// result is a trial and what was found.
type result struct {
	scene, what, inject string
	code                int
	said                string
	hung                bool
	leaps               leaps  // of its clock
	memory              int64  // the most that it had in memory, mapped files apart
	reads               bool   // a command that looks for damage
	must                bool   // it has to end well
	lost, stuck         string // why, or ""
	wrongRoot           string
}

// raw are pieces of text that no user may meet: Badger's and those of a Go panic.
var raw = []string{"panic:", "goroutine ", " err: ", "Arena too small", "Assert failed", "While opening", "while opening", "unexpected fault", "SIGBUS", "DB.Close"}

// runtimes are what the Go runtime says when it cannot begin or go on; the
// program has no part in it.
var runtimes = []string{"runtime: ", "goroutine 0 ", "runtime stack:", "fatal error: out of memory", "failed to create new OS thread", "Failed to reserve"}

// foreign reports an end by the Go runtime itself.
func (r *result) foreign() bool {
	if r.code == 127 || r.code > 128 && r.said == "" { // the loader: the runtime would say something
		return true
	}
	if r.what == cutMeanwhile && strings.Contains(r.said, "badger/v4/table.OpenTable") {
		return true // cut between our look at a table and Badger's, which has a goroutine of its own for it
	}
	return (r.code == 2 || r.code > 128) && !strings.Contains(r.said, "panic:") &&
		slices.ContainsFunc(runtimes, func(t string) bool { return strings.Contains(r.said, t) })
}

// wrong lists what must not be.
func (r *result) wrong() (list []string) {
	for name, why := range map[string]string{"lost": r.lost, "stuck": r.stuck, "wrong": r.wrongRoot} {
		if why != "" {
			list = append(list, name+": "+why)
		}
	}
	if r.hung {
		list = append(list, "stuck: did not end within "+patience.String())
	}
	if r.foreign() || r.hung {
		return list
	}
	allowed := []int{-1, 0, 3}
	if r.reads {
		allowed = append(allowed, 1)
	}
	if r.must {
		allowed = []int{0}
	}
	if !slices.Contains(allowed, r.code) {
		list = append(list, fmt.Sprintf("exit code %d", r.code))
	}
	for _, text := range raw {
		if strings.Contains(r.said, text) {
			list = append(list, "raw text: "+text)
			break
		}
	}
	if unsaid := r.said == "" && strings.HasPrefix(r.inject, "write:"); r.code == 3 && !unsaid && !strings.Contains(r.said, "voxpack: ") {
		list = append(list, "no sentence")
	}
	return list
}

// counts are the exit codes of results, as "0: 12, 3: 30".
func counts(codes map[int]int) string {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		name := fmt.Sprint(code)
		if code == -1 {
			name = "killed"
		}
		parts = append(parts, fmt.Sprintf("%s: %d", name, codes[code]))
	}
	return strings.Join(parts, ", ")
}
