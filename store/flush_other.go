//go:build !linux

package store

import "math"

// flusher is of Linux: elsewhere the system alone decides when values go to the disk.
type flusher struct{}

const flushFrom = math.MaxInt64

func startFlusher(string) *flusher { return nil }

func (*flusher) wrote([]byte)                  {}
func (*flusher) close()                        {}
func (*flusher) finish() map[string]sealedFile { return nil }
