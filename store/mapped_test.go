package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cutPacks shortens all files with the ending in all packs.
func cutPacks(t *testing.T, dir, ending string, size int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(packsDir(dir), "*", "*"+ending))
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s files, %v", ending, err)
	}
	for _, f := range files {
		if err := os.Truncate(f, size); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAPackCutShortUnderAReaderIsAnError: whatever reads a mapping that has lost its file says so with the
// place; without its shield each of these would end the process.
func TestAPackCutShortUnderAReaderIsAnError(t *testing.T) {
	for name, read := range map[string]func(s *Store, block, record Entry, trie Digest) error{
		"a copy":   func(s *Store, b, _ Entry, _ Digest) error { _, err := s.Get(b.Kind, b.Name); return err },
		"a page":   func(s *Store, _, _ Entry, trie Digest) error { _, err := s.ReadLeaves(trie); return err },
		"a record": func(s *Store, _, r Entry, _ Digest) error { _, err := s.ReadOrigin(r.Name); return err },
		"the sum":  func(s *Store, b, _ Entry, _ Digest) error { return soundOr(s.Check(b.Kind, b.Name)) },
		"one pack": func(s *Store, b, _ Entry, _ Digest) error {
			key := entryKey(b.Kind, b.Name)
			return soundOr(s.packs[0].sound(key[:]))
		},
		"all of it": func(s *Store, _, _ Entry, _ Digest) error { return s.packs[0].verifyAll() },
		"a move":    func(s *Store, b, _ Entry, _ Digest) error { return takeOne(s, b) },
	} {
		for _, ending := range []string{".vlog", ".sst"} {
			t.Run(name+ending, func(t *testing.T) {
				dir := memoryDir(t)
				block, record := entry(KindBlock, noise(1, 300_000)), entry(KindOrigin, noise(2, 9000))
				page := entry(KindPage, noise(3, 9000))
				put(t, dir, testOptions(), block, record, page)
				s := open(t, dir)
				if _, err := s.View(block.Kind, block.Name); err != nil { // now all is mapped
					t.Fatal(err)
				}
				cutPacks(t, dir, ending, 0)
				err := read(s, block, record, page.Name)
				if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
					t.Errorf("error = %v, want ErrDamaged", err)
				}
				if strings.Contains(err.Error(), "cut short") && !strings.Contains(err.Error(), ending+", byte ") {
					t.Errorf("error = %v, want the file and the byte", err)
				}
			})
		}
	}
}

func soundOr(sound bool) error {
	if sound {
		return errors.New("taken for sound")
	}
	return ErrDamaged
}

// verifyAll reads all values, as Verify does once the files have their lengths.
func (p *pack) verifyAll() error {
	seal, err := readSeal(p.dir)
	if err != nil {
		return err
	}
	var found []error
	err = p.verifyValues(context.Background(), seal, func(d Damage) { found = append(found, errors.New(d.Problem)) })
	if err != nil || len(found) == 0 {
		return errors.Join(err, errors.New("nothing found"))
	}
	return errors.Join(append(found, ErrDamaged)...)
}

// takeOne copies a value to another store.
func takeOne(s *Store, e Entry) error {
	to, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(to)
	w, err := OpenWriter(to, testOptions())
	if err != nil {
		return err
	}
	defer w.Close()
	c := &copying{from: s, w: w, report: &CopyReport{}, queued: map[[33]byte]struct{}{}}
	return errors.Join(c.take(context.Background(), entryKey(e.Kind, e.Name)), c.flush(context.Background()))
}

// TestABatchIsReadBeforeItIsWritten: Badger copies values in a goroutine of its own, which no shield covers.
// A value that was taken is out of the mapping.
func TestABatchIsReadBeforeItIsWritten(t *testing.T) {
	dir, to := memoryDir(t), memoryDir(t)
	blocks := []Entry{entry(KindBlock, noise(1, 300_000)), entry(KindBlock, noise(2, 300_000))}
	put(t, dir, testOptions(), blocks...)
	s := open(t, dir)
	w, err := OpenWriter(to, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := &copying{from: s, w: w, report: &CopyReport{}, queued: map[[33]byte]struct{}{}}
	for _, b := range blocks {
		if err := c.take(t.Context(), entryKey(b.Kind, b.Name)); err != nil {
			t.Fatal(err)
		}
	}
	cutPacks(t, dir, ".vlog", 0)
	if err := c.flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, w.Store(), blocks...)
}

func TestTheFileOfAnAddress(t *testing.T) {
	const maps = "7f0000000000-7f0000002000 r--s 00001000 fd:00 17                         /s t/packs/1/000001.vlog\n" +
		"7f0000002000-7f0000003000 rw-p 00000000 00:00 0 \n"
	for addr, want := range map[uint64]string{
		0x7f0000000010: "/s t/packs/1/000001.vlog, byte 4112,",
		0x7f0000002000: "a mapped pack, at 0x7f0000002000,",
		1:              "a mapped pack, at 0x1,",
	} {
		if got := mappedAt(maps, addr); got != want {
			t.Errorf("mappedAt(%#x) = %q, want %q", addr, got, want)
		}
	}
}
