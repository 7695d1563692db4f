package worker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"voxpack/store"
)

// config is of the program in this test's own binary.
func config(mode, dir string) Config {
	return Config{Column: "speaker", Version: "v1", Command: []string{os.Args[0], "worker", mode, dir}, DType: store.Float32, Shape: []int{4}, Rate: 16000,
		limitOf: func(rows []*Row) time.Duration { // only what hangs is held to a limit: a busy machine takes long
			for _, r := range rows {
				if strings.HasPrefix(r.ID, "hang") || strings.HasPrefix(r.ID, "child") {
					return 50 * time.Millisecond
				}
			}
			return time.Hour
		}}
}

func newRow(id string, i int) *Row {
	r := &Row{ID: id, Text: strings.Repeat("x", i%7), Tokens: make([]int32, i%5)}
	for k := range r.Tokens {
		r.Tokens[k] = int32(k - i)
	}
	for k := range i % 1000 {
		r.PCM = binary.LittleEndian.AppendUint32(r.PCM, math.Float32bits(float32(k)/1024))
	}
	return r
}

// want is the value that the program of the tests gives.
func want(r *Row) []byte {
	v := [4]float32{0: float32(len(r.PCM) / 4), 2: float32(len(r.Text))}
	for i := 0; i < len(r.PCM); i += 4 {
		v[1] += math.Float32frombits(binary.LittleEndian.Uint32(r.PCM[i:]))
	}
	for _, t := range r.Tokens {
		v[3] += float32(t)
	}
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// submit has rows computed and waits for all that the pool took.
func submit(t *testing.T, p *Pool, rows []*Row) map[string]Result {
	t.Helper()
	var mu sync.Mutex
	got, twice := map[string]Result{}, []string(nil)
	for i, r := range rows {
		asked := r
		if i%3 > 0 { // as builds do
			asked = &Row{ID: r.ID, Text: r.Text, Tokens: r.Tokens}
			if p.Samples(asked, len(r.PCM)/4) != nil {
				break
			}
			copy(asked.PCM, r.PCM)
		}
		err := p.Submit(asked, func(res Result) {
			mu.Lock()
			defer mu.Unlock()
			if _, had := got[r.ID]; had {
				twice = append(twice, r.ID)
			}
			got[r.ID] = res
		})
		if err != nil {
			break
		}
	}
	p.Close()
	if twice != nil {
		t.Errorf("answered twice: %v", twice)
	}
	return got
}

func lines(t *testing.T, dir, name string) []string {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

// TestEveryRowIsAnsweredOnce: by any number of workers, in batches that are no longer than allowed; and the
// workers leave by themselves. So it is with a program that does not see the pool's memory, as one of an older version.
func TestEveryRowIsAnsweredOnce(t *testing.T) {
	for workers, mode := range map[int]string{1: "", 2: "blind", 3: ""} {
		dir := t.TempDir()
		c := config(mode, dir)
		c.Workers, c.Batch = workers, 8
		p := NewPool(t.Context(), c)
		var rows []*Row
		for i := range 500 {
			rows = append(rows, newRow(fmt.Sprint("r", i), i))
		}
		got := submit(t, p, rows)
		for _, r := range rows {
			if res := got[r.ID]; res.Err != nil || !slices.Equal(res.Array.Bytes, want(r)) || !slices.Equal(res.Array.Shape, []int{4}) {
				t.Fatalf("%d workers: %s = %v, want %v", workers, r.ID, res, want(r))
			}
		}
		batches := lines(t, dir, "batches")
		for _, n := range batches {
			if n, _ := strconv.Atoi(n); n < 1 || n > 8 {
				t.Errorf("a batch of %d rows", n)
			}
		}
		n := p.Counts()
		if n.Rows != 500 || n.Batches != len(batches) || n.Starts < 1 || n.Starts > workers || p.Fault() != nil {
			t.Errorf("counts %+v, fault %v, %d batches seen", n, p.Fault(), len(batches))
		}
		if there := lines(t, dir, "there"); len(there) != 0 && mode == "blind" || len(there) != 333 && mode == "" && runtime.GOOS == "linux" {
			t.Errorf("%d workers of mode %q read the samples of %d rows where they lie", workers, mode, len(there))
		}
		if _, err := os.Stat(filepath.Join(dir, "left")); err != nil {
			t.Error("no worker saw the end of its input")
		}
	}
}

// TestABadRowCostsItselfAlone: whatever the program does over one row, the others of its batch get their values, and it
// is refused by its cause. Rows that ended a worker once are asked again.
func TestABadRowCostsItselfAlone(t *testing.T) {
	for id, tt := range map[string]struct {
		cause Cause // "": it has a value after all
		says  string
		calls int // of the program for this row
	}{
		"die":   {Ended, "over this row alone the program ended with exit status 7, twice", 3},
		"once":  {"", "", 2},
		"crash": {Ended, "crashed (segmentation fault), twice", 3},
		"hang":  {Hung, "was not done after", 3},
		"child": {Hung, "was not done after", 3},
		"nan":   {NotFinite, "value 2 of the array is NaN or infinite", 1},
		"inf":   {NotFinite, "value 3 of the array", 1},
		"shape": {WrongShape, "an array of shape [2 2], want [4]", 1},
		"short": {WrongShape, "an array of shape [3], want [4]", 1},
		"huge":  {WrongShape, "an array of shape [3145728], want [4]", 1},
		"lies":  {WrongShape, "an array of shape [3], want [4]", 1},
		"type":  {WrongType, `an array of "i32", want f32`, 1},
		"said":  {Failed, "ValueError: too short [31m at all", 1},
		"print": {Stray, `it wrote "row done`, 3},
		"dims":  {Stray, "4294967295 dimensions", 3},
		"vast":  {Stray, "bytes", 3},
		"flood": {"", "", 1},
	} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := NewPool(t.Context(), config("", dir))
			rows := []*Row{newRow("a", 3), newRow("b", 400), newRow(id, 5), newRow("c", 4), newRow("d", 6)}
			got := submit(t, p, rows)
			for _, r := range rows {
				res := got[r.ID]
				refused := (*Refusal)(nil)
				switch errors.As(res.Err, &refused); {
				case r.ID != id || tt.cause == "":
					if res.Err != nil || !slices.Equal(res.Array.Bytes, want(r)) {
						t.Errorf("%s = %v, want %v", r.ID, res, want(r))
					}
				case refused == nil || refused.Cause != tt.cause || !strings.Contains(refused.Reason, tt.says):
					t.Errorf("%s: %#v, want %s, %q", r.ID, res.Err, tt.cause, tt.says)
				case id == "die" && !strings.Contains(refused.Said, "Fatal: bad row"):
					t.Errorf("its last words are %q", refused.Said)
				}
			}
			calls := 0
			for _, seen := range lines(t, dir, "rows") {
				if seen == id {
					calls++
				}
			}
			// The first of the calls may have been of the row alone: a batch is what waits when a worker is free.
			if calls != tt.calls && !(tt.calls > 1 && calls == tt.calls-1) || p.Fault() != nil {
				t.Errorf("%d calls, want %d; fault %v", calls, tt.calls, p.Fault())
			}
			for _, pid := range lines(t, dir, "child") {
				n, _ := strconv.Atoi(pid)
				gone(t, n)
			}
		})
	}
}

