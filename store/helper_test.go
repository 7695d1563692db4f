package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// noise returns n bytes that no compression shortens, the same for the same seed.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, 0, n+8)
	for len(b) < n {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:n]
}

// memoryDir is a temporary folder for tests that ask nothing of the disk: in
// memory where the machine has a place for that, since three quarters of their
// time went into waiting for syncs. The soak tests take a disk.
func memoryDir(t testing.TB) string {
	t.Helper()
	const place, enough = "/dev/shm", 2 << 30
	if free, err := Free(place); err != nil || free < enough {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(place, "voxpack-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// soak skips a test that only a soak runs.
func soak(t *testing.T) {
	t.Helper()
	if os.Getenv("VOXPACK_SOAK") == "" {
		t.Skip("VOXPACK_SOAK is not set; with it this test takes its time, on the disk")
	}
}

func entry(k Kind, value []byte) Entry { return Entry{k, Sum(value), value} }

// testOptions leaves the sizes as they are and the reserve small, so that the
// tests run on small disks.
func testOptions() WriterOptions { return WriterOptions{Small: true, Reserve: 8 << 20} }

// put builds one pack with the entries and moves heads/main to a snapshot in it,
// whose value is returned.
func put(t testing.TB, dir string, o WriterOptions, entries ...Entry) Entry {
	t.Helper()
	w, err := OpenWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	var list []byte
	for _, e := range entries {
		list = append(append(list, byte(e.Kind)), e.Name[:]...)
	}
	snapshot := entry(KindSnapshot, append([]byte("test snapshot "), list...))
	err = errors.Join(w.Put(append(entries, snapshot)), w.Commit(context.Background(), "heads/main", snapshot.Name), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// abort ends a writer as a kill would: what was put stays behind for the next
// build to adopt.
func abort(w *Writer) {
	w.closed = true
	if w.draft != nil {
		w.draft.flusher.close()
		unlock(w.draft.folder)
	}
	w.store.setOwn(nil)
	if !w.lent {
		w.store.Close()
	}
	w.lock.Release()
}

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// wantEntries checks that every entry comes back, by Get and by View.
func wantEntries(t testing.TB, s *Store, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if e.Kind == KindTrace {
			if got, ok := s.Trace(e.Name); !ok || !bytes.Equal(got, e.Value) {
				t.Errorf("Trace(%x) = %x, %v, want %x", e.Name[:4], got, ok, e.Value)
			}
			continue
		}
		for name, read := range map[string]func(Kind, [32]byte) ([]byte, error){"Get": s.Get, "View": s.View} {
			got, err := read(e.Kind, e.Name)
			if err != nil || !bytes.Equal(got, e.Value) {
				t.Errorf("%s(%c:%x) = %d bytes, %v; want %d bytes", name, e.Kind, e.Name[:4], len(got), err, len(e.Value))
			}
		}
	}
}

// onlyPack is the folder of the single pack of a store.
func onlyPack(t testing.TB, dir string) string {
	t.Helper()
	ids, err := packIDs(dir)
	if err != nil || len(ids) != 1 {
		t.Fatalf("packs of %s = %v, %v; want one", dir, ids, err)
	}
	return filepath.Join(packsDir(dir), ids[0])
}

// times lists every file and folder with its modification time, in nanoseconds.
func times(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	m := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		m[path] = info.ModTime().UnixNano()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
