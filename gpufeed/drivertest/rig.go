package drivertest

import (
	"runtime"
	"sync"
	"testing"

	"voxpack/gpufeed/driver"
)

// rig is an open driver with what a case took from it.
type rig struct {
	*testing.T
	driver driver.Driver
	infos  []driver.Info
	all    []*hands // of the test's goroutine, in the order of asking
	opened []driver.GPU
}

// open opens a device until the case ends.
func (r *rig) open(ordinal int) driver.GPU {
	r.Helper()
	g, err := r.driver.Open(ordinal)
	if err != nil {
		r.Fatalf("Open(%d): %v", ordinal, err)
	}
	r.opened = append(r.opened, g)
	return g
}

// second is the ordinal of another device than 0, or the case is skipped.
func (r *rig) second() int {
	r.Helper()
	if len(r.infos) < 2 {
		r.Skip("one device only: nothing to see between devices")
	}
	return 1
}

// hands binds the goroutine of the test to a device until the case ends.
func (r *rig) hands(g driver.GPU) *hands {
	r.Helper()
	t, err := g.Thread()
	if err != nil {
		r.Fatalf("Thread: %v", err)
	}
	h := &hands{Thread: t, t: r.T, gpu: g, quit: r.FailNow}
	r.all = append(r.all, h)
	return h
}

// first gives hands on device 0.
func (r *rig) first() *hands {
	r.Helper()
	return r.hands(r.open(0))
}

// together runs work in n goroutines with hands of their own, the i-th on
// gpus[i % len(gpus)], and waits for them all.
func (r *rig) together(n int, gpus []driver.GPU, work func(i int, h *hands)) {
	r.Helper()
	var wg sync.WaitGroup
	for i := range n {
		g := gpus[i%len(gpus)]
		wg.Go(func() {
			t, err := g.Thread()
			if err != nil {
				r.Errorf("Thread: %v", err)
				return
			}
			// Goexit and not FailNow, which only the test's goroutine may call.
			h := &hands{Thread: t, t: r.T, gpu: g, quit: runtime.Goexit}
			defer h.giveBack()
			work(i, h)
		})
	}
	wg.Wait()
	if r.Failed() {
		r.FailNow()
	}
}

// finish gives everything back, the last first, and asks what is left.
func (r *rig) finish() {
	r.Helper()
	for i := len(r.all) - 1; i >= 0; i-- {
		r.all[i].giveBack()
	}
	for i := len(r.opened) - 1; i >= 0; i-- {
		if err := r.opened[i].Close(); err != nil {
			r.Errorf("Close of device %d: %v", r.opened[i].Info().Ordinal, err)
		}
	}
	if err := r.driver.Close(); err != nil {
		r.Errorf("Close: %v", err)
	}
	counter, ok := r.driver.(interface{ Live() map[string]int })
	if !ok {
		return
	}
	for kind, n := range counter.Live() {
		if n != 0 {
			r.Errorf("after Close %d of %s are left, want 0", n, kind)
		}
	}
}
