//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// TestOutOfMemory: each device has its own memory; what fails leaves the rest
// as it was.
func TestOutOfMemory(t *testing.T) {
	d, dir := fake(t, "OOM_MB", "4", "FREE_MB", "3")
	th := hand(t, d, 0)
	if free, total, err := th.Memory(); free != 3<<20 || total != 16<<30 || err != nil {
		t.Errorf("Memory() = %d, %d, %v, want 3 MiB of 16 GiB, nil", free, total, err)
	}
	p := taken(t, th, 3<<20)
	_, err := th.Alloc(2 << 20)
	if e := refusal(t, err); !errors.Is(err, driver.ErrOutOfMemory) || e.Device != 0 || e.Call != "cuMemAlloc" {
		t.Errorf("Alloc past the limit = %v, want driver.ErrOutOfMemory of cuMemAlloc on GPU 0", err)
	}
	if n := fakecuda.Count(t, dir, "live_allocs_bytes"); n != 3<<20 {
		t.Errorf("%d bytes are taken, want %d", n, 3<<20)
	}
	other := hand(t, d, 1)
	taken(t, other, 4<<20)
	other.Leave()
	must(t, th.Free(p))
	taken(t, th, 4<<20)
	if n := fakecuda.Count(t, dir, "device0_peak_bytes"); n != 4<<20 {
		t.Errorf("at most %d bytes of device 0 were taken, want %d", n, 4<<20)
	}
}

func TestPinOutOfMemory(t *testing.T) {
	d, dir := fake(t, "PIN_OOM_MB", "1")
	th := hand(t, d, 0)
	b := pages(t, 2<<20)
	if err := th.Pin(b); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("Pin of 2 MiB where 1 can be = %v, want driver.ErrOutOfMemory", err)
	}
	must(t, th.Pin(b[:1<<20]))
	if n := fakecuda.Count(t, dir, "pinned_bytes"); n != 1<<20 {
		t.Errorf("%d bytes are pinned, want %d", n, 1<<20)
	}
	must(t, th.Unpin(b))
	if n := fakecuda.Count(t, dir, "pinned_bytes"); n != 0 {
		t.Errorf("%d bytes are pinned, want 0", n)
	}
}

// TestLost: after the fault every call says the same; the other device goes on;
// and when the device is closed all of it is gone.
func TestLost(t *testing.T) {
	for _, tt := range []struct {
		name, fault, value string
		code               int
	}{
		{"memory damaged in the third copy", "ECC_COPY", "3", 214},
		{"device gone after two copies", "LOST_AFTER", "2", 719},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, dir := fake(t, tt.fault, tt.value)
			g := had[driver.GPU](t)(d.Open(0))
			th := had[driver.Thread](t)(g.Thread())
			p, s, e := had[driver.Ptr](t)(th.Alloc(4096)), had[driver.Stream](t)(th.NewStream(false)), had[driver.Event](t)(th.NewEvent(false))
			b := pages(t, 4096)
			must(t, th.Pin(b))
			var failed error
			for range 2 {
				must(t, th.CopyIn(p, b, s))
				must(t, th.Record(e, s))
				must(t, th.Synchronize(e))
			}
			// The third fails when it is given, or when it is done, which is any time.
			for _, call := range []func() error{
				func() error { return th.CopyIn(p, b, s) },
				func() error { return th.Record(e, s) },
				func() error { return th.Synchronize(e) },
			} {
				if failed = call(); failed != nil {
					break
				}
			}
			_, alloc := th.Alloc(4096)
			for call, err := range map[string]error{
				"the copy": failed, "the next copy": th.CopyIn(p, b, s), "Alloc": alloc, "Free": th.Free(p), "Synchronize": th.Synchronize(e),
				"Unpin": th.Unpin(b), "CloseStream": th.CloseStream(s),
			} {
				if r := refusal(t, err); r.Code != tt.code || !errors.Is(err, driver.ErrLost) || r.Device != 0 {
					t.Errorf("%s = %v, want driver.ErrLost by code %d of GPU 0", call, err, tt.code)
				}
			}
			if live := fakecuda.Live(t, dir); len(live) != 6 {
				t.Errorf("of the lost device %v is left, want 6 kinds: nothing could be given back", live)
			}
			if tt.fault == "ECC_COPY" { // the other counts all copies
				checkAlive(t, d)
			}
			th.Leave()
			must(t, g.Close())
			if live := fakecuda.Live(t, dir); len(live) != 0 {
				t.Errorf("after Close there is %v, want nothing", live)
			}
		})
	}
}

