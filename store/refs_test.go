package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadRef: a file of a ref is a digest, or damaged; a name leads nowhere else.
func FuzzReadRef(f *testing.F) {
	f.Add("heads/main", "0000000000000000000000000000000000000000000000000000000000000000\n")
	f.Add("heads/main", "0000\n\n")
	f.Add("tags/../../format", "")
	f.Add("heads/a/b", "\x00")
	dir := f.TempDir()
	for _, part := range []string{"heads", "tags"} {
		if err := os.MkdirAll(filepath.Join(dir, refsName, part), 0o777); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, name, content string) {
		path := filepath.Join(dir, refsName, "heads", "main")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := readRef(dir, "heads/main")
		if err == nil && content != d.String()+"\n" || err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%q reads as %v, %v", content, d, err)
		}
		if _, err := readRef(dir, name); err == nil && name != "heads/main" {
			t.Fatalf("a ref %q is there", name)
		}
	})
}

// TestARefIsReadToTheByte: what only looks like a ref is damage, so that verify finds
// each bit that a disk has turned, and each byte that it has lost.
func TestARefIsReadToTheByte(t *testing.T) {
	dir := memoryDir(t)
	want := Digest(put(t, dir, testOptions()).Name)
	path, good := filepath.Join(dir, refsName, "heads", "main"), want.String()+"\n"
	for what, content := range map[string]string{"large letters": strings.ToUpper(good), "no line feed": good[:64], "two": good + "\n", "CRLF": good[:64] + "\r\n", "a space": " " + good} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if d, err := readRef(dir, "heads/main"); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v, want ErrDamaged", what, d, err)
		}
	}
	if err := os.WriteFile(path, []byte(good), 0o666); err != nil {
		t.Fatal(err)
	}
	if d, err := readRef(dir, "heads/main"); d != want || err != nil {
		t.Errorf("as written: %v, %v", d, err)
	}
}

// TestACureCanBePasted: a command in a message holds its path as one word of a shell.
func TestACureCanBePasted(t *testing.T) {
	for path, want := range map[string]string{"/data/LJSpeech-1.1": "/data/LJSpeech-1.1", "گفتار/x": "گفتار/x", "my data": "'my data'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "~/x": "'~/x'"} {
		if got := pasted(path); got != want {
			t.Errorf("pasted(%q) = %s, want %s", path, got, want)
		}
	}
	dir := filepath.Join(memoryDir(t), "my data")
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 100)))
	if err := os.Remove(filepath.Join(dir, formatName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "> '"+dir+"/format'") {
		t.Errorf("Open = %v, want the path as one word", err)
	}
}
