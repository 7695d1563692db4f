package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// harm damages one pack, each in a way that is met at another moment.
var harms = map[string]func(t *testing.T, pack string){
	"no SEAL": func(t *testing.T, pack string) {
		if err := os.Remove(filepath.Join(pack, sealName)); err != nil {
			t.Fatal(err)
		}
	},
	"a flipped MANIFEST": func(t *testing.T, pack string) {
		rewrite(t, filepath.Join(pack, "MANIFEST"), func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	},
	"flipped values": func(t *testing.T, pack string) {
		rewrite(t, filepath.Join(pack, "000001.vlog"), func(b []byte) []byte {
			for i := 200; i < len(b); i += 500 {
				b[i] ^= 1
			}
			return b
		})
	},
	"an empty value log": func(t *testing.T, pack string) {
		rewrite(t, filepath.Join(pack, "000001.vlog"), func([]byte) []byte { return nil })
	},
}

// mergeDespite merges a store with damage in it: all is done, and the error tells.
func mergeDespite(t *testing.T, dir string) MergeReport {
	t.Helper()
	r, err := Merge(context.Background(), dir, eager(), liveOfModel)
	if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
		t.Errorf("Merge = %v, want an error that tells of the damage", err)
	}
	return r
}

// TestADamagedPackDoesNotEndMerging damages a pack of history and one that the
// snapshot needs: the others are merged, and it stays as it is.
func TestADamagedPackDoesNotEndMerging(t *testing.T) {
	for name, harm := range harms {
		t.Run(name, func(t *testing.T) {
			dir, m := memoryDir(t), newModel(20)
			commit(t, dir, testOptions(), m.all())
			for range 8 { // one row again and again: all but the last edit is history
				commit(t, dir, testOptions(), append(m.edit(3, true), m.top()...))
			}
			ids, _ := packIDs(dir)
			victim := ids[4]
			harm(t, packPath(dir, victim))
			r := mergeDespite(t, dir)
			after, _ := packIDs(dir)
			if r.Damaged != 1 || r.Merged < 6 || r.KeptAll || len(after) > 4 || !slices.Contains(after, victim) {
				t.Errorf("Merge = %+v, packs %v; want all merged but %s, which stays", r, after, victim)
			}
			if tooMany(dir, eager()) {
				t.Error("a merge is due right behind a merge")
			}
			compareNow(t, dir, m.all())
			for range 6 {
				commit(t, dir, testOptions(), append(m.edit(5, true), m.top()...))
				if tooMany(dir, eager()) {
					mergeDespite(t, dir)
				}
			}
			if after, _ := packIDs(dir); len(after) > 4 || !slices.Contains(after, victim) {
				t.Errorf("packs after more builds: %v", after)
			}
			compareNow(t, dir, m.all())
		})
	}
}