// checkAlive: device 1 still copies, on hands of its own.
func checkAlive(t *testing.T, d *Driver) {
	t.Helper()
	t.Run("the other device", func(t *testing.T) {
		th := hand(t, d, 1)
		p, b := taken(t, th, 4096), pinned(t, th, 4096)
		s := stream(t, th)
		must(t, th.CopyIn(p, b, s))
		must(t, settle(t, th, s))
		same(t, th, "a copy on the other device", p, b)
	})
}

// TestSlow: the link has 2 ms for each copy, and 20 times as long from the third
// on. Only what it takes at least is certain.
func TestSlow(t *testing.T) {
	d, _ := fake(t, "LATENCY_US", "2000", "SLOW_AFTER", "2:20")
	th := hand(t, d, 0)
	p, b, s := taken(t, th, 4096), pinned(t, th, 4096), stream(t, th)
	from, to := event(t, th, true), event(t, th, true)
	for copies, least := range []time.Duration{2 * time.Millisecond, 2 * time.Millisecond, 40 * time.Millisecond} {
		must(t, th.Record(from, s))
		must(t, th.CopyIn(p, b, s))
		must(t, th.Record(to, s))
		must(t, th.Synchronize(to))
		if took := had[time.Duration](t)(th.Elapsed(from, to)); took < least {
			t.Errorf("copy %d took %v, want at least %v", copies+1, took, least)
		}
	}
}

// TestEarlyRefill: the fake is of use only if a slot that is filled again too
// early is seen: what it had goes over in two halves, with the link's time, here
// two thirds of a second, between them.
func TestEarlyRefill(t *testing.T) {
	d, _ := fake(t, "GBPS", "0.0001")
	th := hand(t, d, 0)
	const size = 64 << 10
	p, b, s := taken(t, th, size), pinned(t, th, size), stream(t, th)
	b[0] = 1 // fresh memory has 0
	want := bytes.Clone(b)
	must(t, th.CopyIn(p, b, s))
	for content(t, th, p, 1)[0] == 0 { // goes the other way, beside the copy
		runtime.Gosched()
	}
	random(b, 2)
	must(t, settle(t, th, s))
	copy(want[size/2:], b[size/2:])
	same(t, th, "a slot filled again during its copy", p, want)
}

// TestUnpinned: the driver's own detour is counted, since it costs the overlap.
func TestUnpinned(t *testing.T) {
	d, dir := fake(t)
	th := hand(t, d, 0)
	p, s := taken(t, th, 4096), stream(t, th)
	for i, b := range [][]byte{pinned(t, th, 4096), pages(t, 4096), make([]byte, 4096)} {
		must(t, th.CopyIn(p, b, s))
		if n := fakecuda.Count(t, dir, "unpinned_copies"); n != int64(i) {
			t.Errorf("%d copies were of unpinned memory, want %d", n, i)
		}
		must(t, settle(t, th, s))
	}
}

// TestPinIsForAll: what one device pinned is pinned for the other.
func TestPinIsForAll(t *testing.T) {
	d, dir := fake(t)
	b := pinned(t, hand(t, d, 0), 4096)
	th := hand(t, d, 1)
	p, s := taken(t, th, 4096), stream(t, th)
	must(t, th.CopyIn(p, b, s))
	if n := fakecuda.Count(t, dir, "unpinned_copies"); n != 0 {
		t.Errorf("%d copies were of unpinned memory, want 0", n)
	}
	must(t, settle(t, th, s))
}

