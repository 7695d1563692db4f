package intake

import (
	"cmp"
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
// names may not be there, or be no name at all. Every other one is the machine's. What each
// means is in POSIX's errno.h and in open(2) of Linux: ENXIO is of a socket or a
// pipe, EILSEQ of a name that a file system of UTF-8 cannot have.
var ofNames = []syscall.Errno{syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.EILSEQ, syscall.ENXIO}

// faults are the errors of system calls that have their cause in the machine, each
// with what helps: the end of a message, whichever command it is of. What has no
// cure here says itself what to do.
var faults = map[syscall.Errno]string{
	syscall.EIO:    "check the disk or the network share (dmesg tells more), then run the command again; finished builds are not touched",
	syscall.ESTALE: checkShare,
	syscall.EMFILE: "allow more open files (ulimit -n), or use fewer workers (-j), and run the command again",
	syscall.ENFILE: "all programs together have too many files open; run the command again when they have fewer",
	syscall.ENOMEM: moreMemory,
	syscall.ENOSPC: "", // the store knows how much it needs
	syscall.EDQUOT: "your share of the disk is used up; free some of it, or build elsewhere with -o",
}

// The cures of several errors.
const (
	checkShare = "check the network share, then run the command again; finished builds are not touched"
	moreMemory = "end other programs, or use fewer workers (-j), and run the command again"
	letRead    = "let this user read it (chmod +r for files, +rx for folders), or take its rows out of the metadata, and build again"
)

// sourceCures are for errors that are faults of the machine only where a source is
// read: elsewhere EACCES is of a path that the user chose, EAGAIN may be a lock that
// somebody holds, and the others may be of a socket.
var sourceCures = map[syscall.Errno]string{
	syscall.EACCES: letRead, syscall.EPERM: letRead, syscall.EAGAIN: moreMemory,
	syscall.ETIMEDOUT: checkShare, syscall.EHOSTDOWN: checkShare, syscall.ENOTCONN: checkShare,
}

// Cure is what helps against a fault of the machine, "" where the error says it
// itself; ok is false for an error of another kind.
func Cure(err error) (cure string, ok bool) {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return "", false
	}
	var known *MachineError
	if cure, ok = faults[errno]; errors.As(err, &known) { // its text has one
		cure = ""
	}
	return cure, ok
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
	cure, _ := Cure(err)
	return &MachineError{err, cmp.Or(cure, sourceCures[errno], "build again when it can be read")}
}

// IsMachine reports whether an error is, or would be, a MachineError.
func IsMachine(err error) bool {
	var m *MachineError
	return errors.As(Machine(err), &m)
}
