package store

import (
	"errors"
	"io/fs"
	"os"
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

// TestALockOnAFolderThatWasReplacedIsNoLock: between the opening and the locking of
// a folder another process may put a new one in its place, or none. Who then held
// the old one would write beside the holder of the new one.
func TestALockOnAFolderThatWasReplacedIsNoLock(t *testing.T) {
	for rule, replace := range map[string]func(path string) error{
		"another folder of its name": func(path string) error { return errors.Join(os.Rename(path, path+"-old"), os.Mkdir(path, 0o777)) },
		"a file of its name": func(path string) error {
			return errors.Join(os.Rename(path, path+"-old"), os.WriteFile(path, nil, 0o666))
		},
		"nothing of its name": os.Remove,
	} {
		for _, how := range []int{unix.LOCK_EX, unix.LOCK_SH} {
			path := t.TempDir() + "/pack"
			if err := os.Mkdir(path, 0o777); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := replace(path); err != nil {
				t.Fatal(err)
			}
			if err := lockInPlace(f, how); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: the lock on the old folder = %v, want fs.ErrNotExist", rule, err)
			}
		}
	}
}