// TestRefusedHere: what never gets as far as the driver, which might take it:
// stream 0 would let all other streams wait.
func TestRefusedHere(t *testing.T) {
	d, dir := fake(t)
	th := hand(t, d, 0)
	p, b, e := taken(t, th, 4096), pinned(t, th, 4096), event(t, th, false)
	before := fakecuda.Count(t, dir, "calls")
	_, query := th.Query(0)
	_, none := th.Alloc(0)
	_, negative := th.Alloc(-1)
	for what, err := range map[string]error{
		"Alloc of nothing": none, "Alloc of less": negative, "Pin of nothing": th.Pin(b[:0]), "Clear of less": th.Clear(p, -1, 1),
		"CopyPeer of less": th.CopyPeer(p, th.gpu, p, -1, 1), "Copy of less": th.Copy([]driver.Span{{Dst: p, Src: p, Bytes: -1}}, 1),
	} {
		if r := refusal(t, err); r.Code != 1 {
			t.Errorf("%s = %v, want code 1", what, err)
		}
	}
	for call, err := range map[string]error{
		"Query": query, "Synchronize": th.Synchronize(0), "CloseEvent": th.CloseEvent(0), "Record of no event": th.Record(0, 1), "Wait for no event": th.Wait(1, 0),
		"CopyIn": th.CopyIn(p, b, 0), "CopyOut": th.CopyOut(b, p, 0), "Copy": th.Copy(nil, 0), "CopyPeer": th.CopyPeer(p, th.gpu, p+64, 64, 0),
		"Clear": th.Clear(p, 64, 0), "Record": th.Record(e, 0), "Wait": th.Wait(0, e), "CloseStream": th.CloseStream(0),
	} {
		if r := refusal(t, err); r.Code != 400 {
			t.Errorf("%s with stream or event 0 = %v, want code 400", call, err)
		}
	}
	if n := fakecuda.Count(t, dir, "calls") - before; n != 0 {
		t.Errorf("%d calls reached the driver, want 0", n)
	}
}

// TestPinWhatCannotBe: a mapping that the CPU only reads, and one that is not
// there, as with a file of a sealed pack.
func TestPinWhatCannotBe(t *testing.T) {
	d, _ := fake(t)
	th := hand(t, d, 0)
	for name, b := range map[string][]byte{"read-only": readOnly(t, 4096), "nothing": nil} {
		if e := refusal(t, th.Pin(b)); e.Code != 1 || e.Call != "cuMemHostRegister" {
			t.Errorf("Pin of %s memory = %v, want code 1 of cuMemHostRegister", name, e)
		}
	}
}

// TestStaleHandles: what was closed is refused, also where its context came back.
func TestStaleHandles(t *testing.T) {
	d, _ := fake(t)
	var s driver.Stream
	var e driver.Event
	g := had[driver.GPU](t)(d.Open(0))
	th := had[driver.Thread](t)(g.Thread())
	s, e = had[driver.Stream](t)(th.NewStream(false)), had[driver.Event](t)(th.NewEvent(true))
	must(t, th.CloseStream(s))
	must(t, th.CloseEvent(e))
	for range 2 {
		_, query := th.Query(e)
		for call, err := range map[string]error{
			"Query": query, "Record": th.Record(e, s), "Wait": th.Wait(s, e), "CloseStream": th.CloseStream(s), "CloseEvent": th.CloseEvent(e),
		} {
			if r := refusal(t, err); r.Code != 400 {
				t.Errorf("%s of a stale handle = %v, want code 400", call, err)
			}
		}
		th.Leave()
		must(t, g.Close())
		g = had[driver.GPU](t)(d.Open(0))
		th = had[driver.Thread](t)(g.Thread())
	}
	th.Leave()
	must(t, g.Close())
}

// TestUnknownCode: the driver knows more codes than our table, and newer ones
// more than the driver.
func TestUnknownCode(t *testing.T) {
	built := fakecuda.Build(t)
	for code, name := range map[string]string{"304": "CUDA_ERROR_OPERATING_SYSTEM", "12345": "a code that the driver has no name for"} {
		ask(t, "INIT", code)
		_, err := Load(filepath.Join(fakecuda.Copy(t, built), fakecuda.Library))
		if e := refusal(t, err); e.Name != name || e.Kind != nil {
			t.Errorf("cuInit answers %s: %q of kind %v, want the name %q and no kind", code, err, e.Kind, name)
		}
	}
}

