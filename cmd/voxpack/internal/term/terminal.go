package term

import (
	"golang.org/x/sys/unix"
)

// IsTerminal reports whether a file is a terminal: only those have a size.
func IsTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	return err == nil
}
