package serve

import (
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// processOf is a descriptor of the process at the other end, which becomes
// readable when that has ended; nil where the kernel gives none.
func processOf(c *net.UnixConn) (process *os.File) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	_ = raw.Control(func(fd uintptr) {
		peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err != nil || peer.Pid <= 0 {
			return
		}
		if file, err := unix.PidfdOpen(int(peer.Pid), 0); err == nil {
			process = os.NewFile(uintptr(file), "process")
		}
	})
	return process
}

// awaitEnd waits until a process has ended, at most for so long.
func awaitEnd(process *os.File, limit time.Duration) {
	for end := time.Now().Add(limit); ; {
		left := max(0, time.Until(end))
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(process.Fd()), Events: unix.POLLIN}}, int(left/time.Millisecond))
		if n > 0 || err != unix.EINTR || left == 0 {
			return
		}
	}
}
