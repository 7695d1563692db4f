package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// TempPrefix begins the name of a file that is being written.
const TempPrefix = ".tmp-"

// Write replaces the file at path by one with this content.
func Write(path string, content []byte) error {
	return Replace(path, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Replace replaces the file at path by what write makes of an empty one. A pipe
// or a device is written to directly. A link stays, and the file that it leads to is
// replaced: /dev/stdout is a link to a file where a shell was told so.
func Replace(path string, write func(*os.File) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	// Not by os.CreateTemp, which keeps its files from other users.
	random := make([]byte, 8)
	rand.Read(random) // never fails, as documented
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%x", TempPrefix, random))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(name) // gone already when the rename came about
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

func writeThrough(path string, write func(*os.File) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // some file systems sync no folders
		return err
	}
	return nil
}
