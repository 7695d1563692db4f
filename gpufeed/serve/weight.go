package serve

import (
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
	missing := map[string]bool{}
	for _, w := range weights {
		switch {
		case w.Corpus == "":
			s.Weights = append(s.Weights, w.Weight)
		case w.Column != "":
			return asked("weight of corpus %s and of column %s: one weight is of one of them", w.Corpus, w.Column)
		default:
			s.Corpora = append(s.Corpora, plan.Corpus{Name: w.Corpus, Times: w.Times})
			missing[w.Corpus] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := d.IDs(func(_ store.At, id string) bool {
		for i := range len(id) {
			if id[i] == '/' {
				delete(missing, id[:i])
			}
		}
		return len(missing) > 0
	})
	if err != nil {
		return err
	}
	for _, c := range s.Corpora {
		if missing[c.Name] {
			return asked("weight of corpus %s: no row's id begins with %s/", c.Name, c.Name)
		}
	}
	return nil
}
