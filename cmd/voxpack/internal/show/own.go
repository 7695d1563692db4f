package show

import (
	"fmt"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

// ownPage is a row's value in a column of the user's own.
type ownPage struct {
	Name   string  `json:"name"`
	Column string  `json:"column"` // with type and shape
	Steps  int     `json:"steps"`  // in use, of the first axis; 1 of a number
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
}

// String is "durations i32[200]: 42 steps, 0 to 31, mean 7.2".
func (p ownPage) String() string {
	if p.Steps == 1 && p.Min == p.Max {
		return fmt.Sprintf("%s: %.6g", p.Column, p.Min)
	}
	return fmt.Sprintf("%s: %s, %.6g to %.6g, mean %.6g", p.Column, term.Count(p.Steps, "step"), p.Min, p.Max, p.Mean)
}

// addOwn reads the row's values in columns of the user's own.
func (p *Row) addOwn(d *store.Dataset) error {
	for _, c := range d.Root.Schema {
		if d.Root.Setting(store.ColumnSetting+c.Name) == "" {
			continue
		}
		s, err := readSample(d, p.ID, c.Name)
		if err != nil {
			return err
		}
		own := ownPage{Name: c.Name, Column: c.String(), Steps: s.length}
		if s.column.Inline() { // 32 bits, which float32 does not hold
			own.Min = float64(p.Columns[c.Name])
			own.Max, own.Mean = own.Min, own.Min
			p.Own = append(p.Own, own)
			continue
		}
		values := s.floats()
		for i, v := range values {
			x := float64(v)
			if i == 0 {
				own.Min, own.Max = x, x
			}
			own.Min, own.Max = min(own.Min, x), max(own.Max, x)
			own.Mean += x / float64(len(values))
		}
		p.Own = append(p.Own, own)
	}
	return nil
}
