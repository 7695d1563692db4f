package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	want := func(content string) {
		t.Helper()
		b, err := os.ReadFile(path)
		list, _ := os.ReadDir(dir)
		if err != nil || string(b) != content || len(list) != 1 {
			t.Errorf("the file has %q (%v) beside %d others, want %q alone", b, err, len(list)-1, content)
		}
	}
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	want("old")
	failed := errors.New("no more")
	err := Replace(path, func(f *os.File) error {
		if name := filepath.Base(f.Name()); !strings.HasPrefix(name, TempPrefix) {
			t.Errorf("the temporary file is called %s, want %s…", name, TempPrefix)
		}
		f.WriteString("ne")
		return failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("Replace = %v, want the error of the write", err)
	}
	want("old")
	if err := Write(path, []byte("new")); err != nil {
		t.Error(err)
	}
	want("new")
	if err := Write(filepath.Join(dir, "none", "file"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestALinkStays: what it leads to is replaced. /dev/stdout is such a link, and a
// program of root's that replaced it would leave the machine without one.
func TestALinkStays(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "there", "target"), filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Dir(target), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("there", "target"), link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "new" {
		t.Errorf("what it leads to has %q (%v), want %q", b, err, "new")
	}
}

// TestADeviceIsWrittenTo: it stays a device, and a full disk is an error.
func TestADeviceIsWrittenTo(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	if err := Write("/dev/full", []byte("x")); err == nil {
		t.Error("a write to a full disk went well")
	}
}
