package store

import (
	"context"
	"errors"
	"testing"
)

// TestAMergeLeavesAPackThatIsAboutToBeNeeded merges at the one moment when a
// pack has its name and no ref needs it yet: it stays, since its writer holds it
// without a gap, and the commit ends well.
func TestAMergeLeavesAPackThatIsAboutToBeNeeded(t *testing.T) {
	dir := memoryDir(t)
	for i := range 4 {
		put(t, dir, testOptions(), entry(KindBlock, noise(uint64(i), 5000)))
	}
	nothing := func(*Store) (map[[33]byte]struct{}, error) { return map[[33]byte]struct{}{}, nil }
	o := testOptions()
	var merged MergeReport
	var mergeErr error
	o.hook = func(step string) {
		if step == "sealed" {
			m := testOptions()
			m.MaxSmall, m.DeadSlack = 1, 1
			merged, mergeErr = Merge(context.Background(), dir, m, nothing)
		}
	}
	w, err := OpenWriter(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	w.Store().Close() // as if this build had nothing open: what is merged can go
	snapshot := entry(KindSnapshot, noise(99, 300))
	err = errors.Join(w.Put([]Entry{snapshot}), w.Commit(context.Background(), "heads/main", snapshot.Name), w.Close())
	if err != nil || mergeErr != nil {
		t.Errorf("commit: %v; merge: %v", err, mergeErr)
	}
	if merged.Removed == 0 || merged.Left != 1 {
		t.Errorf("the merge removed %d packs and left %d, want all but the new one", merged.Removed, merged.Left)
	}
	wantEntries(t, open(t, dir), snapshot)
}
