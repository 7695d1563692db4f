//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// shared is how many bytes the processes share: a block for itself, since a handle
// of less is of neighbours too.
const shared = 2 << 20

// TestAnotherProcess: what a feeder and a trainer do with each slot. The feeder
// writes and records ready; the trainer's stream waits for it, reads, writes
// back, and records consumed, for which the feeder waits.
func TestAnotherProcess(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		trainer(t, load(t, dir), 1)
		return
	}
	d, dir := fake(t, "LATENCY_US", "20000") // so that who does not wait is too early
	pid := anotherProcess(t, d, dir, 1)
	if n := fakecuda.CountOf(t, dir, pid, "live_imports"); n != 0 {
		t.Errorf("the other process left %d imports, want 0", n)
	}
}

// anotherProcess shares memory and events of a GPU with the test of the same name
// in a process of its own.
func anotherProcess(t *testing.T, d *Driver, dir string, gpu int) (pid int) {
	t.Helper()
	th := hand(t, d, gpu)
	p, b, s := taken(t, th, shared), pinned(t, th, shared), stream(t, th)
	ready, consumed := sharedEvent(t, th), sharedEvent(t, th)
	cmd := fakecuda.Command(t, dir, nil, t.Name())
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	stdin := had[io.WriteCloser](t)(cmd.StdinPipe())
	must(t, cmd.Start())
	must(t, th.CopyIn(p, b, s))
	must(t, th.Record(ready, s)) // before the other hears of it: an event not recorded is done
	freed := had[driver.Ptr](t)(th.Alloc(shared))
	stale := had[IPCHandle](t)(th.ExportMemory(freed))
	if _, err := th.ExportMemory(freed + 4096); err == nil {
		t.Error("a place within an allocation was exported; cuda.h wants its beginning")
	}
	must(t, th.Free(freed))
	taken(t, th, shared) // at the same place as like as not
	for _, h := range []func() (IPCHandle, error){
		func() (IPCHandle, error) { return stale, nil },
		func() (IPCHandle, error) { return th.ExportMemory(p) },
		func() (IPCHandle, error) { return th.ExportEvent(ready) },
		func() (IPCHandle, error) { return th.ExportEvent(consumed) },
	} {
		handle := had[IPCHandle](t)(h())
		_, err := fmt.Fprintf(stdin, "%x\n", handle)
		must(t, err)
	}
	must(t, stdin.Close())
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the other process: %v\n%s", err, out)
	}
	must(t, th.Wait(s, consumed))
	must(t, settle(t, th, s))
	for i := range b {
		b[i] ^= 0xFF
	}
	same(t, th, "what the other process wrote", p, b)
	return cmd.Process.Pid
}

// trainer is the other process.
func trainer(t *testing.T, d *Driver, gpu int) {
	th := hand(t, d, gpu)
	lines := bufio.NewScanner(os.Stdin)
	next := func() (h IPCHandle) {
		lines.Scan()
		if n, err := hex.Decode(h[:], lines.Bytes()); n != len(h) || err != nil {
			t.Fatalf("handle %q: %v", lines.Text(), err)
		}
		return h
	}
	_, err := th.ImportMemory(next())
	if e := refusal(t, err); e.Device != gpu || real == "" && e.Code != 400 {
		t.Errorf("ImportMemory of what was freed = %v, want code 400 of GPU %d", err, gpu)
	}
	memory := next()
	p := had[driver.Ptr](t)(th.ImportMemory(memory))
	if again := had[driver.Ptr](t)(th.ImportMemory(memory)); again != p {
		t.Errorf("a second import is at %#x, want %#x as the first", again, p)
	}
	ready, consumed := had[driver.Event](t)(th.ImportEvent(next())), had[driver.Event](t)(th.ImportEvent(next()))
	b, s, want := pinned(t, th, shared), stream(t, th), make([]byte, shared)
	random(want, shared) // what pinned in the feeder wrote
	clear(b)
	must(t, th.Wait(s, ready))
	must(t, th.CopyOut(b, p, s))
	must(t, settle(t, th, s))
	if !bytes.Equal(b, want) {
		t.Error("the other process sees other bytes than were written")
	}
	for i := range b {
		b[i] ^= 0xFF
	}
	must(t, th.CopyIn(p, b, s))
	must(t, th.Record(consumed, s))
	must(t, th.Synchronize(consumed))
	must(t, th.CloseEvent(ready))
	must(t, th.CloseEvent(consumed))
	must(t, th.CloseMemory(p))
	must(t, th.CloseMemory(p))
	for call, err := range map[string]error{"CloseMemory": th.CloseMemory(p), "Free": th.Free(p)} {
		if e := refusal(t, err); e.Code != 1 {
			t.Errorf("%s of memory that is closed = %v, want code 1", call, err)
		}
	}
}

