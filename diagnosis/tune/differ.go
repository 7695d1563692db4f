package tune

import (
	"slices"

	"voxpack/diagnosis"
)

// Difference is an item that is not as advised.
type Difference struct {
	Name   string `json:"name"`
	Place  Place  `json:"place"`
	Path   string `json:"path"` // of a setting as the config has it; "": it has none
	Line   int    `json:"line"` // of the config; 0: none
	Wanted any    `json:"wanted"`
	Found  any    `json:"found"` // as written; null: not set
	Why    string `json:"why"`
}

// Differs lists what a process and a config have otherwise than advised. The config
// may be nil.
func (a *Advice) Differs(environment map[string]string, c *diagnosis.Config) []Difference {
	list := []Difference{}
	for _, item := range a.Environment {
		now, set := environment[item.Name]
		if set && now == item.Value {
			continue
		}
		d := Difference{Name: item.Name, Place: item.Place, Wanted: item.Value, Why: item.Why}
		if set {
			d.Found = now
		}
		list = append(list, d)
	}
	if c == nil {
		return list
	}
	for _, item := range a.Settings {
		if d, differs := differs(item, c); differs {
			list = append(list, d)
		}
	}
	return list
}

// chosen are settings of a dataset's own config that voxpack chooses by the same
// rules where they are left out, or 0 (of GPUs -1).
var chosen = []string{"num_workers", "prefetch_buffer_size", "pipeline_buffer_size", "data_gpu", "model_gpu", "pad_to_fixed_length"}

// differs holds a setting against a config. What a trainer's config leaves out is no
// difference: the trainer may have no such setting.
func differs(item Item, c *diagnosis.Config) (Difference, bool) {
	s, same, given := c.Has(item.Name, item.Value)
	d := Difference{Name: item.Name, Place: item.Place, Path: s.Path, Line: s.At.Line, Wanted: item.Value, Why: item.Why}
	if given {
		d.Found = s.Value
	}
	switch {
	case same, item.Place != InConfig:
		return d, false
	case item.Name == "num_workers" && !c.Ours: // what is advised keeps the cores busy in a build
		return d, false
	case !given:
		return d, c.Ours && !slices.Contains(chosen, item.Name) && item.Name != "batch_size"
	}
	return d, !c.Ours || !slices.Contains(chosen, item.Name) || s.Value != "0" && s.Value != "-1"
}
