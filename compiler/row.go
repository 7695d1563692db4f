package compiler

import (
	"fmt"
	"strings"
)

// Position is a place in a metadata file; Line counts from 1, empty lines
// included.
type Position struct {
	File string // relative to the dataset, "/"-separated
	Line int
}

// String is "metadata.csv:1042".
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Row is one parsed metadata line.
type Row struct {
	Pos      Position
	ID       string // utterance id: the first column without "wavs/" and extension
	File     string // the first column as written
	Text     string
	Given    string // normalised text, where the format has it
	HasGiven bool
	Speaker  string // "" where the format has none
	Language string // code; "" where the format has none
}

// sameContent reports whether two rows say the same, wherever they stand.
func (r *Row) sameContent(o *Row) bool {
	return r.ID == o.ID && r.Text == o.Text && r.Given == o.Given && r.HasGiven == o.HasGiven &&
		r.Speaker == o.Speaker && r.Language == o.Language
}

// RowError is why a row was left out: "metadata.csv:12: LJ001-0001: mel: ...".
type RowError struct {
	Pos   Position
	ID    string // "" where the line has no readable id
	Stage string
	Err   error
}

// Error is position, id, stage and reason.
func (e *RowError) Error() string {
	parts := []string{e.Pos.String()}
	if e.ID != "" {
		parts = append(parts, e.ID)
	}
	return strings.Join(append(parts, e.Stage, e.Err.Error()), ": ")
}

// Unwrap gives the reason.
func (e *RowError) Unwrap() error { return e.Err }
