package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLeftoversWithADamagedTableEndNoBuild: Badger meets some damage of a table
// with a panic: in the last block when it opens the table, in a goroutine of its
// own, and in the others in the middle of a scan. It would do so at every build
// that comes after a kill.
func TestLeftoversWithADamagedTableEndNoBuild(t *testing.T) {
	base := memoryDir(t)
	w, err := OpenWriter(base, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 { // which makes two blocks
		if err := w.Put([]Entry{entry(KindBlock, noise(uint64(i), 500))}); err != nil {
			t.Fatal(err)
		}
	}
	left, err := filepath.Rel(base, w.draft.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.draft.eng.close(time.Minute); err != nil { // which writes the table
		t.Fatal(err)
	}
	abort(w)
	table, err := os.ReadFile(filepath.Join(base, left, "000001.sst"))
	if err != nil {
		t.Fatal(err)
	}
	end := len(table)
	for range 2 { // checksum and index
		end -= 4
		end -= int(binary.BigEndian.Uint32(table[end:]))
	}
	last, _, _ := lastBlock(table[end:])
	if last == 0 {
		t.Fatal("the table has one block")
	}
	for i := range 48 { // the ends of both blocks
		at := int(last) - 1 - i/2
		if i%2 > 0 {
			at = end - 1 - i/2
		}
		dir := filepath.Join(memoryDir(t), "store")
		if err := os.CopyFS(dir, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
		damaged := bytes.Clone(table)
		damaged[at] ^= 0x40
		if err := os.WriteFile(filepath.Join(dir, left, "000001.sst"), damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		w, err := OpenWriter(dir, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		if adopted, deleted, err := w.Adopt(context.Background()); adopted+deleted != 1 || err != nil {
			t.Errorf("byte %d: Adopt = %d, %d, %v", at, adopted, deleted, err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("byte %d: Close = %v", at, err)
		}
		if found := damages(t, dir, true); len(found) != 0 {
			t.Errorf("byte %d: Verify = %v", at, found)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	}
}

// TestADamagedLeftoverIsNotTakenOver: what a killed build left is taken over value
// by value, and one that does not fit its name is left out.
func TestADamagedLeftoverIsNotTakenOver(t *testing.T) {
	dir := memoryDir(t)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	good, bad := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 5000))
	bad.Value = noise(3, 5000)
	if err := w.Put([]Entry{good, bad}); err != nil {
		t.Fatal(err)
	}
	if err := w.draft.eng.close(time.Minute); err != nil {
		t.Fatal(err)
	}
	abort(w)
	if w, err = OpenWriter(dir, testOptions()); err != nil {
		t.Fatal(err)
	}
	if adopted, deleted, err := w.Adopt(context.Background()); adopted != 1 || deleted != 0 || err != nil {
		t.Errorf("Adopt = %d, %d, %v; want one pack taken over", adopted, deleted, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	wantEntries(t, s, good)
	if s.Has(bad.Kind, bad.Name) {
		t.Error("a value that does not fit its name was taken over")
	}
}
