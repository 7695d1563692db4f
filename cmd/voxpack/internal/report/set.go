package report

import (
	"cmp"
	"slices"
)

// Group is the rows of a language, a speaker or a split.
type Group struct {
	Name    string  `json:"name"`
	Rows    int     `json:"rows"`
	Seconds float64 `json:"seconds"`
}

// addGroups counts rows by language, speaker and split.
func (f *Figures) addGroups(rows []row) {
	f.Languages = groupsOf(rows, func(r *row) string { return r.language })
	f.Speakers = groupsOf(rows, func(r *row) string { return r.speaker })
	f.Splits = groupsOf(rows, func(r *row) string { return r.split })
	f.SpeakersTotal = len(f.Speakers)
	f.Speakers = f.Speakers[:min(len(f.Speakers), mostGroups)]
	f.Splits = f.Splits[:min(len(f.Splits), mostGroups)]
}

// groupsOf counts rows by a name, the most rows first.
func groupsOf(rows []row, name func(*row) string) []Group {
	at, groups := map[string]int{}, []Group{}
	for i := range rows {
		n := name(&rows[i])
		if _, ok := at[n]; !ok {
			at[n] = len(groups)
			groups = append(groups, Group{Name: n})
		}
		g := &groups[at[n]]
		g.Rows++
		g.Seconds += rows[i].seconds
	}
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Or(b.Rows-a.Rows, cmp.Compare(a.Name, b.Name)) })
	return groups
}
