package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"voxpack/bench/program"
)

// patience is how long a command may take under a fault. What takes longer is stuck.
const patience = 3 * time.Minute

// fileCalls are the system calls by which a command reads and changes files.
var fileCalls = []string{"openat", "ftruncate", "mmap", "munmap", "madvise", "msync", "fsync", "renameat", "linkat", "unlinkat", "mkdirat",
	"fchmodat", "flock", "close", "read", "pread64", "write", "pwrite64", "lseek", "newfstatat", "fstat", "getdents64", "fallocate", "sync_file_range", "statfs", "faccessat2"}

// errnos are the faults, with the calls that they come from.
var errnos = []struct {
	name  string
	calls []string
}{
	{"EIO", []string{"openat", "read", "pread64", "write", "newfstatat", "fstat", "getdents64", "ftruncate", "fsync", "msync", "mmap", "renameat", "linkat", "unlinkat", "mkdirat", "fallocate", "flock", "statfs"}},
	{"ENOSPC", []string{"openat", "write", "ftruncate", "fsync", "msync", "renameat", "linkat", "mkdirat", "fallocate"}},
	{"EMFILE", []string{"openat"}},
	{"ENOMEM", []string{"openat", "mmap", "newfstatat", "getdents64", "madvise", "flock"}},
}

