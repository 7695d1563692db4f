package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rewrite changes a file in place.
func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(b), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func damages(t *testing.T, dir string, full bool) (list []Damage) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	if err := s.Verify(context.Background(), full, func(d Damage) { list = append(list, d) }); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestViewOutlives holds the Badger version in go.mod to what engine.value
// relies on: the bytes of a mapped value stay where they are, and are right,
// long after the transaction that found them, with other reads in between.
func TestViewOutlives(t *testing.T) {
	dir := memoryDir(t)
	var blocks []Entry
	for i := range 200 {
		blocks = append(blocks, entry(KindBlock, noise(uint64(i), mappedAbove+1+i*100)))
	}
	put(t, dir, testOptions(), blocks...)
	s := open(t, dir)
	var views [][]byte
	for _, e := range blocks {
		v, err := s.View(e.Kind, e.Name)
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, v)
	}
	for i, e := range blocks {
		if !bytes.Equal(views[i], e.Value) {
			t.Fatalf("view %d changed behind its transaction", i)
		}
		again, err := s.View(e.Kind, e.Name)
		if err != nil || &again[0] != &views[i][0] {
			t.Fatalf("a second View of block %d is not the same memory (%v): values are copied", i, err)
		}
	}
}

func TestTruncatedValueLogIsFound(t *testing.T) {
	dir := memoryDir(t)
	var blocks []Entry
	for i := range 10 {
		blocks = append(blocks, entry(KindBlock, noise(uint64(i), 50_000)))
	}
	put(t, dir, testOptions(), blocks...)
	rewrite(t, filepath.Join(onlyPack(t, dir), "000001.vlog"), func(b []byte) []byte { return b[:len(b)/2] })
	list := damages(t, dir, false)
	if len(list) != 1 || list[0].File != "000001.vlog" || !strings.Contains(list[0].Problem, "sealed with") {
		t.Errorf("Verify = %v, want the value log and both its lengths", list)
	}
	s := open(t, dir)
	lost := 0
	for _, e := range blocks {
		v, err := s.View(e.Kind, e.Name)
		_, err2 := s.Get(e.Kind, e.Name)
		if err == nil && err2 == nil && bytes.Equal(v, e.Value) {
			continue
		}
		lost++
		if !errors.Is(err, ErrDamaged) || !errors.Is(err2, ErrDamaged) || !strings.Contains(err2.Error(), s.Packs()[0].ID) {
			t.Errorf("View = %v, Get = %v; want ErrDamaged that names the pack", err, err2)
		}
	}
	if lost < 4 || lost > 6 {
		t.Errorf("%d of 10 blocks lost with half of the log", lost)
	}
}

// TestAnyFlippedBitIsFound flips one bit at a time, in every file of a sealed
// pack: full verification reports it, and whatever is read meanwhile is right
// or an error.
func TestAnyFlippedBitIsFound(t *testing.T) {
	dir := memoryDir(t)
	entries := []Entry{entry(KindShard, noise(1, 500)), entry(KindBlock, noise(2, 4000)), entry(KindPage, noise(3, 900)), {KindTrace, Key{1}, noise(4, 32)}}
	put(t, dir, testOptions(), entries...)
	pack := onlyPack(t, dir)
	list, err := os.ReadDir(pack)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, file := range list {
		path := filepath.Join(pack, file.Name())
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			at, bit := r.IntN(len(whole)), byte(1)<<r.IntN(8)
			rewrite(t, path, func(b []byte) []byte { b[at] ^= bit; return b })
			if len(damages(t, dir, true)) == 0 {
				t.Errorf("%s: bit %#x of byte %d flipped: Verify found nothing", file.Name(), bit, at)
			}
			readThrough(t, dir, entries)
			rewrite(t, path, func([]byte) []byte { return whole })
		}
	}
	if list := damages(t, dir, true); len(list) != 0 {
		t.Errorf("the pack, made whole again: %v", list)
	}
}

// readThrough reads entries of a damaged store: right, or an error, or a miss.
func readThrough(t *testing.T, dir string, entries []Entry) {
	t.Helper()
	s := open(t, dir)
	defer s.Close()
	for _, e := range entries {
		if e.Kind == KindTrace {
			if v, ok := s.Trace(e.Name); ok && !bytes.Equal(v, e.Value) {
				t.Errorf("Trace returned damaged bytes")
			}
			continue
		}
		v, err := s.Get(e.Kind, e.Name)
		if err == nil && !bytes.Equal(v, e.Value) {
			t.Errorf("Get returned damaged bytes")
		}
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
			t.Errorf("Get = %v, want ErrDamaged or ErrNotFound", err)
		}
	}
}

