package drivertest

import (
	"errors"

	"voxpack/gpufeed/driver"
)

func checkDevices(r *rig) {
	if r.driver.Name() == "" {
		r.Error("the driver has no name")
	}
	for i, info := range r.infos {
		if info.Ordinal != i {
			r.Errorf("device %d has ordinal %d", i, info.Ordinal)
		}
		if info.Name == "" || info.Memory == 0 || info.Engines < 1 {
			r.Errorf("device %d is %+v, want a name, memory and at least one engine", i, info)
		}
		if got := r.open(i).Info(); got != info {
			r.Errorf("Info() of device %d = %+v, want %+v as listed", i, got, info)
		}
	}
	for _, ordinal := range []int{-1, len(r.infos)} {
		g, err := r.driver.Open(ordinal)
		if err == nil {
			r.Errorf("Open(%d) of %d devices succeeded", ordinal, len(r.infos))
			r.opened = append(r.opened, g)
			continue
		}
		if e, ok := errors.AsType[*driver.Error](err); !ok || e.Code != 101 {
			r.Errorf("Open(%d) of %d devices = %v, want a *driver.Error with code 101", ordinal, len(r.infos), err)
		}
	}
}

// checkTwoOpens: the data and the model device may be one, each opened by who
// needs it, and the first to close does not take it from the other.
func checkTwoOpens(r *rig) {
	first := r.open(0)
	second, err := r.driver.Open(0)
	if err != nil {
		r.Fatalf("second Open(0): %v", err)
	}
	closed := false
	defer func() {
		if !closed {
			_ = second.Close()
		}
	}()
	var p driver.Ptr
	var s driver.Stream
	var e driver.Event
	want := filled(batch, 110)
	r.together(1, []driver.GPU{second}, func(_ int, h *hands) {
		var err error
		p, err = h.Alloc(batch)
		h.must("Alloc", err)
		s, err = h.NewStream(false)
		h.must("NewStream", err)
		e, err = h.NewEvent(false)
		h.must("NewEvent", err)
		h.in(p, h.pattern(batch, 110), s)
		h.mark(e, s)
		h.await(e)
	})
	closed = true
	if err := second.Close(); err != nil {
		r.Fatalf("Close of the second: %v", err)
	}
	r.together(1, []driver.GPU{first}, func(_ int, h *hands) {
		got := h.host(batch)
		h.out(got, p, s)
		h.mark(e, s)
		h.await(e)
		same(h.t, "memory of the device after one of two was closed", got, want)
		h.must("CloseEvent", h.CloseEvent(e))
		h.must("CloseStream", h.CloseStream(s))
		h.must("Free", h.Free(p))
	})
}

// refused asks for a *driver.Error with a code, CUDA's, that tells its call.
func refused(h *hands, what string, err error, code int) {
	h.t.Helper()
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		h.t.Errorf("%s = %v, want a *driver.Error", what, err)
		return
	}
	if e.Code != code || e.Call == "" || e.Name == "" {
		h.t.Errorf("%s = %+v, want code %d, a call and a name", what, *e, code)
	}
}

// checkRefusals: what can be asked of a real driver without harm. None of it
// spoils the device.
func checkRefusals(r *rig) {
	h := r.first()
	p, s, e, b := h.alloc(4096), h.stream(), h.event(false), h.pattern(4096, 111)
	_, err := h.Alloc(0)
	refused(h, "Alloc(0)", err, 1)
	_, err = h.Alloc(-1)
	refused(h, "Alloc(-1)", err, 1)
	refused(h, "Pin of nothing", h.Pin(nil), 1)
	refused(h, "Unpin of what was never pinned", h.Unpin(h.pageable(4096)), 713)

	refused(h, "CopyIn to 0", h.CopyIn(0, b, s), 1)
	refused(h, "CopyOut from 0", h.CopyOut(b, 0, s), 1)
	refused(h, "Clear of 0", h.Clear(0, 4096, s), 1)
	refused(h, "Clear of less than nothing", h.Clear(p, -1, s), 1)
	refused(h, "Copy of less than nothing", h.Copy([]driver.Span{{Dst: p, Src: p + 256, Bytes: -1}}, s), 1)
	refused(h, "CopyPeer of less than nothing", h.CopyPeer(p, h.gpu, p+256, -1, s), 1)

	// Stream 0 is none: CUDA's default stream would wait for all the others.
	refused(h, "CopyIn in stream 0", h.CopyIn(p, b, 0), 400)
	refused(h, "Record in stream 0", h.Record(e, 0), 400)
	refused(h, "Record of event 0", h.Record(0, s), 400)
	refused(h, "Wait for event 0", h.Wait(s, 0), 400)
	refused(h, "Synchronize with event 0", h.Synchronize(0), 400)
	_, err = h.Query(0)
	refused(h, "Query of event 0", err, 400)
	refused(h, "CloseStream of 0", h.CloseStream(0), 400)
	refused(h, "CloseEvent of 0", h.CloseEvent(0), 400)

	h.write(p, b)
	same(r.T, "memory after all that", h.read(p, 4096), b)
}
