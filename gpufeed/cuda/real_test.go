//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"errors"
	"fmt"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/drivertest"
	"voxpack/gpufeed/fakecuda"
)

// realDriver is the driver over NVIDIA's own library; where none is named, or no
// GPU is there, the test is skipped. With batches false the driver is as one before
// CUDA 12.8.
func realDriver(t *testing.T, batches bool) *Driver {
	t.Helper()
	if real == "" {
		t.Skip("NOTICE: VOXPACK_LIBCUDA names no library: nothing runs over NVIDIA's own (make test-gpu)")
	}
	loaded, err := Load(real)
	if errors.Is(err, driver.ErrNoDriver) {
		t.Skipf("NOTICE: %v", err)
	}
	must(t, err)
	d := loaded.(*Driver)
	if !batches {
		older := *d.lib
		older[fnCopyBatch], older[fnElapsed2] = 0, 0
		d.lib = &older
	}
	return d
}

// TestRealLibrary: the rules that the simulated and the fake driver keep.
func TestRealLibrary(t *testing.T) {
	for _, tt := range []struct {
		name    string
		batches bool
	}{{"as it is", true}, {"as before CUDA 12.8", false}} {
		t.Run(tt.name, func(t *testing.T) {
			d := realDriver(t, tt.batches)
			fmt.Printf("real: CUDA %d.%d, copies of many pieces in one call: %v\n", d.Version()/1000, d.Version()%1000/10, d.lib[fnCopyBatch] != 0)
			drivertest.Run(t, func(t *testing.T) driver.Driver { return realDriver(t, tt.batches) })
		})
	}
}

// TestRealIPC: memory and events of another process.
func TestRealIPC(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		trainer(t, load(t, dir), 0)
		return
	}
	d := realDriver(t, true)
	anotherProcess(t, d, real, 0)
	th := hand(t, d, 0)
	_, err := th.ImportMemory(had[IPCHandle](t)(th.ExportMemory(taken(t, th, shared))))
	fmt.Printf("real: a process that opens its own memory is answered by %d\n", refusal(t, err).Code)
}
