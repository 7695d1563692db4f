package runs

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"voxpack/diagnosis"
)

// ErrCompare is the error about runs that have nothing in common.
var ErrCompare = errors.New("cannot be compared")

// Comparison is what groups of runs differ by, each from the first. A group is
// one run, or several of the same thing, which show how much runs vary.
type Comparison struct {
	Metrics  []Compared `json:"metrics"`
	Settings []Setting  `json:"settings"` // that are not the same in all groups
	Misses   []Miss     `json:"misses"`
	Results  []Result   `json:"results"` // one for each group but the first
}

// Compared is a metric of all groups.
type Compared struct {
	Metric
	Values      []*float64    `json:"values"`      // means; null: not measured
	Differences []*Difference `json:"differences"` // from the first group, for each after it; null: not known
}

// Difference is that of two means, as a part of the first one; of figures in
// percent, which are parts already, it is the difference itself: 0.02 is 2 points.
type Difference struct {
	Change      float64         `json:"change"`
	Noise       float64         `json:"noise"`       // the change that says nothing
	Significant bool            `json:"significant"` // more than that
	Basis       diagnosis.Basis `json:"basis"`       // measured by repeated runs, else suspected
}

// Setting is one that differs; a value is "" where a group has none, and where its
// own runs differ.
type Setting struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Miss is a target that a group's mean misses.
type Miss struct {
	Group  int     `json:"group"`
	Target string  `json:"target"`
	Metric string  `json:"metric"`
	Number float64 `json:"number"`
	Limit  float64 `json:"limit"`
	Unit   string  `json:"unit"`
}

// Outcome is how a group did against the first.
type Outcome string

// The outcomes.
const (
	RanFaster Outcome = "faster"
	RanSlower Outcome = "slower"
	RanSame   Outcome = "same" // no difference that these runs show
)

// Result is how a group did, by its samples a second: steps of other batch sizes
// cannot be compared.
type Result struct {
	Group   int     `json:"group"`
	Outcome Outcome `json:"outcome"`
	Difference
}

// Compare compares groups of runs with the first.
func Compare(groups [][]Figures, targets diagnosis.Targets) (*Comparison, error) {
	if len(groups) < 2 || slices.ContainsFunc(groups, func(g []Figures) bool { return len(g) == 0 }) {
		return nil, fmt.Errorf("%d groups of runs: want two or more, each of one run or more: %w", len(groups), ErrCompare)
	}
	c := &Comparison{Settings: []Setting{}, Misses: []Miss{}}
	for _, m := range metricsOf(groups) {
		c.Metrics = append(c.Metrics, compared(m, groups))
	}
	for i := range groups[1:] {
		c.Results = append(c.Results, c.result(i))
	}
	c.Settings = append(c.Settings, differing(groups)...)
	for i, g := range groups {
		c.Misses = append(c.Misses, misses(i, g, targets)...)
	}
	return c, nil
}

func compared(m Metric, groups [][]Figures) Compared {
	c := Compared{Metric: m}
	first, known := mean(groups[0], m.Name)
	for i, g := range groups {
		v, ok := mean(g, m.Name)
		if !ok {
			c.Values = append(c.Values, nil)
		} else {
			c.Values = append(c.Values, &v)
		}
		if i == 0 {
			continue
		}
		var d *Difference
		if known && ok {
			d = difference(groups[0], g, m, first, v)
		}
		c.Differences = append(c.Differences, d)
	}
	return c
}

// leastValue is the smallest figure that others are a part of.
const leastValue = 1e-9

func difference(a, b []Figures, m Metric, first, second float64) *Difference {
	half, repeated := noise(a, b, m)
	whole := first
	if m.Unit == "%" {
		whole = 100
	}
	if whole < leastValue {
		return nil
	}
	d := &Difference{Change: (second - first) / whole, Noise: half / whole, Basis: diagnosis.Suspected}
	if repeated {
		d.Basis = diagnosis.Measured
	}
	d.Significant = math.Abs(d.Change) > d.Noise
	return d
}

// Of is the metric of a name; false where no run has it.
func (c *Comparison) Of(name string) (Compared, bool) {
	i := slices.IndexFunc(c.Metrics, func(m Compared) bool { return m.Name == name })
	if i < 0 {
		return Compared{}, false
	}
	return c.Metrics[i], true
}

// result is how a group after the first did.
func (c *Comparison) result(i int) Result {
	r := Result{Group: i + 1, Outcome: RanSame}
	if m, known := c.Of(MetricSamples); known && m.Differences[i] != nil {
		r.Difference = *m.Differences[i]
	}
	switch {
	case r.Significant && r.Change > 0:
		r.Outcome = RanFaster
	case r.Significant:
		r.Outcome = RanSlower
	}
	return r
}

// differing are the settings that are not the same in all groups, by name.
func differing(groups [][]Figures) []Setting {
	names := map[string]bool{}
	for _, g := range groups {
		for _, run := range g {
			for name := range run.Settings {
				names[name] = true
			}
		}
	}
	var found []Setting
	for _, name := range slices.Sorted(maps.Keys(names)) {
		s := Setting{Name: name}
		for _, g := range groups {
			s.Values = append(s.Values, settingOf(g, name))
		}
		if len(slices.Compact(slices.Clone(s.Values))) > 1 {
			found = append(found, s)
		}
	}
	return found
}

// settingOf is a setting of a group as text, "" where its runs differ.
func settingOf(group []Figures, name string) string {
	text := func(m Figures) string {
		if v, there := m.Settings[name]; there {
			return fmt.Sprint(v)
		}
		return ""
	}
	first := text(group[0])
	for _, run := range group[1:] {
		if text(run) != first {
			return ""
		}
	}
	return first
}

// misses are the targets that a group misses: how much steps vary, what they are spent
// on, how busy the host and the GPUs are. Without a trainer none says anything.
func misses(group int, runs []Figures, targets diagnosis.Targets) []Miss {
	if slices.ContainsFunc(runs, func(m Figures) bool { return !m.Trained }) {
		return nil
	}
	var found []Miss
	hold := func(target, metric string, most bool) {
		v, ok := mean(runs, metric)
		limit := targets.Of(target)
		if ok && (most && v > limit || !most && v < limit) {
			found = append(found, Miss{group, target, metric, v, limit, diagnosis.UnitOf(target)})
		}
	}
	hold(diagnosis.VariationTarget, MetricVariation, true)
	hold(diagnosis.LoadMost, MetricLoad, true)
	hold(diagnosis.TransferMost, MetricTransfer, true)
	hold(diagnosis.TrainLeast, MetricTrain, false)
	hold(diagnosis.FeederCPUMost, MetricFeederCPU, true)
	hold(diagnosis.HostCPUMost, MetricHostCPU, true)
	hold(diagnosis.SwapMost, MetricSwapped, true)
	hold(diagnosis.GrowthMost, MetricGrowth, true)
	for _, gpu := range slices.Sorted(maps.Keys(runs[0].Roles)) {
		switch runs[0].Roles[gpu] {
		case "data":
			hold(diagnosis.DataGPULeast, utilisation(gpu), false)
			hold(diagnosis.DataGPUMost, utilisation(gpu), true)
		case "model":
			hold(diagnosis.ModelGPULeast, utilisation(gpu), false)
		}
	}
	return found
}
