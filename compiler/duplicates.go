package compiler

import (
	"fmt"
	"strings"

	"voxpack/store"
)

// onePerID leaves at most one row an id. Rows of one id that say the same are
// one row, with a note; rows that differ are all refused, each naming every
// place, so that their order never decides.
func onePerID(rows []Row) (kept []Row, notes map[string]store.Note, refused []*RowError) {
	index := make(map[string]int, len(rows))
	var again map[string][]int
	for i := range rows {
		first, seen := index[rows[i].ID]
		if !seen {
			index[rows[i].ID] = i
			continue
		}
		if again == nil {
			again = map[string][]int{}
		}
		if again[rows[i].ID] == nil {
			again[rows[i].ID] = []int{first}
		}
		again[rows[i].ID] = append(again[rows[i].ID], i)
	}
	if again == nil {
		return rows, nil, nil
	}
	notes = map[string]store.Note{}
	kept = make([]Row, 0, len(rows))
	for i := range rows {
		at := again[rows[i].ID]
		switch {
		case at == nil:
			kept = append(kept, rows[i])
		case allSame(rows, at):
			if i == at[0] {
				kept = append(kept, rows[i])
				notes[rows[i].ID] = store.Note{Stage: stageMetadata, Kind: "repeated-row", Detail: "equal rows", Count: uint32(len(at) - 1)}
			}
		default:
			refused = append(refused, &RowError{Pos: rows[i].Pos, ID: rows[i].ID, Stage: stageMetadata,
				Err: fmt.Errorf("the id stands in %d rows that differ (%s); make the ids unique", len(at), places(rows, at))})
		}
	}
	return kept, notes, refused
}

func allSame(rows []Row, at []int) bool {
	for _, i := range at[1:] {
		if !rows[i].sameContent(&rows[at[0]]) {
			return false
		}
	}
	return true
}

// places lists positions; a long list is cut, since every row of it has its own
// line in the report.
func places(rows []Row, at []int) string {
	const most = 8
	var list []string
	for _, i := range at[:min(len(at), most)] {
		list = append(list, rows[i].Pos.String())
	}
	if len(at) > most {
		list = append(list, fmt.Sprintf("and %d more", len(at)-most))
	}
	return strings.Join(list, ", ")
}
