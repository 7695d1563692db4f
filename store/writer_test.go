package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWriterStoresWhatReadersRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", ".voxpack")
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	small, large := entry(KindShard, noise(1, 300)), entry(KindBlock, noise(2, 100<<10))
	trace := Entry{KindTrace, Key{7}, large.Name[:]}
	snapshot := entry(KindSnapshot, []byte("a snapshot"))
	all := []Entry{large, trace, small, snapshot}
	if err := w.Put(all); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, w.Store(), all...) // the open pack
	if err := w.Put(all); err != nil {
		t.Fatal(err)
	}
	if bytes, n := w.Written(); n != 4 || bytes != 4*33+300+100<<10+32+8+10 {
		t.Errorf("Written() = %d, %d; a second put of the same entries must not count", bytes, n)
	}
	if err := w.Commit(context.Background(), "heads/main", snapshot.Name); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, w.Store(), all...) // the sealed pack
	s := open(t, dir)
	wantEntries(t, s, all...)
	if got, err := s.Ref("heads/main"); err != nil || got != Digest(snapshot.Name) {
		t.Errorf("Ref = %v, %v, want %v", got, err, Digest(snapshot.Name))
	}
	if _, err := s.Get(KindBlock, Sum([]byte("absent"))); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get of an absent block: %v, want ErrNotFound", err)
	}
	if s.Has(KindShard, large.Name) {
		t.Error("Has finds a block under the kind of a shard")
	}
	infos := s.Packs()
	if len(infos) != 1 || infos[0].Entries != 4 || infos[0].Bytes < 100<<10 || infos[0].Bytes > 200<<10 {
		t.Errorf("Packs() = %+v, want one of 4 entries and a little over 100 KiB on disk", infos)
	}
}

func TestPutSplitsWhatOneTransactionCannotHold(t *testing.T) {
	dir := memoryDir(t)
	var entries []Entry
	for i := range 5000 {
		entries = append(entries, entry(KindPage, noise(uint64(i), 200)))
	}
	put(t, dir, testOptions(), entries...)
	wantEntries(t, open(t, dir), entries...)
}

func TestPutRefusesWhatAPackCannotHold(t *testing.T) {
	o := testOptions()
	o.LargestValue = 1000
	w, err := OpenWriter(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const advice = "fewer rows per shard"
	for rule, e := range map[string]Entry{
		"an empty value":                      entry(KindBlock, nil),
		"holds values of at most 1000":        entry(KindBlock, noise(1, 1001)),
		"an empty value cannot be stored":     {KindTrace, Key{}, nil},
		"the value has 1001 bytes, a pack ho": {KindTrace, Key{}, noise(1, 1001)},
	} {
		err := w.Put([]Entry{e})
		if err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("Put = %v, want %q in it", err, rule)
		}
		if long := e.Kind == KindBlock && len(e.Value) > 0; strings.Contains(fmt.Sprint(err), advice) != long {
			t.Errorf("Put of a %c of %d bytes = %v; only a block grows with the rows", e.Kind, len(e.Value), err)
		}
	}
}

func TestReadersWriteNothing(t *testing.T) {
	dir := memoryDir(t)
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	c, err := OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Put(Pair{[]byte("k"), []byte("v")}), c.Close()); err != nil {
		t.Fatal(err)
	}
	before := times(t, dir)
	lock, err := TakeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	wantEntries(t, s, block)
	if err := s.Verify(context.Background(), true, func(d Damage) { t.Error(d) }); err != nil {
		t.Error(err)
	}
	if c, err = OpenCacheReadOnly(dir); err != nil {
		t.Fatal(err)
	}
	if v, ok := c.Get([]byte("k")); !ok || string(v) != "v" {
		t.Errorf("cache Get = %q, %v", v, ok)
	}
	if err := errors.Join(c.Close(), s.Close(), lock.Release()); err != nil {
		t.Error(err)
	}
	if after := times(t, dir); !maps.Equal(before, after) {
		t.Errorf("reading changed time stamps:\nbefore %v\nafter  %v", before, after)
	}
}

func TestCloseWithoutCommitKeepsFinishedWork(t *testing.T) {
	dir := memoryDir(t)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	block := entry(KindBlock, noise(1, 5000))
	if err := errors.Join(w.Put([]Entry{block}), w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	wantEntries(t, s, block)
	if refs, err := s.Refs(); err != nil || len(refs) != 0 {
		t.Errorf("Refs() = %v, %v, want none", refs, err)
	}
	w, err = OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Put(nil), w.Close()); err != nil {
		t.Fatal(err)
	}
	if len(s.Packs()) != 1 || HasLeftovers(dir) {
		t.Errorf("a writer with nothing to keep left something: %v", times(t, dir))
	}
}