// TestHang: a copy that never ends holds neither the other device nor the end of
// the process.
func TestHang(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		hang(t, load(t, dir))
		return
	}
	dir := fakecuda.Build(t)
	fakecuda.Run(t, dir, []string{"FAKECUDA_HANG_COPY=2"}, "TestHang")
}

func hang(t *testing.T, d *Driver) {
	g := had[driver.GPU](t)(d.Open(0))
	th := had[driver.Thread](t)(g.Thread())
	p, s := had[driver.Ptr](t)(th.Alloc(4096)), had[driver.Stream](t)(th.NewStream(false))
	first, second := had[driver.Event](t)(th.NewEvent(false)), had[driver.Event](t)(th.NewEvent(false))
	// Never unmapped: the copy that hangs may begin as late as this process ends.
	b := had[[]byte](t)(syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE))
	must(t, th.Pin(b))
	must(t, th.CopyIn(p, b, s))
	must(t, th.Record(first, s))
	must(t, th.CopyIn(p, b, s)) // hangs
	must(t, th.Record(second, s))
	must(t, th.Synchronize(first))
	checkAlive(t, d)
	if done, err := th.Query(second); done || err != nil {
		t.Errorf("Query of a copy that hangs = %v, %v, want false, nil", done, err)
	}
	// Nothing is given back: the process ends all the same, which Run waits for.
}

// TestFreeInFlight: memory that a copy uses is not given back, which a real
// driver might let pass.
func TestFreeInFlight(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		th := hand(t, load(t, dir), 0)
		p, s := had[driver.Ptr](t)(th.Alloc(4096)), had[driver.Stream](t)(th.NewStream(false))
		b := make([]byte, 3*4096)
		must(t, th.Pin(b))
		must(t, th.CopyIn(p, b[:4096], s)) // hangs
		switch dir[strings.LastIndexByte(dir, '/')+1:] {
		case "device":
			t.Error(th.Free(p))
		case "host":
			t.Error(th.Unpin(b))
		}
		return
	}
	built := fakecuda.Build(t)
	for kind, call := range map[string]string{"device": "cuMemFree", "host": "cuMemHostUnregister"} {
		dir := filepath.Join(t.TempDir(), kind)
		link(t, built, dir)
		out, err := fakecuda.Command(t, dir, []string{"FAKECUDA_HANG_COPY=1"}, "TestFreeInFlight").CombinedOutput()
		want := fmt.Sprintf("fakecuda: %s: 1 copies in flight use this memory", call)
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s memory was given back during a copy: %v\n%s\nwant it to end with %q", kind, err, out, want)
		}
	}
}

// TestReport: the counters of a process can be read while it runs and when it
// was killed, under a name of the test's choice.
func TestReport(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		th := hand(t, load(t, dir), 0)
		p, b, s := taken(t, th, 4096), pinned(t, th, 4096), stream(t, th)
		must(t, th.CopyIn(p, b, s))
		must(t, settle(t, th, s))
		fmt.Println("copied")
		select {} // until it is killed
	}
	file := filepath.Join(t.TempDir(), "report")
	cmd := fakecuda.Command(t, fakecuda.Build(t), []string{"FAKECUDA_REPORT=" + file + ".%p.txt"}, "TestReport")
	out := had[io.ReadCloser](t)(cmd.StdoutPipe())
	must(t, cmd.Start())
	had[string](t)(bufio.NewReader(out).ReadString('\n'))
	for _, when := range []string{"while it runs", "after it was killed"} {
		counters := fakecuda.Report(t, fmt.Sprintf("%s.%d.txt", file, cmd.Process.Pid))
		for name, want := range map[string]int64{"h2d_bytes": 4096, "h2d_copies": 1, "live_streams": 1, "contexts": 1, "p2p_bytes": 0} {
			if got, ok := counters[name]; got != want || !ok {
				t.Errorf("%s %s = %d, want %d", when, name, got, want)
			}
		}
		if when == "while it runs" {
			must(t, cmd.Process.Kill())
			_ = cmd.Wait() // killed
		}
	}
}
