package store

import (
	"slices"
	"testing"
)

// TestTiersBoundTheNumberOfPacks: appends that are not small are merged too, each value a number of times that grows with the
// logarithm of their number.
func TestTiersBoundTheNumberOfPacks(t *testing.T) {
	dir, builds := memoryDir(t), 60
	if testing.Short() {
		builds = 24
	}
	o := testOptions()
	o.SmallPack, o.MaxTier = 64<<10, 3
	put(t, dir, o, entry(KindBlock, noise(1, 3<<20)))
	var all []Entry
	var copied, written int64
	for i := range builds {
		e := entry(KindBlock, noise(uint64(100+i), 100<<10))
		all = append(all, e)
		written += int64(len(e.Value))
		put(t, dir, o, e)
		if tooMany(dir, o) {
			r, err := Merge(t.Context(), dir, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			copied += r.Bytes
		}
		if ids, _ := packIDs(dir); len(ids) > 1+4*o.MaxTier {
			t.Fatalf("%d packs after %d builds", len(ids), i+1)
		}
	}
	if copied > 4*written || copied == 0 {
		t.Errorf("merges copied %d bytes of %d that were written", copied, written)
	}
	wantEntries(t, open(t, dir), all...)
}

// TestASmallMergeReadsNoRecords: what little it copies it need not know to be needed.
func TestASmallMergeReadsNoRecords(t *testing.T) {
	dir := memoryDir(t)
	o := testOptions()
	o.MaxSmall = 2
	for i := range 6 {
		put(t, dir, o, entry(KindBlock, noise(uint64(i), 3000)))
	}
	asked := 0
	live := func(*Store) (map[[33]byte]struct{}, error) { asked++; return map[[33]byte]struct{}{}, nil }
	if r, err := Merge(t.Context(), dir, o, live); err != nil || r.Merged < 2 || r.Dropped != 0 || asked != 0 {
		t.Errorf("%+v, %v; asked %d times what is needed", r, err, asked)
	}
	o.DeadSlack = 1
	o.MaxSmall = 1
	if r, err := Merge(t.Context(), dir, o, live); err != nil || r.Dropped == 0 || asked != 1 {
		t.Errorf("with much that may be dead: %+v, %v; asked %d times", r, err, asked)
	}
}

// TestALongBuildSealsWhatItHas: so that a kill leaves little to be hashed by the next build; the packs belong to the build until
// it commits.
func TestALongBuildSealsWhatItHas(t *testing.T) {
	dir := memoryDir(t)
	o := testOptions()
	o.MaxPack = 150 << 10
	w, err := OpenWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []Entry
	var packs []int
	for i := range 40 {
		e := entry(KindBlock, noise(uint64(i), 100<<10))
		all = append(all, e)
		if err := w.Put([]Entry{e}); err != nil {
			t.Fatal(err)
		}
		ids, _ := packIDs(dir)
		packs = append(packs, len(ids))
	}
	if packs[1] != 1 || packs[3] != 2 || packs[39] > 15 || !slices.IsSorted(packs) {
		t.Errorf("packs after each put: %v; want one for every two, and fewer later", packs)
	}
	if w.Sealed().Has(KindBlock, all[0].Name) || !w.Store().Has(KindBlock, all[0].Name) {
		t.Error("the view of what was there before has what this build has written")
	}
	if bytes, entries := w.Written(); entries != 40 || bytes < 40*100<<10 {
		t.Errorf("Written = %d, %d", bytes, entries)
	}
	abort(w) // as a kill would
	s := open(t, dir)
	n := slices.IndexFunc(all, func(e Entry) bool { return !s.Has(e.Kind, e.Name) })
	if n < 30 {
		t.Errorf("after a kill %d of 40 values are in sealed packs", n)
	}
	w, err = OpenWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if adopted, _, err := w.Adopt(t.Context()); adopted != 1 || err != nil {
		t.Errorf("Adopt = %d, %v", adopted, err)
	}
	snapshot := entry(KindSnapshot, []byte("test snapshot"))
	if err := w.Put([]Entry{snapshot}); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context(), "heads/main", snapshot.Name); err != nil {
		t.Fatal(err)
	}
	if !w.Sealed().Has(KindSnapshot, snapshot.Name) {
		t.Error("after Commit its own view lacks what was put")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, open(t, dir), all...)
}
