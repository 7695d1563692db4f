package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// checkTables looks at the ends of a database's key tables before Badger does:
// it opens them in goroutines of its own and there meets a table that was cut
// short with a panic, which nobody can recover (seen with v4.9.6). What lies
// inside a table has checksums, which Badger does verify.
func checkTables(dir string) error {
	list, err := os.ReadDir(dir) // not by a pattern: the path is the user's, and may have a "[" in it
	if err != nil {
		return err
	}
	for _, e := range list {
		if filepath.Ext(e.Name()) != ".sst" {
			continue
		}
		if err := checkTable(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("table %s: %w", e.Name(), err)
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
		unborn := false
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
			return fmt.Errorf("ends before the length of its %s: %w", part, ErrDamaged)
		}
		if _, err := f.ReadAt(length[:], left); err != nil && err != io.EOF {
			return err
		}
		n := int64(binary.BigEndian.Uint32(length[:]))
		if left -= n; n == 0 || left < 0 {
			return fmt.Errorf("has no room for a %s of %d bytes: %w", part, n, ErrDamaged)
		}
	}
	return nil
}
