package main

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// placeErrnos say that a file system will not do: read-only, full, without
// locks or without shared mappings.
var placeErrnos = []unix.Errno{unix.EROFS, unix.ENOSPC, unix.EDQUOT, unix.ENOTSUP, unix.ENOSYS, unix.ENOLCK, unix.ENODEV}

func isPlaceErrno(err error) bool {
	var errno unix.Errno
	return errors.As(err, &errno) && slices.Contains(placeErrnos, errno)
}

// isTerminal reports whether a file is a terminal: only those have a size.
func isTerminal(fd uintptr) bool {
	_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	return err == nil
}
