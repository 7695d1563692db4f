package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// topOf is the last of a generation's entries, its snapshot.
func topOf(list []Entry) Digest { return list[len(list)-1].Name }

func TestCopyBringsWhatIsMissing(t *testing.T) {
	dir, list := generations(t, 3)
	block := entry(KindBlock, noise(9, 1000))
	commit(t, dir, testOptions(), append([]Entry{block, {KindTrace, Key(Sum([]byte("unneeded"))), block.Name[:]}}, list[2]...))
	from, to := open(t, dir), filepath.Join(memoryDir(t), "other")
	calls := 0
	r, err := from.Copy(t.Context(), to, testOptions(), topOf(list[1]), "heads/main", func(done, total int) {
		if calls++; done != calls || total != len(list[1]) {
			t.Errorf("progress %d of %d", done, total)
		}
	})
	if err != nil || r.Copied != r.Needed || r.Needed != len(list[1]) {
		t.Fatalf("Copy = %+v, %v, want %d values", r, err, len(list[1]))
	}
	compareNow(t, to, list[1])
	// What both have stays where it is; the ref moves.
	r, err = from.Copy(t.Context(), to, testOptions(), topOf(list[2]), "heads/main", nil)
	if err != nil || r.Copied != len(list[2])-1 { // the empty page is there
		t.Errorf("Copy = %+v, %v", r, err)
	}
	compareNow(t, to, append(list[1][:len(list[1]):len(list[1])], list[2]...))
	s := open(t, to)
	defer s.Close()
	if got, err := s.Ref("heads/main"); err != nil || got != topOf(list[2]) {
		t.Errorf("the ref is %s, %v", got.Short(), err)
	}
	if s.Has(KindBlock, block.Name) {
		t.Error("a block that the snapshot does not need was copied")
	}
	before := times(t, to)
	if r, err := from.Copy(t.Context(), to, testOptions(), topOf(list[2]), "tags/x", nil); err != nil || r.Copied+r.Traces != 0 {
		t.Errorf("once more: %+v, %v", r, err)
	}
	if after := times(t, to); len(after) != len(before)+1 { // the tag
		t.Errorf("%d files, were %d", len(after), len(before))
	}
	if list := damages(t, to, true); len(list) != 0 {
		t.Errorf("Verify = %v", list)
	}
}

