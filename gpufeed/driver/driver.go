package driver

import "time"

// Driver knows the devices of a machine. It is safe for concurrent use.
type Driver interface {
	// Name is "cuda" or "sim".
	Name() string
	// Devices lists the devices by ordinal, which CUDA_VISIBLE_DEVICES numbers.
	Devices() ([]Info, error)
	// Open makes a device usable. A second Open of an ordinal shares its
	// context with the first; each is closed by itself.
	Open(ordinal int) (GPU, error)
	// Close lets go of the driver; every GPU is closed before.
	Close() error
}

// Info is what is known of a device before it is opened.
type Info struct {
	Ordinal int
	Name    string
	Bus     string // PCI address as sysfs spells it, "0000:65:00.0"; "" where there is none
	UUID    string // "GPU-…"; "" where there is none
	Memory  uint64 // bytes
	Major   int    // of the compute capability
	Minor   int
	Engines int // copies that can run at the same time
}

// GPU is an open device. Info and Close may be called from anywhere.
type GPU interface {
	Info() Info
	// Thread binds the calling goroutine to its OS thread and the device to
	// that. The goroutine calls Leave when it is done.
	Thread() (Thread, error)
	// Close gives the context back, after all its memory, streams and events.
	Close() error
}

// Ptr is an address in a device's memory. 0 is none.
type Ptr uint64

// Stream is a queue of work of a device. 0 is none.
type Stream uintptr

// Event is a mark in a stream. 0 is none.
type Event uintptr

// Span is a piece of memory to copy within a device.
type Span struct {
	Dst, Src Ptr
	Bytes    int
}

// Thread is a device as one goroutine uses it: the goroutine that asked for it, and
// no other. Errors are *Error. Stream 0, which drivers take for the default stream,
// and event 0 are refused.
type Thread interface {
	Allocator
	Queues
	Copier
	Events
	// Leave unbinds the goroutine.
	Leave()
}

// Allocator takes memory and gives it back.
type Allocator interface {
	// Memory is the device's free and total memory in bytes.
	Memory() (free, total uint64, err error)
	// Alloc takes device memory, aligned to 256 B; Free gives it back.
	Alloc(bytes int) (Ptr, error)
	Free(p Ptr) error
	// Pin page-locks host memory for all devices, until Unpin. Memory that is
	// pinned already is refused.
	Pin(b []byte) error
	Unpin(b []byte) error
}

// Queues makes what work is queued with.
type Queues interface {
	// NewStream makes a stream that never waits for the default stream; high
	// asks for the highest priority that the device has.
	NewStream(high bool) (Stream, error)
	CloseStream(s Stream) error
	// NewEvent makes an event; only timed ones may be given to Elapsed.
	NewEvent(timed bool) (Event, error)
	CloseEvent(e Event) error
	// EnablePeer lets this device write to the memory of another. false: the
	// hardware or the platform does not allow it, and CopyPeer is staged.
	EnablePeer(other GPU) (bool, error)
}

// Copier queues copies and returns at once. What a copy reads and writes must stay
// until an event recorded after it is done. Nothing is allocated.
type Copier interface {
	// CopyIn copies pinned host memory to the device.
	CopyIn(dst Ptr, src []byte, s Stream) error
	// CopyOut copies device memory to pinned host memory.
	CopyOut(dst []byte, src Ptr, s Stream) error
	// Copy copies pieces within the device, in any order: none may read what
	// another writes. The slice may be used again at once.
	Copy(pieces []Span, s Stream) error
	// CopyPeer copies from this device to another, or within this one.
	CopyPeer(dst Ptr, other GPU, src Ptr, bytes int, s Stream) error
	// Clear sets device memory to zero.
	Clear(dst Ptr, bytes int, s Stream) error
}

// Events marks positions in streams and waits for them. Nothing is allocated.
type Events interface {
	// Record marks the end of what the stream has been given so far.
	Record(e Event, s Stream) error
	// Wait lets the stream wait for an event, of any device.
	Wait(s Stream, e Event) error
	// Synchronize blocks until the event is done, without spinning.
	Synchronize(e Event) error
	// Query reports whether the event is done.
	Query(e Event) (bool, error)
	// Elapsed is the time between two timed events that are done.
	Elapsed(from, to Event) (time.Duration, error)
}
