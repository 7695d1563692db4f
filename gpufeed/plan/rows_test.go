package plan

import (
	"errors"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// TestRowOfAnID finds every id, and no other.
func TestRowOfAnID(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), Selection{})
	for want := range uint32(set.Len()) {
		id, err := set.ID(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := set.Row(id); err != nil || got != want {
			t.Errorf("Row(%q) = %d, %v, want %d", id, got, err, want)
		}
		if o, err := set.Origin(want); err != nil || o.ID != id {
			t.Errorf("Origin(%d) is that of %q, %v, want %q", want, o.ID, err, id)
		}
	}
	for _, id := range []string{"", "r0040", "r0000 "} {
		if _, err := set.Row(id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Row(%q) = %v, want ErrNotFound", id, err)
		}
	}
}