func sharedEvent(t *testing.T, th *Thread) driver.Event {
	t.Helper()
	e := had[driver.Event](t)(th.NewSharedEvent())
	t.Cleanup(func() { _ = th.CloseEvent(e) })
	return e
}

// TestPython: a process without any Go, which finds the handle's 64 bytes by
// value as C does; and one that dies with the memory in its hands.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("NOTICE: no python3, memory is shared between Go processes only: %v", err)
	}
	d, dir := fake(t)
	th := hand(t, d, 0)
	b, s := pinned(t, th, shared), stream(t, th)
	for i, kill := range []bool{false, true} {
		p := had[driver.Ptr](t)(th.Alloc(shared))
		must(t, th.CopyIn(p, b, s))
		must(t, settle(t, th, s))
		cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "reader.py"),
			filepath.Join(dir, fakecuda.Library), fmt.Sprintf("%x", had[IPCHandle](t)(th.ExportMemory(p))), fmt.Sprint(shared))
		cmd.Stderr = os.Stderr
		stdin, stdout := had[io.WriteCloser](t)(cmd.StdinPipe()), had[io.ReadCloser](t)(cmd.StdoutPipe())
		must(t, cmd.Start())
		line := had[string](t)(bufio.NewReader(stdout).ReadString('\n'))
		if got, want := strings.TrimSpace(line), hex.EncodeToString(b[:32]); got != want {
			t.Errorf("Python reads %s at the memory's beginning, want %s", got, want)
		}
		if kill {
			must(t, cmd.Process.Kill())
			if err := cmd.Wait(); err == nil {
				t.Error("a killed process ended well")
			}
		}
		// Freed while Python has it, which no driver promises to survive, or after
		// the kernel took it from the dead.
		must(t, th.Free(p))
		if got := fakecuda.Count(t, dir, "freed_while_shared"); got != 1 {
			t.Errorf("round %d: %d frees were of memory that others have, want 1", i, got)
		}
		if !kill {
			must(t, stdin.Close())
			must(t, cmd.Wait())
		}
	}
}

// TestOwnHandles: memory and events are not imported by their own process, and
// events that are not shared are not exported.
func TestOwnHandles(t *testing.T) {
	d, _ := fake(t)
	th := hand(t, d, 0)
	p, plain, e := taken(t, th, 4096), event(t, th, false), sharedEvent(t, th)
	_, importMemory := th.ImportMemory(had[IPCHandle](t)(th.ExportMemory(p)))
	_, importEvent := th.ImportEvent(had[IPCHandle](t)(th.ExportEvent(e)))
	_, exportPlain := th.ExportEvent(plain)
	_, exportNone := th.ExportEvent(0)
	_, exportHost := th.ExportMemory(0)
	_, importNothing := th.ImportMemory(IPCHandle{})
	for what, tt := range map[string]struct {
		err  error
		code int
		call string
	}{
		"ImportMemory of its own": {importMemory, 201, "cuIpcOpenMemHandle"},
		"ImportEvent of its own":  {importEvent, 201, "cuIpcOpenEventHandle"},
		"ExportEvent of a plain":  {exportPlain, 400, "cuIpcGetEventHandle"},
		"ExportEvent of none":     {exportNone, 400, "cuIpcGetEventHandle"},
		"ExportMemory of none":    {exportHost, 1, "cuIpcGetMemHandle"},
		"ImportMemory of nothing": {importNothing, 1, "cuIpcOpenMemHandle"},
	} {
		if e := refusal(t, tt.err); e.Code != tt.code || e.Call != tt.call {
			t.Errorf("%s = %v, want code %d of %s", what, tt.err, tt.code, tt.call)
		}
	}
}

// TestHandleOfTheDead: the exporter has ended, or freed the memory.
func TestHandleOfTheDead(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		th := hand(t, load(t, dir), 0)
		fmt.Printf("handle %x\n", had[IPCHandle](t)(th.ExportMemory(taken(t, th, 4096))))
		return
	}
	d, dir := fake(t)
	out := fakecuda.Run(t, dir, nil, "TestHandleOfTheDead")
	var text string
	if _, err := fmt.Sscanf(out, "handle %s", &text); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	var h IPCHandle
	_, err := hex.Decode(h[:], []byte(text))
	must(t, err)
	_, err = hand(t, d, 0).ImportMemory(h)
	if e := refusal(t, err); e.Code != 400 {
		t.Errorf("ImportMemory of a process that ended = %v, want code 400", err)
	}
}
