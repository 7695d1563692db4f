package feedrun

import (
	"cmp"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// RowFilterKinds are what an expression of RowFilter may begin with: the groups of
// --weight, and --split.
var RowFilterKinds = []string{"language", "speaker", "corpus", "split"}

// RowFilter is the rows that expressions name, each KIND:NAMES with commas between names:
// those of any name of a kind, and of every kind that is named, as the flags of feed
// choose them. The shares of a split are those of the dataset's config. The function is
// asked in the order of the trie.
func RowFilter(p locate.Place, d *store.Dataset, exprs []string) (keep func(row int, id string) bool, err error) {
	o := Options{Split: string(plan.All), Given: func(flag string) bool { return flag != "val-split" }}
	if err := o.Configure(p, io.Discard); err != nil {
		return nil, err
	}
	o.Corpora, o.said = nil, map[string]string{"language": "--row-filter language", "speaker": "--row-filter speaker"}
	n := &naming{data: d}
	var corpora []string
	for _, expr := range exprs {
		kind, names, _ := strings.Cut(expr, ":")
		switch kind {
		case "language":
			o.Languages = append(o.Languages, names)
		case "speaker":
			o.Speakers = append(o.Speakers, names)
		case "split":
			n.problems.add(o.Split != string(plan.All), "--row-filter %s: a row is on one side of the split; name one", expr)
			o.Split = names
		case "corpus":
			for name := range strings.SplitSeq(names, ",") {
				n.problems.add(!n.hasCorpus(name), "--row-filter %s: no row's id begins with %s/", expr, name)
				corpora = append(corpora, name+"/")
			}
		default:
			n.problems.add(true, "--row-filter %q: want %s with : and a name, as in speaker:sara", expr, strings.Join(RowFilterKinds, ", "))
		}
	}
	if err := cmp.Or(n.err, n.problems.err()); err != nil {
		return nil, err
	}
	selection, err := o.Selection(d)
	if err != nil {
		return nil, err
	}
	set, err := plan.Select(d, selection)
	if err != nil {
		return nil, AsUsage(err)
	}
	return kept(set, corpora), nil
}

// kept asks the rows of a set one after the other.
func kept(set *plan.Set, corpora []string) func(row int, id string) bool {
	var rows []uint32
	for b := range set.Buckets() {
		rows = append(rows, set.BucketRows(b)...)
	}
	next := 0
	return func(row int, id string) bool {
		for next < len(rows) && int(rows[next]) < row {
			next++
		}
		in := next < len(rows) && int(rows[next]) == row
		for _, name := range corpora {
			if strings.HasPrefix(id, name) {
				return in
			}
		}
		return in && len(corpora) == 0
	}
}
