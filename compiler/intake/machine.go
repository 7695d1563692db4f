package intake

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// A MachineError is a fault of the machine that a source was read on: its disk, its
// network share, its memory or its limits. It says nothing about the source, so no
// row is left out for it and nothing is remembered of it: the build stops.
type MachineError struct {
	Err  error
	Cure string // what to do, for the error's text
}

// Error is what happened, what it means, and what to do.
func (e *MachineError) Error() string {
	return e.Err.Error() + "; this is a fault of the machine and says nothing about the file, so the build stops and the dataset stays as it was: " + e.Cure
}

// Unwrap gives what happened.
func (e *MachineError) Unwrap() error { return e.Err }

// ofNames are the errors of system calls that a path brings about: what the metadata
// names may not be there, or be no name at all. Every other one is the machine's.
var ofNames = []syscall.Errno{syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.EILSEQ, syscall.ENXIO}

// cures say what helps, by what the system said.
var cures = []struct {
	errnos []syscall.Errno
	cure   string
}{
	{[]syscall.Errno{syscall.EACCES, syscall.EPERM}, "let this user read it (chmod +r for files, +rx for folders), or take its rows out of the metadata, and build again"},
	{[]syscall.Errno{syscall.EMFILE, syscall.ENFILE}, "allow more open files (ulimit -n), or build with a smaller -j"},
	{[]syscall.Errno{syscall.ENOMEM, syscall.EAGAIN}, "end other programs, or build with a smaller -j"},
	{[]syscall.Errno{syscall.ESTALE, syscall.ETIMEDOUT, syscall.EHOSTDOWN, syscall.ENOTCONN}, "look after the network share, and build again"},
	{[]syscall.Errno{syscall.EIO}, "look after the disk or the network share (dmesg says more), and build again"},
}

// Machine makes a MachineError of an error of the system that is no property of what
// was read, and gives any other error back as it is.
func Machine(err error) error {
	var known *MachineError
	if err == nil || errors.As(err, &known) {
		return err
	}
	var errno syscall.Errno
	if errors.As(err, &errno) && slices.Contains(ofNames, errno) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	timeout := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
	if errno == 0 && !timeout {
		return err
	}
	for _, c := range cures {
		if slices.Contains(c.errnos, errno) {
			return &MachineError{err, c.cure}
		}
	}
	return &MachineError{err, "build again when it can be read"}
}

// IsMachine reports whether an error is, or would be, a MachineError.
func IsMachine(err error) bool {
	var m *MachineError
	return errors.As(Machine(err), &m)
}
