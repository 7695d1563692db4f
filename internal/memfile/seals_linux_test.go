//go:build !portable

package memfile

import (
	"os"
	"testing"
)

// TestTheSizeStays: who maps the file cannot be given a signal by who changes its size.
func TestTheSizeStays(t *testing.T) {
	fd, err := New("voxpack-test", 4096)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "memory")
	defer f.Close()
	for _, size := range []int64{0, 4095, 8192} {
		if err := f.Truncate(size); err == nil {
			t.Errorf("it has %d bytes now", size)
		}
	}
	if info, err := f.Stat(); err != nil || info.Size() != 4096 {
		t.Errorf("%v %v", info, err)
	}
}