// gone waits until a process is no more: a kill comes at once, its end a little later.
func gone(t *testing.T, pid int) {
	for syscall.Kill(pid, 0) == nil {
		if state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(state), ") Z ") {
			return // nobody waits for orphans in some containers
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("process %d is still there", pid)
		case <-time.After(time.Millisecond):
		}
	}
}

// TestAKilledBuildLeavesNoWorker: also none that hangs and does not look at its input.
func TestAKilledBuildLeavesNoWorker(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a process with another")
	}
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), os.Args[0], "build", dir)
	if err := build.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for pid == 0 {
		for _, word := range lines(t, dir, "worker") {
			pid, _ = strconv.Atoi(word)
		}
		time.Sleep(time.Millisecond)
	}
	build.Process.Kill()
	build.Wait()
	defer syscall.Kill(pid, syscall.SIGKILL)
	gone(t, pid)
}

// TestAFaultIsNoRowsFault: what keeps the program from its work ends the pool with the reason, and refuses no row.
func TestAFaultIsNoRowsFault(t *testing.T) {
	missing := func(c *Config) { c.Command = []string{"voxpack-no-such-program"} }
	for _, tt := range []struct {
		mode, id, says string
		edit           func(*Config)
	}{
		{mode: "", says: "cannot be run", edit: missing},
		{mode: "ends", says: "ended with exit status 3; its last words were:\n  a line\n  ModuleNotFoundError: No module named 'ecapa'"},
		{mode: "prints", says: `misbehaved: it broke the protocol: it wrote "Loading the mode" to its standard output`},
		{mode: "later", says: "speaks protocol 2, this voxpack 1"},
		{mode: "other", says: `says that it is version "v0", the config says "v1"`},
		{mode: "cannot", says: "cannot work: no GPU"},
		{mode: "", id: "oom", says: "over row oom-0 its program was ended from outside (killed), most likely for want of memory"},
		{mode: "", id: "fault", says: "over row fault-0 its program cannot work: out of memory"},
		{mode: "", id: "die", says: "over each of die-0, die-1, die-2, die-3, die-4 its program ended with exit status 7, and answered nothing between"},
	} {
		t.Run(tt.mode+tt.id, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := config(tt.mode, dir)
			if c.Workers = 1; tt.edit != nil {
				tt.edit(&c)
			}
			var rows []*Row
			for i := range 40 {
				rows = append(rows, newRow(fmt.Sprint(tt.id, "-", i), i))
			}
			p := NewPool(t.Context(), c)
			got := submit(t, p, rows)
			fault, refusals := (*Fault)(nil), 0
			for id, res := range got {
				var r *Refusal
				if errors.As(res.Err, &r) {
					refusals++
				} else if !errors.As(res.Err, &fault) {
					t.Errorf("%s: %v, want a fault", id, res.Err)
				}
			}
			if fault == nil || p.Fault() != error(fault) || !strings.Contains(fault.Error(), tt.says) || !strings.HasPrefix(fault.Error(), "column speaker: ") {
				t.Errorf("fault %v, of the pool %v, want %q", fault, p.Fault(), tt.says)
			}
			if tt.id != "die" && refusals > 0 {
				t.Errorf("%d rows are refused", refusals)
			}
		})
	}
}

// TestAnInterruptEndsWorkers, whatever they do: every row that was taken hears of it.
func TestAnInterruptEndsWorkers(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	c := config("", dir)
	c.limitOf = nil
	p := NewPool(ctx, c)
	var heard sync.WaitGroup
	taken := 0
	for i := range 30 {
		heard.Add(1)
		err := p.Submit(newRow(fmt.Sprint("hang-", i), i), func(res Result) {
			if !errors.Is(res.Err, context.Canceled) {
				t.Errorf("got %v", res.Err)
			}
			heard.Done()
		})
		if err != nil {
			heard.Done()
			break
		}
		if taken++; taken == 10 { // the queue never fills: the worker hangs over the first
			for len(lines(t, dir, "rows")) == 0 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}
	}
	p.Close()
	heard.Wait()
	if p.Fault() != nil || taken < 10 {
		t.Errorf("fault %v, %d rows taken", p.Fault(), taken)
	}
	cancel()
}
