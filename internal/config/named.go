package config

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// beside is where a path of the config file leads: it is relative to that file.
func (l *loader) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(l.file), path)
}

// whereHint is where to look for a file that is not there.
const whereHint = "the path is relative to the config file"

// readFile reads the file that key names; ok is false where it names none, or one that
// cannot be read, of which it complains.
func readFile[T any](l *loader, key, path, hint string, read func(string) (T, error)) (content T, ok bool) {
	if path == "" || l.failed[key] {
		return content, false
	}
	path = l.beside(path)
	content, err := read(path)
	if err != nil {
		l.at(err.Error(), hint, key)
		return content, false
	}
	l.config.named = append(l.config.named, path)
	return content, true
}

// readNamed reads a file that a config names and that has at most `most` bytes. It
// refuses what is no regular file: a pipe may keep it waiting, a device never ends.
func readNamed(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a file (a folder, a pipe or a device); write what it gives into a file, and name that", path)
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

// readLines reads a named text file line by line. A byte order mark, a CR
// before the LF and a missing last LF are ignored.
func readLines(path string, most int64) ([]string, error) {
	b, err := readNamed(path, most)
	if err != nil {
		return nil, err
	}
	if line, col := badUTF8(b); line > 0 {
		return nil, fmt.Errorf("%s:%d:%d: not UTF-8", path, line, col)
	}
	lines := []string{}
	for line := range strings.Lines(strings.TrimPrefix(string(b), "\ufeff")) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return lines, nil
}
