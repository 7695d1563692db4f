package cuda

import (
	"runtime"
	"sync/atomic"

	"voxpack/gpufeed/driver"
)

// GPU is an open device.
type GPU struct {
	driver  *Driver
	info    driver.Info
	device  int32
	context uintptr
	closed  atomic.Bool
}

// Info is what Devices says of it.
func (g *GPU) Info() driver.Info { return g.info }

// Thread binds the calling goroutine to its OS thread and the device to that.
// Where the thread has a device already, as in a program that uses CUDA
// elsewhere, Leave gives it that one back. The thread is a *Thread.
func (g *GPU) Thread() (driver.Thread, error) {
	f := newFrame(g.driver.lib)
	// CUDA keeps the current context per OS thread: a goroutine that moves to
	// another one loses it, or finds somebody else's.
	runtime.LockOSThread()
	if c := f.call(fnGetCurrent, f.word0()); c != success {
		runtime.UnlockOSThread()
		return nil, f.refuse(fnGetCurrent, c, g.info.Ordinal)
	}
	before := uintptr(f.word[0])
	if c := f.call(fnSetCurrent, g.context); c != success {
		runtime.UnlockOSThread()
		return nil, f.refuse(fnSetCurrent, c, g.info.Ordinal)
	}
	return &Thread{frame: f, gpu: g, before: before}, nil
}

// Close gives the context back. Its memory, streams and events are closed
// before, on their threads. Closing twice does nothing.
func (g *GPU) Close() error {
	if g.closed.Swap(true) {
		return nil
	}
	f := newFrame(g.driver.lib)
	if c := f.call(fnRelease, uintptr(g.device)); c != success {
		return f.refuse(fnRelease, c, g.info.Ordinal)
	}
	return nil
}
