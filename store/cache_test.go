package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func openCache(t *testing.T, dir string) *Cache {
	t.Helper()
	c, err := OpenCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCacheKeepsWhatWasPut(t *testing.T) {
	dir := memoryDir(t)
	c := openCache(t, dir)
	long := noise(1, 200_000)
	if err := errors.Join(c.Put(Pair{[]byte("a1"), []byte("one")}, Pair{[]byte("a2"), nil}, Pair{[]byte("b1"), long}),
		c.Put(Pair{[]byte("a1"), []byte("new")}), c.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := OpenCacheReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for key, want := range map[string]string{"a1": "new", "a2": "", "b1": string(long)} {
		if got, ok := r.Get([]byte(key)); !ok || string(got) != want {
			t.Errorf("Get(%s) = %d bytes, %v, want %d", key, len(got), ok, len(want))
		}
	}
	if _, ok := r.Get([]byte("a3")); ok {
		t.Error("a key that nobody put is there")
	}
	var keys []string
	r.Scan([]byte("a"), func(key, value []byte) { keys = append(keys, string(key)+"="+string(value)) })
	if got := strings.Join(keys, " "); got != "a1=new a2=" {
		t.Errorf("Scan = %q", got)
	}
	if err := r.Put(Pair{[]byte("k"), nil}); err == nil {
		t.Error("a read-only cache took a value")
	}
}

func TestNoCacheMisses(t *testing.T) {
	c, err := OpenCacheReadOnly(t.TempDir())
	if c != nil || err != nil {
		t.Fatalf("OpenCacheReadOnly = %v, %v, want nil, nil", c, err)
	}
	if _, ok := c.Get([]byte("k")); ok || c.Note() != "" || c.Put(Pair{}) != nil || c.Close() != nil {
		t.Error("a nil cache does not just miss")
	}
	c.Scan(nil, func(_, _ []byte) { t.Error("a nil cache has a key") })
}

func TestADamagedCacheIsMadeAnew(t *testing.T) {
	dir := memoryDir(t)
	c := openCache(t, dir)
	if err := errors.Join(c.Put(Pair{[]byte("k"), []byte("v")}), c.Close()); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(dir, cacheName, "MANIFEST"), func(b []byte) []byte { b[0] ^= 0xff; return b })
	if r, err := OpenCacheReadOnly(dir); r != nil || !errors.Is(err, ErrDamaged) {
		t.Errorf("OpenCacheReadOnly = %v, %v of a damaged cache, want nil, ErrDamaged", r, err)
	}
	c = openCache(t, dir)
	if _, ok := c.Get([]byte("k")); ok || !strings.Contains(c.Note(), "replaced by an empty one") {
		t.Errorf("the damaged cache was used; Note() = %q", c.Note())
	}
	if err := errors.Join(c.Put(Pair{[]byte("k"), []byte("v2")}), c.Close()); err != nil {
		t.Fatal(err)
	}
	if c = openCache(t, dir); c.Note() != "" {
		t.Errorf("Note() = %q of a sound cache", c.Note())
	}
}

func TestACacheOfAKilledBuildIsRepairedByTheNext(t *testing.T) {
	dir := memoryDir(t)
	c := openCache(t, dir)
	if err := errors.Join(c.Put(Pair{[]byte("k"), []byte("v")})); err != nil {
		t.Fatal(err)
	}
	killed := memoryDir(t) // what a kill would leave: the files as they are now
	copyHoles(t, filepath.Join(killed, cacheName), filepath.Join(dir, cacheName))
	if r, err := OpenCacheReadOnly(killed); r != nil || err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("OpenCacheReadOnly = %v, %v of an unclean cache, want nil and why", r, err)
	}
	if got, ok := openCache(t, killed).Get([]byte("k")); !ok || string(got) != "v" {
		t.Errorf("Get = %q, %v after the repair", got, ok)
	}
}

