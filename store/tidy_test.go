package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFilesOfKilledWritesAreTidied: the next build removes them, but not the
// file of somebody who is writing now.
func TestFilesOfKilledWritesAreTidied(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000)))
	heads := filepath.Join(dir, refsName, "heads")
	old, young := []string{filepath.Join(dir, ".tmp-1"), filepath.Join(heads, ".tmp-2")}, filepath.Join(heads, ".tmp-3")
	hourAgo := time.Now().Add(-time.Hour)
	for _, path := range append(old, young) {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range old {
		if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
	}
	put(t, dir, testOptions(), entry(KindBlock, noise(2, 2000)))
	for _, path := range old {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there (%v)", path, err)
		}
	}
	if _, err := os.Stat(young); err != nil {
		t.Error(err)
	}
}

// TestASealThatWasCutShortIsNoFileOfThePack: a build was killed while it wrote
// SEAL, whose beginning the next must not seal with the rest.
func TestASealThatWasCutShortIsNoFileOfThePack(t *testing.T) {
	dir := memoryDir(t)
	out, err := child("build", dir, "VOXPACK_STORE_KILL=close").CombinedOutput()
	wantKilled(t, err, out)
	left, err := leftovers(dir, tempPrefix)
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	if err := os.WriteFile(filepath.Join(packPath(dir, left[0]), tempPrefix+"4"), []byte("voxpack seal"), 0o600); err != nil {
		t.Fatal(err)
	}
	recovered(t, dir)
	if names, err := packFiles(onlyPack(t, dir)); err != nil || strings.Contains(strings.Join(names, " "), tempPrefix) {
		t.Errorf("the pack has the files %q (%v)", names, err)
	}
}

// TestAFlippedBitInFormatSaysWhatToWrite: following the message mends the store.
func TestAFlippedBitInFormatSaysWhatToWrite(t *testing.T) {
	dir := memoryDir(t)
	snapshot := put(t, dir, testOptions(), entry(KindBlock, noise(1, 2000)))
	path := filepath.Join(dir, formatName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * len(whole) {
		rewrite(t, path, func(b []byte) []byte { b[bit/8] ^= 1 << (bit % 8); return b })
		_, err := Open(dir)
		if err == nil {
			t.Errorf("bit %d: the store opens", bit)
			continue
		}
		if want := fmt.Sprintf("echo voxpack store %d > %s", formatVersion, path); !strings.Contains(err.Error(), want) {
			t.Errorf("bit %d: %v, want in it %q", bit, err, want)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir)
	wantEntries(t, s, snapshot)
	if err := s.Verify(context.Background(), true, func(d Damage) { t.Error(d) }); err != nil {
		t.Error(err)
	}
}
