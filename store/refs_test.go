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
		if err == nil && !strings.EqualFold(strings.TrimSuffix(content, "\n"), d.String()) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatalf("%q reads as %v, %v", content, d, err)
		}
		if _, err := readRef(dir, name); err == nil && name != "heads/main" {
			t.Fatalf("a ref %q is there", name)
		}
	})
}
