//go:build linux && (amd64 || arm64) && !nogpu

package nvml

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

// places are where drivers put the library; under WSL2 it is the host's, in a
// folder that not every loader is told of.
var places = []string{"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"}

// open finds the functions of the library.
func open(path string) (*library, error) {
	// dlerror speaks of the thread's last call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tries := places
	if path != "" {
		tries = []string{path}
	}
	var why error
	for _, place := range tries {
		handle, err := purego.Dlopen(place, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			if why == nil {
				why = err
			}
			continue
		}
		lib := new(library)
		for s, name := range symbolNames {
			if at, err := purego.Dlsym(handle, name); err == nil {
				lib[s] = at
			}
		}
		return lib, nil
	}
	return nil, fmt.Errorf("%w: %w", ErrNone, why)
}

// invoke calls a C function: 69 ns and no allocation for a function that does
// nothing, if args are on the heap (purego v0.11.3, two cores).
func invoke(fn uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}
