package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// trieOf writes the trie of some places as pages by digest.
func trieOf(t *testing.T, pages map[Digest][]byte, places []uint64, k int, version map[uint64]int) (Digest, []Leaf) {
	t.Helper()
	slices.Sort(places)
	leaves := Split(places, k)
	at := 0
	for i := range leaves {
		said := ""
		for _, p := range places[at : at+leaves[i].Rows] {
			said += fmt.Sprintf("%x.%d ", p, version[p])
		}
		leaves[i].Digest = Sum([]byte(said))
		at += leaves[i].Rows
	}
	first, err := WriteTrie(leaves, func(p []byte) (Digest, error) {
		pages[Sum(p)] = p
		return Sum(p), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return first, leaves
}

// TestDifferingIsTheDifference: whatever was added, removed and changed, the leaves are
// those that are in one list only, and an edit of one row reads a page a level.
func TestDifferingIsTheDifference(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		pages, k := map[Digest][]byte{}, 1+r.IntN(6)
		places := make([]uint64, r.IntN(3000))
		for i := range places {
			places[i] = r.Uint64()
		}
		a, was := trieOf(t, pages, places, k, nil)
		other, version := slices.Clone(places), map[uint64]int{}
		for range r.IntN(4) * r.IntN(40) {
			switch n := len(other); {
			case r.IntN(3) == 0 || n == 0:
				other = append(other, r.Uint64())
			case r.IntN(2) == 0:
				other = slices.Delete(other, n-1, n)
			default:
				version[other[r.IntN(n)]]++
			}
		}
		b, now := trieOf(t, pages, other, k, version)
		get := func(d Digest) ([]byte, error) { return pages[d], nil }
		gone, come, err := differing(a, b, get, get)
		if err != nil {
			t.Fatal(err)
		}
		without := func(list, of []Leaf) []Leaf {
			return slices.DeleteFunc(slices.Clone(list), func(l Leaf) bool { return slices.Contains(of, l) })
		}
		if !slices.Equal(gone, without(was, now)) || !slices.Equal(come, without(now, was)) {
			t.Fatalf("seed %d: %d leaves gone and %d new, want %d and %d", seed, len(gone), len(come), len(without(was, now)), len(without(now, was)))
		}
	}
	pages, places := map[Digest][]byte{}, make([]uint64, 20_000)
	for i := range places {
		places[i] = Place(fmt.Sprint(i))
	}
	a, _ := trieOf(t, pages, places, 16, nil)
	b, _ := trieOf(t, pages, places, 16, map[uint64]int{places[77]: 1})
	read := 0
	get := func(d Digest) ([]byte, error) { read++; return pages[d], nil }
	gone, come, err := differing(a, b, get, get)
	if err != nil || len(gone) != 1 || len(come) != 1 || read > 8 {
		t.Errorf("an edit of one row: %d and %d leaves, %d of %d pages read, %v", len(gone), len(come), read, len(pages), err)
	}
	if all, none, err := differing(a, Digest{}, get, get); err != nil || len(all) < 1000 || none != nil {
		t.Errorf("beside an empty trie: %d and %d leaves, %v", len(all), len(none), err)
	}
}

// TestNamesThatGoBack: ~N is the Nth parent, of whatever name stands before it.
func TestNamesThatGoBack(t *testing.T) {
	dir, list := generations(t, 4)
	s := open(t, dir)
	name := func(i int) Digest { return Digest(list[i][len(list[i])-1].Name) }
	for spelt, want := range map[string]int{"main": 3, "main~0": 3, "main~": 2, "main~1": 2, "heads/main~3": 0, name(2).Short() + "~2": 0, name(0).Short(): 0} {
		if got, err := s.Resolve(spelt); got != name(want) || err != nil {
			t.Errorf("%s = %s, %v; want %s", spelt, got.Short(), err, name(want).Short())
		}
	}
	for _, spelt := range []string{"main~4", "main~99999999999", "main~x", "main~-1", "~1", "other~1"} {
		if got, err := s.Resolve(spelt); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s = %s, %v; want ErrNotFound", spelt, got.Short(), err)
		}
	}
	if _, err := s.Resolve("main~4"); err == nil || !strings.Contains(err.Error(), "before main there are 3") {
		t.Errorf("main~4: %v", err)
	}
}

// TestARefMovesToWhatIsWhole: a ref goes to any snapshot that is all there, and what it
// left is still found by its digest; one that has lost a part is refused.
func TestARefMovesToWhatIsWhole(t *testing.T) {
	dir, list := generations(t, 4)
	name := func(i int) Digest { return Digest(list[i][len(list[i])-1].Name) }
	s := open(t, dir)
	lock, err := TakeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetRef("heads/main", name(1)); !errors.Is(err, ErrBusy) {
		t.Errorf("beside a build: %v, want ErrBusy", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if err := s.SetRef("heads/main", name(1)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Resolve("main"); got != name(1) || err != nil {
		t.Errorf("main is %s, %v", got.Short(), err)
	}
	if got, err := s.Resolve(name(3).Short()); got != name(3) || err != nil {
		t.Errorf("what main was: %s, %v", got.Short(), err)
	}
	all, err := s.Snapshots()
	if len(all) != 4 { // the fifth is "the base", which is no snapshot
		t.Errorf("%d snapshots, %v", len(all), err)
	}
	if err := s.SetRef("tags/v 1", name(3)); err != nil {
		t.Error(err)
	}
	if err := s.DeleteRef("tags/v 1"); err != nil {
		t.Error(err)
	}
	if err := s.DeleteRef("tags/v 1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
	for _, refused := range []string{"tags/../heads/main", "main", "tags/.."} {
		if err := s.DeleteRef(refused); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("%q was deleted, or looked for: %v", refused, err)
		}
	}
	if got, err := s.Resolve("main"); got != name(1) || err != nil {
		t.Errorf("then main is %s, %v", got.Short(), err)
	}
	for _, refused := range []string{"main", "heads/../x", "tags/a|b"} {
		if err := s.SetRef(refused, name(1)); err == nil {
			t.Errorf("%q is no ref", refused)
		}
	}

	gone := Snapshot{ // its list of rejections was never stored
		Rejections: Sum([]byte("dropped")), Parent: name(3),
	}
	snap, err := s.ReadSnapshot(name(3))
	if err != nil {
		t.Fatal(err)
	}
	gone.Root, gone.Origins = snap.Root, snap.Origins
	commit(t, dir, testOptions(), []Entry{entry(KindSnapshot, gone.Encode())})
	if err := s.SetRef("heads/main", name(1)); err != nil { // which the commit had moved
		t.Fatal(err)
	}
	if err := open(t, dir).SetRef("tags/x", Sum(gone.Encode())); !errors.Is(err, ErrNotFound) {
		t.Errorf("a snapshot without its rejections: %v, want ErrNotFound", err)
	}
}
