package feedrun

import (
	"errors"

	"voxpack/cmd/voxpack/internal/term"
)

// end is what an error of a run means to the exit code.
type end string

const (
	ended          end = "done"
	foundSomething end = "findings"
	wrongCommand   end = "usage"
	machineFailed  end = "environment"
	wasInterrupted end = "interrupted"
)

// endOf tells the ends apart in the order in which the program's exit codes do.
func endOf(err error) end {
	var findings term.Findings
	var usage term.Usage
	switch {
	case err == nil:
		return ended
	case errors.Is(err, term.ErrInterrupted):
		return wasInterrupted
	case errors.As(err, &findings):
		return foundSomething
	case errors.As(err, &usage):
		return wrongCommand
	}
	return machineFailed
}
