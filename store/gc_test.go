package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// gcTestPack lets a GC of a test store write several packs.
const gcTestPack = 400_000

func mustGC(t *testing.T, dir string, o WriterOptions, apply bool) GCReport {
	t.Helper()
	r, err := GC(t.Context(), dir, o, liveOfModel, apply)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGCLeavesWhatIsNeeded: over random edits, all that is needed is there and sound, and
// little else; a dry run changes nothing and tells it before; a second run finds nothing.
func TestGCLeavesWhatIsNeeded(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		dir, m := memoryDir(t), newModel(10+random.IntN(30))
		commit(t, dir, testOptions(), m.all())
		for range random.IntN(40) {
			commit(t, dir, testOptions(), append(m.edit(random.IntN(len(m.shards)), random.IntN(2) == 0), m.top()...))
		}
		o := testOptions()
		if seed%2 == 1 {
			o.MaxPack = gcTestPack
		}
		before := times(t, dir)
		told := mustGC(t, dir, o, false)
		if after := times(t, dir); len(before) != len(after) {
			t.Errorf("seed %d: a dry run changed files", seed)
		}
		did := mustGC(t, dir, o, true)
		if told.Live != did.Live || told.Dead != did.Dead || told.Before != did.Before || !slices.Equal(told.Packs, did.Packs) {
			t.Errorf("seed %d: told %+v, did %+v", seed, told, did)
		}
		compareNow(t, dir, m.all())
		if list := damages(t, dir, true); len(list) != 0 {
			t.Errorf("seed %d: Verify = %v", seed, list)
		}
		s := open(t, dir)
		live, err := liveOfModel(s)
		if err != nil {
			t.Fatal(err)
		}
		var all int64
		packs, _ := s.hands()
		for _, p := range packs {
			eng, err := p.engine()
			if err != nil {
				t.Fatal(err)
			}
			eng.scan(nil, true, func(key, v []byte, _ int64) error { all += int64(len(key) + len(v)); return nil })
		}
		needed := weighEntries(t, s, live)
		s.Close()
		if all > needed*105/100 || did.After > needed*105/100+64<<10 { // files have sizes in whole blocks
			t.Errorf("seed %d: %d bytes of entries, %d on disk, of which %d are needed", seed, all, did.After, needed)
		}
		if again := mustGC(t, dir, o, true); again.Before != did.After || again.After != did.After {
			t.Errorf("seed %d: a second run: %+v", seed, again)
		}
	}
}

// TestGCLeavesWhatIsOpen: a pack that a reader has open stays, and what it reads.
func TestGCLeavesWhatIsOpen(t *testing.T) {
	dir, m := storeOfEdits(t, 6)
	reader, then := open(t, dir), m.all()
	for i := range 6 {
		commit(t, dir, testOptions(), append(m.edit(i, true), m.top()...))
	}
	r := mustGC(t, dir, testOptions(), true)
	left, moved := 0, 0
	for _, p := range r.Packs {
		switch p.Fate {
		case FateOpen:
			left++
		case FateCopied, FateRemoved:
			moved++
		}
	}
	if left != 7 || moved != 6 {
		t.Errorf("%d packs left that the reader has open, want 7; %d rewritten, want 6: %+v", left, moved, r.Packs)
	}
	compare(t, reader, then)
	compareNow(t, dir, m.all())
	reader.Close()
	if r := mustGC(t, dir, testOptions(), true); r.After >= r.Before {
		t.Errorf("after the reader has gone: %+v", r)
	}
	compareNow(t, dir, m.all())
}

// TestGCKeepsWhatARefCameToNeed: a ref that moves back to history while GC copies.
func TestGCKeepsWhatARefCameToNeed(t *testing.T) {
	dir, m := storeOfEdits(t, 4)
	then, was := m.all(), Digest{}
	s := open(t, dir)
	was, err := s.Ref("heads/main")
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	commit(t, dir, testOptions(), append(m.edit(2, true), m.top()...))
	o := testOptions()
	o.hook = func(at string) {
		if at == "merge put" {
			if err := writeRef(dir, "heads/main", was); err != nil {
				t.Error(err)
			}
		}
	}
	mustGC(t, dir, o, true)
	compareNow(t, dir, then)
	mustGC(t, dir, testOptions(), true)
	compareNow(t, dir, then)
}

