package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestAPackOfAClockThatWentBackIsFoundFirst: what a build puts now covers the damaged value in a pack whose
// name is of next year.
func TestAPackOfAClockThatWentBackIsFoundFirst(t *testing.T) {
	dir := memoryDir(t)
	block, other := entry(KindBlock, noise(1, 5000)), entry(KindBlock, noise(2, 5000))
	put(t, dir, testOptions(), block)
	old := onlyPack(t, dir)
	ahead := filepath.Join(packsDir(dir), fmt.Sprintf("%016x-00000000", time.Now().AddDate(1, 0, 0).UnixNano()))
	if err := os.Rename(old, ahead); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(ahead, "000001.vlog"), func(b []byte) []byte { b[2500] ^= 1; return b })
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	if w.Store().Check(block.Kind, block.Name) {
		t.Fatal("the damage is not seen")
	}
	w.Close()
	put(t, dir, testOptions(), other)
	putAnew(t, dir, block)
	s := open(t, dir)
	if v, err := s.View(block.Kind, block.Name); err != nil || Sum(v) != block.Name {
		t.Errorf("View = the damaged copy, %v", err)
	}
}

// putAnew puts an entry as a build that mends does: also where another pack has it.
func putAnew(t *testing.T, dir string, e Entry) {
	t.Helper()
	d, err := newDraft(packsDir(dir), tempPrefix, testOptions().withDefaults(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.put([]Entry{e}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.seal(packsDir(dir), nil); err != nil {
		t.Fatal(err)
	}
	if err := unlock(d.folder); err != nil {
		t.Fatal(err)
	}
}

func TestAPackIsNamedAfterAllOthers(t *testing.T) {
	now := time.Unix(0, 0x1234)
	for last, want := range map[string]string{
		"":                          "0000000000001234",
		"0000000000000001-aaaaaaaa": "0000000000001234",
		"0000000000001234-aaaaaaaa": "0000000000001235",
		"00000000000fffff-aaaaaaaa": "0000000000100000",
		"ffffffffffffffff-aaaaaaaa": "0000000000001234",
		"a folder":                  "0000000000001234",
	} {
		if got := newPackID([]string{last, "0000000000000000-bbbbbbbb"}, now); got[:16] != want {
			t.Errorf("after %q comes %s, want %s", last, got, want)
		}
	}
	if got := newPackID(nil, time.Unix(-1, 0)); got[:16] != "0000000000000000" {
		t.Errorf("before 1970 comes %s", got)
	}
}

// TestASnapshotIsNewerThanItsParent whatever the clocks said.
func TestASnapshotIsNewerThanItsParent(t *testing.T) {
	at := func(name, parent byte, time int64) NamedSnapshot {
		s := &Snapshot{Time: time}
		if parent != 0 {
			s.Parent = Digest{parent}
		}
		return NamedSnapshot{Digest{name}, s}
	}
	for name, list := range map[string][]NamedSnapshot{
		"in order":         {at(4, 3, 40), at(3, 2, 30), at(2, 1, 20), at(1, 0, 10)},
		"set back":         {at(4, 3, -8), at(3, 2, -9), at(2, 1, 20), at(1, 0, 10)},
		"ahead for once":   {at(4, 3, 40), at(3, 2, 30), at(2, 1, 99), at(1, 0, 10)},
		"two lines":        {at(5, 1, 40), at(4, 1, 30), at(2, 1, 20), at(1, 9, 10)},
		"after a rollback": {at(6, 5, 7), at(5, 1, 6), at(4, 3, 30), at(3, 2, 20), at(2, 1, 12), at(1, 0, 10)},
	} {
		want := fmt.Sprint(names(list))
		if name == "after a rollback" { // 6 and 5 are after 1; what they are to 2 to 4 only the clock says
			want = fmt.Sprint([]byte{4, 3, 2, 6, 5, 1})
		}
		for range 5 {
			slices.Reverse(list)
			newestFirst(list)
			if got := fmt.Sprint(names(list)); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

func names(list []NamedSnapshot) (names []byte) {
	for _, n := range list {
		names = append(names, n.Digest[0])
	}
	return names
}
