package config

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// beside is where a path of the config file leads: it is relative to that file.
func (l *loader) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.file), path)
}

// readNamed reads a file that a config names, of so many bytes at the most. What
// is no regular file is refused: a pipe would be waited for, a device never ends.
func readNamed(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s: over %d bytes", path, most)
	}
	return b, err
}
