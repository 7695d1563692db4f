package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience is how long a command may take under a fault. What takes longer is stuck.
const patience = 3 * time.Minute

// fileCalls are the system calls by which a command reads and changes files.
var fileCalls = []string{"openat", "ftruncate", "mmap", "munmap", "madvise", "msync", "fsync", "renameat", "unlinkat", "mkdirat",
	"fchmodat", "flock", "close", "read", "pread64", "write", "pwrite64", "lseek", "newfstatat", "fstat", "getdents64", "fallocate", "sync_file_range", "statfs", "faccessat2"}

// errnos are the faults, with the calls that they come from.
var errnos = []struct {
	name  string
	calls []string
}{
	{"EIO", []string{"openat", "read", "pread64", "write", "newfstatat", "fstat", "getdents64", "ftruncate", "fsync", "msync", "mmap", "renameat", "unlinkat", "mkdirat", "fallocate", "flock", "statfs"}},
	{"ENOSPC", []string{"openat", "write", "ftruncate", "fsync", "msync", "renameat", "mkdirat", "fallocate"}},
	{"EMFILE", []string{"openat"}},
	{"ENOMEM", []string{"openat", "mmap", "newfstatat", "getdents64", "madvise", "flock"}},
}

// countCalls counts the system calls of a run, those of the busiest thread:
// strace counts for each thread where a fault comes.
func (l *lab) countCalls(ctx context.Context, args []string) (map[string]int, error) {
	file := filepath.Join(l.dir, "calls")
	cmd := exec.CommandContext(ctx, "strace", append([]string{"-f", "-qq", "-e", "signal=none", "-e", "trace=" + strings.Join(fileCalls, ","), "-o", file}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("strace: %w: %s", err, out)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	perThread, most := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(b)) {
		thread, rest, _ := strings.Cut(line, " ")
		if call, _, ok := strings.Cut(strings.TrimSpace(rest), "("); ok {
			perThread[thread+call]++
			most[call] = max(most[call], perThread[thread+call])
		}
	}
	return most, nil
}

// spread draws n places (call, number), evenly over the calls and from the first to the last of each.
func (l *lab) spread(calls []string, counts map[string]int, n int) (places []place) {
	calls = slices.DeleteFunc(slices.Clone(calls), func(c string) bool { return counts[c] == 0 })
	for i, call := range calls {
		share := n*(i+1)/len(calls) - n*i/len(calls)
		for k := range share {
			places = append(places, place{call, 1 + (k*counts[call]+l.rand.IntN(counts[call]))/share})
		}
	}
	return places
}

type place struct {
	call string
	when int
}

// killScene kills a scene's command, half of the times at random moments and
// half at system calls.
func (l *lab) killScene(ctx context.Context, s *scene, all int, t *table) error {
	n := all * s.kills / 100
	for range n / 2 {
		after := time.Duration(l.rand.Float64() * float64(s.takes))
		if err := l.trial(ctx, s, t, "SIGKILL at a random moment", "", 1, after); err != nil {
			return err
		}
	}
	for _, p := range l.spread(fileCalls, s.calls, n-n/2) {
		if err := l.trial(ctx, s, t, "SIGKILL at a system call", p.call+":signal=KILL", p.when, 0); err != nil {
			return err
		}
	}
	return nil
}

// faultScene lets system calls of a scene's command fail.
func (l *lab) faultScene(ctx context.Context, s *scene, all int, t *table) error {
	n := all * s.faults / 100
	for i, e := range errnos {
		share := n*(i+1)/len(errnos) - n*i/len(errnos)
		for _, p := range l.spread(e.calls, s.calls, share) {
			if err := l.trial(ctx, s, t, e.name, p.call+":error="+e.name, p.when, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// trial runs a scene's command with one fault and judges what is left. inject is
// strace's word for the fault, before the number of the call. Where the command
// has ended before its fault came, since it was faster or a thread made fewer
// calls than in the counted run, the trial is made again with an earlier fault.
func (l *lab) trial(ctx context.Context, s *scene, t *table, what, inject string, when int, after time.Duration) error {
	r := result{scene: s.name, what: what, reads: s.command[0] != "build"}
	var store string
	for hit := false; !hit; when, after = when/2, after*3/4 {
		var err error
		if store, err = l.copyOf(s.store); err != nil {
			return err
		}
		r.inject = after.String()
		args, log := l.arguments(s, store), filepath.Join(l.dir, "injected")
		os.Remove(log)
		if inject != "" {
			r.inject = fmt.Sprintf("%s:when=%d", inject, when)
			call, _, _ := strings.Cut(inject, ":")
			args = append([]string{"strace", "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e", "inject=" + r.inject}, args...)
		}
		if err := r.run(ctx, args, after); err != nil {
			return err
		}
		b, _ := os.ReadFile(log)
		hit = r.code == -1 || inject != "" && when == 1 || bytes.Contains(b, []byte("(INJECTED)"))
	}
	l.judge(ctx, s, store, &r)
	t.add(r)
	for _, w := range r.wrong() {
		fmt.Fprintf(l.log, "WRONG: %s, %s %s: exit %d: %s\n%s\n", r.scene, r.what, r.inject, r.code, w, r.said[:min(len(r.said), 700)])
	}
	return nil
}

// run runs a command, and kills it after a time unless that is zero.
func (r *result) run(ctx context.Context, args []string, after time.Duration) error {
	until := patience
	if after > 0 {
		until = after
	}
	limited, cancel := context.WithTimeout(ctx, until)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr, cmd.SysProcAttr = &said, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	end := context.AfterFunc(limited, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	end()
	r.code, r.said, r.hung = codeOf(err), said.String(), after == 0 && limited.Err() != nil
	return ctx.Err()
}

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
	reads               bool   // a command that looks for damage
	lost, stuck         string // why, or ""
	wrongRoot           string
}

// judge looks at the store after a fault, then builds without one.
func (l *lab) judge(ctx context.Context, s *scene, store string, r *result) {
	root, err := l.root(ctx, store)
	switch {
	case err != nil && s.before != "":
		r.lost = err.Error()
	case r.code == 0 && root != s.after:
		r.wrongRoot = "exit code 0, and the root is not that of a sound machine"
	case s.before != "" && root != s.before && root != s.after:
		r.lost = "the ref names " + root
	}
	if root, err = l.build(ctx, s.dataset, store); err != nil {
		r.stuck = err.Error()
		return
	}
	if root != s.after {
		r.lost = "the next build makes " + root
	}
	if out, err := exec.CommandContext(ctx, l.program, "verify", store, "--full").CombinedOutput(); err != nil {
		r.stuck = "verify --full after the next build: " + string(out)
	}
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
	return r.code == 2 && !strings.Contains(r.said, "panic:") &&
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
