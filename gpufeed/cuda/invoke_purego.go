//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"runtime"
	"strings"

	"github.com/ebitengine/purego"

	"voxpack/gpufeed/driver"
)

// places are where drivers put the library; under WSL2 it is the host's, in a
// folder that not every loader is told of.
var places = []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}

// open finds the library and its functions. The library stays in the process
// for good: its threads and exit handlers run its code.
func open(path string) (*library, error) {
	tries := places
	if path != "" {
		tries = []string{path}
	}
	handle, why := uintptr(0), ""
	// dlerror speaks of the thread's last call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, place := range tries {
		var err error
		if handle, err = purego.Dlopen(place, purego.RTLD_NOW|purego.RTLD_LOCAL); err == nil {
			break
		}
		// A library that is there and cannot be loaded says more than one that is not.
		if why == "" && !strings.Contains(err.Error(), "No such file") {
			why = err.Error()
		}
	}
	if handle == 0 {
		if why == "" {
			why = tries[0] + " not found"
		}
		return nil, noDriver("dlopen", why, "no NVIDIA driver here; --device host needs none")
	}
	lib := new(library)
	for s, name := range symbolNames {
		// cuMemcpyBatchAsync came with CUDA 12.8, the second cuEventElapsedTime with
		// 12.9; all others are in 11.4 and newer.
		optional := symbol(s) == fnCopyBatch || symbol(s) == fnElapsed2
		at, err := purego.Dlsym(handle, name)
		if err != nil && !optional {
			return nil, noDriver("dlsym", name+" not found",
				"the NVIDIA driver is too old, 470 (CUDA 11.4) is the first that serves; --device host needs none")
		}
		if err == nil {
			lib[s] = at
		}
	}
	return lib, nil
}

// noDriver is the error of a machine whose library cannot be used.
func noDriver(call, name, hint string) error {
	return &driver.Error{Call: call, Name: name, Device: -1, Hint: hint, Kind: driver.ErrNoDriver}
}

// invoke calls a function. A call of one that does nothing takes 69 ns and
// allocates nothing as long as args is a slice that exists already; written
// out as arguments they would be allocated anew each time (purego v0.11.3, two
// cores, both settings of cgo).
func invoke(fn uintptr, args []uintptr) code {
	r, _, _ := purego.SyscallN(fn, args...)
	return code(int32(r))
}

// ticket is a handle as C takes it, a structure by value.
type ticket struct{ Bytes IPCHandle }

// invokeImportMemory calls cuIpcOpenMemHandle, whose handle goes over the stack
// on amd64 and by reference on arm64: purego knows.
func invokeImportMemory(fn uintptr, p *uint64, h IPCHandle, flags uint32) code {
	var f func(p *uint64, h ticket, flags uint32) int32
	purego.RegisterFunc(&f, fn)
	return code(f(p, ticket{h}, flags))
}

// invokeImportEvent calls cuIpcOpenEventHandle.
func invokeImportEvent(fn uintptr, e *uint64, h IPCHandle) code {
	var f func(e *uint64, h ticket) int32
	purego.RegisterFunc(&f, fn)
	return code(f(e, ticket{h}))
}
