//go:build !linux

package topology

import (
	"errors"
	"os"
	"testing"
	"unsafe"
)

// TestElsewhere: without Linux each call is one notice.
func TestElsewhere(t *testing.T) {
	page := os.Getpagesize()
	mem := make([]byte, 2*page)
	mem = mem[page-int(uintptr(unsafe.Pointer(&mem[0]))%uintptr(page)):]
	if err := Bind(mem, 0); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Bind = %v, want %v", err, ErrUnavailable)
	}
	if err := PinThread([]int{0}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("PinThread = %v, want %v", err, ErrUnavailable)
	}
	if _, err := ThreadCPUs(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("ThreadCPUs = %v, want %v", err, ErrUnavailable)
	}
}
