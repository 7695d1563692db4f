package corpustest

import (
	"os"
	"path/filepath"
	"testing"
)

// Copy copies a bundled corpus, such as "en", to a folder of the test's own, which
// it returns.
func Copy(t testing.TB, corpus string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, Files(filepath.Join(module(t), "testdata", "corpus", corpus))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// module is the folder of go.mod: tests run in the folders of their packages.
func module(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod in any folder above the test's")
		}
	}
}
