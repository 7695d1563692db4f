//go:build !linux || !(amd64 || arm64) || nogpu

package cuda

import (
	"runtime"

	"voxpack/gpufeed/driver"
)

// open says why there is no driver in this build.
func open(string) (*library, error) {
	why := "this voxpack was built without GPUs (tag nogpu)"
	if runtime.GOOS != "linux" || (runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64") {
		why = "NVIDIA's driver is used on Linux, amd64 and arm64, and this is " + runtime.GOOS + " on " + runtime.GOARCH
	}
	return nil, &driver.Error{Call: "dlopen", Name: why, Device: -1, Hint: "--device host needs none", Kind: driver.ErrNoDriver}
}

// Nothing below can be reached: open gives no library here.

func invoke(uintptr, []uintptr) code { panic("cuda: a call without a library") }

func invokeImportMemory(uintptr, *uint64, IPCHandle, uint32) code {
	panic("cuda: a call without a library")
}

func invokeImportEvent(uintptr, *uint64, IPCHandle) code {
	panic("cuda: a call without a library")
}
