package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestACutTableIsAnError cuts the key table of a sealed pack at places of every
// kind: the first read says so, and the process goes on.
func TestACutTableIsAnError(t *testing.T) {
	block := entry(KindBlock, noise(1, 5000))
	for name, cut := range map[string]func(size int) int{
		"empty": func(int) int { return 0 }, "three bytes": func(int) int { return 3 }, "seven bytes": func(int) int { return 7 },
		"half": func(n int) int { return n / 2 }, "one byte less": func(n int) int { return n - 1 }, "four bytes less": func(n int) int { return n - 4 },
	} {
		t.Run(name, func(t *testing.T) {
			dir := memoryDir(t)
			put(t, dir, testOptions(), block)
			tables, err := filepath.Glob(filepath.Join(onlyPack(t, dir), "*.sst"))
			if err != nil || len(tables) == 0 {
				t.Fatalf("tables of the pack = %v, %v", tables, err)
			}
			rewrite(t, tables[0], func(b []byte) []byte { return b[:cut(len(b))] })
			s := open(t, dir)
			if v, err := s.Get(block.Kind, block.Name); !errors.Is(err, ErrDamaged) || v != nil {
				t.Errorf("Get = %d bytes, %v; want ErrDamaged", len(v), err)
			}
			found := 0
			err = s.Verify(context.Background(), true, func(Damage) { found++ })
			if err != nil || found == 0 {
				t.Errorf("Verify found %d damages, %v", found, err)
			}
		})
	}
}

// TestACacheWithACutTableIsMadeAnew: such a cache once ended the process.
func TestACacheWithACutTableIsMadeAnew(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 100)))
	c, err := OpenCache(dir)
	if err == nil {
		err = errors.Join(c.Put(Pair{[]byte("key"), noise(2, 5000)}), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	tables, _ := filepath.Glob(filepath.Join(dir, cacheName, "*.sst"))
	if len(tables) == 0 {
		t.Fatal("the cache has no table to cut")
	}
	if err := os.Truncate(tables[0], 7); err != nil {
		t.Fatal(err)
	}
	if c, err := OpenCacheReadOnly(dir); c != nil || !errors.Is(err, ErrDamaged) {
		t.Errorf("OpenCacheReadOnly = %v, %v; want nil, which misses, and ErrDamaged", c, err)
	}
	if c, err = OpenCache(dir); err != nil || c.Note() == "" {
		t.Fatalf("OpenCache = %q, %v; want a new cache and a note", c.Note(), err)
	}
	value := noise(3, 10)
	if err := c.Put(Pair{[]byte("key"), value}); err != nil {
		t.Error(err)
	}
	if got, ok := c.Get([]byte("key")); !ok || !bytes.Equal(got, value) {
		t.Errorf("Get = %x, %v, want %x", got, ok, value)
	}
	c.Close()
}
