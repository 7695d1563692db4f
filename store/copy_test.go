package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
