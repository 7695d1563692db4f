package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAPlaceThatCannotHoldAStoreSaysWhyAndWhatToDo: each fault of a file system
// has its own reason, the way out, and its number for callers.
func TestAPlaceThatCannotHoldAStoreSaysWhyAndWhatToDo(t *testing.T) {
	reasons := map[string]bool{}
	for _, fault := range []error{unix.EROFS, fs.ErrPermission, unix.ENOLCK, unix.ENODEV, unix.EDQUOT} {
		err := placeError("/data/x", &fs.PathError{Op: "open", Path: "/data/x/lock", Err: fault})
		if !errors.Is(err, fault) || !strings.Contains(err.Error(), "put it elsewhere with -o FOLDER") || !strings.Contains(err.Error(), "/data/x") {
			t.Errorf("%v: %v, want the place, the way out and the fault", fault, err)
		}
		reason, _, _ := strings.Cut(err.Error(), ";")
		if reasons[reason] {
			t.Errorf("%v has the reason of another fault: %s", fault, reason)
		}
		reasons[reason] = true
	}
	if err := placeError("/data/x", unix.EIO); !errors.Is(err, unix.EIO) || strings.Contains(err.Error(), "-o") {
		t.Errorf("a failing disk: %v; another folder of it is no cure", err)
	}
}

// TestAFolderOfAnotherUserNamesItsOwner, also where the folder itself is missing.
func TestAFolderOfAnotherUserNamesItsOwner(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, -1); err != nil {
		t.Skipf("cannot give a folder away: %v", err)
	}
	for _, at := range []string{dir, filepath.Join(dir, "not", "there")} {
		if err := placeError(at, fs.ErrPermission); !strings.Contains(err.Error(), "it belongs to user 12345, you are ") {
			t.Errorf("%s: %v, want its owner named", at, err)
		}
		if err := keptFrom(at, fs.ErrPermission); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "chmod -R g+rX ") {
			t.Errorf("%s: %v, want the command that shares it", at, err)
		}
	}
}

// TestNoSpaceIsSaidBeforeTheFirstWrite, for a store that is not there yet too.
func TestNoSpaceIsSaidBeforeTheFirstWrite(t *testing.T) {
	dir := t.TempDir()
	for _, at := range []string{dir, filepath.Join(dir, "a", "b", ".voxpack")} {
		if err := CheckSpace(at, 0); err != nil {
			t.Errorf("%s: %v, and nothing is to be written", at, err)
		}
		err := CheckSpace(at, math.MaxInt64/2)
		if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "build elsewhere with -o") {
			t.Errorf("%s: %v, want ENOSPC and what to do", at, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("asking for space made a folder: %v", err)
		}
	}
	full := testOptions()
	full.Reserve = math.MaxInt64 / 2
	w, err := OpenWriter(filepath.Join(dir, "store"), full)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Put([]Entry{entry(KindBlock, noise(1, 100))}); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("Put = %v, want ENOSPC", err)
	}
	if err := w.Close(); err != nil || HasLeftovers(w.dir) {
		t.Errorf("Close = %v; leftovers: %v", err, HasLeftovers(w.dir))
	}
}

// TestAStoreWithoutItsPacksIsSaidToBeLost, and not to be empty: a build on top of
// it would find refs that lead nowhere.
func TestAStoreWithoutItsPacksIsSaidToBeLost(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 100)))
	if err := os.RemoveAll(packsDir(dir)); err != nil {
		t.Fatal(err)
	}
	for what, try := range map[string]func() error{
		"Open":     func() error { _, err := Open(dir); return err },
		"TakeLock": func() error { _, err := TakeLock(dir); return err },
	} {
		if err := try(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "delete the store and run voxpack build again") {
			t.Errorf("%s = %v, want ErrDamaged and what to do", what, err)
		}
	}
}

