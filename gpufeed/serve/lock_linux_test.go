package serve

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestTheLockIsNoLink: in a folder of many users somebody could have the lock
// made where they choose.
func TestTheLockIsNoLink(t *testing.T) {
	dir := t.TempDir()
	path, elsewhere := filepath.Join(dir, "s"), filepath.Join(dir, "elsewhere")
	if err := os.Symlink(elsewhere, path+".lock"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := listen(path); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("listen = %v, want %v", err, syscall.ELOOP)
	}
	if _, err := os.Lstat(elsewhere); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made where the link leads (%v)", err)
	}
}