func TestVerifySeesWhatIsMissingAndWhatIsExtra(t *testing.T) {
	for _, c := range []struct {
		rule, file, says string
		change           func(path string) error
	}{
		{"no SEAL", sealName, "never sealed", os.Remove},
		{"no value log", "000001.vlog", "is missing", os.Remove},
		{"a file too many", "notes.txt", "not in SEAL", func(p string) error { return os.WriteFile(p, nil, 0o666) }},
	} {
		t.Run(c.rule, func(t *testing.T) {
			dir := memoryDir(t)
			put(t, dir, testOptions(), entry(KindBlock, noise(1, 5000)))
			if err := c.change(filepath.Join(onlyPack(t, dir), c.file)); err != nil {
				t.Fatal(err)
			}
			list := damages(t, dir, false)
			if len(list) != 1 || list[0].File != c.file || !strings.Contains(list[0].String(), c.says) {
				t.Errorf("Verify = %v, want one damage of %s with %q", list, c.file, c.says)
			}
		})
	}
}

func TestASoundCopyCoversADamagedOne(t *testing.T) {
	dir := memoryDir(t)
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	put(t, dir, testOptions(), block, entry(KindPage, noise(2, 2000)))
	ids, _ := packIDs(dir)
	rewrite(t, filepath.Join(packsDir(dir), ids[0], "000001.vlog"), func(b []byte) []byte {
		at := bytes.Index(b, block.Value[:100])
		b[at] ^= 1
		return b
	})
	if got, err := open(t, dir).Get(block.Kind, block.Name); err != nil || !bytes.Equal(got, block.Value) {
		t.Errorf("Get = %d bytes, %v; the older pack has it whole", len(got), err)
	}
}

// flip damages the value of an entry in one pack.
func flip(t *testing.T, pack string, e Entry) {
	t.Helper()
	rewrite(t, filepath.Join(pack, "000001.vlog"), func(b []byte) []byte {
		b[bytes.Index(b, e.Value)+len(e.Value)/2] ^= 1
		return b
	})
}

// TestAFreshCopyCoversADamagedOne: Check finds the damage, a put of the same
// entry is stored, and from then on both ways of reading find the new copy, also
// behind merges.
func TestAFreshCopyCoversADamagedOne(t *testing.T) {
	dir := memoryDir(t)
	block, other := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 5000))
	trace := Entry{KindTrace, Key{1}, noise(3, 2000)}
	put(t, dir, testOptions(), block, other, trace)
	old := onlyPack(t, dir)
	flip(t, old, block)
	flip(t, old, trace)
	s := open(t, dir)
	for _, c := range []struct {
		name string
		e    Entry
		want bool
	}{{"damaged", block, false}, {"sound", other, true}, {"a damaged trace", trace, false}, {"absent", entry(KindBlock, []byte("x")), false}} {
		if got := s.Check(c.e.Kind, c.e.Name); got != c.want {
			t.Errorf("Check of what is %s = %v, want %v", c.name, got, c.want)
		}
	}
	if id, ok := s.PackOf(other.Kind, other.Name); !ok || id != filepath.Base(old) {
		t.Errorf("PackOf = %q, %v, want %q", id, ok, filepath.Base(old))
	}
	if id, ok := s.PackOf(KindShard, other.Name); ok {
		t.Errorf("PackOf = %q of what is nowhere", id)
	}
	s.Close()

	put(t, dir, testOptions(), block, trace)
	for i := range 4 { // and three packs more, so that merges come by
		s := open(t, dir)
		wantEntries(t, s, block, other, trace)
		if !s.Check(block.Kind, block.Name) || !s.Check(trace.Kind, trace.Name) {
			t.Error("Check does not find the new copy")
		}
		if id, ok := s.PackOf(block.Kind, block.Name); !ok || id == filepath.Base(old) {
			t.Errorf("PackOf = %q, %v; want the pack of the new copy", id, ok)
		}
		s.Close()
		put(t, dir, testOptions(), entry(KindPage, noise(uint64(9+i), 100)))
		if _, err := Merge(context.Background(), dir, eager(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCheckAnswersForWhatViewReads: a newer damaged copy covers an older sound
// one for View, so that the entry has to be stored again.
func TestCheckAnswersForWhatViewReads(t *testing.T) {
	dir := memoryDir(t)
	block := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), block)
	put(t, dir, testOptions(), block, entry(KindPage, noise(2, 2000)))
	ids, _ := packIDs(dir)
	flip(t, packPath(dir, ids[0]), block)
	s := open(t, dir)
	if s.Check(block.Kind, block.Name) {
		t.Error("Check = true, and View returns damaged bytes")
	}
	put(t, dir, testOptions(), block, entry(KindPage, noise(3, 2000)))
	s = open(t, dir)
	wantEntries(t, s, block)
	harms["an empty value log"](t, onlyNewest(t, dir)) // View passes over what cannot be read at all
	if s = open(t, dir); s.Check(block.Kind, block.Name) {
		t.Error("Check = true, and View returns damaged bytes")
	}
}

func onlyNewest(t *testing.T, dir string) string {
	t.Helper()
	ids, err := packIDs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return packPath(dir, ids[0])
}

func TestAFolderRemovedUnderTheWriterEndsInAnError(t *testing.T) {
	for rule, change := range map[string]func(path string) error{
		"removed": os.RemoveAll,
		"renamed": func(p string) error { return os.Rename(p, p+"-moved") },
	} {
		t.Run(rule, func(t *testing.T) {
			dir := memoryDir(t)
			block := entry(KindBlock, noise(1, 5000))
			before := put(t, dir, testOptions(), block)
			w, err := OpenWriter(dir, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			snapshot := entry(KindSnapshot, []byte("lost"))
			if err := w.Put([]Entry{entry(KindBlock, noise(2, 5000)), snapshot}); err != nil {
				t.Fatal(err)
			}
			if err := change(w.draft.dir); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- errors.Join(w.Commit(context.Background(), "heads/main", snapshot.Name), w.Close()) }()
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), "removed or renamed") {
					t.Errorf("Commit = %v, want an error that says what happened", err)
				}
			case <-time.After(time.Minute):
				t.Fatal("Commit hangs")
			}
			s := open(t, dir)
			wantEntries(t, s, block, before)
			if got, err := s.Ref("heads/main"); err != nil || got != Digest(before.Name) {
				t.Errorf("the ref is %v, %v, want the snapshot before", got, err)
			}
		})
	}
}

