package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAHoleOnAFullDiskOfMemoryIsAnError: to read a hole of a file through a mapping takes a page of a tmpfs,
// and where there is none the read fails as a fault of memory.
func TestAHoleOnAFullDiskOfMemoryIsAnError(t *testing.T) {
	place := t.TempDir()
	if err := mountTmpfs(place, "48m"); err != nil {
		t.Skipf("no file system to fill: %v", err)
	}
	t.Cleanup(func() { unmount(place) })
	dir := filepath.Join(place, "store")
	block := entry(KindBlock, noise(1, 1<<20))
	put(t, dir, testOptions(), block)
	log, err := os.OpenFile(filepath.Join(onlyPack(t, dir), "000001.vlog"), os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(unix.Fallocate(int(log.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 1<<19, 1<<18), log.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	s.Has(block.Kind, block.Name) // the pack is open before there is no room
	fill, err := os.Create(filepath.Join(place, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer fill.Close()
	if _, err := io.Copy(fill, strings.NewReader(strings.Repeat("x", 48<<20))); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if _, err := s.Get(block.Kind, block.Name); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "its disk has failed or is full") {
		t.Errorf("Get = %v, want a sentence with the cause", err)
	}
	if s.Check(block.Kind, block.Name) {
		t.Error("a block with a hole is taken for sound")
	}
}
