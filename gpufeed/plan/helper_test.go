package plan

import (
	"testing"

	"voxpack/store"
)

// choose is Select that must succeed.
func choose(t testing.TB, d *store.Dataset, s Selection) *Set {
	t.Helper()
	set, err := Select(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// walk is an epoch from its beginning.
func walk(t testing.TB, set *Set, shuffle Shuffle, seed, epoch uint64, p Options) *Batches {
	t.Helper()
	o, err := set.Order(shuffle, seed, epoch)
	if err != nil {
		t.Fatal(err)
	}
	b, err := o.Batches(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// drain is the ids of all batches that are left, in order.
func drain(t testing.TB, b *Batches) []string {
	t.Helper()
	var ids []string
	dst := make([]uint32, b.plan.Share())
	for {
		s, ok := b.Next(dst)
		if !ok {
			return ids
		}
		ids = append(ids, idsOf(t, b.order.set.Rows, s.Rows)...)
	}
}

func idsOf(t testing.TB, r *Rows, rows []uint32) []string {
	t.Helper()
	var ids []string
	for _, row := range rows {
		id, err := r.ID(row)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}
