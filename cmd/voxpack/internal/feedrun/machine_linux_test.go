package feedrun

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/compiler"
	"voxpack/internal/corpustest"
	"voxpack/store"
)

// TestWhatAColdStoreCostsIsCounted: of a store that the page cache has not, a feed's
// bytes come from the disk, and none of them the second time.
func TestWhatAColdStoreCostsIsCounted(t *testing.T) {
	dir := corpustest.Copy(t, "en")
	if _, err := compiler.Build(t.Context(), compiler.Options{Dataset: dir, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	var disk, filled [2]uint64
	for i := range disk {
		s, err := store.Open(filepath.Join(dir, compiler.StoreName))
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Dataset("main")
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 { // what opening read is no feed's
			forget(t, dir)
		}
		r := runOf(t, d, "--device", "host", "--batch-size", "2", "--step-ms", "0.1")
		if err := r.deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		beside := r.beside()
		disk[i], filled[i] = beside.disk, r.steps(r.feed.Stats(), beside).Filled
		if beside.memory == 0 {
			t.Error("the machine has no memory")
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if disk[0] == 0 {
		t.Skip("this file system, or this kernel, does not count what comes from a disk")
	}
	if disk[0] < filled[0]/2 || disk[1] > filled[1]/10 {
		t.Errorf("%d bytes of %d came from the disk, then %d of %d; want half at least, then a tenth at most", disk[0], filled[0], disk[1], filled[1])
	}
}

// forget asks the kernel to drop files from the page cache.
func forget(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := unix.Fsync(int(f.Fd())); err != nil {
			return err
		}
		return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
	})
	if err != nil {
		t.Fatal(err)
	}
}
