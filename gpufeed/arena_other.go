//go:build !linux

package gpufeed

import "math"

// hugePages is for Linux.
func hugePages([]byte) {}

// populate is for Linux.
func populate([]byte) error { return nil }

// available is not known here.
func available() uint64 { return math.MaxUint64 }

// HostMemory is not known here.
func HostMemory() uint64 { return math.MaxUint64 }
