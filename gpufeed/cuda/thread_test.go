//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// TestNoContext: the device is the OS thread's. Hands that are used on another
// thread, or after Leave, are refused and do nothing.
func TestNoContext(t *testing.T) {
	d, dir := fake(t)
	th := hand(t, d, 0)
	p, host := taken(t, th, 4096), pinned(t, th, 4096)
	s, e := stream(t, th), event(t, th, true)
	calls := func(th *Thread) map[string]error {
		_, _, memory := th.Memory()
		_, alloc := th.Alloc(64)
		_, newStream := th.NewStream(false)
		_, newEvent := th.NewEvent(false)
		_, query := th.Query(e)
		_, elapsed := th.Elapsed(e, e)
		_, export := th.ExportMemory(p)
		_, importMemory := th.ImportMemory(IPCHandle{})
		_, importEvent := th.ImportEvent(IPCHandle{})
		return map[string]error{
			"Memory": memory, "Alloc": alloc, "NewStream": newStream, "NewEvent": newEvent, "Query": query, "Elapsed": elapsed,
			"ExportMemory": export, "ImportMemory": importMemory, "ImportEvent": importEvent,
			"Free": th.Free(p), "Pin": th.Pin(host), "Unpin": th.Unpin(host), "CopyIn": th.CopyIn(p, host, s), "CopyOut": th.CopyOut(host, p, s),
			"Copy":     th.Copy([]driver.Span{{Dst: p, Src: p + 64, Bytes: 64}, {Dst: p + 128, Src: p + 256, Bytes: 64}}, s),
			"CopyPeer": th.CopyPeer(p, th.gpu, p+64, 64, s), "Clear": th.Clear(p, 64, s),
			"Record": th.Record(e, s), "Wait": th.Wait(s, e), "Synchronize": th.Synchronize(e),
		}
	}
	check := func(where string, refused map[string]error) {
		t.Helper()
		for call, err := range refused {
			if e := refusal(t, err); e.Code != 201 {
				t.Errorf("%s %s = %v, want code 201", call, where, err)
			}
		}
	}
	before := fakecuda.Count(t, dir, "invalid_contexts")
	var elsewhere map[string]error
	unbound(func() { elsewhere = calls(th) })
	check("on a thread without a device", elsewhere)
	if n := fakecuda.Count(t, dir, "invalid_contexts") - before; n != int64(len(elsewhere)) {
		t.Errorf("the driver refused %d of %d calls", n, len(elsewhere))
	}
	other := had[driver.Thread](t)(th.gpu.Thread()).(*Thread)
	other.Leave()
	check("after Leave", calls(other))
}

// TestLeaveGivesBack: hands within hands, as where a trainer's own code has a
// device on the thread.
func TestLeaveGivesBack(t *testing.T) {
	d, dir := fake(t)
	outer := hand(t, d, 0)
	inner := hand(t, d, 1)
	a := had[driver.Ptr](t)(inner.Alloc(1 << 20))
	if n := fakecuda.Count(t, dir, "device1_bytes"); n != 1<<20 {
		t.Errorf("%d bytes of device 1 are taken, want %d", n, 1<<20)
	}
	must(t, inner.Free(a))
	inner.Leave()
	taken(t, outer, 2<<20)
	if n := fakecuda.Count(t, dir, "device0_bytes"); n != 2<<20 {
		t.Errorf("after Leave %d bytes of device 0 are taken, want %d", n, 2<<20)
	}
}

// TestManyWaiters: OS threads that sleep in the driver do not hold up the
// collector, which runs all the time, nor does it move what they wait for.
func TestManyWaiters(t *testing.T) {
	d, dir := fake(t, "GBPS", "4")
	g := had[driver.GPU](t)(d.Open(0))
	var collecting, waiting sync.WaitGroup
	stop := make(chan struct{})
	collecting.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	for i := range 16 {
		waiting.Go(func() { wait(t, g, uint64(i)) })
	}
	waiting.Wait()
	close(stop)
	collecting.Wait()
	must(t, g.Close())
	if live := fakecuda.Live(t, dir); len(live) != 0 {
		t.Errorf("after Close there is %v, want nothing", live)
	}
	if n := fakecuda.Count(t, dir, "spin_syncs"); n != 0 {
		t.Errorf("%d waits were for events that spin, want 0", n)
	}
}