func TestAPackDeletedUnderAReaderStaysReadable(t *testing.T) {
	dir := memoryDir(t)
	block, other := entry(KindBlock, noise(1, 50_000)), entry(KindBlock, noise(2, 50_000))
	put(t, dir, testOptions(), block, other)
	s := open(t, dir)
	view, err := s.View(block.Kind, block.Name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(onlyPack(t, dir)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(view, block.Value) {
		t.Error("a view changed")
	}
	wantEntries(t, s, other)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// flipHead flips a bit behind some bytes in the first MiB of a file: the value log
// of an open database is 512 MiB, nearly all of it a hole.
func flipHead(t *testing.T, path string, find []byte, behind int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1<<20)
	n, _ := f.ReadAt(b, 0)
	at := bytes.Index(b[:n], find)
	if at < 0 {
		t.Fatalf("%s does not hold what is to be damaged", path)
	}
	if _, err := f.WriteAt([]byte{b[at+behind] ^ 1}, int64(at+behind)); err != nil {
		t.Fatal(err)
	}
}

func TestLeftoversWithDamageKeepWhatIsSound(t *testing.T) {
	dir := memoryDir(t)
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	good, bad := entry(KindBlock, noise(1, 50_000)), entry(KindBlock, noise(2, 50_000))
	// One after the other: within a Put the order in the value log is open, and
	// Badger cuts a log of a killed writer at the first damage.
	for _, e := range []Entry{good, bad} {
		if err := w.Put([]Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	path := w.draft.dir
	abort(w)
	flipHead(t, filepath.Join(path, "000001.vlog"), bad.Value[:100], 20_000)
	if w, err = OpenWriter(dir, testOptions()); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if adopted, deleted, err := w.Adopt(context.Background()); adopted != 1 || deleted != 0 || err != nil {
		t.Errorf("Adopt = %d, %d, %v, want one adopted", adopted, deleted, err)
	}
	wantEntries(t, w.Store(), good)
	if w.Store().Has(bad.Kind, bad.Name) {
		t.Error("the damaged block was adopted")
	}
	if list := damages(t, dir, true); len(list) != 0 {
		t.Errorf("Verify = %v", list)
	}
}

func TestLeftoversInUseAreLeftAlone(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 5000)))
	d, err := newDraft(packsDir(dir), tempPrefix, testOptions().withDefaults(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer d.discard()
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if adopted, deleted, err := w.Adopt(context.Background()); adopted+deleted != 0 || err != nil {
		t.Errorf("Adopt = %d, %d, %v of a pack that somebody is writing", adopted, deleted, err)
	}
}

// TestLeftoversThatWereJustBegunAreTakenOver: a kill may come between the
// creation of a log and its first byte, or within the flush of a table.
func TestLeftoversThatWereJustBegunAreTakenOver(t *testing.T) {
	for _, file := range []string{"00002.mem", "00009.mem", "000002.vlog", "000007.sst"} {
		t.Run(file, func(t *testing.T) {
			dir := memoryDir(t)
			w, err := OpenWriter(dir, testOptions())
			if err != nil {
				t.Fatal(err)
			}
			good := entry(KindBlock, noise(1, 50_000))
			if err := w.Put([]Entry{good}); err != nil {
				t.Fatal(err)
			}
			path := w.draft.dir
			abort(w)
			if err := os.WriteFile(filepath.Join(path, file), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if w, err = OpenWriter(dir, testOptions()); err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if adopted, deleted, err := w.Adopt(context.Background()); adopted != 1 || deleted != 0 || err != nil {
				t.Errorf("Adopt = %d, %d, %v, want one adopted", adopted, deleted, err)
			}
			wantEntries(t, w.Store(), good)
		})
	}
}
