package store

import "testing"

// TestAWriterSharesTheStoreItIsLent: what is put is seen through the lent store
// at once, and the store outlives the writer.
func TestAWriterSharesTheStoreItIsLent(t *testing.T) {
	dir := t.TempDir()
	before := entry(KindBlock, noise(1, 5000))
	put(t, dir, testOptions(), before)
	for name, end := range map[string]func(*Writer){
		"closed":  func(w *Writer) { w.Close() },
		"aborted": (*Writer).Abort,
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
