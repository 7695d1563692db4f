package report

import (
	"errors"
	"slices"

	"voxpack/store"
)

// Damage is what could not be read. A report reads only what it shows, so that other
// rows may be damaged too; voxpack verify --full reads all.
type Damage struct {
	Read    int          `json:"read"`    // rows of which a column was read
	Rows    int          `json:"rows"`    // of them, those that are damaged
	Unknown int          `json:"unknown"` // rows that a damaged record listed: nothing is known of them
	First   []DamagedRow `json:"first"`
}

// DamagedRow is a row with a column that cannot be read.
type DamagedRow struct {
	ID     string `json:"id"`
	Column string `json:"column"`
}

// unreadable tells damage of a row from what ends the report: a disk or a store that
// does not answer.
func unreadable(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound)
}

// note keeps how reading a column of a row went; any other error than damage it gives
// back. A row stays damaged, whatever is read of it later.
func (s *set) note(i int, column string, err error) error {
	switch {
	case err == nil && s.read[i] == "":
		s.read[i] = ""
	case err != nil && !unreadable(err):
		return err
	case err != nil && s.read[i] == "":
		s.read[i] = column
	}
	return nil
}

// damage is what was noted so far.
func (s *set) damage() Damage {
	d := Damage{Read: len(s.read), Unknown: s.unknown, First: []DamagedRow{}}
	var rows []int
	for i, column := range s.read {
		if column != "" {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	d.Rows = len(rows)
	for _, i := range rows[:min(len(rows), mostFirst)] {
		d.First = append(d.First, DamagedRow{s.rows[i].id, s.read[i]})
	}
	return d
}
