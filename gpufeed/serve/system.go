package serve

import (
	"fmt"
	"net"
	"os"

	"voxpack/internal/memfile"

	"golang.org/x/sys/unix"
)

// sharedFile is memory with a file, whose size stays where the system can see to it.
func sharedFile(name string, bytes int) (file int, mem []byte, err error) {
	if file, err = memfile.Sealed(name, bytes); err != nil {
		return -1, nil, err
	}
	if mem, err = unix.Mmap(file, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|populate); err != nil {
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
	var user uint32
	if err2 := raw.Control(func(fd uintptr) { user, process, err = peer(int(fd)) }); err2 != nil {
		return 0, err2
	}
	if err != nil {
		return 0, err
	}
	if me := uint32(os.Geteuid()); user != me && user != 0 {
		return 0, fmt.Errorf("a process of user %d asked, the feeder is user %d's", user, me)
	}
	return max(0, process), nil
}

// monotonic is the time by the clock that all processes share, in ns. It is that of
// time.monotonic_ns in Python.
func monotonic() uint64 {
	var t unix.Timespec
	if unix.ClockGettime(sharedClock, &t) != nil {
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
