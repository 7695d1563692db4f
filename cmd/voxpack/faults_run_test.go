package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/plan"
	"voxpack/internal/corpustest"
)

// soon is how many samples a run with steps of 20 ms may still deliver after a
// fault that ends it: those of five seconds. Samples are counted, since the time
// itself belongs to a machine that may have other things to do.
const soon = 500

// machine is where faults are tried: drivers that are none, a dataset of ten
// rows, and what a feed of it delivers on the host in batches of two.
type machine struct {
	program           string
	driver, old, nvml string // folders of libraries
	dataset           string
	steady            string // a config whose ring stays as it is
	ids               []string
	digests           []string // by epoch
}

// machineEpochs is how many epochs of the host are known: more than any trial
// delivers.
const machineEpochs = 200

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{program: program(t), driver: fakecuda.Build(t), old: fakecuda.Build(t, "cuMemcpyPeerAsync"), nvml: fakecuda.BuildNVML(t)}
	m.dataset = filepath.Join(t.TempDir(), "en")
	err := os.CopyFS(m.dataset, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en")))
	m.steady = filepath.Join(t.TempDir(), "steady.yaml")
	if err = errors.Join(err, os.WriteFile(m.steady, []byte("data:\n  enhanced_gpu_prefetch: false\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	voxpack(t, "build", "-q", m.dataset)
	m.digests, m.ids = m.host(t, "--batch-size", "2", "--epochs", strconv.Itoa(machineEpochs))
	return m
}

// host is what a feed delivers there.
func (m *machine) host(t *testing.T, args ...string) (digests, ids []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ids")
	var report feedrun.Report
	out := voxpack(t, append([]string{"feed", m.dataset, "-q", "--device", "host", "--record", "none", "--json", "--digest", "--ids", file}, args...)...)
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report.Digests, linesOf(t, file)
}

func linesOf(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// trial is one run in which something goes wrong.
type trial struct {
	name   string
	env    []string // beside that of a machine with two GPUs
	args   []string // of voxpack feed; 4 epochs unless they say otherwise
	inside string   // in place of the program, a test that is a feed of its own

	own    bool // the dataset is the trial's, which may damage it
	before func(t *testing.T, r *running)
	during func(t *testing.T, r *running) // while batches are delivered
	deaf   bool                           // nobody reads its stdout

	code    int
	says    []string // patterns of what stands on stderr
	frozen  bool     // nothing can be given back before the process ends
	others  bool     // what it delivers is not what a sound run does
	wrecked bool     // behind it nothing can be resumed
	check   func(t *testing.T, r *running)
}

// running is a run of a trial, and later what became of it.
type running struct {
	machine *machine
	dataset string
	dir     string // where it runs
	cmd     *exec.Cmd
	stdout  bytes.Buffer
	stderr  bytes.Buffer
	ended   chan struct{}
	seen    int // ids that were delivered before the fault; 0: it was there from the start

	code     int
	report   *feedrun.Report // nil where none was printed
	ids      []string
	counters map[string]int64 // nil where no driver was used
	cursor   *plan.Cursor     // nil where none was saved
}

// run does a trial and checks all that holds for every one of them.
func (m *machine) run(t *testing.T, tr trial) *running {
	t.Helper()
	r := &running{machine: m, dataset: m.dataset, dir: t.TempDir(), ended: make(chan struct{})}
	if tr.own {
		r.dataset = filepath.Join(t.TempDir(), "en")
		do(t, os.CopyFS(r.dataset, os.DirFS(m.dataset)))
	}
	if tr.before != nil {
		tr.before(t, r)
	}
	files, temporary, counters := names(r.dataset), t.TempDir(), filepath.Join(t.TempDir(), "counters")
	r.start(t, tr, temporary, counters)
	if tr.during != nil {
		tr.during(t, r)
	}
	<-r.ended
	r.collect(t, counters)
	if late := len(r.ids) - r.seen; r.seen > 0 && tr.code != exitDone && slices.Contains(tr.args, "--step-ms") && late > soon {
		t.Errorf("it delivered %d samples after the fault, want at most %d", late, soon)
	}
	r.checkEnd(t, tr)
	r.checkDelivered(t, tr)
	r.checkLeft(t, tr)
	if left := names(temporary); len(left) > 0 {
		t.Errorf("it left temporary files: %q", left)
	}
	if now := names(r.dataset); !tr.wrecked && !slices.Equal(now, files) {
		t.Errorf("the dataset's files are %q, they were %q", now, files)
	}
	if tr.check != nil {
		tr.check(t, r)
	}
	return r
}

// start begins the process.
func (r *running) start(t *testing.T, tr trial, temporary, counters string) {
	t.Helper()
	m := r.machine
	env := append([]string{"LD_LIBRARY_PATH=" + m.driver, "CUDA_VISIBLE_DEVICES=0,1", "TMPDIR=" + temporary, "FAKECUDA_REPORT=" + counters}, tr.env...)
	if tr.inside != "" {
		r.cmd = fakecuda.Command(t, m.driver, append(env, insideDataset+"="+r.dataset), tr.inside)
	} else {
		args := []string{"feed", r.dataset, "--device", "cuda", "--batch-size", "2", "--record", "none", "--json", "--ids", "ids", "--save-cursor", "at.json"}
		if !slices.Contains(tr.args, "--epochs") && !slices.Contains(tr.args, "--steps") {
			args = append(args, "--epochs", "4")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a run without end is one that took too long
		t.Cleanup(cancel)
		r.cmd = exec.CommandContext(ctx, m.program, append(args, tr.args...)...)
		r.cmd.Dir = r.dir
		r.cmd.Env = append(os.Environ(), env...)
	}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // its children are found by their group
	r.cmd.Stdout, r.cmd.Stderr = &r.stdout, &r.stderr
	if tr.deaf {
		reader, writer, err := os.Pipe()
		do(t, errors.Join(err, reader.Close()))
		defer writer.Close()
		r.cmd.Stdout = writer
	}
	do(t, r.cmd.Start())
	go func() {
		_ = r.cmd.Wait() // the exit code is looked at
		close(r.ended)
	}()
}

// await waits until so many ids were delivered, and looks at what the process
// has open then. The fault comes next.
func (r *running) await(t *testing.T, n int) {
	t.Helper()
	r.until(t, fmt.Sprintf("%d ids", n), func() bool {
		text, _ := os.ReadFile(filepath.Join(r.dir, "ids"))
		r.seen = bytes.Count(text, []byte("\n"))
		return r.seen >= n
	})
	open := fmt.Sprintf("/proc/%d/fd", r.cmd.Process.Pid)
	entries, _ := os.ReadDir(open)
	for _, e := range entries {
		// In a folder there lies what the test itself made: temporary files may be kept in memory.
		if to, err := os.Readlink(filepath.Join(open, e.Name())); err == nil && filepath.Dir(to) == "/dev/shm" {
			t.Errorf("it has %s open, which would outlive it", to)
		}
	}
}

// until looks again and again, as long as the process runs.
func (r *running) until(t *testing.T, what string, there func() bool) {
	t.Helper()
	for !there() {
		select {
		case <-r.ended:
			if !there() { // it may have come since it was looked for
				t.Fatalf("it ended before there was %s: %s", what, r.stderr.String())
			}
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// signal sends a signal.
func (r *running) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		t.Error(err)
	}
}

// collect reads what the process has left.
func (r *running) collect(t *testing.T, counters string) {
	t.Helper()
	r.code = r.cmd.ProcessState.ExitCode()
	if s, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		r.code = 128 + int(s.Signal()) // as a shell says it
	}
	if out := r.stdout.Bytes(); len(out) > 0 && out[0] == '{' {
		r.report = new(feedrun.Report)
		if err := json.Unmarshal(out, r.report); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
	}
	if _, err := os.Stat(counters); err == nil {
		r.counters = fakecuda.Report(t, counters)
	}
	for _, name := range names(r.dir) {
		switch name {
		case "ids":
			r.ids = linesOf(t, filepath.Join(r.dir, name))
		case "at.json":
			c, err := feedrun.ReadCursor(filepath.Join(r.dir, name))
			if err != nil {
				t.Fatal(err)
			}
			r.cursor = c
		default:
			t.Errorf("it left a file %s", name)
		}
	}
}

// names lists the files below a folder, nil where there is none.
func names(dir string) (list []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			list = append(list, name)
		}
		return nil
	})
	return list
}
