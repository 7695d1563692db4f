package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// hurt are ways in which a file is lost or spoilt.
var hurt = map[string]func(t *testing.T, path string){
	"gone": func(t *testing.T, path string) {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	},
	"cut short": func(t *testing.T, path string) {
		rewrite(t, path, func(b []byte) []byte { return b[:len(b)/2] })
	},
	"a flipped bit": func(t *testing.T, path string) {
		rewrite(t, path, func(b []byte) []byte { b[len(b)/3] ^= 4; return b })
	},
}

// TestRetire: whatever happens to a file of a pack, what the ref needs is there as before,
// and the damage is gone unless it hides a part of that.
func TestRetire(t *testing.T) {
	for i := range 6 { // the base, four generations, and a pack that doubles the last one
		for how, change := range hurt {
			for _, name := range []string{"SEAL", "MANIFEST", "000001.vlog", "000001.sst"} {
				if testing.Short() && (i+len(how)+len(name))%4 > 0 {
					continue
				}
				dir, list := generations(t, 4)
				head := list[3]
				commit(t, dir, testOptions(), append([]Entry{entry(KindBlock, []byte("nobody's"))}, head...))
				ids, err := packIDs(dir)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(packPath(dir, ids[len(ids)-1-i]), name)
				change(t, path)
				whole := func() bool {
					s := open(t, dir)
					defer s.Close()
					_, refs, err := s.reachRefs()
					for key := range refs {
						if err == nil && !s.Check(Kind(key[0]), [32]byte(key[1:])) {
							return false
						}
					}
					return err == nil
				}
				before := whole()
				r, err := Retire(context.Background(), dir, testOptions())
				if err != nil {
					t.Fatalf("%s of pack %d %s: %v", name, i, how, err)
				}
				left := damages(t, dir, true)
				switch {
				case len(r.Kept) == 0 && len(left) > 0:
					t.Errorf("%s of pack %d %s: %+v, and still damaged: %v", name, i, how, r, left)
				case len(r.Kept) == 0 && !whole():
					t.Errorf("%s of pack %d %s: %+v, and main is not whole", name, i, how, r)
				case len(r.Kept) > 0 && (before || len(r.Removed) > 0 || r.Why == ""):
					t.Errorf("%s of pack %d %s: %+v, though main was whole: %v", name, i, how, r, before)
				case i < 4 && len(r.Kept) > 0 || i == 5 && len(r.Kept) > 0:
					t.Errorf("%s of pack %d %s: %+v, though nothing needs that pack", name, i, how, r)
				}
			}
		}
	}
}

// TestRetireCopiesWhatIsSound: of a pack with one spoilt value, which nobody needs, the
// others go on; a pack that somebody reads stays until then; a build keeps it out.
func TestRetireCopiesWhatIsSound(t *testing.T) {
	dir := memoryDir(t)
	spare := entry(KindBlock, noise(7, 5000))
	list := generation(t, 0, Digest{})
	commit(t, dir, testOptions(), append([]Entry{spare}, list...))
	ids, err := packIDs(dir)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(packPath(dir, ids[0]), "000001.vlog"), func(b []byte) []byte {
		at := slices.Index(b, spare.Value[100])
		for ; string(b[at:at+16]) != string(spare.Value[100:116]); at++ {
		}
		b[at] ^= 1
		return b
	})
	lock, err := TakeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Retire(context.Background(), dir, testOptions()); !errors.Is(err, ErrBusy) {
		t.Errorf("beside a build: %v, want ErrBusy", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	reader := open(t, dir)
	r, err := Retire(context.Background(), dir, testOptions())
	if err != nil || !slices.Equal(r.Left, ids) || r.Copied == 0 {
		t.Fatalf("with a reader: %+v, %v", r, err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	if r, err = Retire(context.Background(), dir, testOptions()); err != nil || !slices.Equal(r.Removed, ids) || r.Copied != 0 {
		t.Fatalf("without: %+v, %v", r, err)
	}
	s := open(t, dir)
	wantEntries(t, s, list...)
	if s.Has(spare.Kind, spare.Name) || len(damages(t, dir, true)) > 0 {
		t.Error("the spoilt value is still there")
	}
	if again, err := Retire(context.Background(), dir, testOptions()); err != nil || len(again.Removed)+len(again.Kept) > 0 {
		t.Errorf("of a sound store: %+v, %v", again, err)
	}
}
