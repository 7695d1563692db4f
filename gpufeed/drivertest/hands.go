package drivertest

import (
	"syscall"
	"testing"

	"voxpack/gpufeed/driver"
)

// hands is a thread of a device whose calls have to succeed, and which gives
// back what it took. The goroutine that made it is the only one to use it.
type hands struct {
	driver.Thread
	t       *testing.T
	gpu     driver.GPU
	quit    func() // ends the goroutine
	streams []driver.Stream
	undo    []func() error
	gone    bool
}

// must ends the goroutine if a call failed.
func (h *hands) must(call string, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Errorf("%s: %v", call, err)
		h.quit()
	}
}

// alloc takes device memory.
func (h *hands) alloc(bytes int) driver.Ptr {
	h.t.Helper()
	p, err := h.Alloc(bytes)
	h.must("Alloc", err)
	h.undo = append(h.undo, func() error { return h.Free(p) })
	return p
}

// pageable takes host memory that nobody pinned. It has its pages for itself:
// CUDA pins whole pages, and refuses those that two buffers share.
func (h *hands) pageable(bytes int) []byte {
	h.t.Helper()
	b, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	h.must("mmap", err)
	h.undo = append(h.undo, func() error { return syscall.Munmap(b) })
	return b
}

// host takes pinned host memory.
func (h *hands) host(bytes int) []byte {
	h.t.Helper()
	b := h.pageable(bytes)
	h.must("Pin", h.Pin(b))
	h.undo = append(h.undo, func() error { return h.Unpin(b) })
	return b
}

// pattern takes pinned host memory and writes what follows from seed.
func (h *hands) pattern(bytes int, seed uint64) []byte {
	h.t.Helper()
	b := h.host(bytes)
	fill(b, seed)
	return b
}

// stream makes a stream.
func (h *hands) stream() driver.Stream {
	h.t.Helper()
	s, err := h.NewStream(false)
	h.must("NewStream", err)
	h.streams = append(h.streams, s)
	h.undo = append(h.undo, func() error { return h.CloseStream(s) })
	return s
}

// event makes an event.
func (h *hands) event(timed bool) driver.Event {
	h.t.Helper()
	e, err := h.NewEvent(timed)
	h.must("NewEvent", err)
	h.undo = append(h.undo, func() error { return h.CloseEvent(e) })
	return e
}

func (h *hands) in(dst driver.Ptr, src []byte, s driver.Stream) {
	h.t.Helper()
	h.must("CopyIn", h.CopyIn(dst, src, s))
}

func (h *hands) out(dst []byte, src driver.Ptr, s driver.Stream) {
	h.t.Helper()
	h.must("CopyOut", h.CopyOut(dst, src, s))
}

func (h *hands) within(dst, src driver.Ptr, bytes int, s driver.Stream) {
	h.t.Helper()
	h.must("Copy", h.Copy([]driver.Span{{Dst: dst, Src: src, Bytes: bytes}}, s))
}

func (h *hands) mark(e driver.Event, s driver.Stream) {
	h.t.Helper()
	h.must("Record", h.Record(e, s))
}

func (h *hands) hold(s driver.Stream, e driver.Event) {
	h.t.Helper()
	h.must("Wait", h.Wait(s, e))
}

func (h *hands) await(e driver.Event) {
	h.t.Helper()
	h.must("Synchronize", h.Synchronize(e))
}

// settle waits for all that the stream has been given.
func (h *hands) settle(s driver.Stream) {
	h.t.Helper()
	e, err := h.NewEvent(false)
	h.must("NewEvent", err)
	h.mark(e, s)
	h.await(e)
	h.must("CloseEvent", h.CloseEvent(e))
}

// read copies device memory out and waits for it.
func (h *hands) read(src driver.Ptr, bytes int) []byte {
	h.t.Helper()
	b := h.host(bytes)
	s := h.stream()
	h.out(b, src, s)
	h.settle(s)
	return b
}

// write copies to device memory and waits for it.
func (h *hands) write(dst driver.Ptr, src []byte) {
	h.t.Helper()
	s := h.stream()
	h.in(dst, src, s)
	h.settle(s)
}

// giveBack waits for the streams, gives back the last first, and leaves. What
// fails is told and does not keep the rest from being given back.
func (h *hands) giveBack() {
	h.t.Helper()
	if h.gone {
		return
	}
	h.gone = true
	if e, err := h.NewEvent(false); err == nil {
		for _, s := range h.streams {
			if h.Record(e, s) == nil {
				h.report("Synchronize", h.Synchronize(e))
			}
		}
		h.report("CloseEvent", h.CloseEvent(e))
	}
	for i := len(h.undo) - 1; i >= 0; i-- {
		h.report("giving back", h.undo[i]())
	}
	h.Leave()
}

func (h *hands) report(call string, err error) {
	h.t.Helper()
	if err != nil {
		h.t.Errorf("%s: %v", call, err)
	}
}
