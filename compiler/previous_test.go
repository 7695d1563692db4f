package compiler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"voxpack/store"
)

// TestEveryRowIsToldByTheLeafOfItsPlace: each item stands in one stretch, that of the leaf
// which covers its place, and each leaf has one first stretch, also where it has no item, and few of them, since each
// reads the whole leaf.
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
		next, firsts, reads := 0, map[int]int{}, map[int]int{}
		for _, part := range p.stretches(items) {
			if part.from != next || part.to < part.from || part.leaf < 0 && part.to-part.from > stretchRows {
				t.Fatalf("stretch %+v after item %d", part, next)
			}
			next = part.to
			if reads[part.leaf]++; part.leaf >= 0 && reads[part.leaf] > 8 {
				t.Fatalf("leaf %d is read more than 8 times", part.leaf)
			}
			for i := part.from; i < part.to; i++ {
				want := -1
				if p != nil {
					want = store.FindLeaf(p.Origins, now[i])
				}
				if part.leaf != want {
					t.Fatalf("item %d at %x is told by leaf %d, want %d", i, now[i], part.leaf, want)
				}
			}
			if part.leaf >= 0 && part.first {
				firsts[part.leaf]++
			}
		}
		if next != len(items) {
			t.Fatalf("%d of %d items are in stretches", next, len(items))
		}
		if p != nil {
			for leaf := range p.Origins {
				if firsts[leaf] != 1 {
					t.Fatalf("leaf %d has %d first stretches", leaf, firsts[leaf])
				}
			}
		}
	}
}
