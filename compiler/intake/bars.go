package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"voxpack/internal/number"
)

// shapes are the lines of a format with bars and without a header: what its columns
// are, by how many there are.
type shapes map[int]string

// read makes rows of lines that have as many columns as most of them; width tells
// how many that are. There is no escaping in these formats: a text cannot hold "|",
// and a quote is an ordinary character.
func (s shapes) read(in *Input, width func(lines iter.Seq[string]) (width, count int)) error {
	var lines iter.Seq[string] // that tell the form
	var src string
	var some []numbered
	var err error
	if in.Only != "" {
		var head []string
		head, some, err = in.mentions(in.Only)
		lines = slices.Values(head)
	} else {
		src, err = in.Text(in.File)
		lines = usable(src)
	}
	if err != nil {
		return err
	}
	n, _ := width(lines)
	shape := strings.Split(s[n], "|")
	in.table.tookBars(shape)
	var cols []string
	parse := func(line string) (Row, error) {
		cols = bars(line, cols...) // no memory for each line
		return in.barRow(cols, shape)
	}
	in.rows(src, parse)
	for _, l := range some {
		in.usable(l.n, l.line, in.row(parse))
	}
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

// numbered is a line with its number from 1.
type numbered struct {
	n    int
	line string
}

// errNoScan: what a scan leaves out might matter. The whole file has to be read.
var errNoScan = errors.New("too long a line to look through")

// mentions reads a file for the lines that mention a word, and for its first usable ones,
// by which its form is told. All others are only counted: a million lines take 1 MB and a tenth
// of a second, and rows of all of them half a gigabyte.
func (in *Input) mentions(word string) (head []string, list []numbered, err error) {
	in.table.Files = append(in.table.Files, in.File)
	f, err := os.Open(in.path(in.File))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	buf, held, before := make([]byte, 1<<20), 0, 0
	for ended := false; !ended; {
		n, err := io.ReadFull(f, buf[held:])
		if ended = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !ended {
			return nil, nil, err
		}
		whole := buf[:held+n]
		if end := bytes.LastIndexByte(whole, '\n') + 1; !ended {
			if end == 0 {
				return nil, nil, errNoScan
			}
			whole = whole[:end]
		}
		if before == 0 {
			whole = bytes.TrimPrefix(whole, []byte("\xef\xbb\xbf"))
			head = usableLines(string(whole), headLines)
		}
		if bytes.Contains(whole, []byte(word)) {
			eachLine(string(whole), func(n int, line string) {
				if strings.Contains(line, word) {
					list = append(list, numbered{before + n, strings.Clone(line)})
				}
			})
		}
		before += bytes.Count(whole, []byte("\n"))
		held = copy(buf, buf[bytes.LastIndexByte(buf[:held+n], '\n')+1:held+n])
	}
	return head, list, nil
}
