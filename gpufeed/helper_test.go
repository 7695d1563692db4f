package gpufeed

import (
	"testing"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// choose is Select that must succeed.
func choose(t testing.TB, d *store.Dataset, s plan.Selection) *plan.Set {
	t.Helper()
	set, err := plan.Select(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// walk is an epoch from its beginning.
func walk(t testing.TB, set *plan.Set, shuffle plan.Shuffle, seed, epoch uint64, p plan.Options) *plan.Batches {
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

func idsOf(t testing.TB, r *plan.Rows, rows []uint32) []string {
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
