package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// outcome is one run of the program.
type outcome struct {
	wall   time.Duration // from before the start until it was reaped
	cpu    time.Duration // user and system
	anon   int64         // highest RssAnon seen, bytes; 0 where there is no /proc
	high   int64         // VmHWM, bytes: mapped packs included
	report report
}

// report is what the checks need of build --json.
type report struct {
	Rows struct {
		Kept, Rejected int
	}
	Shards struct {
		Written, Total int
	}
	Stages       map[string]struct{ Run, Hit int }
	BytesWritten int64 `json:"bytes_written"`
}

// ran is how many rows ran in all stages together.
func (r report) ran() int {
	n := 0
	for _, s := range r.Stages {
		n += s.Run
	}
	return n
}

// build runs voxpack build over a dataset, with further flags.
func build(ctx context.Context, program, dataset string, flags ...string) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, append([]string{"build", "-q", "--json", dataset}, flags...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var o outcome
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return o, err
	}
	stop, sampled := make(chan struct{}), make(chan struct{})
	go func() { // ends with stop, and says so by sampled
		defer close(sampled)
		o.sampleMemory(cmd.Process.Pid, stop)
	}()
	err := cmd.Wait()
	o.wall = time.Since(started)
	close(stop)
	<-sampled
	if err != nil {
		return o, fmt.Errorf("voxpack build: %w\n%s", err, stderr.Bytes())
	}
	o.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err := json.Unmarshal(stdout.Bytes(), &o.report); err != nil {
		return o, fmt.Errorf("build --json: %w", err)
	}
	return o, nil
}

// sampleEvery is short against a build and costs it about 1 % of one core.
const sampleEvery = 3 * time.Millisecond

// sampleMemory keeps the highest figures until it is stopped.
func (o *outcome) sampleMemory(pid int, stop <-chan struct{}) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return // no /proc, or the process has been reaped
		}
		o.anon = max(o.anon, field(b, "RssAnon:"))
		o.high = max(o.high, field(b, "VmHWM:"))
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// field reads "Name:   123 kB" of a status file, in bytes; 0 where it is not.
func field(status []byte, name string) int64 {
	_, rest, _ := strings.Cut(string(status), "\n"+name)
	words := strings.Fields(rest)
	if len(words) < 2 || words[1] != "kB" {
		return 0
	}
	kb, _ := strconv.ParseInt(words[0], 10, 64)
	return kb << 10
}
