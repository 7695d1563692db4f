package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// pageBox keeps pages in memory.
type pageBox map[Digest][]byte

func (b pageBox) put(page []byte) (Digest, error) {
	d := Sum(page)
	b[d] = slices.Clone(page)
	return d, nil
}

func (b pageBox) get(d Digest) ([]byte, error) {
	if p, ok := b[d]; ok {
		return p, nil
	}
	return nil, ErrNotFound
}

// digested gives each leaf the digest that its rows have.
func digested(leaves []Leaf) []Leaf {
	for i := range leaves {
		leaves[i].Digest = Sum(fmt.Appendf(nil, "%x %d %d", leaves[i].Prefix, leaves[i].Depth, leaves[i].Rows))
	}
	return leaves
}

// TestJoinedTriesAreTheTrieOfAllRows: for random rows, depths and cuts, wherever enough rows lie below each prefix.
func TestJoinedTriesAreTheTrieOfAllRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 22))
	for range 60 {
		bits, k := r.IntN(11), 1+r.IntN(4)
		var places []uint64
		for prefix := range uint64(1) << bits {
			for range 2*k + 1 + r.IntN(3*k) {
				places = append(places, prefix<<1<<(63-bits)|r.Uint64()>>bits)
			}
		}
		slices.Sort(places)
		box := pageBox{}
		want, err := WriteTrie(digested(Split(places, k)), box.put)
		if err != nil {
			t.Fatal(err)
		}
		n := 1 + r.IntN(70)
		var tries []Digest
		total := map[uint64]int{}
		for i := range n {
			in := func(p uint64) bool {
				at := int(p >> 1 >> (63 - bits))
				return i<<bits/n <= at && at < (i+1)<<bits/n
			}
			var mine []uint64
			for _, p := range places {
				if in(p) {
					mine = append(mine, p)
				}
			}
			trie, err := WriteTrie(digested(SplitBelow(mine, k, bits)), box.put)
			if err != nil {
				t.Fatal(err)
			}
			tries = append(tries, trie)
			rows, err := RowsByPrefix(trie, bits, box.get)
			if err != nil {
				t.Fatal(err)
			}
			for prefix, n := range rows {
				total[prefix] += n
			}
		}
		written := 0
		got, err := JoinTries(tries, box.get, func(page []byte) (Digest, error) { written++; return box.put(page) })
		if err != nil || got != want {
			t.Fatalf("%d rows, %d bits, %d a leaf, %d parts: joined %v, %v; want %v", len(places), bits, k, n, got, err, want)
		}
		if written > n+64 {
			t.Errorf("%d pages were written for %d parts, want those along the seams", written, n)
		}
		for prefix := range uint64(1) << bits {
			from := prefix << 1 << (63 - bits)
			want := 0
			for _, p := range places {
				if p>>1>>(63-bits) == prefix {
					want++
				}
			}
			if total[from] != want {
				t.Fatalf("below prefix %x of %d bits %d rows, want %d", prefix, bits, total[from], want)
			}
		}
	}
}

// TestTriesThatOverlapAreNotJoined: the same part twice, or two of other cuts, would give rows twice.
func TestTriesThatOverlapAreNotJoined(t *testing.T) {
	box := pageBox{}
	places := []uint64{1, 2, 3, 1 << 62, 1<<62 + 5, 3 << 62, 3<<62 + 7}
	all, _ := WriteTrie(digested(Split(places, 2)), box.put)
	half, _ := WriteTrie(digested(SplitBelow(places[:3], 2, 1)), box.put)
	for name, tries := range map[string][]Digest{"twice": {all, all}, "a part and all": {half, all}, "out of order": {all, half}} {
		if _, err := JoinTries(tries, box.get, box.put); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v, want ErrDamaged", name, err)
		}
	}
	if _, err := RowsByPrefix(all, 20, box.get); !errors.Is(err, ErrDamaged) {
		t.Error("leaves above the prefixes were counted")
	}
}
