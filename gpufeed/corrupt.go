package gpufeed

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"voxpack/store"
)

// ErrCorrupt says that stored bytes are not those that were built. The error
// that wraps it is a *CorruptError.
var ErrCorrupt = errors.New("corrupt sample")

// CorruptError names the sample and the column whose bytes cannot be trusted.
type CorruptError struct {
	Row    uint32 // of the root
	For    uint32 // the row of a delivery that cannot be had: Row, or the one whose reference Row is
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

// corrupt makes the error of a row whose bytes are damaged or lost. What else
// went wrong, such as too many open files, says nothing about the sample.
func (r *Reader) corrupt(row uint32, column string, err error) error {
	id, _ := r.set.ID(row) // the record may be damaged too
	if !lost(err) {
		return fmt.Errorf("row %d %s: %w", row, id, err)
	}
	return &CorruptError{Row: row, For: row, ID: id, Column: column, Err: err}
}

// blame says which row of a delivery a corrupt one spoils.
func blame(err error, row uint32) {
	var corrupt *CorruptError
	if errors.As(err, &corrupt) {
		corrupt.For = row
	}
}

func lost(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound)
}

// shielded runs what reads a record. It is mapped, and so is the tree that
// leads to it: a fault there is an error. Goroutines that read start with it,
// since the shield is that of one goroutine.
func shielded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = faultOf(p)
		}
	}()
	return read()
}

// faultOf is the error of a mapped file whose bytes could not be read: it was
// cut short, or its disk failed. Any other panic is not ours to stop.
func faultOf(recovered any) error {
	fault, ok := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		panic(recovered)
	}
	return fmt.Errorf("a mapped pack could not be read at %#x, its file was cut short or its disk failed: %w", fault.Addr(), store.ErrDamaged)
}
