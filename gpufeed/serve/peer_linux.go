package serve

import "golang.org/x/sys/unix"

const sharedClock = unix.CLOCK_MONOTONIC

// peer is the user and the process at the other end of a socket.
func peer(fd int) (user uint32, process int, err error) {
	p, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	return p.Uid, int(p.Pid), nil
}
