//go:build !linux

package topology

import (
	"fmt"
	"runtime"
)

func elsewhere() error { return fmt.Errorf("%w on %s", ErrUnavailable, runtime.GOOS) }

func bind([]byte, int) error { return elsewhere() }

func pinThread([]int) error { return elsewhere() }

func threadCPUs() ([]int, error) { return nil, elsewhere() }