// countCalls counts the system calls of a run, those of the busiest thread:
// strace counts for each thread where a fault comes.
func (d *desk) countCalls(ctx context.Context, args []string) (map[string]int, error) {
	file := filepath.Join(d.at, "calls")
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

// fault is what a trial does to a command. One of inject, after, limit, disk, clock and memory is set.
type fault struct {
	what   string        // as the tables say it
	inject string        // strace's word for it, before the number of the call
	when   int           // that number
	after  time.Duration // SIGKILL then
	limit  string        // what a shell does before the command, such as ulimit -n 64
	disk   *disk         // where the store lies
	clock  leaps         // of its clock; it has to end well
	memory int64         // nothing is done, and the command has to end well with so much at most
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

// killScene plans kills of a scene's command, half of them at random moments and
// half at system calls.
func (l *lab) killScene(s *scene, n int) (faults []fault) {
	for range n / 2 {
		faults = append(faults, fault{what: "SIGKILL at a random moment", when: 1, after: time.Duration(l.rand.Float64() * float64(s.takes))})
	}
	for _, p := range l.spread(fileCalls, s.calls, n-n/2) {
		faults = append(faults, fault{what: "SIGKILL at a system call", inject: p.call + ":signal=KILL", when: p.when})
	}
	return faults
}

// faultScene plans system calls of a scene's command that fail.
func (l *lab) faultScene(s *scene, n int) (faults []fault) {
	for i, e := range errnos {
		share := n*(i+1)/len(errnos) - n*i/len(errnos)
		for _, p := range l.spread(e.calls, s.calls, share) {
			faults = append(faults, fault{what: e.name, inject: p.call + ":error=" + e.name, when: p.when})
		}
	}
	return faults
}

// sceneTrials plans the kills and the faults of all scenes.
func (l *lab) sceneTrials(o options) (trials []func(context.Context, *desk) error) {
	kills, faults := 0, 0
	for _, s := range l.scenes {
		kills, faults = kills+s.kills, faults+s.faults
	}
	for _, s := range l.scenes {
		if o.one != "" && o.one != s.name {
			continue
		}
		for _, f := range append(l.killScene(s, o.kills*s.kills/kills), l.faultScene(s, o.faults*s.faults/faults)...) {
			trials = append(trials, func(ctx context.Context, d *desk) error { return d.trial(ctx, s, f) })
		}
	}
	return trials
}

// trial runs a scene's command with one fault and judges what is left. Where the command
// has ended before its fault came, since it was faster or a thread made fewer
// calls than in the counted run, the trial is made again with an earlier fault.
func (d *desk) trial(ctx context.Context, s *scene, f fault) error {
	r := result{scene: s.name, what: f.what, reads: !slices.Contains([]string{"build", "copy", "join"}, s.command[0]), must: f.memory > 0 || f.clock != nil, leaps: f.clock}
	var store string
	for hit := false; !hit; f.when, f.after = f.when/2, f.after*3/4 {
		var err error
		if store, err = d.storeFor(s, f); err != nil {
			return err
		}
		r.inject = strings.TrimSpace(f.limit + " " + f.disk.String() + f.clock.String())
		args, log := d.arguments(s, store), filepath.Join(d.at, "injected")
		os.Remove(log)
		switch {
		case f.inject != "":
			r.inject = fmt.Sprintf("%s:when=%d", f.inject, f.when)
			call, _, _ := strings.Cut(f.inject, ":")
			args = append([]string{"strace", "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e", "inject=" + r.inject}, args...)
		case f.limit != "":
			args = append([]string{"sh", "-c", f.limit + ` && exec "$@"`, "sh"}, args...)
		case f.after > 0:
			r.inject = f.after.String()
		}
		if err := r.run(ctx, args, f.after); err != nil {
			return err
		}
		b, _ := os.ReadFile(log)
		hit = r.code == -1 || f.inject == "" && f.after == 0 || f.inject != "" && f.when == 1 || bytes.Contains(b, []byte("(INJECTED)"))
	}
	if f.memory > 0 && r.memory > f.memory {
		r.wrongRoot = fmt.Sprintf("%d bytes of memory of its own, want at most %d", r.memory, f.memory)
	}
	if err := f.disk.mend(store); err != nil {
		return err
	}
	d.judge(ctx, s, store, &r)
	d.note(r)
	return errors.Join(ctx.Err(), f.disk.leave(store))
}

// storeFor copies a scene's store to where a trial is made.
func (d *desk) storeFor(s *scene, f fault) (string, error) {
	if f.disk == nil {
		return d.copyOf(s.store, "trial")
	}
	return f.disk.prepare(d, s)
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
	ended, err := r.leaps.start(cmd)
	if err != nil {
		return err
	}
	end := context.AfterFunc(limited, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	memory := program.Watch(cmd.Process.Pid)
	err = cmd.Wait()
	end()
	unmoved := ended()
	r.memory = memory().Anon
	r.code, r.said, r.hung = codeOf(err), said.String(), after == 0 && limited.Err() != nil
	return errors.Join(unmoved, ctx.Err())
}

// judge looks at the store after a fault, lets the command do its work where it has to be
// run again, then builds without a fault.
func (d *desk) judge(ctx context.Context, s *scene, store string, r *result) {
	root, err := d.root(ctx, store)
	switch {
	case err != nil && s.before != "":
		r.lost = err.Error()
	case r.code == 0 && root != s.after:
		r.wrongRoot = "exit code 0, and the root is not that of a sound machine"
	case s.before != "" && root != s.before && root != s.after:
		r.lost = "the ref names " + root
	}
	if s.before != "" && !s.damaged {
		if err := d.verify(ctx, store); err != nil {
			r.lost = "verify --full after the fault: " + err.Error()
		}
	}
	if s.again {
		if err := d.finish(ctx, s, store); err != nil {
			r.stuck = err.Error()
			return
		}
	}
	if store, err = d.whole(ctx, s, store); err != nil {
		r.stuck = err.Error()
		return
	}
	next, err := d.work(ctx, s.dataset, store)
	if err != nil {
		r.stuck = err.Error()
		return
	}
	if next.Dataset != s.built {
		r.lost = "the next build makes " + next.Dataset
	}
	if mels := next.Stages["mel"]["run"]; s.again && mels > s.misses {
		r.lost = fmt.Sprintf("the next build computes %d mels, want %d", mels, s.misses)
	}
	if heard := next.Stages["audio"]["run"]; (s.joins != nil || s.command[0] == "join") && (next.Wrote > 0 || heard > 0) {
		r.lost = fmt.Sprintf("the build after the join writes %d bytes and reads %d recordings", next.Wrote, heard)
	}
	if err := d.verify(ctx, store); err != nil {
		r.stuck = "verify --full after the next build: " + err.Error()
	}
	if digest, err := d.feed(ctx, store); err != nil || digest != s.digest {
		r.lost = fmt.Sprintf("a feed after the next build delivers %s, %v", digest, err)
	}
}

// finish runs a scene's command once more, without a fault, and looks whether its work is done.
func (d *desk) finish(ctx context.Context, s *scene, store string) error {
	args := d.arguments(s, store)
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("the command once more: %w: %s", err, out)
	}
	root, err := d.root(ctx, store)
	if err == nil && root != s.after {
		err = fmt.Errorf("the command once more makes %s", root)
	}
	if err != nil {
		return err
	}
	done, err := d.settled(ctx, s, store)
	if err == nil && done != s.done {
		err = fmt.Errorf("the command once more leaves %s, want %s", done, s.done)
	}
	return err
}
