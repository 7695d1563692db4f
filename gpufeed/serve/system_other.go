//go:build !linux

package serve

import (
	"errors"
	"net"
	"sync/atomic"
	"time"
)

// futexWait is for Linux.
func futexWait(*atomic.Uint32, uint32, time.Duration) {}

// futexWake is for Linux.
func futexWake(*atomic.Uint32) {}

// sharedFile is for Linux.
func sharedFile(string, int) (int, []byte, error) { return -1, nil, errors.ErrUnsupported }

// allowed is for Linux.
func allowed(*net.UnixConn) (int, error) { return 0, errors.ErrUnsupported }

// monotonic is for Linux.
func monotonic() uint64 { return 0 }

// hungUp is for Linux.
func hungUp(*net.UnixConn) bool { return false }

// supported says what is missing here.
func supported() error { return errors.New("serving trainers needs Linux: sealed memory and futexes") }
