//go:build !linux

package serve

import (
	"net"
	"os"
	"time"
)

// processOf is for Linux.
func processOf(*net.UnixConn) *os.File { return nil }

// awaitEnd is for Linux.
func awaitEnd(*os.File, time.Duration) {}