// TestCopyGoesOn: after an interrupt and after a kill, what has arrived is not copied again.
func TestCopyGoesOn(t *testing.T) {
	dir, list := generations(t, 2)
	from, to := open(t, dir), filepath.Join(memoryDir(t), "other")
	ctx, cancel := context.WithCancel(t.Context())
	o := testOptions()
	_, err := from.Copy(ctx, to, o, topOf(list[1]), "heads/main", func(done, total int) {
		if done == total/2 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Copy = %v, want it cancelled", err)
	}
	if _, err := readRef(to, "heads/main"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a ref after half a copy: %v", err)
	}
	out, err := child("copy", to, "VOXPACK_STORE_KILL=put", "VOXPACK_STORE_FROM="+dir, "VOXPACK_STORE_SNAPSHOT="+topOf(list[0]).String()).CombinedOutput()
	wantKilled(t, err, out)
	r, err := from.Copy(t.Context(), to, o, topOf(list[0]), "heads/main", nil)
	if err != nil || !r.Adopted || r.Copied != 0 {
		t.Errorf("after a kill: %+v, %v; want nothing to copy", r, err)
	}
	compareNow(t, to, list[0])
}

// TestCopyRefuses what would not arrive whole, and changes no ref.
func TestCopyRefuses(t *testing.T) {
	dir, list := generations(t, 2)
	to := filepath.Join(memoryDir(t), "other")
	from := open(t, dir)
	if _, err := from.Copy(t.Context(), to, testOptions(), Sum([]byte("none")), "heads/main", nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("no such snapshot: %v", err)
	}
	if _, err := from.Copy(t.Context(), to, testOptions(), topOf(list[1]), "main", nil); err == nil {
		t.Error("main is no ref")
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("a refused copy made a store")
	}
	if _, err := from.Copy(t.Context(), to, testOptions(), topOf(list[0]), "heads/main", nil); err != nil {
		t.Fatal(err)
	}
	page := list[1][1] // of rejections, noise
	id, _ := from.PackOf(page.Kind, page.Name)
	from.Close()
	flip(t, packPath(dir, id), page)
	from = open(t, dir)
	if _, err := from.Copy(t.Context(), to, testOptions(), topOf(list[1]), "heads/main", nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged value: %v, want ErrDamaged", err)
	}
	if got, err := readRef(to, "heads/main"); got != topOf(list[0]) {
		t.Errorf("then the ref is %s, %v", got.Short(), err)
	}
	lock, err := TakeLock(to)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := from.Copy(t.Context(), to, testOptions(), topOf(list[1]), "heads/main", nil); !errors.Is(err, ErrBusy) {
		t.Errorf("beside a build: %v", err)
	}
}

// TestWhatCopyKeepsOfAValue counts what is alive at the last value of a small and of a large snapshot.
func TestWhatCopyKeepsOfAValue(t *testing.T) {
	alive := func(values int) int64 {
		dir, to := memoryDir(t), memoryDir(t)
		snapshot := manyShards(t, dir, values/3)
		from := open(t, dir)
		var last, first runtime.MemStats
		_, err := from.Copy(t.Context(), to, testOptions(), snapshot, "heads/main", func(done, total int) {
			at := &last
			if done == 1 {
				at = &first
			}
			if done == 1 || done == total {
				runtime.GC()
				runtime.ReadMemStats(at)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return int64(last.HeapAlloc) - int64(first.HeapAlloc)
	}
	// 20 bytes a value are Copy's own, 140 were Badger's tables of keys, which have a bound of their own. A list of all
	// names, a set of them and a batch without end were 559 (2 cores, 2026-11-28).
	few, many := alive(3_000), alive(30_000)
	if perValue := (many - few) / 27_000; perValue > 256 {
		t.Errorf("%d bytes are alive after 30,000 values and %d after 3,000: %d a value", many, few, perValue)
	}
}

// manyShards puts a snapshot of shards of one row with two blocks each.
func manyShards(t *testing.T, dir string, shards int) (snapshot Digest) {
	t.Helper()
	var entries []Entry
	keep := func(kind Kind, b []byte) Digest {
		entries = append(entries, entry(kind, b))
		return Sum(b)
	}
	places := make([]uint64, shards)
	for i := range places {
		places[i] = Place(fmt.Sprint(i))
	}
	slices.Sort(places)
	leaves := Split(places, 1)
	for i := range leaves {
		shard := &Shard{IDs: []string{fmt.Sprint(i)}, Scalars: [][]int32{{1}, {2}}}
		for c := range 2 {
			shard.Blocks = append(shard.Blocks, Block{Digest: keep(KindBlock, fmt.Appendf(nil, "block %d of shard %d", c, i)), Sums: []uint64{0}})
		}
		leaves[i].Digest = keep(KindShard, shard.Encode())
	}
	trie, err := WriteTrie(leaves, func(p []byte) (Digest, error) { return keep(KindPage, p), nil })
	if err != nil {
		t.Fatal(err)
	}
	origins, err := WriteTrie(nil, func(p []byte) (Digest, error) { return keep(KindPage, p), nil })
	if err != nil {
		t.Fatal(err)
	}
	root := Root{Schema: goldenSchema, Trie: trie}
	snap := Snapshot{Root: keep(KindRoot, root.Encode()), Origins: origins, Kept: shards}
	snapshot = keep(KindSnapshot, snap.Encode())
	commit(t, dir, testOptions(), entries)
	return snapshot
}
