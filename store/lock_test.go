package store

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestALockEndsWithItsRelease: a copy of the open file, as a child has between
// fork and exec, does not keep the lock.
func TestALockEndsWithItsRelease(t *testing.T) {
	dir := t.TempDir()
	f, err := lockFolder(dir, unix.LOCK_EX)
	if err != nil {
		t.Fatal(err)
	}
	child, err := unix.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(child)
	if _, err := lockFolder(dir, unix.LOCK_EX); err == nil {
		t.Fatal("a locked folder was locked again")
	}
	if err := unlock(f); err != nil {
		t.Fatal(err)
	}
	again, err := lockFolder(dir, unix.LOCK_EX)
	if err != nil {
		t.Fatalf("a folder that was given back: %v", err)
	}
	unlock(again)
}