func TestCommitNeedsTheSnapshot(t *testing.T) {
	dir := memoryDir(t)
	before := put(t, dir, testOptions(), entry(KindBlock, noise(1, 5000)))
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Commit(context.Background(), "heads/main", Sum([]byte("never put"))); !errors.Is(err, ErrNotFound) {
		t.Errorf("Commit = %v, want ErrNotFound", err)
	}
	if got, err := w.Store().Ref("heads/main"); err != nil || got != Digest(before.Name) {
		t.Errorf("the ref is %v, %v; want it where it was, %v", got, err, Digest(before.Name))
	}
}

func TestOneWriterAtATime(t *testing.T) {
	dir := memoryDir(t)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenWriter(dir, testOptions()); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), dir) {
		t.Errorf("second OpenWriter = %v, want ErrBusy naming the store", err)
	}
	if _, err := TakeLock(dir); !errors.Is(err, ErrBusy) {
		t.Errorf("TakeLock = %v, want ErrBusy", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lock, err := TakeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions()
	o.Lock = lock
	if w, err = OpenWriter(dir, o); err != nil {
		t.Fatalf("OpenWriter with the lock in hand: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if lock, err = TakeLock(dir); err != nil {
		t.Errorf("the writer kept the lock: %v", err)
	}
	lock.Release()
}

func TestPlacesThatCannotHoldAStore(t *testing.T) {
	foreign := t.TempDir()
	os.WriteFile(filepath.Join(foreign, "thesis.tex"), []byte("x"), 0o666)
	newer := t.TempDir()
	os.WriteFile(filepath.Join(newer, "format"), []byte("voxpack store 99\n"), 0o666)
	garbled := t.TempDir()
	os.WriteFile(filepath.Join(garbled, "format"), []byte("hello\n"), 0o666)
	file := filepath.Join(foreign, "thesis.tex")
	for _, c := range []struct {
		rule, dir, says     string
		write, lock, reader error
	}{
		{"a folder of somebody else", foreign, "-o", nil, ErrNoStore, ErrNoStore},
		{"a newer layout", newer, "update voxpack", ErrNewer, ErrNewer, ErrNewer},
		{"a garbled format file", garbled, "format", ErrDamaged, ErrDamaged, ErrDamaged},
		{"a file", file, "thesis.tex", nil, ErrNoStore, ErrNoStore},
	} {
		t.Run(c.rule, func(t *testing.T) {
			w, err := OpenWriter(c.dir, testOptions())
			if err == nil {
				w.Close()
			}
			if err == nil || c.write != nil && !errors.Is(err, c.write) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("OpenWriter = %v, want %v with %q", err, c.write, c.says)
			}
			if _, err := TakeLock(c.dir); !errors.Is(err, c.lock) {
				t.Errorf("TakeLock = %v, want %v", err, c.lock)
			}
			if _, err := Open(c.dir); !errors.Is(err, c.reader) {
				t.Errorf("Open = %v, want %v", err, c.reader)
			}
		})
	}
	if list, _ := os.ReadDir(foreign); len(list) != 1 {
		t.Errorf("a refused folder was changed: %v", list)
	}
}

func TestFoldersAboveAStoreAreMade(t *testing.T) {
	at := t.TempDir()
	t.Chdir(at)
	for _, dir := range []string{"a/b/.voxpack", filepath.Join(at, "c", "d", "e"), "./f"} {
		block := entry(KindBlock, noise(1, 5000))
		put(t, dir, testOptions(), block)
		wantEntries(t, open(t, dir), block)
	}
	os.WriteFile("file", nil, 0o666)
	if _, err := OpenWriter("file/x/.voxpack", testOptions()); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("OpenWriter below a file = %v, want an error that names it", err)
	}
}

func TestAnInterruptedCreationIsCompleted(t *testing.T) {
	dir := memoryDir(t)
	os.WriteFile(filepath.Join(dir, tempPrefix+"123"), nil, 0o666)
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	os.RemoveAll(filepath.Join(dir, "refs", "tags"))
	put(t, dir, testOptions(), entry(KindBlock, noise(2, 5000)))
	wantEntries(t, open(t, dir), block)
}

