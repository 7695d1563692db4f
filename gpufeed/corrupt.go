package gpufeed

import (
	"errors"
	"fmt"

	"voxpack/gpufeed/plan"
)

// corrupt makes the error of a row whose bytes are damaged or lost. What else
// went wrong, such as too many open files, says nothing about the sample.
func (r *Reader) corrupt(row uint32, column string, err error) error {
	id, _ := r.set.ID(row) // the record may be damaged too
	if !plan.IsLost(err) {
		return fmt.Errorf("row %d %s: %w", row, id, err)
	}
	return &plan.CorruptError{Row: row, For: row, ID: id, Column: column, Err: err}
}

// blame says which row of a delivery a corrupt one spoils.
func blame(err error, row uint32) {
	var corrupt *plan.CorruptError
	if errors.As(err, &corrupt) {
		corrupt.For = row
	}
}
