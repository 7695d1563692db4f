package store

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Free is the space in bytes that is left to us on the file system of path.
func Free(path string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", path, err)
	}
	return int64(uint64(st.Bavail) * uint64(st.Bsize)), nil
}

// checkSpace refuses a write of need bytes that would leave less than reserve.
// Badger writes through a mapping: on a full disk the kernel answers with
// SIGBUS, which nothing in the process can stop, so it must not come so far.
func checkSpace(path string, need, reserve int64) error {
	free, err := Free(path)
	if err != nil {
		return err
	}
	if free >= need+reserve {
		return nil
	}
	return fmt.Errorf("no space left for %s: %d MB free, %d MB needed (%d MB of it kept in reserve); free some, or build elsewhere with -o: %w",
		path, free>>20, (need+reserve+1<<20-1)>>20, reserve>>20, unix.ENOSPC)
}

// blocksOf is what a file occupies, which is less than its length where it has holes.
func blocksOf(info os.FileInfo) int64 {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Blocks * 512
	}
	return info.Size()
}
