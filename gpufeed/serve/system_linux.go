package serve

import (
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"voxpack/internal/memfile"

	"golang.org/x/sys/unix"
)

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

// sharedFile is memory with a file whose size stays.
func sharedFile(name string, bytes int) (file int, mem []byte, err error) {
	if file, err = memfile.Sealed(name, bytes); err != nil {
		return -1, nil, err
	}
	if mem, err = unix.Mmap(file, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		_ = unix.Close(file)
		return -1, nil, err
	}
	return file, mem, nil
}

// allowed refuses a peer of another user, and gives the process of any other, 0
// where it is not known.
func allowed(c *net.UnixConn) (process int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var peer *unix.Ucred
	if err2 := raw.Control(func(fd uintptr) { peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err2 != nil {
		return 0, err2
	}
	if err != nil {
		return 0, err
	}
	if me := uint32(os.Geteuid()); peer.Uid != me && peer.Uid != 0 {
		return 0, fmt.Errorf("a process of user %d asked, the feeder is user %d's", peer.Uid, me)
	}
	return max(0, int(peer.Pid)), nil
}

// monotonic is the time by the clock that all processes share, in ns.
func monotonic() uint64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return uint64(t.Nano())
}

// hungUp reports whether the other side of a connection has closed it, whatever
// it has sent before.
func hungUp(c *net.UnixConn) (gone bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	err = raw.Control(func(fd uintptr) {
		list := []unix.PollFd{{Fd: int32(fd)}} // of hangups it tells unasked
		n, err := unix.Poll(list, 0)
		gone = err == nil && n > 0
	})
	return gone || err != nil
}

// supported says what is missing here.
func supported() error { return nil }
