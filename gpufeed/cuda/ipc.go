package cuda

import (
	"unsafe"

	"voxpack/gpufeed/driver"
)

// IPCHandle names memory or an event of this process for another one of the
// same machine, which cannot be the process itself.
type IPCHandle [64]byte

// ExportMemory names the allocation that begins at p. It is not freed before
// every importer has closed it.
func (t *Thread) ExportMemory(p driver.Ptr) (IPCHandle, error) {
	if err := t.do(fnExportMemory, t.handle(), uintptr(p)); err != nil {
		return IPCHandle{}, err
	}
	return t.frame.handle, nil
}

// ImportMemory maps an allocation of another process and gives its beginning.
// The GPU has to be the one that it is on.
func (t *Thread) ImportMemory(h IPCHandle) (driver.Ptr, error) {
	if t.left {
		return 0, t.refuse(fnImportMemory, invalidContext)
	}
	const lazyPeerAccess = 1 // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS; the driver takes no other
	f := t.frame
	if c := invokeImportMemory(f.lib[fnImportMemory], &f.word[0], h, lazyPeerAccess); c != success {
		return 0, t.refuse(fnImportMemory, c)
	}
	return driver.Ptr(f.word[0]), nil
}

// CloseMemory ends an import. It is not Free.
func (t *Thread) CloseMemory(p driver.Ptr) error { return t.do(fnCloseMemory, uintptr(p)) }

// NewSharedEvent makes an event that can be exported; it is not timed.
func (t *Thread) NewSharedEvent() (driver.Event, error) {
	return t.newEvent(blockingSync | disableTiming | interprocess)
}

// ExportEvent names a shared event. Other processes may wait for it and record
// it; a record counts for all of them.
func (t *Thread) ExportEvent(e driver.Event) (IPCHandle, error) {
	if e == 0 {
		return IPCHandle{}, t.refuse(fnExportEvent, invalidHandle)
	}
	if err := t.do(fnExportEvent, t.handle(), uintptr(e)); err != nil {
		return IPCHandle{}, err
	}
	return t.frame.handle, nil
}

// ImportEvent opens an event of another process. CloseEvent closes it.
func (t *Thread) ImportEvent(h IPCHandle) (driver.Event, error) {
	if t.left {
		return 0, t.refuse(fnImportEvent, invalidContext)
	}
	f := t.frame
	if c := invokeImportEvent(f.lib[fnImportEvent], &f.word[0], h); c != success {
		return 0, t.refuse(fnImportEvent, c)
	}
	return driver.Event(f.word[0]), nil
}

// handle is the address of a handle that a call leaves.
func (t *Thread) handle() uintptr { return uintptr(unsafe.Pointer(&t.frame.handle)) }
