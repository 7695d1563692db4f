package driver

import (
	"errors"
	"fmt"
)

// What a caller may want to tell apart.
var (
	// ErrNoDriver says that the machine has no such driver, or no device for it.
	ErrNoDriver = errors.New("no driver")
	// ErrOutOfMemory says that a device or the host has not as much left.
	ErrOutOfMemory = errors.New("out of memory")
	// ErrLost says that the device or its context cannot be used any more by
	// this process: every later call fails the same way.
	ErrLost = errors.New("device lost")
)

// Error is a call that a driver refused.
type Error struct {
	Call   string // as the driver's documentation spells it
	Code   int
	Name   string // of the code, "CUDA_ERROR_OUT_OF_MEMORY"
	Device int    // ordinal, -1 where the call has none
	Hint   string // what to do; may be ""
	Kind   error  // ErrNoDriver, ErrOutOfMemory, ErrLost or nil
}

// Error names the call, the device, the code and what to do.
func (e *Error) Error() string {
	where := e.Call
	if e.Device >= 0 {
		where = fmt.Sprintf("GPU %d: %s", e.Device, e.Call)
	}
	text := where + ": " + e.Name
	if e.Code != 0 { // 0: the call was not made
		text += fmt.Sprintf(" (%d)", e.Code)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap lets errors.Is find the kind.
func (e *Error) Unwrap() error { return e.Kind }
