package store

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAStoreOfANewerLayoutIsLeftAsItIs: whoever opens, builds, locks or merges is
// refused, told what to do, and has changed nothing, not even what looks like the
// remains of a merge.
func TestAStoreOfANewerLayoutIsLeftAsItIs(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 5000)))
	for _, name := range []string{mergePrefix + "1", gonePrefix + "2", tempPrefix + "3"} {
		if err := os.Mkdir(filepath.Join(packsDir(dir), name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	rewrite(t, filepath.Join(dir, formatName), func([]byte) []byte { return []byte("voxpack store 3\n") })
	before := times(t, dir)
	for what, try := range map[string]func() error{
		"Open":       func() error { _, err := Open(dir); return err },
		"OpenWriter": func() error { _, err := OpenWriter(dir, testOptions()); return err },
		"TakeLock":   func() error { _, err := TakeLock(dir); return err },
		"Merge":      func() error { _, err := Merge(context.Background(), dir, eager(), (*Store).Live); return err },
	} {
		if err := try(); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "update voxpack") {
			t.Errorf("%s = %v, want ErrNewer and what to do", what, err)
		}
		if after := times(t, dir); !maps.Equal(before, after) {
			t.Errorf("%s changed a store of a newer layout: %v, was %v", what, after, before)
		}
	}
}

// stranger makes a sealed pack with keys of lengths and letters that no version
// of this program has written.
func stranger(t *testing.T, dir string, known ...Entry) (pairs []pair) {
	t.Helper()
	value := noise(77, 3000)
	future := entryKey('z', Sum(value))
	pairs = []pair{{[]byte("b"), []byte("short")}, {[]byte("s123"), noise(5, 2000)}, {bytes.Repeat([]byte("t"), 40), []byte("long")},
		{future[:], value}, {append([]byte("y"), noise(6, 32)...), []byte("not named by its digest")}}
	for _, e := range known {
		key := entryKey(e.Kind, e.Name)
		pairs = append(pairs, pair{key[:], e.Value})
	}
	d, err := newDraft(packsDir(dir), tempPrefix, testOptions().withDefaults(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.putPairs(pairs); err != nil {
		t.Fatal(err)
	}
	if _, err := d.seal(packsDir(dir), nil); err != nil {
		t.Fatal(err)
	}
	if err := unlock(d.folder); err != nil {
		t.Fatal(err)
	}
	return pairs
}

// TestKeysOfAnotherLengthOrLetterArePassedOver: a later version may write such
// entries without a new number of the format. They are no damage, nobody reads
// them, and a merge, which cannot know what needs them, takes them along.
func TestKeysOfAnotherLengthOrLetterArePassedOver(t *testing.T) {
	dir, list := generations(t, 5)
	block := entry(KindBlock, noise(9, 4000))
	pairs := stranger(t, dir, block)
	if found := damages(t, dir, true); len(found) != 0 {
		t.Errorf("Verify = %v, want nothing", found)
	}
	s := open(t, dir)
	wantEntries(t, s, block)
	err := s.Entries(func(e Entry) bool {
		if !strings.ContainsRune("bsoprnlxtezy", rune(e.Kind)) {
			t.Errorf("Entries gave %c:%x", e.Kind, e.Name[:4])
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
	s.Close()
	r, err := Merge(context.Background(), dir, eager(), (*Store).Live)
	if err != nil || r.Damaged != 0 || r.Dropped == 0 {
		t.Fatalf("Merge = %+v, %v; want the history dropped", r, err)
	}
	s = open(t, dir)
	wantEntries(t, s, list[4]...)
	for _, p := range pairs[:5] {
		if holder(s.packs, p.key) == nil {
			t.Errorf("the merge has dropped %s", keyText(p.key))
		}
	}
	if found := damages(t, dir, true); len(found) != 0 {
		t.Errorf("Verify after the merge = %v", found)
	}
}

// TestASealCannotTalkAPackAway: what a SEAL says to replace is looked for, byte
// by byte, before anything goes. A SEAL that names itself, two that name each
// other, and names that are no packs lose nothing, and lead nowhere.
func TestASealCannotTalkAPackAway(t *testing.T) {
	for rule, names := range map[string]func(ids []string) map[string][]string{
		"itself":      func(ids []string) map[string][]string { return map[string][]string{ids[0]: {ids[0]}} },
		"each other":  func(ids []string) map[string][]string { return map[string][]string{ids[0]: {ids[1]}, ids[1]: {ids[0]}} },
		"all of them": func(ids []string) map[string][]string { return map[string][]string{ids[1]: ids, ids[2]: ids} },
		"no packs": func(ids []string) map[string][]string {
			return map[string][]string{ids[0]: {"..", "../refs", ".", "/", "\x00", "packs"}}
		},
		"what is gone": func(ids []string) map[string][]string {
			return map[string][]string{ids[0]: {"18d2c0ffee123456-89abcdef"}}
		},
	} {
		t.Run(rule, func(t *testing.T) {
			dir, m := storeOfEdits(t, 3)
			ids, err := packIDs(dir)
			if err != nil {
				t.Fatal(err)
			}
			for id, replaces := range names(ids) {
				rewrite(t, filepath.Join(packPath(dir, id), sealName), func(b []byte) []byte {
					s, err := parseSeal(b)
					if err != nil {
						t.Fatal(err)
					}
					s.replaces = replaces
					return s.encode()
				})
			}
			for range 2 {
				compareNow(t, dir, m.all())
				NeedsMerge(dir)
				if _, err := Merge(context.Background(), dir, eager(), liveOfModel); err != nil {
					t.Error(err)
				}
			}
			compareNow(t, dir, m.all())
			if head, err := open(t, dir).Ref("heads/main"); err != nil || head.IsZero() {
				t.Errorf("the ref is %v, %v", head, err)
			}
		})
	}
}

// TestOfTracesTheNewestStays: before a merge and after it, whichever of the
// packs is larger.
func TestOfTracesTheNewestStays(t *testing.T) {
	for rule, sizes := range map[string][]int{"the newer pack is larger": {100, 40_000}, "the older pack is larger": {40_000, 100}} {
		t.Run(rule, func(t *testing.T) {
			dir := memoryDir(t)
			put(t, dir, testOptions(), entry(KindBlock, noise(1, 1<<20))) // the base
			var last Entry
			for i, size := range sizes {
				block := entry(KindBlock, noise(uint64(10+i), size))
				last = Entry{KindTrace, filled(3), slices.Clone(block.Name[:])}
				put(t, dir, testOptions(), block, last)
			}
			put(t, dir, testOptions(), entry(KindBlock, noise(2, 200)))
			for _, when := range []string{"before", "after"} {
				s := open(t, dir)
				if got, ok := s.Trace(last.Name); !ok || !bytes.Equal(got, last.Value) {
					t.Errorf("%s a merge: Trace = %x, %v, want the newer, %x", when, got, ok, last.Value)
				}
				s.Close()
				if r, err := Merge(context.Background(), dir, eager(), nil); err != nil || when == "before" && r.Merged < 2 {
					t.Fatalf("Merge = %+v, %v", r, err)
				}
			}
		})
	}
}

// TestFoldersThatAreNoPacksYetAreNotRead: their names begin with a dot, whole or
// not, and nothing in packs/ but a folder is a pack.
func TestFoldersThatAreNoPacksYetAreNotRead(t *testing.T) {
	dir, other := memoryDir(t), memoryDir(t)
	block, hidden := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 5000))
	put(t, dir, testOptions(), block)
	put(t, other, testOptions(), hidden)
	for _, name := range []string{tempPrefix + "1", mergePrefix + "2", gonePrefix + "3", ".DS_Store"} {
		if err := os.CopyFS(filepath.Join(packsDir(dir), name), os.DirFS(onlyPack(t, other))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"README", "18d2c0ffee123456-89abcdef"} {
		if err := os.WriteFile(filepath.Join(packsDir(dir), name), []byte("a file"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir)
	wantEntries(t, s, block)
	if s.Has(hidden.Kind, hidden.Name) || len(s.Packs()) != 1 {
		t.Errorf("%d packs are read, want one", len(s.Packs()))
	}
}
