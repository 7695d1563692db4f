package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// pages is where tests keep the pages of tries.
type pages map[Digest][]byte

func (p pages) put(page []byte) (Digest, error) {
	d := Sum(page)
	p[d] = slices.Clone(page)
	return d, nil
}

func (p pages) get(d Digest) ([]byte, error) {
	if b, ok := p[d]; ok {
		return b, nil
	}
	return nil, ErrNotFound
}

// somePlaces draws n places, some of them close together, some twice.
func somePlaces(r *rand.Rand, n int) []uint64 {
	var places []uint64
	for range n {
		p := r.Uint64()
		if r.IntN(4) == 0 && len(places) > 0 {
			p = places[r.IntN(len(places))] ^ r.Uint64N(4)
		}
		places = append(places, p)
	}
	slices.Sort(places)
	return places
}

// named gives each leaf of places a digest that its rows decide.
func named(places []uint64, k int) []Leaf {
	leaves, from := Split(places, k), 0
	for i := range leaves {
		leaves[i].Digest = Sum(fmt.Append(nil, places[from:from+leaves[i].Rows]))
		from += leaves[i].Rows
	}
	return leaves
}

func TestSplitLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for round := range 300 {
		places, k := somePlaces(r, r.IntN(200)), 1+r.IntN(16)
		leaves, from := Split(places, k), 0
		byPrefix := map[[2]uint64]int{}
		for i, l := range leaves {
			if l.Rows == 0 || l.Rows > k && l.Depth < maxDepth {
				t.Fatalf("round %d: leaf %d of depth %d has %d rows, K is %d", round, i, l.Depth, l.Rows, k)
			}
			if from+l.Rows > len(places) {
				t.Fatalf("round %d: the leaves have more rows than there are", round)
			}
			for _, p := range places[from : from+l.Rows] {
				if commonBits(p, l.Prefix) < l.Depth || l.Prefix&lowBits(l.Depth) != 0 {
					t.Fatalf("round %d: place %016x in leaf %016x/%d", round, p, l.Prefix, l.Depth)
				}
				if got := FindLeaf(leaves, p); got != i {
					t.Fatalf("round %d: FindLeaf(%016x) = %d, want %d", round, p, got, i)
				}
			}
			from += l.Rows
			for d := 0; d <= l.Depth; d++ {
				byPrefix[[2]uint64{l.Prefix &^ lowBits(d), uint64(d)}] += l.Rows
			}
		}
		if from != len(places) {
			t.Fatalf("round %d: the leaves have %d rows of %d", round, from, len(places))
		}
		for _, l := range leaves { // no two leaves could be one
			if l.Depth > 0 && byPrefix[[2]uint64{l.Prefix &^ lowBits(l.Depth-1), uint64(l.Depth - 1)}] <= k {
				t.Fatalf("round %d: leaf %016x/%d need not have been split", round, l.Prefix, l.Depth)
			}
		}
	}
}

func TestSplitStopsAtEqualPlaces(t *testing.T) {
	leaves := Split([]uint64{7, 7, 7, 7, 7}, 2)
	if want := []Leaf{{Prefix: 7, Depth: 64, Rows: 5}}; !reflect.DeepEqual(leaves, want) {
		t.Errorf("Split = %+v, want %+v", leaves, want)
	}
	if got := FindLeaf(leaves, 7); got != 0 {
		t.Errorf("FindLeaf = %d, want 0", got)
	}
	if got := FindLeaf(leaves, 8); got != -1 {
		t.Errorf("FindLeaf of a place that is not there = %d, want -1", got)
	}
	if got := FindLeaf(nil, 8); got != -1 {
		t.Errorf("FindLeaf without leaves = %d, want -1", got)
	}
}

