package store

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// mapping is a stretch of this process's memory that is no Go memory.
type mapping struct{ from, to uintptr }

// advise is madvise for a part of it, from and to in bytes.
func (m mapping) advise(from, to int64, advice int) error {
	_, _, errno := unix.Syscall(unix.SYS_MADVISE, m.from+uintptr(from), uintptr(to-from), uintptr(advice))
	if errno != 0 {
		return errno
	}
	return nil
}

// mappingOf is this process's mapping of a file from its beginning on, as
// /proc/self/maps has it, if that is of at least so many bytes. A pack's folder has a name of its own, so that
// its last part and the file's tell the file from every other.
func mappingOf(path string, least int64) (m mapping, ok bool, err error) {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return m, false, err
	}
	defer f.Close()
	end := string(filepath.Separator) + filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if !strings.HasSuffix(lines.Text(), end) {
			continue
		}
		var offset int64
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s %x", &m.from, &m.to, &rights, &offset); err != nil {
			return m, false, fmt.Errorf("/proc/self/maps: %q: %w", lines.Text(), err)
		}
		if offset == 0 && m.to-m.from >= uintptr(least) {
			return m, true, nil
		}
	}
	return m, false, lines.Err()
}
