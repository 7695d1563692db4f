package sim

import (
	"bytes"
	"errors"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed/driver"
)

// link is of round figures: 1 MB takes 1 ms, and 100 µs before it.
var link = Link{BytesPerSecond: 1e9, Latency: 100 * time.Microsecond}

const (
	mega    = 1_000_000
	perMega = 1100 * time.Microsecond // 1 MB over link
)

// desk is a driver with hands on each device; one goroutine may use them all,
// since nothing here is bound to an OS thread.
type desk struct {
	*testing.T
	driver *Driver
	gpus   []driver.GPU
	on     []driver.Thread
}

// inBubble runs a test in virtual time; goroutines that are left fail it. All
// links are the round one unless the options say otherwise.
func inBubble(t *testing.T, o Options, test func(k *desk)) {
	t.Helper()
	for _, l := range []*Link{&o.In, &o.Out, &o.Peer, &o.Within} {
		if l.BytesPerSecond == 0 {
			*l = link
		}
	}
	synctest.Test(t, func(t *testing.T) {
		k := newDesk(t, o)
		test(k)
		if err := k.driver.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

func newDesk(t *testing.T, o Options) *desk {
	t.Helper()
	k := &desk{T: t, driver: New(o)}
	infos, err := k.driver.Devices()
	k.must(err)
	for i := range infos {
		g, err := k.driver.Open(i)
		k.must(err)
		h, err := g.Thread()
		k.must(err)
		k.gpus, k.on = append(k.gpus, g), append(k.on, h)
	}
	return k
}

func (k *desk) must(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// host is pinned memory of n times the byte. It is mapped, so that a test that
// spoils it under a copy is no data race to the detector.
func (k *desk) host(n int, b byte) []byte {
	k.Helper()
	m := k.mapped(n, b)
	k.must(k.on[0].Pin(m))
	return m
}

func (k *desk) mapped(n int, b byte) []byte {
	k.Helper()
	m, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	k.must(err)
	k.Cleanup(func() { _ = syscall.Munmap(m) })
	set(m, b)
	return m
}

func set(m []byte, b byte) { copy(m, bytes.Repeat([]byte{b}, len(m))) }

func (k *desk) alloc(device, n int) driver.Ptr {
	k.Helper()
	p, err := k.on[device].Alloc(n)
	k.must(err)
	return p
}

func (k *desk) stream(device int) driver.Stream {
	k.Helper()
	s, err := k.on[device].NewStream(false)
	k.must(err)
	return s
}

// mark records a new timed event.
func (k *desk) mark(device int, s driver.Stream) driver.Event {
	k.Helper()
	e, err := k.on[device].NewEvent(true)
	k.must(err)
	k.must(k.on[device].Record(e, s))
	return e
}

// settle waits for what the stream has been given.
func (k *desk) settle(device int, s driver.Stream) error {
	k.Helper()
	return k.on[device].Synchronize(k.mark(device, s))
}

// took is how long, by the clock, a piece of work took.
func took(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

// wantCode asks for a *driver.Error of a code and a kind.
func wantCode(t *testing.T, what string, err error, code int, kind error) {
	t.Helper()
	e, ok := errors.AsType[*driver.Error](err)
	if !ok || e.Code != code || e.Kind != kind || e.Name == "" || e.Call == "" {
		t.Errorf("%s = %v, want code %d of kind %v", what, err, code, kind)
	}
}

// wantPanic asks for a panic of ours.
func wantPanic(t *testing.T, what string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	call()
}
