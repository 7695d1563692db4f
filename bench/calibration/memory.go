package calibration

import (
	"fmt"
	"syscall"
	"time"
)

const memoryBytes = 64 << 20

// Memory measures in GB/s how fast memory is written that the process never had,
// and how fast one half of it is then copied to the other.
func Memory() (touch, copied float64, err error) {
	fresh, err := Anonymous(memoryBytes)
	if err != nil {
		return 0, 0, err
	}
	started := time.Now()
	for i := 0; i < len(fresh); i += 4096 {
		fresh[i] = 1
	}
	touch = Rate(memoryBytes, time.Since(started))
	half := len(fresh) / 2
	started = time.Now()
	for range 4 {
		copy(fresh[:half], fresh[half:])
	}
	copied = Rate(2*memoryBytes, time.Since(started))
	return touch, copied, syscall.Munmap(fresh)
}

// Anonymous is memory that nobody has touched; syscall.Munmap gives it back.
func Anonymous(bytes int) ([]byte, error) {
	b, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("map %d MB of memory: %w", bytes>>20, err)
	}
	return b, nil
}

// Rate is bytes in a time, in GB/s.
func Rate(bytes int, d time.Duration) float64 { return float64(bytes) / 1e9 / d.Seconds() }

// Milliseconds is a time in ms.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
