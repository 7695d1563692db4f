package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestAFlippedBitInTheCacheIsAMissAtMost: wherever the bit lies, the cache opens,
// for reading or at least for writing, and what it gives is what was put.
func TestAFlippedBitInTheCacheIsAMissAtMost(t *testing.T) {
	flips := 60
	if testing.Short() {
		flips = 12
	}
	const rows = 40
	dir := memoryDir(t)
	path := filepath.Join(dir, cacheName)
	c := openCache(t, dir)
	for n := range rows {
		if err := c.Put(cachePair(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	whole := map[string][]byte{}
	list, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(path, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if b = bytes.TrimRight(b, "\x00"); len(b) > 0 { // the rest are holes
			names = append(names, e.Name())
			whole[e.Name()] = b
		}
	}
	r := rand.New(rand.NewPCG(7, 7))
	kept := 0
	for flip := range flips {
		name := names[flip%len(names)]
		bit := r.IntN(8 * len(whole[name]))
		rewrite(t, filepath.Join(path, name), func(b []byte) []byte { b[bit/8] ^= 1 << (bit % 8); return b })
		what := fmt.Sprintf("bit %d of %s", bit, name)
		kept += wantHitsOrMisses(t, what, rows, func() (*Cache, error) { c, _ := OpenCacheReadOnly(dir); return c, nil })
		kept += wantHitsOrMisses(t, what, rows, func() (*Cache, error) { return OpenCache(dir) })
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		c := openCache(t, dir) // and all is put again, as a build would do
		for n := range rows {
			if err := c.Put(cachePair(n)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if kept == 0 {
		t.Error("no flip left a single entry")
	}
}

// wantHitsOrMisses opens a cache and counts the hits, each of which has to be right.
func wantHitsOrMisses(t *testing.T, what string, rows int, open func() (*Cache, error)) (hits int) {
	t.Helper()
	c, err := open()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return 0
	}
	for n := range rows {
		p := cachePair(n)
		if got, ok := c.Get(p.Key); ok {
			hits++
			if !bytes.Equal(got, p.Value) {
				t.Errorf("%s: row %d is %x, put %x", what, n, got, p.Value)
			}
		}
	}
	c.Scan(nil, func(key, value []byte) {
		var n int
		if _, err := fmt.Sscanf(string(key), "row %d", &n); err != nil || n >= rows || !bytes.Equal(value, cachePair(n).Value) {
			t.Errorf("%s: Scan gives %q = %x", what, key, value)
		}
	})
	if err := c.Close(); err != nil {
		t.Errorf("%s: Close = %v", what, err)
	}
	return hits
}

// TestACacheMayBeClosedUnderItsUsers: before Close what was put is found at once,
// after it everything is a miss and a Put an error, whoever is in the middle of what.
func TestACacheMayBeClosedUnderItsUsers(t *testing.T) {
	dir := memoryDir(t)
	c := openCache(t, dir)
	var users sync.WaitGroup
	stored := make([]int, 4)
	begun := make(chan struct{}, len(stored)*1000)
	for u := range stored {
		users.Go(func() {
			for n := 0; ; n++ {
				p := cachePair(u*1000 + n)
				if c.Put(p) != nil || n == 1000 {
					return
				}
				stored[u]++
				if got, ok := c.Get(p.Key); ok && !bytes.Equal(got, p.Value) {
					t.Errorf("Get gives %x, put %x", got, p.Value)
				}
				c.Scan([]byte("row 0000"), func(key, value []byte) {})
				begun <- struct{}{}
			}
		})
	}
	for range 40 {
		<-begun
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	users.Wait()
	if _, ok := c.Get(cachePair(0).Key); ok {
		t.Error("a closed cache hits")
	}
	if err := c.Put(cachePair(0)); err == nil {
		t.Error("a closed cache takes a value")
	}
	again := openCache(t, dir)
	for u, n := range stored {
		for i := range n {
			if p := cachePair(u*1000 + i); !hit(again, p) {
				t.Fatalf("user %d: %s was put and is not there", u, p.Key)
			}
		}
	}
}

func hit(c *Cache, p Pair) bool {
	got, ok := c.Get(p.Key)
	return ok && bytes.Equal(got, p.Value)
}
