//go:build !linux

package memfile

import "errors"

// New is for Linux.
func New(string, int) (fd int, err error) { return -1, errors.ErrUnsupported }

// Sealed is New for a file that others may write to.
func Sealed(string, int) (fd int, err error) { return -1, errors.ErrUnsupported }
