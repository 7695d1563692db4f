package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestManyBuilds proves the layout: one-row builds over a base, with merges as they
// fall due, beside readers that never let go. The base is small, so that history
// outweighs a tenth of it, and is dropped, after some fifty builds.
func TestManyBuilds(t *testing.T) {
	if testing.Short() {
		buildOften(t, memoryDir(t), 90, 30, 0)
		return
	}
	buildOften(t, memoryDir(t), 240, 100, 1<<20)
}

// TestSoakPacks1000 is the same on a disk, with a base of some size. The figures that
// it prints are those of docs/design/0001-sealed-badger-packs.md.
func TestSoakPacks1000(t *testing.T) {
	soak(t)
	buildOften(t, t.TempDir(), 1000, 400, 8<<20)
}

// buildOften edits a base of some shards by some builds. slack is WriterOptions.DeadSlack,
// so that history is dropped several times; at 0 the slack is a byte.
func buildOften(t *testing.T, dir string, builds, shards int, slack int64) {
	o := testOptions()
	o.DeadSlack = max(slack, 1)
	run := &manyBuilds{t: t, dir: dir, o: o, rand: rand.New(rand.NewPCG(1, 2)), before: descriptors(t)}
	m := newModel(shards)
	base := m.all()
	large := o
	large.Small = false
	commit(t, dir, large, base)
	reader := open(t, dir)

	var middle *Store
	var then []Entry
	for i := range builds {
		run.build(m)
		if i%(builds/10) == builds/10-1 {
			compare(t, reader, base)
			now := open(t, dir)
			compare(t, now, m.all())
			now.Close()
		}
		switch i {
		case builds * 45 / 100: // a second reader pins small packs, and sees them merged away
			middle, then = open(t, dir), m.all()
		case builds * 9 / 10:
			compare(t, middle, then)
			middle.Close()
		}
	}
	if _, err := Merge(context.Background(), dir, o, liveOfModel); err != nil {
		t.Fatal(err)
	}
	compare(t, reader, base)
	run.checkDisk(reader, Digest(base[len(base)-1].Name))
	run.checkOpen(reader)
	if most := builds / 10; len(run.merges) < builds/20 || len(run.merges) > most {
		t.Errorf("%d merges for %d builds, want %d to %d: one each time that %d small packs came together", len(run.merges), builds, builds/20, most, o.withDefaults().MaxSmall)
	}
	if run.dropped < 2 {
		t.Errorf("history was dropped %d times, want at least 2", run.dropped)
	}
	run.print()
}

// manyBuilds runs builds and keeps what they took.
type manyBuilds struct {
	t       *testing.T
	dir     string
	o       WriterOptions
	rand    *rand.Rand
	builds  []time.Duration
	merges  []time.Duration
	copied  int64
	dropped int // merges that dropped history
	most    int // small packs
	before  int // descriptors that were open before the first build
}

// build edits one row and merges when that is due.
func (r *manyBuilds) build(m *model) {
	r.t.Helper()
	fresh := m.edit(r.rand.IntN(len(m.shards)), r.rand.IntN(2) == 0)
	start := time.Now()
	w, err := OpenWriter(r.dir, r.o)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range m.top() {
		if !w.Store().Has(e.Kind, e.Name) {
			fresh = append(fresh, e)
		}
	}
	err = errors.Join(w.Put(fresh), w.Commit(context.Background(), "heads/main", fresh[len(fresh)-1].Name), w.Close())
	if err != nil {
		r.t.Fatal(err)
	}
	r.builds = append(r.builds, time.Since(start))
	if ids, _ := packIDs(r.dir); len(ids) > r.most {
		r.most = len(ids)
	}
	if !NeedsMerge(r.dir) {
		return
	}
	start = time.Now()
	report, err := Merge(context.Background(), r.dir, r.o, liveOfModel)
	if err != nil {
		r.t.Fatal(err)
	}
	r.merges = append(r.merges, time.Since(start))
	r.copied += report.Bytes
	if report.Dropped > 0 {
		r.dropped++
	}
}

