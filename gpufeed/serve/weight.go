package serve

import (
	"slices"
	"strings"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// Weight says how often some rows come in an epoch: those of a corpus, or those
// with a value in an inline column.
type Weight struct {
	plan.Weight
	Corpus string `json:"corpus,omitempty"` // its name; "" for a column
}

// weigh replaces all weights of a selection, those of the dataset's config too. A
// corpus that has no rows is refused: its weight would do nothing.
func weigh(d *store.Dataset, s *plan.Selection, weights []Weight) error {
	s.Weights, s.Corpora = nil, nil
	for _, w := range weights {
		if w.Corpus == "" {
			s.Weights = append(s.Weights, w.Weight)
			continue
		}
		if w.Column != "" {
			return asked("weight of corpus %s and of column %s: one weight is of one of them", w.Corpus, w.Column)
		}
		if slices.ContainsFunc(s.Corpora, func(c plan.Corpus) bool { return c.Name == w.Corpus }) {
			return asked("weights of corpora: %q has no name or two weights", w.Corpus)
		}
		found := false
		err := d.IDs(func(_ store.At, id string) bool {
			found = strings.HasPrefix(id, w.Corpus+"/")
			return !found
		})
		if err != nil {
			return err
		}
		if !found {
			return asked("weight of corpus %s: no row's id begins with %s/", w.Corpus, w.Corpus)
		}
		s.Corpora = append(s.Corpora, plan.Corpus{Name: w.Corpus, Times: w.Times})
	}
	return nil
}
