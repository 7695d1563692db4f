package serve

import "golang.org/x/sys/unix"

// sharedClock is CLOCK_UPTIME_RAW, which time.monotonic of Python reads there.
const sharedClock = 8

// peer is the user and the process at the other end of a socket.
func peer(fd int) (user uint32, process int, err error) {
	p, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, 0, err
	}
	if process, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err != nil {
		process = 0
	}
	return p.Uid, process, nil
}
