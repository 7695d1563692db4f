//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// ask asks for faults, until the test ends: names without FAKECUDA_, and
// values, in turn.
func ask(t *testing.T, env ...string) {
	t.Helper()
	for i := 0; i < len(env); i += 2 {
		t.Setenv("FAKECUDA_"+env[i], env[i+1])
	}
}

// fake is the driver over a library of its own, that was asked for faults.
func fake(t *testing.T, env ...string) (d *Driver, dir string) {
	t.Helper()
	ask(t, env...)
	dir = fakecuda.Build(t)
	return load(t, dir), dir
}

// real is NVIDIA's own library, which make test-gpu names; "" is none.
var real = os.Getenv("VOXPACK_LIBCUDA")

// load is the driver over the library in dir, which may be real.
func load(t *testing.T, dir string) *Driver {
	t.Helper()
	path := filepath.Join(dir, fakecuda.Library)
	if real != "" && dir == real {
		path = real
	}
	d, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return d.(*Driver)
}

// hand opens a device and binds the test to it until the test ends.
func hand(t *testing.T, d *Driver, ordinal int) *Thread {
	t.Helper()
	g, err := d.Open(ordinal)
	if err != nil {
		t.Fatal(err)
	}
	th, err := g.Thread()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		th.Leave()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return th.(*Thread)
}

// must ends the test if a call failed.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// had ends the test if a call failed, and gives what it had.
func had[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		must(t, err)
		return v
	}
}

// pages is host memory that nobody pinned, with pages for itself.
func pages(t testing.TB, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	must(t, err)
	t.Cleanup(func() {
		if err := syscall.Munmap(b); err != nil {
			t.Error(err)
		}
	})
	return b
}

// pinned is pinned host memory with random bytes.
func pinned(t *testing.T, th *Thread, n int) []byte {
	t.Helper()
	b := pages(t, n)
	random(b, uint64(n))
	must(t, th.Pin(b))
	t.Cleanup(func() { _ = th.Unpin(b) }) // refused where the context is lost
	return b
}

func random(b []byte, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// taken is device memory that is given back when the test ends.
func taken(t *testing.T, th *Thread, n int) driver.Ptr {
	t.Helper()
	p := had[driver.Ptr](t)(th.Alloc(n))
	t.Cleanup(func() { _ = th.Free(p) })
	return p
}

// stream lasts as long as the test, and is waited for: it is made after the
// memory that it copies, which then can be given back.
func stream(t *testing.T, th *Thread) driver.Stream {
	t.Helper()
	s := had[driver.Stream](t)(th.NewStream(false))
	t.Cleanup(func() {
		if e, err := th.NewEvent(false); err == nil {
			_ = th.Record(e, s)
			_ = th.Synchronize(e)
			_ = th.CloseEvent(e)
		}
		_ = th.CloseStream(s)
	})
	return s
}

// event lasts as long as the test.

func event(t *testing.T, th *Thread, timed bool) driver.Event {
	t.Helper()
	e := had[driver.Event](t)(th.NewEvent(timed))
	t.Cleanup(func() { _ = th.CloseEvent(e) })
	return e
}

// settle waits for all that the stream was given.
func settle(t *testing.T, th *Thread, s driver.Stream) error {
	t.Helper()
	e := event(t, th, false)
	if err := th.Record(e, s); err != nil {
		return err
	}
	return th.Synchronize(e)
}

// content is what lies in device memory.
func content(t *testing.T, th *Thread, p driver.Ptr, n int) []byte {
	t.Helper()
	b, s := pages(t, n), stream(t, th)
	must(t, th.CopyOut(b, p, s))
	must(t, settle(t, th, s))
	return b
}

// same compares what lies in device memory with want.
func same(t *testing.T, th *Thread, what string, p driver.Ptr, want []byte) {
	t.Helper()
	if !bytes.Equal(content(t, th, p, len(want)), want) {
		t.Errorf("%s: other bytes than were written", what)
	}
}

// unbound runs f on an OS thread that has no device, and that ends with it.
func unbound(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: the thread is not given back
		f()
	}()
	<-done
}

// readOnly is memory that can only be read.
func readOnly(t *testing.T, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	must(t, err)
	t.Cleanup(func() { must(t, syscall.Munmap(b)) })
	return b
}

// link gives a folder another name.
func link(t *testing.T, dir, name string) {
	t.Helper()
	must(t, os.Symlink(dir, name))
}
