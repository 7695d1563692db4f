//go:build !portable

package serve

import (
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// populate has the pages of a mapping taken at once.
const populate = unix.MAP_POPULATE

// The operations of a futex that other processes see.
const (
	futexOpWait = 0
	futexOpWake = 1
)

// futexWait sleeps while the word has the value, at most for so long; it may
// wake early. Safe: the word is in a mapping, and the kernel reads it only.
func futexWait(word *atomic.Uint32, value uint32, limit time.Duration) {
	t := unix.NsecToTimespec(int64(limit))
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWait, uintptr(value), uintptr(unsafe.Pointer(&t)), 0, 0)
}

// futexWake wakes all who sleep on the word, safe as futexWait is.
func futexWake(word *atomic.Uint32) {
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexOpWake, 1<<30, 0, 0, 0)
}
