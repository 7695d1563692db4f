package plan

import (
	"errors"
	"fmt"

	"voxpack/store"
)

// ErrCorrupt says that stored bytes are not those that were built. The error
// that wraps it is a *CorruptError.
var ErrCorrupt = errors.New("corrupt sample")

// CorruptError names the sample and the column whose bytes cannot be trusted.
type CorruptError struct {
	Row    uint32 // of the root
	For    uint32 // the row of a delivery that cannot be read: Row, or the one whose reference Row is
	ID     string // "" where the shard record cannot be read either
	Column string // "" where the shard record is damaged
	Err    error  // what is wrong
}

// Error names the id, the column and what is wrong.
func (e *CorruptError) Error() string {
	name := e.ID
	if name == "" {
		name = fmt.Sprintf("row %d", e.Row)
	}
	if e.Column != "" {
		name += ", column " + e.Column
	}
	return fmt.Sprintf("%v: %s: %v; see voxpack verify --full", ErrCorrupt, name, e.Err)
}

// Unwrap lets errors.Is find ErrCorrupt and the cause.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Err} }

// IsLost reports whether an error says that stored bytes are damaged or missing.
// Other errors, such as too many open files, say nothing about a sample.
func IsLost(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound)
}
