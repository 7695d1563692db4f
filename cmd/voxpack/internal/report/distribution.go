package report

import (
	"math"
	"slices"
)

// Distribution is a histogram of one figure of rows, with its quantiles.
type Distribution struct {
	Name   string  `json:"name"` // of the table distributions
	Unit   string  `json:"unit"`
	Rows   int     `json:"rows"` // that have the figure
	Mean   float64 `json:"mean"`
	Least  float64 `json:"least"`
	P5     float64 `json:"p5"`
	P50    float64 `json:"p50"`
	P95    float64 `json:"p95"`
	P99    float64 `json:"p99"`
	Most   float64 `json:"most"`
	From   float64 `json:"from"`  // lower edge of the first bar
	Width  float64 `json:"width"` // of a bar
	Counts []int   `json:"counts"`
}

// distributions is the table of figures that are drawn. of is false for a row that
// does not have the figure; needs is the column without which no row has.
var distributions = []struct {
	name, unit, needs string
	of                func(*set, int) (float64, bool)
}{
	{"duration", "s", "", func(s *set, i int) (float64, bool) { return s.rows[i].seconds, true }},
	{"frames", "frames", "", func(s *set, i int) (float64, bool) { return float64(s.rows[i].frames), true }},
	{"text", "characters", "", func(s *set, i int) (float64, bool) { return float64(s.rows[i].letters), true }},
	{"tokens", "tokens", "", func(s *set, i int) (float64, bool) { return float64(s.rows[i].tokens), true }},
	{"pace", "characters/s", "", func(s *set, i int) (float64, bool) { return s.rows[i].pace(), s.rows[i].seconds > 0 }},
	{"loudness", "dBFS", "pcm", func(s *set, i int) (float64, bool) {
		v, ok := s.sounds[i]
		return v.loudness, ok && v.hasPCM && v.loudness > silent
	}},
	{"energy", "dB", "energy", func(s *set, i int) (float64, bool) { v, ok := s.sounds[i]; return v.energy, ok && v.hasEnergy }},
	{"f0", "Hz", "f0", func(s *set, i int) (float64, bool) { v, ok := s.sounds[i]; return v.f0, ok && v.f0 > 0 }},
}

// addDistributions makes the histograms. Where no row has a figure, the report says so.
func (f *Figures) addDistributions(s *set) {
	for _, d := range distributions {
		var values []float64
		for i := range s.rows {
			if v, ok := d.of(s, i); ok {
				values = append(values, v)
			}
		}
		switch {
		case len(values) > 0:
			f.Distributions = append(f.Distributions, distributionOf(d.name, d.unit, values))
		case d.needs != "" && s.data.Root.Schema.Index(d.needs) < 0:
			f.Missing = append(f.Missing, Missing{d.name, d.needs})
		default:
			f.Missing = append(f.Missing, Missing{d.name, "rows"})
		}
	}
}

// mostBars is how many bars a histogram has at most: more cannot be told apart at
// the width of a page's column.
const mostBars = 40

// distributionOf counts values, which it sorts.
func distributionOf(name, unit string, values []float64) Distribution {
	slices.Sort(values)
	least, most := values[0], values[len(values)-1]
	d := Distribution{Name: name, Unit: unit, Rows: len(values), Least: least, Most: most,
		P5: quantile(values, 0.05), P50: quantile(values, 0.5), P95: quantile(values, 0.95), P99: quantile(values, 0.99)}
	// A bar that is narrower than the last bit of a value has no edges.
	top := max(math.Abs(least), math.Abs(most))
	d.Width = max(barWidth(most-least), math.Nextafter(top, math.Inf(1))-top)
	// Rounded, the product may be over the least value.
	d.From = min(math.Floor(least/d.Width)*d.Width, least)
	d.Counts = make([]int, 1+int((most-d.From)/d.Width))
	for _, v := range values {
		d.Mean += v / float64(len(values))
		d.Counts[min(int((v-d.From)/d.Width), len(d.Counts)-1)]++
	}
	return d
}

// barWidth is 1, 2 or 5 times a power of ten, so that the axis has round numbers.
func barWidth(spread float64) float64 {
	if !(spread > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(spread/mostBars)))
	if unit == 0 {
		return spread // too small for a power of ten
	}
	for _, times := range []float64{1, 2, 5, 10} {
		// One bar less, as the first begins before the least value.
		if spread/(unit*times) <= mostBars-1 {
			return unit * times
		}
	}
	return unit * 20
}

// quantile is the smallest of sorted values that at least the part q of them does
// not exceed.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
