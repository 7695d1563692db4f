package stats

import (
	"maps"
	"slices"

	"voxpack/store"
)

// Stats are the statistics of a dataset; fields are the JSON.
type Stats struct {
	Dataset string   `json:"dataset"` // root digest
	Rows    int      `json:"rows"`
	Columns []Column `json:"columns"` // in the order of the schema
}

// Value is what a group of values says. With a count of 0 the others are 0.
type Value struct {
	Count uint64  `json:"count"`
	Mean  float64 `json:"mean"`
	Std   float64 `json:"std"` // with Count, not Count - 1
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// Column is what is known of a column.
type Column struct {
	Name string `json:"name"`
	Value
	Bands    []Value   `json:"bands"`    // by place on the last axis; empty where it has one place or too many
	Speakers []Speaker `json:"speakers"` // that have values, by number; empty where the dataset has no speakers
}

// Speaker is what the rows of a speaker say.
type Speaker struct {
	Speaker string `json:"speaker"`
	Value
}

// Column is the column of a name; nil: none has statistics.
func (s *Stats) Column(name string) *Column {
	for i := range s.Columns {
		if s.Columns[i].Name == name {
			return &s.Columns[i]
		}
	}
	return nil
}

func (s *Sum) value() Value { return Value{s.Count, s.Mean(), s.Std(), s.Min, s.Max} }

func report(d *store.Dataset, columns []column, total part) *Stats {
	s := &Stats{Dataset: d.Snapshot.Root.String(), Rows: d.Root.Rows, Columns: []Column{}}
	for i, c := range columns {
		one := Column{Name: c.Name, Bands: []Value{}, Speakers: []Speaker{}}
		var all Sum
		for b := range total[i].bands {
			all.Add(&total[i].bands[b])
			if c.bands > 1 {
				one.Bands = append(one.Bands, total[i].bands[b].value())
			}
		}
		one.Value = all.value()
		for _, number := range slices.Sorted(maps.Keys(total[i].speakers)) {
			name := ""
			if number >= 0 && int(number) < len(d.Root.Speakers) {
				name = d.Root.Speakers[number]
			}
			one.Speakers = append(one.Speakers, Speaker{name, total[i].speakers[number].value()})
		}
		s.Columns = append(s.Columns, one)
	}
	return s
}
