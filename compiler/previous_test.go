package compiler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"voxpack/store"
)

// TestEveryRowIsToldByTheLeafOfItsPlace: each item stands in one stretch, that of the leaf which covers its place, and a
// leaf has few stretches, since each reads all of it. Of a leaf that was taken over there are only rows that were rejected.
func TestEveryRowIsToldByTheLeafOfItsPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	places := func(n int) []uint64 {
		list := make([]uint64, n)
		for i := range list {
			list[i] = random.Uint64() >> random.IntN(8) // crowded at the beginning
		}
		slices.Sort(list)
		return list
	}
	for range 300 {
		var p *previous
		if before := places(random.IntN(200)); random.IntN(5) > 0 {
			p = &previous{Dataset: &store.Dataset{Origins: store.Split(before, 1+random.IntN(8)*random.IntN(200))}}
		}
		now := places(random.IntN(400))
		items := make([]item, len(now))
		for i := range items {
			items[i].place = now[i]
		}
		var taken []bool
		if p != nil && random.IntN(3) > 0 {
			taken = make([]bool, len(p.Origins))
			for leaf := range taken {
				taken[leaf] = random.IntN(2) == 0
			}
			for i := range items {
				if random.IntN(10) == 0 {
					items[i].known = &known{leaf: -1}
				}
			}
		}
		told := make([]int, len(items)) // by which leaf; 0: none has
		reads := map[int]int{}
		for _, part := range p.stretches(items, taken) {
			if part.to <= part.from || part.leaf < 0 && part.to-part.from > stretchRows {
				t.Fatalf("stretch %+v", part)
			}
			if reads[part.leaf]++; part.leaf >= 0 && reads[part.leaf] > 8 {
				t.Fatalf("leaf %d is read more than 8 times", part.leaf)
			}
			for i := part.from; i < part.to; i++ {
				if told[i] != 0 {
					t.Fatalf("item %d stands in two stretches", i)
				}
				told[i] = part.leaf + 2
			}
		}
		for i := range items {
			want := -1
			if p != nil {
				want = store.FindLeaf(p.Origins, now[i])
			}
			if want >= 0 && taken != nil && taken[want] {
				if want = -1; items[i].known == nil {
					want = -2
				}
			}
			if told[i] != want+2 {
				t.Fatalf("item %d at %x is told by leaf %d, want %d (-1: none, -2: it is not looked at)", i, now[i], told[i]-2, want)
			}
		}
	}
}
