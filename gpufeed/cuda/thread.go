package cuda

import (
	"runtime"

	"voxpack/gpufeed/driver"
)

// Thread is the hands on a device. Only the goroutine that asked for it uses
// it: the driver takes the device from the OS thread, and a thread has one
// frame. Hands on two devices in one goroutine are hands within hands: until the
// inner ones are left, the outer ones speak to the inner device.
//
// A driver.Stream and a driver.Event are the CUstream and the CUevent
// themselves, so that those of other code in the process can be given here.
type Thread struct {
	frame  *frame
	gpu    *GPU
	before uintptr // the context that was current
	left   bool
}

// do calls a function.
func (t *Thread) do(s symbol, args ...uintptr) error {
	if c := t.ask(s, args...); c != success {
		return t.refuse(s, c)
	}
	return nil
}

// ask calls a function whose answer is looked at. After Leave the goroutine may
// be on any OS thread, with any device or none.
func (t *Thread) ask(s symbol, args ...uintptr) code {
	if t.left {
		return invalidContext
	}
	return t.frame.call(s, args...)
}

func (t *Thread) refuse(s symbol, c code) error {
	return t.frame.refuse(s, c, t.gpu.info.Ordinal)
}

// Leave unbinds the goroutine, which gets back what it had before. Leaving
// twice does nothing.
func (t *Thread) Leave() {
	if t.left {
		return
	}
	t.left = true
	// The only error is that of a driver that is gone, and then so is the context.
	t.frame.call(fnSetCurrent, t.before)
	runtime.UnlockOSThread()
}

// Memory is the device's free and total memory in bytes.
func (t *Thread) Memory() (free, total uint64, err error) {
	err = t.do(fnInfo, t.frame.word0(), t.frame.word1())
	return t.frame.word[0], t.frame.word[1], err
}

// Alloc takes device memory, which other processes can import.
func (t *Thread) Alloc(bytes int) (driver.Ptr, error) {
	if bytes <= 0 {
		return 0, t.refuse(fnAlloc, invalidValue)
	}
	if err := t.do(fnAlloc, t.frame.word0(), uintptr(bytes)); err != nil {
		return 0, err
	}
	return driver.Ptr(t.frame.word[0]), nil
}

// Free gives device memory back.
func (t *Thread) Free(p driver.Ptr) error { return t.do(fnFree, uintptr(p)) }

// Pin page-locks host memory for all devices. CUDA pins whole pages and refuses
// those that are pinned.
func (t *Thread) Pin(b []byte) error {
	if len(b) == 0 {
		return t.refuse(fnRegister, invalidValue)
	}
	const portable = 1 // CU_MEMHOSTREGISTER_PORTABLE: pinned in every context
	return t.do(fnRegister, t.frame.lend(b), uintptr(len(b)), portable)
}

// Unpin ends the lock; b begins where it did in Pin.
func (t *Thread) Unpin(b []byte) error { return t.do(fnUnregister, t.frame.lend(b)) }

// NewStream makes a stream that never waits for the default stream.
func (t *Thread) NewStream(high bool) (driver.Stream, error) {
	f := t.frame
	if err := t.do(fnPriorities, f.number0(), f.number1()); err != nil {
		return 0, err
	}
	priority := f.number[0] // the least
	if high {
		priority = f.number[1] // lower numbers come first
	}
	const nonBlocking = 1 // CU_STREAM_NON_BLOCKING
	if err := t.do(fnStream, f.word0(), nonBlocking, uintptr(priority)); err != nil {
		return 0, err
	}
	return driver.Stream(f.word[0]), nil
}

// CloseStream closes a stream, which still does what it was given.
func (t *Thread) CloseStream(s driver.Stream) error {
	if s == 0 {
		return t.refuse(fnCloseStream, invalidHandle)
	}
	return t.do(fnCloseStream, uintptr(s))
}

// Flags of cuEventCreate.
const (
	blockingSync  = 1 // who waits sleeps, whatever the context's flags
	disableTiming = 2
	interprocess  = 4
)

// NewEvent makes an event.
func (t *Thread) NewEvent(timed bool) (driver.Event, error) {
	if timed {
		return t.newEvent(blockingSync)
	}
	return t.newEvent(blockingSync | disableTiming)
}

func (t *Thread) newEvent(flags uintptr) (driver.Event, error) {
	if err := t.do(fnEvent, t.frame.word0(), flags); err != nil {
		return 0, err
	}
	return driver.Event(t.frame.word[0]), nil
}

// CloseEvent closes an event.
func (t *Thread) CloseEvent(e driver.Event) error {
	if e == 0 {
		return t.refuse(fnCloseEvent, invalidHandle)
	}
	return t.do(fnCloseEvent, uintptr(e))
}

// EnablePeer lets this device write to the memory of another, once and for all
// who share its context. A device reaches itself.
func (t *Thread) EnablePeer(other driver.GPU) (bool, error) {
	o, err := t.ours(fnEnablePeer, other)
	if err != nil {
		return false, err
	}
	if o.context == t.gpu.context {
		return true, nil
	}
	f := t.frame
	if err := t.do(fnCanPeer, f.number0(), uintptr(t.gpu.device), uintptr(o.device)); err != nil {
		return false, err
	}
	if f.number[0] == 0 {
		return false, nil
	}
	switch c := t.ask(fnEnablePeer, o.context, 0); c {
	case success, peerAlreadyOn:
		return true, nil
	case peerUnsupported, tooManyPeers: // it can, and a setting forbids it, or others have all there is
		return false, nil
	default:
		return false, t.refuse(fnEnablePeer, c)
	}
}

// ours is a GPU as this driver knows it.
func (t *Thread) ours(s symbol, g driver.GPU) (*GPU, error) {
	o, ok := g.(*GPU)
	if !ok {
		return nil, t.refuse(s, invalidDevice)
	}
	return o, nil
}
