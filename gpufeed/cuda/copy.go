package cuda

import (
	"time"
	"unsafe"

	"voxpack/gpufeed/driver"
)

// Everything here is done for each batch and allocates nothing.
//
// Stream 0 is refused: it is CUDA's default stream, which waits for all others
// and lets them wait.

// CopyIn copies pinned host memory to the device. Memory that is not pinned is
// copied through the driver's own, where the device cannot read it by itself.
func (t *Thread) CopyIn(dst driver.Ptr, src []byte, s driver.Stream) error {
	if s == 0 {
		return t.refuse(fnCopyIn, invalidHandle)
	}
	if len(src) == 0 {
		return nil
	}
	return t.do(fnCopyIn, uintptr(dst), t.frame.lend(src), uintptr(len(src)), uintptr(s))
}

// CopyOut copies device memory to pinned host memory.
func (t *Thread) CopyOut(dst []byte, src driver.Ptr, s driver.Stream) error {
	if s == 0 {
		return t.refuse(fnCopyOut, invalidHandle)
	}
	if len(dst) == 0 {
		return nil
	}
	return t.do(fnCopyOut, t.frame.lend(dst), uintptr(src), uintptr(len(dst)), uintptr(s))
}

// Copy copies pieces within the device, in one call for 128 of them where the
// driver can (CUDA 12.8), else in one call each. No piece may touch what
// another writes: a driver does them in any order.
func (t *Thread) Copy(pieces []driver.Span, s driver.Stream) error {
	if s == 0 {
		return t.refuse(fnCopy, invalidHandle)
	}
	for _, p := range pieces {
		if p.Bytes < 0 {
			return t.refuse(fnCopy, invalidValue)
		}
	}
	for len(pieces) > 0 {
		n := min(len(pieces), batch)
		c := notSupported
		if n > 1 && t.frame.lib[fnCopyBatch] != 0 {
			c = t.copyBatch(pieces[:n], s)
		}
		switch c {
		case success:
		case notSupported:
			if err := t.copyEach(pieces[:n], s); err != nil {
				return err
			}
		default:
			return t.refuse(fnCopyBatch, c)
		}
		pieces = pieces[n:]
	}
	return nil
}

// copyBatch copies at most 128 pieces in one call.
func (t *Thread) copyBatch(pieces []driver.Span, s driver.Stream) code {
	f := t.frame
	n := 0
	for _, p := range pieces {
		if p.Bytes > 0 {
			f.dst[n], f.src[n], f.bytes[n] = uint64(p.Dst), uint64(p.Src), uint64(p.Bytes)
			n++
		}
	}
	if n == 0 {
		return success
	}
	// One set of attributes, for the pieces from the first on.
	return t.ask(fnCopyBatch,
		uintptr(unsafe.Pointer(&f.dst)), uintptr(unsafe.Pointer(&f.src)), uintptr(unsafe.Pointer(&f.bytes)), uintptr(n),
		uintptr(unsafe.Pointer(&f.order)), uintptr(unsafe.Pointer(&f.first)), 1,
		uintptr(unsafe.Pointer(&f.fail)), uintptr(s))
}

func (t *Thread) copyEach(pieces []driver.Span, s driver.Stream) error {
	for _, p := range pieces {
		if p.Bytes == 0 {
			continue
		}
		if err := t.do(fnCopy, uintptr(p.Dst), uintptr(p.Src), uintptr(p.Bytes), uintptr(s)); err != nil {
			return err
		}
	}
	return nil
}

// CopyPeer copies from this device to another, or within this one. The driver
// goes through the host where there is no peer access.
func (t *Thread) CopyPeer(dst driver.Ptr, other driver.GPU, src driver.Ptr, bytes int, s driver.Stream) error {
	o, err := t.ours(fnCopyPeer, other)
	switch {
	case err != nil:
		return err
	case s == 0:
		return t.refuse(fnCopyPeer, invalidHandle)
	case bytes < 0:
		return t.refuse(fnCopyPeer, invalidValue)
	case bytes == 0:
		return nil
	}
	return t.do(fnCopyPeer, uintptr(dst), o.context, uintptr(src), t.gpu.context, uintptr(bytes), uintptr(s))
}

// Clear sets device memory to zero.
func (t *Thread) Clear(dst driver.Ptr, bytes int, s driver.Stream) error {
	switch {
	case s == 0:
		return t.refuse(fnClear, invalidHandle)
	case bytes < 0:
		return t.refuse(fnClear, invalidValue)
	case bytes == 0:
		return nil
	}
	return t.do(fnClear, uintptr(dst), 0, uintptr(bytes), uintptr(s))
}

// Record puts the event after what the stream has been given so far.
func (t *Thread) Record(e driver.Event, s driver.Stream) error {
	if e == 0 || s == 0 {
		return t.refuse(fnRecord, invalidHandle)
	}
	return t.do(fnRecord, uintptr(e), uintptr(s))
}

// Wait lets the stream wait for an event, of any device.
func (t *Thread) Wait(s driver.Stream, e driver.Event) error {
	if e == 0 || s == 0 {
		return t.refuse(fnWait, invalidHandle)
	}
	return t.do(fnWait, uintptr(s), uintptr(e), 0)
}

// Synchronize sleeps until the event is done.
func (t *Thread) Synchronize(e driver.Event) error {
	if e == 0 {
		return t.refuse(fnSynchronize, invalidHandle)
	}
	return t.do(fnSynchronize, uintptr(e))
}

// Query reports whether the event is done.
func (t *Thread) Query(e driver.Event) (bool, error) {
	if e == 0 {
		return false, t.refuse(fnQuery, invalidHandle)
	}
	switch c := t.ask(fnQuery, uintptr(e)); c {
	case success:
		return true, nil
	case notReady:
		return false, nil
	default:
		return false, t.refuse(fnQuery, c)
	}
}

// Elapsed is the time between two timed events that are done, to about half a
// microsecond by the driver's documentation.
func (t *Thread) Elapsed(from, to driver.Event) (time.Duration, error) {
	s := fnElapsed2
	if t.frame.lib[s] == 0 {
		s = fnElapsed
	}
	if from == 0 || to == 0 {
		return 0, t.refuse(s, invalidHandle)
	}
	if err := t.do(s, uintptr(unsafe.Pointer(&t.frame.ms)), uintptr(from), uintptr(to)); err != nil {
		return 0, err
	}
	return time.Duration(float64(t.frame.ms) * float64(time.Millisecond)), nil
}