// TestGCThatCannotKnowDoesNothing: with a damaged ref nobody can tell what is needed.
func TestGCThatCannotKnowDoesNothing(t *testing.T) {
	dir, m := storeOfEdits(t, 5)
	if err := os.WriteFile(filepath.Join(dir, refsName, "heads", "other"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	before, _ := packIDs(dir)
	if _, err := GC(t.Context(), dir, testOptions(), liveOfModel, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("GC = %v, want ErrDamaged", err)
	}
	if after, _ := packIDs(dir); !slices.Equal(before, after) {
		t.Errorf("packs are %v, were %v", after, before)
	}
	compareNow(t, dir, m.all())
}

// TestRetention: the newest so many, and the newest of each day, beside what refs keep.
func TestRetention(t *testing.T) {
	dir := memoryDir(t)
	commit(t, dir, testOptions(), []Entry{entry(KindSnapshot, []byte("the base"))})
	const hour = int64(3600e9)
	var parent Digest
	var names []Digest
	for i, at := range []int64{1, 20, 30, 40, 50, 75, 76} { // hours of the first days of 1970
		list := generation(t, i, parent)
		snap, err := DecodeSnapshot(list[len(list)-1].Value)
		if err != nil {
			t.Fatal(err)
		}
		snap.Time = at * hour
		list[len(list)-1] = entry(KindSnapshot, snap.Encode())
		commit(t, dir, testOptions(), list)
		parent = list[len(list)-1].Name
		names = append(names, parent)
	}
	if err := writeRef(dir, "tags/old", names[1]); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keep Retention
		want map[int]string
	}{
		{Retention{}, map[int]string{6: "heads/main", 5: "before heads/main", 1: "tags/old", 0: "before tags/old"}},
		{Retention{Last: 3}, map[int]string{6: "heads/main", 5: "before heads/main", 4: "last", 1: "tags/old", 0: "before tags/old"}},
		{Retention{Daily: 3}, map[int]string{6: "heads/main", 5: "before heads/main", 4: "daily", 3: "daily", 1: "tags/old", 0: "before tags/old"}},
		{Retention{Last: 4, Daily: 100}, map[int]string{6: "heads/main", 5: "before heads/main", 4: "last", 3: "last", 1: "tags/old", 0: "before tags/old"}},
	} {
		s := open(t, dir)
		kept, err := s.Kept(c.keep)
		if err != nil && kept == nil { // the base is no snapshot
			t.Fatal(err)
		}
		got := map[int]string{}
		for _, k := range kept {
			got[slices.Index(names, k.Digest)] = k.Why
		}
		if len(got) != len(c.want) {
			t.Errorf("%+v: kept %v, want %v", c.keep, got, c.want)
		}
		live, err := s.LiveWith(c.keep)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if got[i] != c.want[i] {
				t.Errorf("%+v: snapshot %d is kept as %q, want %q", c.keep, i, got[i], c.want[i])
			}
			if _, is := live[entryKey(KindSnapshot, name)]; is != (c.want[i] != "") {
				t.Errorf("%+v: snapshot %d is live: %v", c.keep, i, is)
			}
		}
		s.Close()
	}
}

// TestUsageAddsUp: packs, and what each snapshot has of its own, which is what GC frees
// without it.
func TestUsageAddsUp(t *testing.T) {
	dir, list := generations(t, 4)
	s := open(t, dir)
	defer s.Close()
	top := Digest(list[3][len(list[3])-1].Name)
	if err := os.MkdirAll(filepath.Join(dir, "stats"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stats", "x"), make([]byte, 40_000), 0o666); err != nil {
		t.Fatal(err)
	}
	u, err := s.Usage(context.Background(), top)
	if err == nil {
		t.Fatal("the base is no snapshot, and nothing is said")
	}
	if len(u.Snapshots) != len(list) {
		t.Fatalf("%d snapshots, want %d", len(u.Snapshots), len(list))
	}
	for _, n := range u.Snapshots {
		i := slices.IndexFunc(list, func(e []Entry) bool { return Digest(e[len(e)-1].Name) == n.Digest })
		entries, want := list[i], int64(0)
		for _, e := range entries {
			if e.Kind != KindPage { // which all have
				want += int64(len(e.Value))
			}
		}
		if n.Own != want {
			t.Errorf("snapshot %d of its own: %d bytes, want %d", i, n.Own, want)
		}
	}
	if u.Packs == 0 || u.Values < 1<<20 || u.Records == 0 || u.Other < 40_000 || u.Other > 60_000 {
		t.Errorf("%+v", u)
	}
}
