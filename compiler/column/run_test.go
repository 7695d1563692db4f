package column

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTheFilesOfAProgramAreItsDigest, whatever their names lead to but a file is said.
func TestTheFilesOfAProgramAreItsDigest(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(r Run) string {
		r.Dir = dir
		got, err := r.Sum()
		if err != nil {
			return err.Error()
		}
		return got.Digest.String()
	}
	write("one")
	one, bare := sum(Run{Files: []string{"a.py"}}), sum(Run{})
	write("two")
	two := sum(Run{Files: []string{"a.py"}})
	if one == two || one == bare || sum(Run{}) != bare || sum(Run{Command: []string{"python3"}}) == bare {
		t.Errorf("digests %s, %s, of no file %s", one, two, bare)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip(err)
	}
	os.Mkdir(filepath.Join(dir, "models"), 0o777)
	for name, want := range map[string]string{"none.py": "no such file", "pipe": "pipe is not a file", "models": "models is not a file"} {
		if got := sum(Run{Files: []string{name}}); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
