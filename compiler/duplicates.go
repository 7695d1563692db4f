package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// placed is a row with its place in the trie, which is hashed once: sorting asks for it
// some twenty times a row.
type placed struct {
	place uint64
	from  *corpusFolder
	row   *intake.Row
}

// byPlace orders the rows of a part by (place, id), and those of one id as they stand in the file.
func byPlace(corpora []*corpusFolder, part *plan.Part) []placed {
	rows := 0
	for _, c := range corpora {
		rows += len(c.table.Rows)
	}
	if part != nil {
		rows = rows/part.Of + rows/64
	}
	order := make([]placed, 0, rows)
	for _, c := range corpora {
		for i := range c.table.Rows {
			r := &c.table.Rows[i]
			if place := store.Place(r.ID); part.Has(place) {
				order = append(order, placed{place, c, r})
			}
		}
	}
	slices.SortFunc(order, func(a, b placed) int {
		if a.place != b.place {
			return cmp.Compare(a.place, b.place)
		}
		return cmp.Or(cmp.Compare(a.row.ID, b.row.ID), cmp.Compare(a.row.Pos.File, b.row.Pos.File), cmp.Compare(a.row.Pos.Line, b.row.Pos.Line))
	})
	return order
}

// onePerID orders rows by (place, id) and leaves at most one an id. Rows of one
// id that say the same are one row, with a note; rows that differ are all
// refused, each naming every place, so that their order never decides.
func onePerID(corpora []*corpusFolder, part *plan.Part) (kept []placed, repeated map[string]uint32, refused []*intake.RowError) {
	order := byPlace(corpora, part)
	kept = order[:0]
	repeated = map[string]uint32{}
	for len(order) > 0 {
		n := 1
		for n < len(order) && order[n].row.ID == order[0].row.ID {
			n++
		}
		same := order[:n]
		order = order[n:]
		switch id := same[0].row.ID; {
		case n == 1:
			kept = append(kept, same[0])
		case !slices.ContainsFunc(same[1:], func(r placed) bool { return !r.row.SameContent(same[0].row) }):
			kept = append(kept, same[0])
			repeated[id] = uint32(n - 1)
		default:
			where := places(same)
			for _, r := range same {
				refused = append(refused, &intake.RowError{Pos: r.row.Pos, ID: id, Kind: kind.ConflictingRows, Stage: action.NameMetadata,
					Err: fmt.Errorf("the id stands in %d rows that differ (%s); make the ids unique", n, where)})
			}
		}
	}
	return kept, repeated, refused
}

// places lists positions; a long list is cut, since every row of it has its own
// line in the report.
func places(rows []placed) string {
	const most = 8
	var list []string
	for _, r := range rows[:min(len(rows), most)] {
		list = append(list, r.row.Pos.String())
	}
	if len(rows) > most {
		list = append(list, fmt.Sprintf("and %d more", len(rows)-most))
	}
	return strings.Join(list, ", ")
}