// wait copies bytes in and out and sleeps until they are there, 20 times. Its
// memory is the collector's, and not pinned every other time.
func wait(t *testing.T, g driver.GPU, seed uint64) {
	const size = 64 << 10
	th, err := g.Thread()
	if err != nil {
		t.Error(err)
		return
	}
	defer th.Leave()
	p, errP := th.Alloc(size)
	s, errS := th.NewStream(false)
	e, errE := th.NewEvent(false)
	for _, err := range []error{errP, errS, errE} {
		if err != nil {
			t.Error(err)
			return
		}
	}
	for round := range uint64(20) {
		// Pages of their own, of the collector's memory: pinning takes whole pages.
		in, out := make([]byte, 2*size), make([]byte, size)
		random(in[:size], 100*seed+round)
		if round%2 == 0 {
			err = th.Pin(in)
		}
		for _, call := range []func() error{
			func() error { return err },
			func() error { return th.CopyIn(p, in[:size], s) },
			func() error { return th.CopyOut(out, p, s) },
			func() error { return th.Record(e, s) },
			func() error { return th.Synchronize(e) },
			func() error {
				if round%2 == 0 {
					return th.Unpin(in)
				}
				return nil
			},
		} {
			if err := call(); err != nil {
				t.Error(err)
				return
			}
		}
		if !bytes.Equal(in[:size], out) {
			t.Errorf("waiter %d got other bytes in round %d than it sent", seed, round)
		}
	}
	for _, err := range []error{th.Free(p), th.CloseStream(s), th.CloseEvent(e)} {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestPriority: streams are of two kinds, and the driver hears of which.
func TestPriority(t *testing.T) {
	d, dir := fake(t)
	th := hand(t, d, 0)
	for i, high := range []bool{false, true} {
		s := had[driver.Stream](t)(th.NewStream(high))
		if n := fakecuda.Count(t, dir, "high_streams"); n != int64(i) {
			t.Errorf("after NewStream(%v) %d streams are of high priority, want %d", high, n, i)
		}
		must(t, th.CloseStream(s))
	}
}

// TestForeignStream: a stream or an event of other code in the process is given
// by its value, as DLPack does it.
func TestForeignStream(t *testing.T) {
	d, _ := fake(t)
	th := hand(t, d, 0)
	theirs := uintptr(stream(t, th)) // what torch.cuda.Stream.cuda_stream is
	e, p, b := event(t, th, false), taken(t, th, 4096), pinned(t, th, 4096)
	must(t, th.CopyIn(p, b, driver.Stream(theirs)))
	must(t, th.Record(e, driver.Stream(theirs)))
	must(t, th.Synchronize(e))
	same(t, th, "a copy in a stream given by value", p, b)
}

func TestForeignGPU(t *testing.T) {
	d, _ := fake(t)
	th := hand(t, d, 0)
	p, s := taken(t, th, 4096), stream(t, th)
	_, err := th.EnablePeer(nil)
	for call, err := range map[string]error{"EnablePeer": err, "CopyPeer": th.CopyPeer(p, nil, p+64, 64, s)} {
		if e := refusal(t, err); e.Code != 101 {
			t.Errorf("%s with a GPU of another driver = %v, want code 101", call, err)
		}
	}
	if ok, err := th.EnablePeer(th.gpu); !ok || err != nil {
		t.Errorf("EnablePeer with itself = %v, %v, want true, nil", ok, err)
	}
}

// TestRoutes: which way copies take, as the driver counts it.
func TestRoutes(t *testing.T) {
	for _, tt := range []struct {
		name, p2p    string
		enable, able bool
		route        string
	}{
		{"peer access", "1", true, true, "p2p_bytes"},
		{"peer access not asked for", "1", false, false, "staged_bytes"},
		{"no peer access", "0", true, false, "staged_bytes"},
		{"forbidden by a setting", "217", true, false, "staged_bytes"},
		{"others have all there is", "711", true, false, "staged_bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code := "0"
			if len(tt.p2p) > 1 {
				code = tt.p2p
			}
			d, dir := fake(t, "P2P", tt.p2p, "PEER_CODE", code)
			far, near := hand(t, d, 1), hand(t, d, 0)
			if tt.enable {
				if able, err := near.EnablePeer(far.gpu); able != tt.able || err != nil {
					t.Errorf("EnablePeer = %v, %v, want %v, nil", able, err, tt.able)
				}
			}
			const size = 10_000
			a, b, s := taken(t, near, 3*size), pinned(t, near, 3*size), stream(t, near)
			// Memory on the other device, whose hands are not the thread's now.
			p := make(chan driver.Ptr)
			go func() {
				th, err := far.gpu.Thread()
				if err != nil {
					t.Error(err)
				}
				there, err := th.Alloc(size)
				if err != nil {
					t.Error(err)
				}
				th.Leave()
				p <- there
			}()
			there := <-p
			must(t, near.CopyIn(a, b, s))
			must(t, near.CopyPeer(there, far.gpu, a, size, s))
			must(t, near.CopyPeer(a+2*size, near.gpu, a, size, s))
			must(t, settle(t, near, s))
			for name, want := range map[string]int64{"h2d_bytes": 3 * size, tt.route: size, "d2d_bytes": size, "stream0_calls": 0} {
				if got := fakecuda.Count(t, dir, name); got != want {
					t.Errorf("%s = %d, want %d", name, got, want)
				}
			}
			must(t, near.Free(there)) // by whoever has a device: addresses are of all
		})
	}
}

// TestCopyInPieces: as few calls as the driver allows, and the same bytes where
// it allows none.
func TestCopyInPieces(t *testing.T) {
	for _, tt := range []struct {
		name    string
		without []string
		pieces  int
		batches int64
		copies  int64
	}{
		{"128 pieces are one call", nil, 128, 1, 1},
		{"129 are a call and a copy", nil, 129, 1, 2},
		{"300 are three calls", nil, 300, 3, 3},
		{"one is a copy", nil, 1, 0, 1},
		{"without batches each is a copy", []string{"cuMemcpyBatchAsync"}, 129, 0, 129},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := fakecuda.Build(t, tt.without...)
			th := hand(t, load(t, dir), 0)
			const size = 300
			n := tt.pieces * size
			src, dst, b, s := taken(t, th, n), taken(t, th, n), pinned(t, th, n), stream(t, th)
			must(t, th.CopyIn(src, b, s))
			want := make([]byte, n)
			var spans []driver.Span
			for i := range tt.pieces {
				from := (tt.pieces - 1 - i) * size // backwards
				spans = append(spans, driver.Span{Dst: dst + driver.Ptr(i*size), Src: src + driver.Ptr(from), Bytes: size})
				copy(want[i*size:(i+1)*size], b[from:])
			}
			spans = append(spans, driver.Span{}) // no piece at all
			must(t, th.Copy(spans[:tt.pieces], s))
			must(t, settle(t, th, s))
			if got := fakecuda.Count(t, dir, "batch_calls"); got != tt.batches {
				t.Errorf("%d pieces took %d batches, want %d", tt.pieces, got, tt.batches)
			}
			same(t, th, "pieces in another order", dst, want)
			must(t, th.Clear(dst, n, s))
			must(t, th.Copy(spans, s))
			must(t, settle(t, th, s))
			same(t, th, "pieces with an empty one", dst, want)
		})
	}
}
