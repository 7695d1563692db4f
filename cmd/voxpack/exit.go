package main

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// The exit codes, as every help page says them.
const (
	exitDone        = 0
	exitFindings    = 1
	exitUsage       = 2
	exitEnvironment = 3
	exitInterrupted = 130
)

// errInterrupted: the user or the system asked us to stop.
var errInterrupted = errors.New("interrupted")

// usageError is a mistake in the command line or in a config.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// findingsError says that the command did its work and found something. An
// empty text was printed already.
type findingsError string

func (e findingsError) Error() string { return string(e) }

// exitCode is the one place where errors become numbers.
func exitCode(err error) int {
	var usage usageError
	var findings findingsError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case isMachine(err): // a config that the disk does not give is no mistake in it
		return exitEnvironment
	case errors.As(err, &findings), errors.Is(err, compiler.ErrOverlong), errors.Is(err, compiler.ErrLoss):
		return exitFindings
	case errors.As(err, &usage), errors.Is(err, compiler.ErrConfig), errors.Is(err, intake.ErrNoMetadata), errors.Is(err, compiler.ErrSpeakers), errors.Is(err, store.ErrAmbiguous):
		return exitUsage
	}
	// What is left is the store and the machine: missing, busy, newer, damaged,
	// read-only, full.
	return exitEnvironment
}

func complain(stderr io.Writer, err error) {
	if err != nil && err.Error() != "" {
		fmt.Fprintf(forPeople(stderr), "voxpack: %v%s\n", err, cure(err))
	}
}

// cures say what to do about errors of the machine, whoever met them.
var cures = map[syscall.Errno]string{
	syscall.EIO:    "the disk or its file system has failed, the system's log (dmesg) tells more; finished builds are not touched, run the command again when it is mended",
	syscall.ESTALE: "a network file system has lost the file; finished builds are not touched, run the command again",
	syscall.EMFILE: "raise the limit of open files (ulimit -n), and run the command again",
	syscall.ENFILE: "all programs of the machine together have too many files open; run the command again when it has fewer",
	syscall.ENOMEM: "memory is short; run the command again with fewer workers (-j), or when others need less",
	syscall.ENOSPC: "", // the store says what to do
	syscall.EDQUOT: "your share of the disk is used up; free some of it, or build elsewhere with -o",
}

// isMachine reports an error that has its cause in the machine, whatever was done.
func isMachine(err error) bool {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return false
	}
	_, ok := cures[errno]
	return ok
}

// cure is what to do about an error of the machine, printed after it. An error
// that says so itself gets none.
func cure(err error) string {
	var known *intake.MachineError
	if errors.As(err, &known) {
		return ""
	}
	var errno syscall.Errno
	if errors.As(err, &errno) && cures[errno] != "" {
		return "; " + cures[errno]
	}
	return ""
}
