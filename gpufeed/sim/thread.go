package sim

import (
	"slices"
	"sync/atomic"

	"voxpack/gpufeed/driver"
)

// thread is the hands of one goroutine on a device.
type thread struct {
	driver *Driver
	gpu    *gpu
	ctx    *context
	busy   atomic.Bool
	left   bool
	name   string // of the call that is being done
}

// call does a call under the driver's lock, unless the thread or its device is
// past use.
func (t *thread) call(name string, do func() error) error {
	if !t.busy.CompareAndSwap(false, true) {
		panic("sim: " + name + " in a thread that another goroutine is using")
	}
	defer t.busy.Store(false)
	t.driver.mu.Lock()
	defer t.driver.mu.Unlock()
	if t.left {
		return invalidContext.refuse(name, t.gpu.Info().Ordinal)
	}
	if err := t.gpu.refuse(name); err != nil {
		return err
	}
	t.name = name
	return do()
}

// refuse makes the error of the call that is being done.
func (t *thread) refuse(c code) error { return c.refuse(t.name, t.gpu.Info().Ordinal) }

// Leave may be called twice, and when the device is gone.
func (t *thread) Leave() {
	t.driver.mu.Lock()
	defer t.driver.mu.Unlock()
	if !t.left {
		t.left = true
		t.ctx.dev.counts.Threads--
	}
}

func (t *thread) Memory() (free, total uint64, err error) {
	err = t.call("cuMemGetInfo", func() error {
		free, total = t.driver.options.FreeBytes-t.ctx.used, t.driver.options.Memory
		return nil
	})
	return free, total, err
}

func (t *thread) Alloc(bytes int) (p driver.Ptr, err error) {
	err = t.call("cuMemAlloc", func() error {
		if bytes <= 0 {
			return t.refuse(invalidValue)
		}
		after := t.ctx.used + rounded(bytes)
		limit := t.ctx.dev.fault.OutOfMemoryAfter
		if after > t.driver.options.FreeBytes || limit > 0 && after > limit {
			return t.refuse(outOfMemory)
		}
		m, err := newMemory(t.ctx, bytes)
		if err != nil {
			return t.refuse(outOfMemory)
		}
		t.ctx.memory = append(t.ctx.memory, m)
		t.ctx.used = after
		t.ctx.took(Counts{Allocations: 1, Bytes: uint64(bytes)})
		p = driver.Ptr(m.addr)
		return nil
	})
	return p, err
}

func (t *thread) Free(p driver.Ptr) error {
	return t.call("cuMemFree", func() error {
		at := func(m *memory) bool { return m.addr == uint64(p) }
		i := slices.IndexFunc(t.ctx.memory, at)
		if i < 0 {
			return t.refuse(invalidValue)
		}
		m := t.ctx.memory[i]
		m.idle("Free")
		t.ctx.memory = slices.DeleteFunc(t.ctx.memory, at)
		t.ctx.used -= rounded(len(m.bytes))
		t.ctx.gave(Counts{Allocations: 1, Bytes: uint64(len(m.bytes))})
		m.drop()
		return nil
	})
}

func (t *thread) Pin(b []byte) error {
	return t.call("cuMemHostRegister", func() error {
		if len(b) == 0 {
			return t.refuse(invalidValue)
		}
		if !t.driver.pin(t.ctx, b) {
			return t.refuse(alreadyPinned)
		}
		t.ctx.took(Counts{Pinned: 1, PinnedBytes: uint64(len(b))})
		return nil
	})
}

func (t *thread) Unpin(b []byte) error {
	return t.call("cuMemHostUnregister", func() error {
		at := func(m *memory) bool { return m.addr == hostAddress(b) }
		i := slices.IndexFunc(t.driver.pinned, at)
		if len(b) == 0 || i < 0 {
			return t.refuse(notPinned)
		}
		m := t.driver.pinned[i]
		m.idle("Unpin")
		t.driver.pinned = slices.DeleteFunc(t.driver.pinned, at)
		m.ctx.gave(Counts{Pinned: 1, PinnedBytes: uint64(len(m.bytes))})
		return nil
	})
}

func (t *thread) NewStream(bool) (id driver.Stream, err error) {
	err = t.call("cuStreamCreateWithPriority", func() error {
		id = driver.Stream(t.driver.handle())
		t.driver.streams[id] = newStream(t.ctx)
		t.ctx.took(Counts{Streams: 1})
		return nil
	})
	return id, err
}

// CloseStream lets the stream do what it has been given.
func (t *thread) CloseStream(id driver.Stream) error {
	return t.call("cuStreamDestroy", func() error {
		s, err := t.stream(id)
		if err != nil {
			return err
		}
		s.closed = true
		s.work.Broadcast()
		delete(t.driver.streams, id)
		t.ctx.gave(Counts{Streams: 1})
		return nil
	})
}

func (t *thread) NewEvent(timed bool) (id driver.Event, err error) {
	err = t.call("cuEventCreate", func() error {
		id = driver.Event(t.driver.handle())
		t.driver.events[id] = &event{ctx: t.ctx, timed: timed}
		t.ctx.took(Counts{Events: 1})
		return nil
	})
	return id, err
}

func (t *thread) CloseEvent(id driver.Event) error {
	return t.call("cuEventDestroy", func() error {
		e := t.driver.events[id]
		if e == nil || e.ctx != t.ctx {
			return t.refuse(invalidHandle)
		}
		delete(t.driver.events, id)
		t.ctx.gave(Counts{Events: 1})
		return nil
	})
}

func (t *thread) EnablePeer(other driver.GPU) (enabled bool, err error) {
	err = t.call("cuCtxEnablePeerAccess", func() error {
		g, ok := other.(*gpu)
		if !ok || g.ctx.driver != t.driver {
			return t.refuse(invalidContext)
		}
		if err := g.refuse(t.name); err != nil {
			return err
		}
		if !t.driver.options.NoPeer {
			t.ctx.peers[g.Info().Ordinal] = true
			enabled = true
		}
		return nil
	})
	return enabled, err
}

// stream finds a stream of the thread's device.
func (t *thread) stream(id driver.Stream) (*stream, error) {
	s := t.driver.streams[id]
	if s == nil || s.ctx != t.ctx {
		return nil, t.refuse(invalidHandle)
	}
	return s, nil
}