// TestAMergeThatCannotKnowKeepsEverything: with damage in what a ref needs, or
// in a ref itself, packs are merged and nothing is dropped.
func TestAMergeThatCannotKnowKeepsEverything(t *testing.T) {
	build := func(t *testing.T) (dir string, m *model, history []Entry) {
		dir, m = memoryDir(t), newModel(20)
		commit(t, dir, testOptions(), m.all())
		for range 8 {
			fresh := append(m.edit(3, true), m.top()...)
			history = append(history, fresh...)
			commit(t, dir, testOptions(), fresh)
		}
		return dir, m, history
	}
	all := func(t *testing.T, dir string, entries []Entry) {
		t.Helper()
		s := open(t, dir)
		defer s.Close()
		wantEntries(t, s, entries...)
	}
	merged := func(t *testing.T, dir string, damaged int) {
		t.Helper()
		r := mergeDespite(t, dir)
		if !r.KeptAll || r.Dropped != 0 || r.Damaged != damaged || r.Merged < 6 {
			t.Errorf("Merge = %+v; want the packs merged and nothing dropped", r)
		}
		if ids, _ := packIDs(dir); len(ids) > 3+damaged {
			t.Errorf("%d packs left", len(ids))
		}
	}
	for name, content := range map[string]string{"a garbage ref": "no digest at all\n", "an empty ref": ""} {
		t.Run(name, func(t *testing.T) {
			dir, m, history := build(t)
			if err := os.WriteFile(filepath.Join(dir, refsName, "tags", "v1"), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
			merged(t, dir, 0)
			all(t, dir, history)
			compareNow(t, dir, m.all())
			if err := os.Remove(filepath.Join(dir, refsName, "tags/v1")); err != nil {
				t.Fatal(err)
			}
			commit(t, dir, testOptions(), append(m.edit(4, true), m.top()...))
			commit(t, dir, testOptions(), append(m.edit(4, true), m.top()...))
			if r := mustMerge(t, dir, eager()); r.Dropped == 0 || r.KeptAll {
				t.Errorf("Merge = %+v once the ref is gone; want the history dropped", r)
			}
			compareNow(t, dir, m.all())
		})
	}
	t.Run("a needed pack is damaged", func(t *testing.T) {
		dir, _, history := build(t)
		ids, _ := packIDs(dir)
		harms["no SEAL"](t, packPath(dir, ids[0])) // the snapshot is in it
		merged(t, dir, 1)
		all(t, dir, history[:len(history)*7/8])
	})
}

// TestReplacedPacksHealWhatWasDamagedSince: what a merge wrote is damaged while
// the packs that it replaced are still there. They are not removed before what
// only they have whole is copied once more.
func TestReplacedPacksHealWhatWasDamagedSince(t *testing.T) {
	for name, harm := range harms {
		t.Run(name, func(t *testing.T) {
			dir, m := storeOfEdits(t, 6)
			reader := open(t, dir)
			if r := mustMerge(t, dir, eager()); r.Left < 4 {
				t.Fatalf("Merge = %+v beside a reader", r)
			}
			reader.Close()
			ids, _ := packIDs(dir)
			harm(t, packPath(dir, ids[0]))
			for range 3 {
				if _, err := Merge(context.Background(), dir, eager(), liveOfModel); err != nil && !errors.Is(err, ErrDamaged) {
					t.Fatal(err)
				}
			}
			s := open(t, dir)
			defer s.Close()
			wantEntries(t, s, m.all()...)
		})
	}
}

// TestReplacedPacksGoWhenNobodyHoldsThem: a reader holds packs through many
// merges; they stay replaced whatever becomes of the pack that replaced them,
// are searched last, and make a merge due once it is gone.
func TestReplacedPacksGoWhenNobodyHoldsThem(t *testing.T) {
	dir, m := storeOfEdits(t, 6)
	reader := open(t, dir)
	held := len(reader.Packs())
	mustMerge(t, dir, eager())
	ids, _ := packIDs(dir)
	first := ids[0]
	for i := range 12 { // the first merged pack is merged itself
		commit(t, dir, testOptions(), append(m.edit(i%6, i%2 == 0), m.top()...))
		if tooMany(dir, eager()) {
			mustMerge(t, dir, eager())
		}
		if tooMany(dir, eager()) {
			t.Errorf("edit %d: a merge is due right behind a merge: replaced packs count again", i)
		}
	}
	if ids, _ = packIDs(dir); slices.Contains(ids, first) {
		t.Fatal("the first merged pack is still there")
	}
	if NeedsMerge(dir) {
		t.Error("packs that somebody holds make a merge due")
	}
	s := open(t, dir)
	packs := s.Packs()
	base := slices.IndexFunc(packs, func(p PackInfo) bool { return p.Bytes > 1<<20 })
	if late := len(packs) - base - 1; base < 0 || late != held-1 {
		t.Errorf("%d packs are searched behind the base, want the %d that were replaced: %+v", late, held-1, packs)
	}
	o := WriterOptions{MaxSmall: 2}.withDefaults()
	if small, err := sizeUp(s, o, nil, false); err != nil || dueForMerge(small, o) {
		t.Errorf("more than 2 of %d packs count as not replaced (%v)", len(small), err)
	}
	s.Close()
	reader.Close()
	if !NeedsMerge(dir) {
		t.Fatal("nobody holds the replaced packs, and no merge is due")
	}
	if r := mustMerge(t, dir, eager()); r.Removed != held-1 || r.Left != 0 {
		t.Errorf("Merge = %+v, want the %d replaced packs removed", r, held-1)
	}
	if NeedsMerge(dir) {
		t.Error("a merge is due right behind a merge")
	}
	compareNow(t, dir, m.all())
}

// TestDamagedPacksAskForNoMerge: it would leave them as they are.
func TestDamagedPacksAskForNoMerge(t *testing.T) {
	dir, _ := storeOfEdits(t, 6)
	reader := open(t, dir)
	mustMerge(t, dir, eager())
	for _, p := range reader.Packs() {
		if p.Bytes < 1<<20 {
			harms["no SEAL"](t, packPath(dir, p.ID))
		}
	}
	reader.Close()
	if NeedsMerge(dir) {
		t.Error("damaged packs make a merge due for ever")
	}
	dir, _ = storeOfEdits(t, 6)
	ids, _ := packIDs(dir)
	for _, id := range ids[:5] {
		harms["a flipped MANIFEST"](t, packPath(dir, id))
	}
	if tooMany(dir, eager()) {
		t.Error("packs that cannot be merged count as too many")
	}
	if _, err := Merge(context.Background(), dir, eager(), nil); err != nil && !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}