func TestRefs(t *testing.T) {
	dir := memoryDir(t)
	snapshot := Digest(put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000))).Name)
	if err := errors.Join(writeRef(dir, "tags/v1", snapshot), writeRef(dir, "tags/paper/final", snapshot)); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if got, err := s.Refs(); err != nil || !slices.Equal(got, []string{"heads/main", "tags/paper/final", "tags/v1"}) {
		t.Errorf("Refs() = %v, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, refsName, "tags/v1")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tags/v1", "tags/paper", "heads/main/x"} {
		if _, err := s.Ref(name); !errors.Is(err, ErrNotFound) {
			t.Errorf("Ref(%q) = %v, want ErrNotFound", name, err)
		}
	}
	for _, name := range []string{"", "main", "heads", "heads/", "tags/../heads/main", "tags/.x", "tags//x", "tags/a@b", "tags/a\nb"} {
		if err := writeRef(dir, name, snapshot); err == nil {
			t.Errorf("a ref %q was accepted", name)
		}
	}
	os.WriteFile(filepath.Join(dir, "refs", "notes.txt"), []byte("mine\n"), 0o666)
	if got, err := s.Refs(); err != nil || !slices.Equal(got, []string{"heads/main", "tags/paper/final"}) {
		t.Errorf("Refs() = %v, %v; a file that no ref can be is none", got, err)
	}
}

func TestADamagedRefSaysWhatToDo(t *testing.T) {
	dir := memoryDir(t)
	snapshot := Digest(put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000))).Name)
	s := open(t, dir)
	for _, c := range []struct{ ref, content, says string }{
		{"heads/main", "", "delete refs/heads/main or restore it; the next voxpack build writes it anew"},
		{"heads/main", "xyz\n", "delete refs/heads/main or restore it; the next voxpack build writes it anew"},
		{"heads/main", snapshot.String() + "\n\n", "delete refs/heads/main"},
		{"tags/v1", strings.Repeat("g", 64), "delete refs/tags/v1 or restore it: damaged"},
	} {
		if err := os.WriteFile(filepath.Join(dir, refsName, c.ref), []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ref(c.ref); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Ref(%s) of %q = %v, want ErrDamaged with %q", c.ref, c.content, err, c.says)
		}
	}
	if _, err := s.Live(); !errors.Is(err, ErrDamaged) {
		t.Errorf("Live = %v, want ErrDamaged", err)
	}
	put(t, dir, testOptions(), entry(KindBlock, noise(2, 2000)))
	if _, err := s.Ref("heads/main"); err != nil {
		t.Errorf("Ref = %v after the next build", err)
	}
}

func TestSealCountsWhatItFinds(t *testing.T) {
	dir := memoryDir(t)
	block := entry(KindBlock, noise(1, 5000))
	before := put(t, dir, testOptions(), block)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	snapshot := entry(KindSnapshot, []byte("one entry short"))
	if err := w.Put([]Entry{snapshot}); err != nil {
		t.Fatal(err)
	}
	w.draft.entries++ // as if Badger had lost one
	if err := w.Commit(context.Background(), "heads/main", snapshot.Name); !errors.Is(err, ErrDamaged) {
		t.Errorf("Commit = %v, want ErrDamaged", err)
	}
	if got, err := w.Store().Ref("heads/main"); err != nil || got != Digest(before.Name) {
		t.Errorf("the ref is %v, %v, want the snapshot before", got, err)
	}
}

func TestAReadOnlyStoreIsReadAndNotWritten(t *testing.T) {
	place := t.TempDir()
	if os.Geteuid() == 0 { // root writes whatever the permissions say
		if err := mountTmpfs(place, "48m"); err != nil {
			t.Skipf("running as root, and no file system to make read-only: %v", err)
		}
		t.Cleanup(func() { unmount(place) })
	}
	dir := filepath.Join(place, "store")
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	if os.Geteuid() == 0 {
		if err := remountReadOnly(place); err != nil {
			t.Skipf("cannot make a file system read-only: %v", err)
		}
	} else {
		os.Chmod(filepath.Join(dir, lockName), 0o444)
		os.Chmod(dir, 0o555)
		t.Cleanup(func() { os.Chmod(dir, 0o755) })
	}
	s := open(t, dir)
	wantEntries(t, s, block)
	s.Close()
	for name, write := range map[string]func() error{
		"TakeLock":        func() error { _, err := TakeLock(dir); return err },
		"OpenWriter":      func() error { _, err := OpenWriter(dir, testOptions()); return err },
		"OpenWriter, new": func() error { _, err := OpenWriter(filepath.Join(dir, "new"), testOptions()); return err },
	} {
		if err := write(); err == nil || !strings.Contains(err.Error(), "put it elsewhere with -o") {
			t.Errorf("%s = %v, want an error that says why and what to do", name, err)
		}
	}
}

// TestACreationThatWasCutShortIsCompleted: between the format file and the
// folders a killed build leaves what is no store yet, and no obstacle.
func TestACreationThatWasCutShortIsCompleted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	if err := makeLayout(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{packsName, refsName} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(dir); !errors.Is(err, ErrNoStore) {
		t.Errorf("Open = %v, want ErrNoStore", err)
	}
	if _, err := TakeLock(dir); !errors.Is(err, ErrNoStore) {
		t.Errorf("TakeLock = %v, want ErrNoStore", err)
	}
	w, err := OpenWriter(dir, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	st.Close()
}
