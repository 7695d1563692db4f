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

	"github.com/dgraph-io/badger/v4/fb"
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
// byte yet, and tables that end too early; and a SEAL, whole or begun, which would
// be listed and hashed as a file of the pack. The caller holds the folder's lock.
// A short table comes from a flush that was killed: MANIFEST does not name it yet,
// and its keys still stand in the log of the table in memory, from which Badger
// makes it again.
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
		unborn := e.Name() == sealName || strings.HasPrefix(e.Name(), tempPrefix)
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

// checkTable follows the lengths at the end of a table, which ends with: index, length of the index,
// checksum, length of the checksum. Both lengths are big-endian. It reads from the end, so the checksum
// comes first. ErrDamaged is what Badger would meet with a panic; other errors are the machine's.
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
	left, n := info.Size(), int64(0)
	for _, part := range []string{"checksum", "index"} {
		var length [4]byte
		if left -= int64(len(length)); left < 0 {
			return fmt.Errorf("table %s: ends before the length of its %s: %w", path, part, ErrDamaged)
		}
		if _, err := f.ReadAt(length[:], left); err != nil && err != io.EOF {
			return err
		}
		n = int64(binary.BigEndian.Uint32(length[:]))
		if left -= n; n == 0 || left < 0 {
			return fmt.Errorf("table %s: has no room for a %s of %d bytes: %w", path, part, n, ErrDamaged)
		}
	}
	index := make([]byte, n)
	if _, err := f.ReadAt(index, left); err != nil {
		return err
	}
	from, length, ok := lastBlock(index)
	if !ok || from < 0 || length < 8 || from+length > left {
		return fmt.Errorf("table %s: its index cannot be read: %w", path, ErrDamaged)
	}
	return checkBlock(f, path, from, length)
}

// lastBlock is where the last block of a table lies, the one that Badger reads
// when it opens the table. The index may be damaged: Badger checks its sum later.
func lastBlock(index []byte) (from, length int64, ok bool) {
	defer func() {
		if recover() != nil { // an offset in it leads out of it
			ok = false
		}
	}()
	var at fb.BlockOffset
	list := fb.GetRootAsTableIndex(index, 0)
	ok = list.Offsets(&at, list.OffsetsLength()-1)
	return int64(at.Offset()), int64(at.Len()), ok
}

// checkBlock follows the lengths at the end of a block: … offsets of its entries
// (4 bytes each), number of entries, checksum, length of the checksum. What they
// enclose has the checksum, but Badger follows them before.
func checkBlock(f *os.File, path string, from, length int64) error {
	left := length
	for _, unit := range []int64{1, 4} { // bytes of the checksum; offsets of entries
		var number [4]byte
		if left -= int64(len(number)); left >= 0 {
			if _, err := f.ReadAt(number[:], from+left); err != nil {
				return err
			}
			left -= unit * int64(binary.BigEndian.Uint32(number[:]))
		}
		if left < 0 {
			return fmt.Errorf("table %s: its last block is shorter than what it says to hold: %w", path, ErrDamaged)
		}
	}
	return nil
}
