package memfile

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestTwoMappingsAreOneMemory: what one process writes another one reads; the file has no
// name in any folder, and no child of this process gets it.
func TestTwoMappingsAreOneMemory(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	for _, make := range []func(string, int) (int, error){New, Sealed} {
		fd, err := make("voxpack-test", 8192)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Close(fd)
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("in the folder: %v, %v", left, err)
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("flags of the descriptor: %#x, %v", flags, err)
		}
		var maps [2][]byte
		for i := range maps {
			if maps[i], err = unix.Mmap(fd, 0, 8192, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
				t.Fatal(err)
			}
			defer unix.Munmap(maps[i])
		}
		maps[0][8191] = 7
		if maps[1][8191] != 7 {
			t.Error("the other mapping has other memory")
		}
	}
}