// checkDisk holds the store to 1.1 × what its ref and the reader need, beside a
// constant: the history that may stay (DeadSlack), and 8 MiB for the packs since
// the last merge and the files that every pack has.
func (r *manyBuilds) checkDisk(reader *Store, held Digest) {
	r.t.Helper()
	s := open(r.t, r.dir)
	defer s.Close()
	live, err := liveOfModel(s)
	if err == nil {
		err = reach(reader, held, live)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	needed := weighEntries(r.t, s, live)
	used, err := sizeOnDisk(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	limit := needed + needed/10 + r.o.DeadSlack + 8<<20
	r.t.Logf("disk: %.1f MB used, %.1f MB needed (%.3f ×), limit %.1f MB", mb(used), mb(needed), float64(used)/float64(needed), mb(limit))
	if used > limit {
		r.t.Errorf("%d bytes on disk, want at most %d", used, limit)
	}
}

// checkOpen logs how long it takes to open the store and read its snapshot (10 ms
// is the aim), and counts descriptors with every pack of two stores open.
func (r *manyBuilds) checkOpen(reader *Store) {
	r.t.Helper()
	var times []time.Duration
	for range 51 {
		start := time.Now()
		s, err := Open(r.dir)
		if err != nil {
			r.t.Fatal(err)
		}
		head, err := s.Ref("heads/main")
		if err == nil {
			_, err = s.Get(KindSnapshot, head)
		}
		times = append(times, time.Since(start))
		opened := 0
		for _, p := range s.packs {
			if p.eng != nil {
				opened++
			}
		}
		if opened != 1 {
			r.t.Errorf("reading the snapshot opened %d of %d databases, want the newest pack's", opened, len(s.packs))
		}
		if err := errors.Join(err, s.Close()); err != nil {
			r.t.Fatal(err)
		}
	}
	r.t.Logf("open and read the snapshot: median %v, slowest %v", median(times), slices.Max(times))
	s := open(r.t, r.dir)
	s.Has(KindBlock, [32]byte{}) // asks, and so opens, every pack
	reader.Has(KindBlock, [32]byte{})
	fds := descriptors(r.t) - r.before
	r.t.Logf("descriptors: %d, with %d packs open and %d in a second store", fds, len(s.Packs()), len(reader.Packs()))
	if fds > 200 {
		r.t.Errorf("%d descriptors, want at most 200", fds)
	}
}

// descriptors counts what the process has open; 0 where that cannot be known.
// Tests of damaged packs leave some behind until it ends.
func descriptors(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(fds)
}

func (r *manyBuilds) print() {
	r.t.Logf("%d builds: median %v, p99 %v; at most %d packs", len(r.builds), median(r.builds), percentile(r.builds, 99), r.most)
	r.t.Logf("%d merges: median %v, slowest %v; %.1f MB copied in all", len(r.merges), median(r.merges), slices.Max(r.merges), mb(r.copied))
}

// compare reads every entry and compares it byte for byte.
func compare(t testing.TB, s *Store, entries []Entry) {
	t.Helper()
	for _, e := range entries {
		got, err := s.View(e.Kind, e.Name)
		if err != nil || !bytes.Equal(got, e.Value) {
			t.Fatalf("%c:%x = %d bytes, %v; want the %d bytes that were put", e.Kind, e.Name[:4], len(got), err, len(e.Value))
		}
	}
}

// commit puts entries, the last of which is the snapshot, and moves heads/main.
func commit(t testing.TB, dir string, o WriterOptions, entries []Entry) {
	t.Helper()
	w, err := OpenWriter(dir, o)
	if err == nil {
		err = errors.Join(w.Put(entries), w.Commit(context.Background(), "heads/main", entries[len(entries)-1].Name), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mb(n int64) float64 { return float64(n) / 1e6 }

func median(d []time.Duration) time.Duration { return percentile(d, 50) }

func percentile(d []time.Duration, p int) time.Duration {
	s := slices.Sorted(slices.Values(d))
	return s[min(len(s)*p/100, len(s)-1)]
}
