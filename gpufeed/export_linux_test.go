package gpufeed

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/sim"
)

// exported opens a feed on the C fake whose memory others may have.
func exported(t *testing.T, env map[string]string, c Config) (f *Feed, dir string) {
	t.Helper()
	for k, v := range env {
		t.Setenv("FAKECUDA_"+k, v)
	}
	dir = fakecuda.Build(t)
	d, err := cuda.Load(filepath.Join(dir, fakecuda.Library))
	if errors.Is(err, driver.ErrNoDriver) {
		t.Skipf("NOTICE: CUDA is not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Driver, c.Shared, c.Plan = d, true, plan.Options{Batch: 4}
	if f, err = Open(t.Context(), choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{}), c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(f.Close(), d.Close()); err != nil {
			t.Error(err)
		}
	})
	return f, dir
}

// TestASlotWaitsForTheConsumersEvent: a slot that was given back is not filled
// again before the event of its work, here set by this process in the place of
// another one, which the fake does late.
func TestASlotWaitsForTheConsumersEvent(t *testing.T) {
	for _, c := range []Config{{DeviceDepth: 1}, {DeviceDepth: 1, ModelGPU: 1, Mode: Dual}} {
		f, dir := exported(t, map[string]string{"LATENCY_US": "20000"}, c)
		e, ok := f.Export()
		if !ok || e.Slots != 1 || len(e.Consumed) != 1 || e.Bytes != e.Slot || e.GPU.Ordinal != c.ModelGPU || e.Memory == (cuda.IPCHandle{}) {
			t.Fatalf("Export = %+v, %v, want one slot of GPU %d with its event", e, ok, c.ModelGPU)
		}
		if _, host := f.Memory(); host {
			t.Error("the feed has shared memory on the host too")
		}
		gpu, th, s := streamOn(t, f, c.ModelGPU)
		host := make([]byte, 1<<12)
		if err := th.Pin(host); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(th.CopyOut(host, b.Device.Ptr, s), th.Record(b.slot.consumed, s)); err != nil {
				t.Fatal(err)
			}
			b.ReleaseRecorded()
			b.ReleaseRecorded()
			for draining := true; draining; time.Sleep(time.Millisecond) {
				draining = b.slot.state.Load() == uint32(Draining)
				if done, err := th.Query(b.slot.consumed); err != nil || !done && !draining {
					t.Fatalf("the slot is %v, its work has not ended (%v)", State(b.slot.state.Load()), err)
				}
			}
		}
		if err := errors.Join(th.CloseStream(s), th.Unpin(host)); err != nil {
			t.Error(err)
		}
		th.Leave()
		if err := errors.Join(gpu.Close(), f.Close(), left(fakecuda.Live(t, dir))); err != nil {
			t.Error(err)
		}
	}
}

// streamOn is a stream of a GPU, with the thread that it is used on.
func streamOn(t *testing.T, f *Feed, ordinal int) (driver.GPU, driver.Thread, driver.Stream) {
	t.Helper()
	gpu, err := f.config.Driver.Open(ordinal)
	if err != nil {
		t.Fatal(err)
	}
	th, err := gpu.Thread()
	if err != nil {
		t.Fatal(err)
	}
	s, err := th.NewStream(false)
	if err != nil {
		t.Fatal(err)
	}
	return gpu, th, s
}

// TestSharedMemoryIsOfWholeBlocks: nothing else lies in what another process
// opens; a limit on the GPU's memory holds all the same.
func TestSharedMemoryIsOfWholeBlocks(t *testing.T) {
	const block = 2 << 20
	for _, tt := range []struct {
		limit uint64
		want  int64
	}{{0, block}, {block + block/2, block}, {block, block}} {
		f, dir := exported(t, nil, Config{DeviceDepth: 2, ModelCap: tt.limit})
		if e, ok := f.Export(); !ok || e.Bytes >= block {
			t.Fatalf("Export = %+v, %v, want slots of less than a block", e, ok)
		}
		if got := fakecuda.Count(t, dir, "live_allocs_bytes"); got != tt.want {
			t.Errorf("with a limit of %d bytes %d are taken, want %d", tt.limit, got, tt.want)
		}
		if got := f.Stats().Devices[0].Taken; got != tt.want {
			t.Errorf("with a limit of %d bytes the report says that %d are taken, want %d", tt.limit, got, tt.want)
		}
	}
}

// TestAnEventThatNobodySetsHoldsNoClose: as that of a process that was killed.
func TestAnEventThatNobodySetsHoldsNoClose(t *testing.T) {
	f, dir := exported(t, map[string]string{"HANG_COPY": "2", "IMPLICIT_WAITS": "0"}, Config{DeviceDepth: 1}) // the copy stands for that process's
	_, th, s := streamOn(t, f, 0)
	b, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	own, err := th.Alloc(1 << 12) // not the slot: what a copy reads is not freed
	if err != nil {
		t.Fatal(err)
	}
	host := make([]byte, 1<<12)
	if err := errors.Join(th.Pin(host), th.CopyOut(host, own, s), th.Record(b.slot.consumed, s)); err != nil {
		t.Fatal(err)
	}
	th.Leave()
	b.ReleaseRecorded()
	time.Sleep(20 * time.Millisecond)
	if got := State(b.slot.state.Load()); got != Draining {
		t.Errorf("the slot is %v, want DRAINING", got)
	}
	if err := f.Close(); err != nil { // that of a Close that waited for it is ErrCopyTimeout
		t.Errorf("Close = %v", err)
	}
	if live := fakecuda.Live(t, dir); live["live_allocs"] != 1 || live["live_events"] != 0 {
		t.Errorf("after Close there is %v, want the test's own memory alone", live)
	}
}

// TestADeviceOfSimIsOnesOwn: what a feed cannot share it says when it is opened.
func TestADeviceOfSimIsOnesOwn(t *testing.T) {
	d := simulated(t, sim.Options{Pace: sim.Unpaced})
	_, err := Open(t.Context(), choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{}), Config{Driver: d, Shared: true, Plan: plan.Options{Batch: 4}})
	if !errors.Is(err, plan.ErrConfig) {
		t.Errorf("Open = %v, want %v", err, plan.ErrConfig)
	}
	if err := left(d.Live()); err != nil {
		t.Error(err)
	}
}