// TestATrieKnowsNoHistory inserts and deletes at random: the first page is that
// of a trie made at once, and its leaves come back.
func TestATrieKnowsNoHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	have := map[uint64]bool{}
	for round := range 400 {
		for range 1 + r.IntN(5) {
			p := r.Uint64()
			if r.IntN(3) == 0 {
				p = p >> 58 << 58 // crowds at 64 places
				p |= r.Uint64N(1 << 20)
			}
			have[p] = true
		}
		for p := range have {
			if r.IntN(60) == 0 {
				delete(have, p)
			}
		}
		var places []uint64
		for p := range have {
			places = append(places, p)
		}
		slices.Sort(places)
		store, leaves := pages{}, named(places, 4)
		root, err := WriteTrie(leaves, store.put)
		if err != nil {
			t.Fatal(err)
		}
		again, err := WriteTrie(named(slices.Clone(places), 4), pages{}.put)
		if err != nil || again != root {
			t.Fatalf("round %d: first page %v, %v, want %v", round, again, err, root)
		}
		got, err := ReadTrie(root, store.get)
		if err != nil || len(got) != len(leaves) || len(got) > 0 && !reflect.DeepEqual(got, leaves) {
			t.Fatalf("round %d: ReadTrie = %d leaves, %v, want %d", round, len(got), err, len(leaves))
		}
	}
}

// TestAnEditRewritesOnePageALevel changes one leaf of 20,000 rows.
func TestAnEditRewritesOnePageALevel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var places []uint64
	for range 20_000 {
		places = append(places, r.Uint64())
	}
	slices.Sort(places)
	leaves, store := named(places, 16), pages{}
	before, err := WriteTrie(leaves, store.put)
	if err != nil {
		t.Fatal(err)
	}
	had := len(store)
	leaves[len(leaves)/2].Digest = filled(9)
	after, err := WriteTrie(leaves, store.put)
	if levels := len(store) - had; err != nil || after == before || levels < 2 || levels > 4 {
		t.Errorf("%d new pages, %v, root moved: %v; want one a level", levels, err, after != before)
	}
}

// TestWalkPagesLeavesOutWhatIsKnown: a page that the caller refuses is not read,
// and nothing below it is.
func TestWalkPagesLeavesOutWhatIsKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	leaves, store := named(somePlaces(r, 3000), 4), pages{}
	root, err := WriteTrie(leaves, store.put)
	if err != nil {
		t.Fatal(err)
	}
	first, seen := true, 0
	err = walkPages(root, 0, 0, store.get, func(Digest) bool {
		defer func() { first = false }()
		return first
	}, func(Leaf) error { seen++; return nil })
	if err != nil || seen >= len(leaves) {
		t.Errorf("%d leaves of %d seen, %v; want those of the first page alone", seen, len(leaves), err)
	}
	delete(store, root)
	if _, err := ReadTrie(root, store.get); !errors.Is(err, ErrNotFound) {
		t.Errorf("ReadTrie of a page that is gone = %v, want ErrNotFound", err)
	}
}

// rawPage is a page by hand.
func rawPage(depth int, entries ...pageEntry) []byte {
	e := newEncoder(pageMagic)
	e.u8(uint8(depth))
	e.u32(uint32(len(entries)))
	for _, entry := range entries {
		e.u8(flag(entry.child))
		e.u8(uint8(entry.Depth))
		e.u64(entry.Prefix)
		e.u32(uint32(entry.Rows))
		e.name(entry.Digest)
	}
	return e.buf
}

func at(prefix uint64, depth int) pageEntry {
	return pageEntry{Leaf: Leaf{Prefix: prefix, Depth: depth, Rows: 1}}
}