// TestTheNamesOfRefs are what docs/format.md allows and nothing else, whether a
// ref is written, committed, read or listed. No name leads out of refs/.
func TestTheNamesOfRefs(t *testing.T) {
	dir := memoryDir(t)
	snapshot := Digest(put(t, dir, testOptions()).Name)
	s := open(t, dir)
	long := strings.Repeat("x", 200)
	good := []string{"heads/main", "heads/a.b", "heads/Persian ف", "heads/" + long, "tags/" + long + "/" + long, "tags/v1.0-rc", "tags/x/y/z"}
	for _, name := range good {
		if err := writeRef(dir, name, snapshot); err != nil {
			t.Errorf("%q: %v", name, err)
		} else if got, err := s.Ref(name); got != snapshot || err != nil {
			t.Errorf("Ref(%q) = %v, %v", name, got, err)
		}
	}
	bad := []string{"", "heads", "heads/", "/heads/main", "main", "refs/heads/main", "Heads/x", "heads//x", "heads/x/", "heads/.", "heads/..", "heads/../../format",
		"tags/.x", "tags/x/.y", "heads/x" + long, "heads/\x00", "heads/a\tb", "heads/a\x7f"}
	for _, c := range `\:*?"<>|@` {
		bad = append(bad, fmt.Sprintf("heads/a%cb", c), fmt.Sprintf("tags/%c", c))
	}
	before := times(t, dir)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range bad {
		_, readErr := s.Ref(name)
		for what, err := range map[string]error{"write": writeRef(dir, name, snapshot), "commit": w.Commit(context.Background(), name, snapshot), "read": readErr} {
			if err == nil || errors.Is(err, ErrDamaged) {
				t.Errorf("%s %q = %v, want it refused", what, name, err)
			}
		}
	}
	for path := range times(t, dir) {
		if _, known := before[path]; !known {
			t.Errorf("%s was made", path)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, refsName, "heads", ".main"), []byte("being written"), 0o666); err != nil {
		t.Fatal(err)
	}
	slices.Sort(good)
	if got, err := s.Refs(); err != nil || !slices.Equal(got, good) {
		t.Errorf("Refs() = %q, %v, want %q", got, err, good)
	}
}

// TestABusyStoreSaysWhoToWaitFor: a build and a merge each know their own kind,
// and neither waits for the other.
func TestABusyStoreSaysWhoToWaitFor(t *testing.T) {
	dir, m := storeOfEdits(t, 4)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := OpenWriter(dir, testOptions()); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "wait for it, or build into another store with -o") {
		t.Errorf("a second build: %v, want ErrBusy and what to do", err)
	}
	o, inside := eager(), error(nil)
	o.hook = func(step string) {
		if step == "merge open" {
			_, inside = Merge(context.Background(), dir, eager(), nil)
		}
	}
	if _, err := Merge(context.Background(), dir, o, liveOfModel); err != nil {
		t.Errorf("a merge beside a build: %v", err)
	}
	if !errors.Is(inside, ErrBusy) || !strings.Contains(inside.Error(), "another merge") {
		t.Errorf("a second merge: %v, want ErrBusy", inside)
	}
	compareNow(t, dir, m.all())
}

// TestACommitOfNothingNewMakesNoPack: going back to a snapshot that is there moves
// the ref and stores nothing.
func TestACommitOfNothingNewMakesNoPack(t *testing.T) {
	dir := memoryDir(t)
	first := put(t, dir, testOptions(), entry(KindBlock, noise(1, 100)))
	put(t, dir, testOptions(), entry(KindBlock, noise(2, 100)))
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Put(nil), w.Commit(context.Background(), "heads/main", first.Name), w.Close()); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if head, err := s.Ref("heads/main"); head != Digest(first.Name) || err != nil || len(s.Packs()) != 2 || HasLeftovers(dir) {
		t.Errorf("the ref is %v, %v, with %d packs; want the first snapshot and two", head, err, len(s.Packs()))
	}
}
