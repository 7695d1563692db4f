//go:build !linux

package gpufeed

import (
	"errors"
	"math"
)

// hugePages is for Linux.
func hugePages([]byte) {}

// memoryFile is for Linux, as is every device that would need it.
func memoryFile(int) (int, error) { return -1, errors.ErrUnsupported }

// populate is for Linux.
func populate([]byte) error { return nil }

// available is not known here.
func available() uint64 { return math.MaxUint64 }

// HostMemory is not known here.
func HostMemory() uint64 { return math.MaxUint64 }
