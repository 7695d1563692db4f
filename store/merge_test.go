package store

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
)

// eager options merge at the third small pack and keep no history.
func eager() WriterOptions {
	o := testOptions()
	o.MaxSmall, o.DeadSlack = 2, 1
	return o
}

func mustMerge(t *testing.T, dir string, o WriterOptions) MergeReport {
	t.Helper()
	r, err := Merge(context.Background(), dir, o, liveOfModel)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestMergeBringsPacksDownAndLeavesTheBase(t *testing.T) {
	dir, m := storeOfEdits(t, 12)
	before, _ := packIDs(dir)
	if !tooMany(dir, eager()) {
		t.Fatal("12 packs over a limit of 2, and no merge is due")
	}
	r := mustMerge(t, dir, eager())
	after, _ := packIDs(dir)
	if r.Merged < 10 || r.Removed != r.Merged || r.Left != 0 || len(after) > 3 {
		t.Errorf("Merge = %+v, and %d packs left, want at most 3", r, len(after))
	}
	if base := before[len(before)-1]; !slices.Contains(after, base) {
		t.Errorf("the base %s was merged away", base)
	}
	if tooMany(dir, eager()) {
		t.Error("a merge is due right behind a merge")
	}
	compareNow(t, dir, m.all())
	if list := damages(t, dir, true); len(list) != 0 {
		t.Errorf("Verify = %v", list)
	}
}

func TestMergeKeepsHistoryThatFits(t *testing.T) {
	dir := memoryDir(t)
	m := newModel(20)
	commit(t, dir, testOptions(), m.all())
	var old [][]Entry
	for range 6 { // always the same row: all but the last edit is history
		fresh := append(m.edit(3, true), m.top()...)
		commit(t, dir, testOptions(), fresh)
		old = append(old, fresh)
	}
	o := eager()
	o.DeadSlack = 32 << 20
	if r := mustMerge(t, dir, o); r.Dropped != 0 {
		t.Errorf("%d entries dropped while they fit", r.Dropped)
	}
	s := open(t, dir)
	for _, entries := range old {
		wantEntries(t, s, entries...)
	}
	s.Close()

	if r := mustMerge(t, dir, eager()); r.Dropped == 0 {
		t.Error("nothing dropped with no room for history")
	}
	compareNow(t, dir, m.all())
	s = open(t, dir)
	if old := old[0][0]; s.Has(old.Kind, old.Name) {
		t.Error("the first edit's block outlived a merge without room for history")
	}
	if _, ok := s.Trace(old[0][2].Name); ok {
		t.Error("a trace outlived the block that it leads to")
	}
	if _, ok := s.Trace(old[5][2].Name); !ok {
		t.Error("a merge lost the trace of a block that it kept")
	}
}

func TestMergeLeavesWhatAReaderHasOpen(t *testing.T) {
	dir, m := storeOfEdits(t, 6)
	reader, then := open(t, dir), m.all()
	r := mustMerge(t, dir, eager())
	if r.Left == 0 || r.Removed != 0 {
		t.Errorf("Merge = %+v beside a reader of every pack, want all left", r)
	}
	if tooMany(dir, eager()) {
		t.Error("packs that only wait for their readers make a merge due")
	}
	commit(t, dir, testOptions(), append(m.edit(9, true), m.top()...))
	compare(t, reader, then)
	compareNow(t, dir, m.all())
	reader.Close()
	if r := mustMerge(t, dir, eager()); r.Removed < 4 || r.Left != 0 {
		t.Errorf("Merge = %+v after the reader has gone, want the old packs removed", r)
	}
	compareNow(t, dir, m.all())
}

// TestMergeKeepsWhatARefCameToNeed moves a ref back to history while a merge
// that drops it is under way.
func TestMergeKeepsWhatARefCameToNeed(t *testing.T) {
	for _, step := range []string{"merge open", "merge put", "close", "rename"} {
		t.Run(step, func(t *testing.T) {
			dir, m := memoryDir(t), newModel(20)
			commit(t, dir, testOptions(), m.all())
			commit(t, dir, testOptions(), append(m.edit(3, true), m.top()...))
			wanted := m.all()
			for range 4 {
				commit(t, dir, testOptions(), append(m.edit(3, true), m.top()...))
			}
			o := eager()
			o.hook = func(at string) {
				if at != step {
					return
				}
				s := open(t, dir) // as a build does that goes back to an old config
				defer s.Close()
				if err := writeRef(dir, "tags/back", Digest(wanted[len(wanted)-1].Name)); err != nil {
					t.Error(err)
				}
			}
			mustMerge(t, dir, o)
			compareNow(t, dir, wanted)
			o.hook = nil
			mustMerge(t, dir, o)
			mustMerge(t, dir, o)
			compareNow(t, dir, wanted)
			compareNow(t, dir, m.all())
		})
	}
}

func TestOneMergeAtATime(t *testing.T) {
	dir, _ := storeOfEdits(t, 4)
	o := eager()
	o.hook = func(at string) {
		if at != "merge open" {
			return
		}
		if _, err := Merge(context.Background(), dir, eager(), liveOfModel); !errors.Is(err, ErrBusy) {
			t.Errorf("a second merge = %v, want ErrBusy", err)
		}
		if err := childBuild(dir, testOptions(), 1, io.Discard); err != nil {
			t.Errorf("a build beside a merge: %v", err)
		}
	}
	if _, err := Merge(context.Background(), dir, o, nil); err != nil {
		t.Fatal(err)
	}
}

func TestACancelledMergeLeavesNothing(t *testing.T) {
	dir, m := storeOfEdits(t, 6)
	ctx, cancel := context.WithCancel(context.Background())
	o := eager()
	o.hook = func(at string) { cancel() }
	if _, err := Merge(ctx, dir, o, liveOfModel); !errors.Is(err, context.Canceled) {
		t.Errorf("Merge = %v, want context.Canceled", err)
	}
	if left, _ := leftovers(dir, mergePrefix); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	compareNow(t, dir, m.all())
}

// TestReadersBesideBuildsAndMerges opens, walks and closes the store without
// pause while builds and merges run.
func TestReadersBesideBuildsAndMerges(t *testing.T) {
	t.Parallel()
	dir, m := storeOfEdits(t, 2)
	o := eager()
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for { // once at least, however late it comes to run
				s, err := Open(dir)
				if err == nil {
					_, err = liveOfModel(s)
					err = errors.Join(err, s.Close())
				}
				if err != nil {
					t.Errorf("reader: %v", err)
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	builds := 30
	if testing.Short() {
		builds = 12
	}
	for i := range builds {
		commit(t, dir, o, append(m.edit(i%20, i%2 == 0), m.top()...))
		if tooMany(dir, o) {
			mustMerge(t, dir, o)
		}
	}
	close(stop)
	readers.Wait()
	compareNow(t, dir, m.all())
}

func TestAnOpenReaderFindsWhatCameLater(t *testing.T) {
	dir, m := storeOfEdits(t, 1)
	reader := open(t, dir)
	commit(t, dir, testOptions(), append(m.edit(5, true), m.top()...))
	compare(t, reader, m.all())
	if err := os.RemoveAll(packsDir(dir)); err != nil {
		t.Fatal(err)
	}
	compare(t, reader, m.all())
}

// TestAMergeKeepsTracesOfBlocksElsewhere: a trace is worth keeping as long as its
// block is in some pack, in one that the merge does not touch too.
func TestAMergeKeepsTracesOfBlocksElsewhere(t *testing.T) {
	dir, list := generations(t, 6) // whose base has the block
	there, gone := Sum(noise(1, 1<<20)), Sum([]byte("a block that is nowhere"))
	kept, lost := Entry{KindTrace, [32]byte{1}, there[:]}, Entry{KindTrace, [32]byte{2}, gone[:]}
	commit(t, dir, testOptions(), append([]Entry{kept, lost}, generation(t, 6, list[5][len(list[5])-1].Name)...))
	r, err := Merge(context.Background(), dir, eager(), (*Store).Live)
	if err != nil || r.Dropped == 0 {
		t.Fatalf("Merge = %+v, %v; want the history dropped", r, err)
	}
	s := open(t, dir)
	wantEntries(t, s, kept)
	if _, ok := s.Trace(lost.Name); ok {
		t.Error("the trace of a block that is nowhere outlived a merge without room for history")
	}
}
