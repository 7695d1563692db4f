package intake

import (
	"fmt"
	"strings"

	"voxpack/internal/number"
)

// shapes are the lines of a format with bars and without a header: what its columns
// are, by how many there are.
type shapes map[int]string

// read makes rows of lines that have as many columns as most of them; width tells
// how many that are. There is no escaping in these formats: a text cannot hold "|",
// and a quote is an ordinary character.
func (s shapes) read(in *Input, width func(lines []string) (width, count int)) error {
	src, err := in.Text(in.File)
	if err != nil {
		return err
	}
	n, _ := width(usableLines(src, -1))
	shape := strings.Split(s[n], "|")
	in.table.tookBars(shape)
	var cols []string
	in.rows(src, func(line string) (Row, error) {
		cols = bars(line, cols...) // no memory for each line
		return in.barRow(cols, shape)
	})
	return nil
}

// barRow makes a row of columns of a shape. What is wrong with an id goes before what
// is wrong with the line; a clip that cannot be an id is refused by Input.Row.
func (in *Input) barRow(cols, shape []string) (r Row, err error) {
	switch first := cols[0]; shape[0] {
	case "id":
		r.ID = first
		if _, err := ID(first); err != nil {
			return r, err
		}
	case "path":
		in.clipInList(&r, first)
	default:
		in.clipAt(&r, first)
	}
	if len(cols) != len(shape) {
		return r, fmt.Errorf("%s, the other lines have %d (%s)", number.Count(len(cols), "column"), len(shape), strings.Join(shape, "|"))
	}
	for i, name := range shape {
		switch col := cols[i]; name {
		case "text":
			r.Text = col
		case "normalised":
			r.Given, r.HasGiven = col, true
		case "speaker", "speaker number":
			if r.Speaker = col; col == "" {
				return r, errNoSpeaker
			}
		case "language":
			if r.Language = col; col == "" {
				return r, fmt.Errorf("the language column is empty")
			}
		}
	}
	return r, nil
}

// tookBars notes the columns of lines of a shape.
func (t *Table) tookBars(shape []string) {
	for i, name := range shape {
		switch name {
		case "file", "path":
			name = columnWords[colAudio].name
		case "speaker number":
			name = columnWords[colSpeaker].name
		}
		t.took(name, fmt.Sprint(i+1))
	}
}

// bars are the columns of a line of metadata between "|", without the spaces
// round them. They are written over those of room.
func bars(line string, room ...string) []string {
	cols := room[:0]
	for col := range strings.SplitSeq(line, "|") {
		cols = append(cols, strings.TrimSpace(col))
	}
	return cols
}
