package store

import (
	"context"
	"testing"
)

// TestAWriterSharesTheStoreItIsLent: what is put is seen through the lent store
// at once, and the store outlives the writer.
func TestAWriterSharesTheStoreItIsLent(t *testing.T) {
	dir := memoryDir(t)
	before := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), before)
	for name, end := range map[string]func(*Writer){
		"closed":  func(w *Writer) { w.Close() },
		"aborted": abort,
	} {
		s := open(t, dir)
		o := testOptions()
		o.View = s
		w, err := OpenWriter(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if w.Store() != s {
			t.Errorf("%s: the writer has a store of its own", name)
		}
		now := entry(KindBlock, noise(uint64(len(name)), 6000))
		if err := w.Put([]Entry{now}); err != nil {
			t.Fatal(err)
		}
		wantEntries(t, s, before, now)
		end(w)
		wantEntries(t, s, before)
		if name == "closed" {
			wantEntries(t, s, now)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close of the lent store = %v", name, err)
		}
	}
}

// TestSealedDoesNotSeeTheOpenPack: it sees what was adopted, and what was put
// once it is committed.
func TestSealedDoesNotSeeTheOpenPack(t *testing.T) {
	dir := memoryDir(t)
	before, left, now := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 5000)), entry(KindBlock, noise(3, 5000))
	put(t, dir, testOptions(), before)
	killed, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Put([]Entry{left}); err != nil {
		t.Fatal(err)
	}
	abort(killed)

	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	sealed := w.Sealed()
	if _, _, err := w.Adopt(context.Background()); err != nil {
		t.Fatal(err)
	}
	trace := Entry{KindTrace, Key{1}, now.Name[:]}
	snapshot := entry(KindSnapshot, []byte("a snapshot"))
	if err := w.Put([]Entry{now, trace, snapshot}); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, sealed, before, left)
	if sealed.Has(now.Kind, now.Name) || sealed.Check(now.Kind, now.Name) {
		t.Error("Sealed sees what was put and is not sealed")
	}
	if _, ok := sealed.Trace(Key(trace.Name)); ok {
		t.Error("Sealed sees a trace that was put and is not sealed")
	}
	wantEntries(t, w.Store(), before, left, now, trace)
	if err := w.Commit(context.Background(), "heads/main", snapshot.Name); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, sealed, before, left, now, trace)
	if err := sealed.Close(); err != nil {
		t.Error(err)
	}
	wantEntries(t, w.Store(), before, left, now)
}
