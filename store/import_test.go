package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// importInto imports a store into a new one in a folder, and gives that.
func importInto(t *testing.T, ctx context.Context, to string, from *Store) (ImportReport, error) {
	t.Helper()
	w, err := OpenWriter(to, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Import(ctx, from)
	if closed := w.Close(); closed != nil {
		t.Error(closed)
	}
	return r, err
}

// elsewhere is a folder on another file system than dir, where files cannot be linked.
func elsewhere(t *testing.T, dir string) string {
	t.Helper()
	other := t.TempDir()
	file := filepath.Join(dir, "probe")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	if os.Link(file, filepath.Join(other, "probe")) == nil {
		t.Skip("there is only one file system here")
	}
	return other
}

func TestImportSharesPacksAndMovesNoRef(t *testing.T) {
	dir := memoryDir(t)
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	values := []Entry{entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 300000))}
	top := put(t, from, testOptions(), values[0])
	put(t, from, testOptions(), values[1])
	source := open(t, from)
	r, err := importInto(t, t.Context(), to, source)
	if err != nil || r.Packs != 2 || r.Linked == 0 || r.Copied != 0 {
		t.Errorf("import: %+v, %v; want two packs linked", r, err)
	}
	wantEntries(t, open(t, to), values[0], values[1], top)
	if refs, _ := open(t, to).Refs(); len(refs) != 0 {
		t.Errorf("refs %v, want none", refs)
	}
	if r, err := importInto(t, t.Context(), to, source); err != nil || r != (ImportReport{}) {
		t.Errorf("once more: %+v, %v; want nothing to do", r, err)
	}
	if err := os.RemoveAll(from); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, open(t, to), values...)
}

// TestImportGoesOn after it was stopped between packs, and where a kill has left a folder half linked.
func TestImportGoesOn(t *testing.T) {
	dir := memoryDir(t)
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	block := entry(KindBlock, noise(1, 5000))
	put(t, from, testOptions(), block)
	source := open(t, from)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := importInto(t, ctx, to, source); !errors.Is(err, context.Canceled) || r.Packs != 0 {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
	half := packPath(to, mergePrefix+"half")
	if err := os.MkdirAll(half, 0o777); err != nil {
		t.Fatal(err)
	}
	if r, err := importInto(t, t.Context(), to, source); err != nil || r.Packs != 1 {
		t.Errorf("after that: %+v, %v; want the pack", r, err)
	}
	wantEntries(t, open(t, to), block)
	if _, err := Merge(t.Context(), to, testOptions(), nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("what a kill left is still there after a merge")
	}
}

// TestImportRefusesWhatIsNotWhole: a file that is gone or too short, a pack without a SEAL, and, where files are
// copied, one with a changed byte.
func TestImportRefusesWhatIsNotWhole(t *testing.T) {
	dir := memoryDir(t)
	for name, tt := range map[string]struct {
		damage func(pack string) error
		copied bool
	}{
		"gone":    {func(p string) error { return os.Remove(filepath.Join(p, "MANIFEST")) }, false},
		"cut":     {func(p string) error { return os.Truncate(filepath.Join(p, "MANIFEST"), 3) }, false},
		"no SEAL": {func(p string) error { return os.Truncate(filepath.Join(p, sealName), 10) }, false},
		"flipped": {func(p string) error { return flipLast(filepath.Join(p, "MANIFEST")) }, true},
	} {
		from, to := filepath.Join(dir, name), filepath.Join(dir, name+" to")
		if tt.copied {
			to = filepath.Join(elsewhere(t, dir), "to")
		}
		put(t, from, testOptions(), entry(KindBlock, noise(1, 5000)))
		source := open(t, from)
		if err := tt.damage(source.packs[0].dir); err != nil {
			t.Fatal(err)
		}
		if r, err := importInto(t, t.Context(), to, source); !errors.Is(err, ErrDamaged) || r.Packs != 0 {
			t.Errorf("%s: %+v, %v; want ErrDamaged", name, r, err)
		}
		if left, _ := os.ReadDir(packsDir(to)); len(left) != 0 {
			t.Errorf("%s: the import left %v", name, left)
		}
	}
}

// flipLast changes the last byte of a file.
func flipLast(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)-1] ^= 1
	return os.WriteFile(path, b, 0o666)
}

// TestImportCopiesFromAnotherFileSystem where nothing can be linked.
func TestImportCopiesFromAnotherFileSystem(t *testing.T) {
	dir := memoryDir(t)
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	to := filepath.Join(elsewhere(t, dir), "to")
	if r, err := importInto(t, t.Context(), to, open(t, dir)); err != nil || r.Packs != 1 || r.Copied == 0 || r.Linked != 0 {
		t.Errorf("import: %+v, %v; want a pack copied", r, err)
	}
	wantEntries(t, open(t, to), block)
}
