package report

import (
	"cmp"
	"math"
	"slices"
)

// Check is a search for rows that are unlike the others.
type Check struct {
	Check  string    `json:"check"` // of the table checks
	Unit   string    `json:"unit"`
	Limit  float64   `json:"limit"`  // what the number of a row was held against; 0: it is of each language
	Looked int       `json:"looked"` // rows that were looked at
	Rows   int       `json:"rows"`   // that were found
	First  []Outlier `json:"first"`  // the furthest ones
}

// Outlier is a row that a check found.
type Outlier struct {
	ID     string  `json:"id"`
	Number float64 `json:"number"`
	Like   string  `json:"like"` // id of the first row that it is equal to; "": it is not about equal rows
	row    int
}

// checks is the table of what is looked for. find returns how many rows it looked
// at and what it found; needs is the column without which it looks at none.
var checks = []struct {
	name, unit, needs string
	limit             float64
	find              func(s *set, limit float64) (looked int, found []Outlier)
}{
	{"pace", "characters/s", "", 0, func(s *set, _ float64) (int, []Outlier) { return s.oddPaces() }},
	{"equal-audio", "rows", "", 1, func(s *set, _ float64) (int, []Outlier) {
		return len(s.rows), equals(s.rows, func(r *row) (soundName, bool) { return r.sound, !r.sound.file.IsZero() })
	}},
	{"equal-text", "rows", "", 1, func(s *set, _ float64) (int, []Outlier) {
		type saying struct{ speaker, language, spoken string }
		return len(s.rows), equals(s.rows, func(r *row) (saying, bool) { return saying{r.speaker, r.language, r.spoken}, true })
	}},
	{"clipping", "samples", "pcm", 3, func(s *set, limit float64) (int, []Outlier) {
		return s.over(limit, func(v *sound) (float64, bool) { return float64(v.clipped), v.hasPCM })
	}},
	{"silence", "part", "pcm", 0.5, func(s *set, limit float64) (int, []Outlier) {
		return s.over(limit, func(v *sound) (float64, bool) { return v.still, v.hasPCM })
	}},
	// 1 % of full scale is 20 dB over the offset that a good converter has.
	{"offset", "part", "pcm", 0.01, func(s *set, limit float64) (int, []Outlier) {
		return s.over(limit, func(v *sound) (float64, bool) { return math.Abs(v.offset), v.hasPCM })
	}},
	{"bandwidth", "part", "pcm", 0.8, func(s *set, limit float64) (int, []Outlier) {
		// How much of the rate's band is used; less is worse, so that both are turned round.
		looked, found := s.over(-limit, func(v *sound) (float64, bool) { return -2 * v.bandwidth / s.rate, v.hasBand })
		for i := range found {
			found[i].Number = -found[i].Number
		}
		return looked, found
	}},
}

// addOutliers runs all checks.
func (f *Figures) addOutliers(s *set) {
	for _, c := range checks {
		if c.needs != "" && s.data.Root.Schema.Index(c.needs) < 0 {
			f.Missing = append(f.Missing, Missing{c.name, c.needs})
			continue
		}
		looked, found := c.find(s, c.limit)
		if looked == 0 {
			f.Missing = append(f.Missing, Missing{c.name, "rows"})
			continue
		}
		f.Outliers = append(f.Outliers, Check{c.name, c.unit, c.limit, looked, len(found), append([]Outlier{}, found[:min(len(found), mostFirst)]...)})
	}
}

// over finds rows whose sound has a figure of at least limit, the largest first.
func (s *set) over(limit float64, of func(*sound) (float64, bool)) (looked int, found []Outlier) {
	for i := range s.rows {
		v := s.sounds[i]
		number, ok := of(&v)
		if !ok {
			continue
		}
		looked++
		if number >= limit {
			found = append(found, Outlier{ID: s.rows[i].id, Number: number, row: i})
		}
	}
	slices.SortStableFunc(found, func(a, b Outlier) int { return cmp.Compare(b.Number, a.Number) })
	return looked, found
}

// leastPeers is how many rows of a language it takes to say what its pace is.
const leastPeers = 20

// oddPaces finds rows that are spoken faster or slower than their language's others,
// the furthest ones first: by more than 3.5 times the median deviation as a standard
// deviation (1.4826 times it), the usual limit of a modified z-score. A difference
// under a fifth is not said to be odd, however alike the others are.
func (s *set) oddPaces() (looked int, found []Outlier) {
	byLanguage := map[string][]int{}
	for i := range s.rows {
		if s.rows[i].seconds > 0 {
			byLanguage[s.rows[i].language] = append(byLanguage[s.rows[i].language], i)
		}
	}
	distance := map[int]float64{}
	for _, list := range byLanguage {
		if len(list) < leastPeers {
			continue
		}
		looked += len(list)
		paces := make([]float64, len(list))
		for k, i := range list {
			paces[k] = s.rows[i].pace()
		}
		middle, spread := middleOf(paces)
		limit := max(3.5*1.4826*spread, middle/5)
		for _, i := range list {
			if d := math.Abs(s.rows[i].pace() - middle); d > limit {
				found, distance[i] = append(found, Outlier{ID: s.rows[i].id, Number: s.rows[i].pace(), row: i}), d
			}
		}
	}
	slices.SortFunc(found, func(a, b Outlier) int {
		return cmp.Or(cmp.Compare(distance[b.row], distance[a.row]), cmp.Compare(a.ID, b.ID))
	})
	return looked, found
}

// middleOf is the median of values, which it sorts, and the median distance from it.
func middleOf(values []float64) (middle, spread float64) {
	slices.Sort(values)
	middle = quantile(values, 0.5)
	for i, v := range values {
		values[i] = math.Abs(v - middle)
	}
	slices.Sort(values)
	return middle, quantile(values, 0.5)
}

// equals finds rows that have a key in common: all but the first of each group, whose
// size is their number, the largest groups first.
func equals[K comparable](rows []row, key func(*row) (K, bool)) (found []Outlier) {
	groups := map[K][]int{}
	for i := range rows {
		if k, ok := key(&rows[i]); ok {
			groups[k] = append(groups[k], i)
		}
	}
	for i := range rows {
		k, ok := key(&rows[i])
		if g := groups[k]; ok && len(g) > 1 && g[0] != i {
			found = append(found, Outlier{rows[i].id, float64(len(g)), rows[g[0]].id, i})
		}
	}
	slices.SortStableFunc(found, func(a, b Outlier) int {
		return cmp.Or(cmp.Compare(b.Number, a.Number), cmp.Compare(a.Like, b.Like))
	})
	return found
}
