package locate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		if d := distance(have, id, most); d <= most {
			found = append(found, candidate{have, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var near []string
	for _, c := range found[:min(3, len(found))] {
		near = append(near, c.id)
	}
	return near
}

// distance is how many bytes to insert, delete or replace to get from a to b;
// it gives up above most, which keeps a search through a million ids short.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal, least := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
	}
	return row[len(b)]
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
	if near := Near(ids, id); len(near) > 0 {
		msg += "; near it: " + strings.Join(near, ", ")
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
