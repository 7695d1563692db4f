//go:build !portable

package memfile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// New makes a file without a name in memory, whose size stays where the kernel has seals.
// Its pages are taken when they are first written.
func New(name string, bytes int) (fd int, err error) {
	return create(name, bytes, func(err error) bool { return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EPERM) })
}

// Sealed is New for a file that others may write to: without seals, with which nobody can
// cut it under a process that has mapped it, it is an error.
func Sealed(name string, bytes int) (fd int, err error) {
	return create(name, bytes, func(error) bool { return false })
}

func create(name string, bytes int, pass func(unsealed error) bool) (fd int, err error) {
	if fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING); err != nil {
		return -1, err
	}
	if err = unix.Ftruncate(fd, int64(bytes)); err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
		if err != nil && pass(err) {
			err = nil
		}
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}
