package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Lock is the right to write to a store: one builder has it at a time. The
// kernel takes it back when the process ends, however it ends.
type Lock struct{ f *os.File }

// TakeLock locks the store in dir without waiting and without writing to it, so that a build with
// nothing to do leaves no trace. Another holder: ErrBusy. No store: ErrNoStore. The lock file is made
// where there is none and never removed: a second one of its name could be locked beside the first.
func TakeLock(dir string) (*Lock, error) {
	if err := checkFormat(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, placeError(dir, err)
	}
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("another build is writing to %s; wait for it, or build into another store with -o%s: %w", dir, whoHolds(f.Name()), ErrBusy)
		}
		return nil, placeError(dir, err)
	}
	return &Lock{f}, nil
}

// whoHolds names the processes that hold locks on files or folders, for a message: "" where
// they cannot be told.
func whoHolds(paths ...string) string {
	var names []string
	for _, pid := range holders(paths...) {
		names = append(names, fmt.Sprintf("process %d (%s)", pid, cmp.Or(processName(pid), "ended")))
	}
	if len(names) == 0 {
		return ""
	}
	return " (held by " + strings.Join(names, ", ") + ")"
}

// Release gives the lock back. It may be called more than once.
func (l *Lock) Release() error {
	if l == nil || l.f == nil {
		return nil
	}
	f := l.f
	l.f = nil
	return unlock(f)
}

// unlock gives a lock of flock back and closes its file. Closing alone would
// not do: a child of this process that has forked and not yet called exec has
// the open file too, and would keep the lock.
func unlock(f *os.File) error {
	return errors.Join(flock(f, unix.LOCK_UN), f.Close())
}

// flock locks an open file or folder; a signal does not end the attempt.
func flock(f *os.File, how int) error {
	for {
		err := unix.Flock(int(f.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// lockFolder opens a folder and locks it without waiting. A folder that was
// renamed or removed between the two steps counts as missing: fs.ErrNotExist.
func lockFolder(path string, how int) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := lockInPlace(f, how); err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	return f, nil
}

// lockInPlace is the second step.
func lockInPlace(f *os.File, how int) error {
	if err := flock(f, how|unix.LOCK_NB); err != nil {
		return err
	}
	held, err := f.Stat()
	now, gone := os.Stat(f.Name())
	if err == nil && gone == nil && !os.SameFile(held, now) {
		gone = fs.ErrNotExist
	}
	return errors.Join(err, gone)
}

// placeError says why a folder cannot hold a store and what to do.
func placeError(dir string, err error) error {
	why := ""
	switch {
	case errors.Is(err, unix.EROFS):
		why = "is on a read-only file system"
	case errors.Is(err, fs.ErrPermission):
		why = "is not writable for you" + owner(dir)
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOLCK):
		why = "is on a file system without locks (flock)"
	case errors.Is(err, unix.ENODEV):
		why = "is on a file system without memory mapping (mmap)"
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		why = "has no space left"
	default:
		return fmt.Errorf("store %s: %w", dir, err)
	}
	return fmt.Errorf("store %s %s; put it elsewhere with -o FOLDER: %w", dir, why, err)
}

// owner names the owner of the nearest existing folder when it is not us.
func owner(dir string) string {
	for {
		st, err := os.Stat(dir)
		if err == nil {
			if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Geteuid() {
				return fmt.Sprintf(" (it belongs to user %d, you are %d)", sys.Uid, os.Geteuid())
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
