package term

import (
	"errors"
	"fmt"
)

// ErrInterrupted: the user or the system asked us to stop.
var ErrInterrupted = errors.New("interrupted")

// Usage is a mistake in the command line or in a config.
type Usage struct{ Err error }

// Error is the text of the mistake.
func (e Usage) Error() string { return e.Err.Error() }

// Unwrap gives the mistake itself.
func (e Usage) Unwrap() error { return e.Err }

// Usagef makes a Usage as fmt.Errorf makes errors.
func Usagef(format string, args ...any) error { return Usage{Err: fmt.Errorf(format, args...)} }

// Findings says that the command did its work and found something. An
// empty text was printed already.
type Findings string

// Error is the text, empty where it was printed already.
func (e Findings) Error() string { return string(e) }

// RepairCure is the advice for a damaged pack.
const RepairCure = "voxpack repair makes anew what is damaged"
