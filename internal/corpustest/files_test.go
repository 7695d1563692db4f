package corpustest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFilesLeaveOutAStore(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"metadata.csv", "wavs/a.wav", "wavs/.hidden", ".voxpack/format", ".voxpack/packs/a/SEAL"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(to, Files(dir)); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := fs.WalkDir(os.DirFS(to), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, path)
		}
		return err
	})
	if want := []string{"metadata.csv", "wavs/a.wav"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the copy has %q (%v), want %q", got, err, want)
	}
}
