package serve

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAddresses: the sockets in the folder of this user's feeders, and nothing else
// that lies there. To look makes no folder, and trusts none that others may write to.
func TestAddresses(t *testing.T) {
	runtime := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	dir := filepath.Join(runtime, "voxpack")
	if list, err := Addresses(); err != nil || len(list) != 0 {
		t.Errorf("without a folder: %v, %v", list, err)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("to look made the folder")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"a.sock", "b.sock"} {
		path := filepath.Join(dir, name)
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		want = append(want, path)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.sock.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := Addresses(); err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v, want %v", list, err, want)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if list, err := Addresses(); err == nil {
		t.Errorf("a folder that others may write to: %v", list)
	}
}
