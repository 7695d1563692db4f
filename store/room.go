package store

import (
	"os"
	"path/filepath"
)

// CheckSpace reports, before the first write, whether need bytes fit beside the
// reserve on the file system where the store in dir stands or will stand.
func CheckSpace(dir string, need int64) error {
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(at); err == nil || filepath.Dir(at) == at {
			return checkSpace(at, need, reserve)
		}
		at = filepath.Dir(at)
	}
}