func TestAPageWithAnEntryOutOfPlaceIsRefused(t *testing.T) {
	const half, quarter = uint64(1) << 63, uint64(1) << 62
	child := func(prefix uint64, depth int) pageEntry {
		e := at(prefix, depth)
		e.child = true
		return e
	}
	good := rawPage(0, at(0, 2), at(quarter, 2), child(half, 6), at(half|quarter, 2))
	for _, c := range []struct {
		name   string
		page   []byte
		prefix uint64
		depth  int
		sound  bool
	}{
		{"in order", good, 0, 0, true},
		{"one leaf for all places", rawPage(0, at(0, 0)), 0, 0, true},
		{"no entry", rawPage(0), 0, 0, true},
		{"a page of the deepest level", rawPage(60, at(5<<4, 64), at(5<<4|1, 64)), 5 << 4, 60, true},
		{"out of order", rawPage(0, at(half, 1), at(0, 1)), 0, 0, false},
		{"twice", rawPage(0, at(0, 1), at(0, 1)), 0, 0, false},
		{"overlapping", rawPage(0, at(0, 1), at(quarter, 2)), 0, 0, false},
		{"behind a leaf for all", rawPage(0, at(0, 0), at(half, 1)), 0, 0, false},
		{"deeper than its page reaches", rawPage(0, at(0, 7)), 0, 0, false},
		{"above its page", rawPage(6, at(0, 5)), 0, 6, false},
		{"outside its page's prefix", rawPage(6, at(half, 7)), 0, 6, false},
		{"of the page beside its own", rawPage(6, at(1<<58, 7)), 0, 6, false},
		{"bits below its depth", rawPage(0, at(1, 3)), 0, 0, false},
		{"a child between levels", rawPage(0, child(0, 5)), 0, 0, false},
		{"a child of its own level", rawPage(6, child(0, 6)), 0, 6, false},
		{"deeper than 64", rawPage(60, at(0, 66)), 0, 60, false},
		{"a page of another level", rawPage(6, at(0, 7)), 0, 0, false},
		{"cut short", good[:len(good)-1], 0, 0, false},
		{"a byte too many", append(slices.Clone(good), 0), 0, 0, false},
		{"more entries than bytes", binary.LittleEndian.AppendUint32(append([]byte(pageMagic), 0), 1<<31), 0, 0, false},
		{"another magic", append([]byte("VXP9"), good[4:]...), 0, 0, false},
	} {
		if _, err := decodePage(c.page, c.prefix, c.depth); (err == nil) != c.sound || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error = %v, want sound: %v", c.name, err, c.sound)
		}
	}
}

// TestAPageThatNamesItselfEnds: levels go down, so a loop cannot be walked.
func TestAPageThatNamesItselfEnds(t *testing.T) {
	self := Digest(filled(1))
	child := at(0, 6)
	child.child, child.Digest = true, self
	_, err := ReadTrie(self, func(Digest) ([]byte, error) { return rawPage(0, child), nil })
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("ReadTrie = %v, want ErrDamaged", err)
	}
}

// FuzzReadTrie reads a page at each level; child pages are the same bytes.
func FuzzReadTrie(f *testing.F) {
	f.Add(rawPage(0, at(0, 1), at(1<<63, 1)))
	f.Add(rawPage(6, at(0, 7)))
	f.Add([]byte(pageMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		leaves, err := ReadTrie(Digest{}, func(Digest) ([]byte, error) { return b, nil })
		if err == nil && len(leaves) > len(b)/46 {
			t.Errorf("%d leaves of %d bytes", len(leaves), len(b))
		}
		for depth := 0; depth <= maxDepth; depth += pageBits {
			entries, err := decodePage(b, 0, depth)
			for i := 1; err == nil && i < len(entries); i++ {
				if entries[i].Prefix <= entries[i-1].Prefix {
					t.Errorf("entry %d is out of order", i)
				}
			}
		}
	})
}

func TestALeafIsFoundByAPageOfEachLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 100 {
		places := somePlaces(r, r.IntN(3000))
		leaves, kept := named(places, 1+r.IntN(16)), pages{}
		root, err := WriteTrie(leaves, kept.put)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range append(places[:len(places):len(places)], r.Uint64(), 0, ^uint64(0)) {
			read := 0
			got, err := readLeafAt(root, place, func(d Digest) ([]byte, error) { read++; return kept.get(d) })
			var want []Leaf
			if i := FindLeaf(leaves, place); i >= 0 {
				want = leaves[i : i+1]
			}
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("round %d: the leaf at %x is %v (%v), want %v", round, place, got, err, want)
			}
			if most := maxDepth/pageBits + 1; read > most || len(want) == 1 && read > want[0].Depth/pageBits+1 {
				t.Fatalf("round %d: %d pages were read for %v", round, read, got)
			}
		}
	}
	if _, err := readLeafAt(Digest{1}, 0, pages{}.get); !errors.Is(err, ErrNotFound) {
		t.Errorf("of a page that is not there: %v, want ErrNotFound", err)
	}
}
