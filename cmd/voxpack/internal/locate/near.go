package locate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"voxpack/internal/near"
	"voxpack/store"
)

// Near are up to three ids that differ from id in few letters, nearest first.
func Near(ids []string, id string) []string {
	type candidate struct {
		id       string
		distance int
	}
	most := max(1, min(3, len(id)/3))
	var found []candidate
	for _, have := range ids {
		if d := near.Distance(have, id, most); d <= most {
			found = append(found, candidate{have, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var nearest []string
	for _, c := range found[:min(3, len(found))] {
		nearest = append(nearest, c.id)
	}
	return nearest
}

// UnknownID says that an id is not there, with the ids that come near it. A
// snapshot that is missing altogether is another error.
func UnknownID(st *store.Store, p Place, id string) (string, error) {
	d, err := st.Dataset(p.Ref)
	if err != nil {
		return "", err
	}
	ids, err := allIDs(d)
	if err != nil {
		return "", err
	}
	msg := fmt.Sprintf("%s has no row %q", p.Store, id)
	if similar := Near(ids, id); len(similar) > 0 {
		msg += "; near it: " + strings.Join(similar, ", ")
	}
	return msg, nil
}

// allIDs lists kept and rejected ids, sorted.
func allIDs(d *store.Dataset) ([]string, error) {
	ids, err := KeptIDs(d)
	if err != nil {
		return nil, err
	}
	rejects, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return nil, err
	}
	for i := range rejects {
		if rejects[i].ID != "" {
			ids = append(ids, rejects[i].ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// KeptIDs lists the ids of all kept rows, sorted.
func KeptIDs(d *store.Dataset) ([]string, error) {
	ids := make([]string, 0, d.Root.Rows)
	err := d.IDs(func(_ store.At, id string) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	return ids, err
}