// copyHoles copies the files of a folder; a block of zeros becomes a hole. The
// value log of an open database is 512 MiB of them.
func copyHoles(t *testing.T, to, from string) {
	t.Helper()
	list, err := os.ReadDir(from)
	err = errors.Join(err, os.MkdirAll(to, 0o777))
	zeros := make([]byte, 1<<20)
	for _, e := range list {
		var b []byte
		var f *os.File
		if b, err = os.ReadFile(filepath.Join(from, e.Name())); err == nil {
			f, err = os.Create(filepath.Join(to, e.Name()))
		}
		if err != nil {
			break
		}
		err = f.Truncate(int64(len(b)))
		for at := 0; at < len(b) && err == nil; at += len(zeros) {
			if part := b[at:min(at+len(zeros), len(b))]; !bytes.Equal(part, zeros[:len(part)]) {
				_, err = f.WriteAt(part, int64(at))
			}
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestAGrownCacheIsRewritten overwrites until most of the cache is dead.
func TestAGrownCacheIsRewritten(t *testing.T) {
	dir := memoryDir(t)
	want := map[string][]byte{}
	for round := range 8 {
		c := openCache(t, dir)
		var list []Pair
		for i := range 100 {
			key := fmt.Sprintf("key %d", i)
			want[key] = noise(uint64(round*1000+i), 100_000)
			list = append(list, Pair{[]byte(key), want[key]})
		}
		if err := errors.Join(c.Put(list...), c.Close()); err != nil {
			t.Fatal(err)
		}
	}
	c := openCache(t, dir)
	size, err := sizeOnDisk(c.dir)
	if err != nil || size > 30<<20+cacheFloor {
		t.Errorf("the cache takes %d bytes for 10 MB of values (%v)", size, err)
	}
	for key, value := range want {
		if got, ok := c.Get([]byte(key)); !ok || !bytes.Equal(got, value) {
			t.Fatalf("Get(%s) = %d bytes, %v after the rewrite", key, len(got), ok)
		}
	}
	if v, ok := c.Get([]byte(cacheSizeKey)); !ok || binary.LittleEndian.Uint64(v) < 9_000_000 {
		t.Errorf("the weight is not noted: %v, %v", v, ok)
	}
	c.Scan(nil, func(key, _ []byte) {
		if want[string(key)] == nil {
			t.Errorf("Scan shows %q", key)
		}
	})
}

// TestWhateverStandsInThePlaceOfTheCacheIsReplaced: no build stops for it.
func TestWhateverStandsInThePlaceOfTheCacheIsReplaced(t *testing.T) {
	file := func(path string) error { return os.WriteFile(path, []byte("x"), 0o666) }
	for name, place := range map[string]func(path string) error{
		"nothing":                                func(string) error { return nil },
		"a file":                                 file,
		"a broken link":                          func(path string) error { return os.Symlink("nowhere", path) },
		"a file as the copy of a killed rewrite": func(path string) error { return file(path + ".tmp") },
		"a folder of other things": func(path string) error {
			return errors.Join(os.MkdirAll(filepath.Join(path, "MANIFEST", "x"), 0o777), file(filepath.Join(path, "thesis.tex")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := memoryDir(t)
			put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000)))
			path := filepath.Join(dir, cacheName)
			if err := errors.Join(os.RemoveAll(path), place(path)); err != nil {
				t.Fatal(err)
			}
			if c, err := OpenCacheReadOnly(dir); c != nil {
				t.Errorf("OpenCacheReadOnly = %v, %v, want no cache", c, err)
			}
			put(t, dir, testOptions(), entry(KindBlock, noise(2, 2000)))
			c := openCache(t, dir)
			if err := errors.Join(c.Put(Pair{[]byte("k"), []byte("v")}), c.Close()); err != nil {
				t.Fatal(err)
			}
			if v, ok := openCache(t, dir).Get([]byte("k")); !ok || string(v) != "v" {
				t.Errorf("Get = %q, %v", v, ok)
			}
		})
	}
}
