package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkFiles looks at the files of a database before Badger does. One that
// cannot be opened is an error that says so, which of Badger's are text. And
// Badger opens its key tables in goroutines of its own, where it meets a table
// that was cut short with a panic, which nobody can recover (seen with v4.9.6).
// What lies inside a table has checksums, which Badger does verify.
func checkFiles(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) == ".sst" {
			err = checkTable(path)
		} else {
			err = canRead(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// canRead tries to open a file.
func canRead(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// shareFiles makes Badger's lists, which it keeps to its owner (0600), as open as
// the folder that they lie in, which the user's umask has shaped. A file of
// another user stays as it is.
func shareFiles(dir string) error {
	folder, err := os.Stat(dir)
	if err != nil {
		return err
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o600 {
			continue
		}
		err = os.Chmod(filepath.Join(dir, e.Name()), folder.Mode().Perm()&0o666)
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// dropUnborn removes from what a killed build left the files that Badger cannot
// open, though nothing is lost with them: logs that were created and got no
// byte yet, and tables that end too early. Such a table comes from a flush that
// was killed: MANIFEST does not name it yet, and its keys still stand in the log
// of the table in memory, from which Badger makes it again.
func dropUnborn(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil {
			return err
		}
		unborn := strings.HasPrefix(e.Name(), tempPrefix) // a SEAL of a killed build
		switch filepath.Ext(e.Name()) {
		case ".mem", ".vlog":
			unborn = info.Size() == 0
		case ".sst":
			unborn = errors.Is(checkTable(path), ErrDamaged)
		}
		if unborn {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTable follows the lengths at the end of a table: … index, length of the
// index, checksum, length of the checksum; both lengths are big-endian.
func checkTable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	left := info.Size()
	for _, part := range []string{"checksum", "index"} {
		var length [4]byte
		if left -= int64(len(length)); left < 0 {
			return fmt.Errorf("table %s: ends before the length of its %s: %w", path, part, ErrDamaged)
		}
		if _, err := f.ReadAt(length[:], left); err != nil && err != io.EOF {
			return err
		}
		n := int64(binary.BigEndian.Uint32(length[:]))
		if left -= n; n == 0 || left < 0 {
			return fmt.Errorf("table %s: has no room for a %s of %d bytes: %w", path, part, n, ErrDamaged)
		}
	}
	return nil
}
