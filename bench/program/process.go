package program

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Usage is what one process took.
type Usage struct {
	Wall time.Duration // from before the start until it was reaped
	CPU  time.Duration // user and system
	Anon int64         // highest RssAnon seen, bytes; 0 where there is no /proc
	High int64         // VmHWM, bytes: mapped packs included
}

// Measure runs a program to its end, with what it prints.
func Measure(cmd *exec.Cmd) (u Usage, stdout []byte, err error) {
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return u, nil, err
	}
	memory := Watch(cmd.Process.Pid)
	err = cmd.Wait()
	wall := time.Since(started)
	u = memory()
	u.Wall = wall
	if err != nil {
		return u, out.Bytes(), fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return u, out.Bytes(), nil
}

// sampleEvery is short against a build and costs it about 1 % of one core.
const sampleEvery = 3 * time.Millisecond

// Watch samples the memory of a running process until stop is called, which gives the highest figures.
// What wait4 says of a child is no such figure: Linux counts in it what its parent had when it started it.
func Watch(pid int) (stop func() Usage) {
	var u Usage
	done, sampled := make(chan struct{}), make(chan struct{})
	go func() { // ends with done, and says so by sampled
		defer close(sampled)
		u.sampleMemory(pid, done)
	}()
	return func() Usage {
		close(done)
		<-sampled
		return u
	}
}

// sampleMemory keeps the highest figures until it is stopped.
func (u *Usage) sampleMemory(pid int, stop <-chan struct{}) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return // no /proc, or the process has been reaped
		}
		u.Anon = max(u.Anon, statusField(b, "RssAnon:"))
		u.High = max(u.High, statusField(b, "VmHWM:"))
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// statusField reads "Name:   123 kB" of a status file, in bytes; 0 where it is not.
func statusField(status []byte, name string) int64 {
	_, rest, _ := strings.Cut(string(status), "\n"+name)
	words := strings.Fields(rest)
	if len(words) < 2 || words[1] != "kB" {
		return 0
	}
	kb, _ := strconv.ParseInt(words[0], 10, 64)
	return kb << 10
}
