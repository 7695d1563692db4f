package column

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"voxpack/compiler/column/array"
)

// lines is a text file with a value of a row in each line. Only ids and places are held;
// a line is parsed again when its value is read.
type lines struct {
	at    io.ReaderAt
	names []string
	place map[string]stretch
	value func(line []byte) (*array.Array, error)
}

// stretch is where a line is.
type stretch struct {
	from    int64
	n, line int
}

func (l *lines) Names() []string { return l.names }

func (l *lines) Read(name string) (*array.Array, error) {
	p, ok := l.place[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", array.ErrAbsent, name)
	}
	b := make([]byte, p.n)
	_, err := l.at.ReadAt(b, p.from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	v, err := l.value(b)
	if err != nil {
		err = fmt.Errorf("line %d: %w", p.line, err)
	}
	return v, err
}

// openLines finds the ids of a file's lines; id is the row that a line is of. Empty
// lines, and lines of rows that skip says so of, have no value.
func openLines(at io.ReaderAt, size int64, skip int, id func(line []byte) (string, error), value func(line []byte) (*array.Array, error)) (*lines, error) {
	l := &lines{at: at, place: map[string]stretch{}, value: value}
	r := bufio.NewReaderSize(io.NewSectionReader(at, 0, size), 1<<16)
	from := int64(0)
	for n := 1; ; n++ {
		line, err := longLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && n > skip {
			name, bad := id(text)
			if first, twice := l.place[name]; bad == nil && twice {
				bad = fmt.Errorf("%q is there twice: first in line %d", name, first.line)
			}
			if bad != nil {
				return nil, fmt.Errorf("line %d: %w", n, bad)
			}
			l.names, l.place[name] = append(l.names, name), stretch{from, len(line), n}
		}
		if from += int64(len(line)); err != nil {
			return l, nil
		}
	}
}

// longLine reads a line with its end, of at most maxFile bytes.
func longLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxFile {
			return nil, fmt.Errorf("over %d MiB", maxFile>>20)
		}
	}
}

// openJSONL reads lines of JSON objects: the id of the row under "id", its value under
// the column's field.
func openJSONL(c Config, _ string, at io.ReaderAt, size int64) (members, error) {
	return openLines(at, size, 0, func(line []byte) (string, error) {
		var object struct {
			ID *string `json:"id"`
		}
		if err := json.Unmarshal(line, &object); err != nil {
			return "", fmt.Errorf("no JSON object: %w", err)
		}
		if object.ID == nil {
			return "", errors.New(`it has no "id"`)
		}
		return *object.ID, nil
	}, func(line []byte) (*array.Array, error) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(line, &object); err != nil {
			return nil, err
		}
		value, ok := object[c.Field]
		if !ok {
			return nil, fmt.Errorf("%w: %q", array.ErrAbsent, c.Field)
		}
		return arrayOfJSON(value)
	})
}

// arrayOfJSON is a number, a list of numbers, or lists of lists of one shape; b is JSON.
func arrayOfJSON(b []byte) (*array.Array, error) {
	n := numbers{most: maxNumbers, rest: string(b)}
	if err := n.read(0); err != nil {
		return nil, err
	}
	return n.array()
}

// maxNumbers bounds a value of a line, as array.MaxBytes does one of other files.
const maxNumbers = array.MaxBytes / 8

// numbers gathers the numbers of nested lists.
type numbers struct {
	most  int
	rest  string // of the JSON
	shape []int
	texts []string
}

func (n *numbers) add(text string) error {
	if len(n.texts) == n.most {
		return fmt.Errorf("it has more than %d numbers", n.most)
	}
	n.texts = append(n.texts, text)
	return nil
}

// read takes in a number, or a list at a depth: all lists of one depth are of one length.
func (n *numbers) read(depth int) error {
	const (
		mostLists = 8
		spaces    = " \t\r\n"
	)
	n.rest = strings.TrimLeft(n.rest, spaces)
	if n.rest == "" || n.rest[0] != '[' {
		end := strings.IndexAny(n.rest, ",]"+spaces)
		if end < 0 {
			end = len(n.rest)
		}
		text := n.rest[:end]
		n.rest = n.rest[end:]
		switch {
		case text == "" || strings.IndexByte("-0123456789", text[0]) < 0:
			return fmt.Errorf("%.40s is no number", text)
		case depth != len(n.shape):
			return errors.New("numbers stand beside lists")
		}
		return n.add(text)
	}
	first := depth == len(n.shape) && len(n.texts) == 0
	switch {
	case depth == mostLists:
		return fmt.Errorf("lists within more than %d lists", mostLists)
	case first:
		n.shape = append(n.shape, 0) // until its end is seen
	case depth >= len(n.shape):
		return errors.New("its lists are of several lengths")
	}
	length := 0
	for n.rest = strings.TrimLeft(n.rest[1:], spaces); !strings.HasPrefix(n.rest, "]"); length++ {
		if err := n.read(depth + 1); err != nil {
			return err
		}
		n.rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(n.rest, spaces), ","), spaces)
	}
	n.rest = n.rest[1:]
	if first {
		n.shape[depth] = length
	}
	if n.shape[depth] != length {
		return errors.New("its lists are of several lengths")
	}
	return nil
}

// array is integers where all numbers are written as such, else float64.
func (n *numbers) array() (*array.Array, error) {
	size := 1
	for _, axis := range n.shape {
		size *= axis
	}
	if size != len(n.texts) {
		return nil, errors.New("its lists are of several lengths")
	}
	out := &array.Array{DType: array.Int64, Shape: n.shape}
	if slices.ContainsFunc(n.texts, func(s string) bool { _, err := strconv.ParseInt(s, 10, 64); return err != nil }) {
		out.DType = array.Float64
	}
	for _, s := range n.texts {
		i, _ := strconv.ParseInt(s, 10, 64)
		bits := uint64(i)
		if out.DType == array.Float64 {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
				return nil, fmt.Errorf("%.40q is no number", s)
			}
			bits = math.Float64bits(f)
		}
		out.Data = binary.LittleEndian.AppendUint64(out.Data, bits)
	}
	return out, nil
}

// openCSV reads a table with a header: the id of the row in the column id, its value in
// the column of the field, a number or several with spaces between them. A line is a row:
// no field holds a line end.
func openCSV(c Config, file string, at io.ReaderAt, size int64) (members, error) {
	comma := ','
	if strings.HasSuffix(strings.ToLower(file), ".tsv") {
		comma = '\t'
	}
	header, err := longLine(bufio.NewReader(io.NewSectionReader(at, 0, size)))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	names, err := cells(bytes.TrimPrefix(header, []byte("\xef\xbb\xbf")), comma)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	id, field := slices.Index(names, "id"), slices.Index(names, c.Field)
	for i, name := range []string{"id", c.Field} {
		if []int{id, field}[i] < 0 {
			return nil, fmt.Errorf("its header has no column %q", name)
		}
	}
	cell := func(line []byte, i int) (string, error) {
		all, err := cells(line, comma)
		if err == nil && i >= len(all) {
			err = fmt.Errorf("it has %d cells, the header has %d", len(all), len(names))
		}
		if err != nil {
			return "", err
		}
		return all[i], nil
	}
	return openLines(at, size, 1, func(line []byte) (string, error) { return cell(line, id) }, func(line []byte) (*array.Array, error) {
		text, err := cell(line, field)
		if err != nil {
			return nil, err
		}
		n := numbers{most: maxNumbers}
		for word := range strings.FieldsSeq(text) {
			if err := n.add(word); err != nil {
				return nil, err
			}
		}
		if len(n.texts) == 0 {
			return nil, fmt.Errorf("%w: %q", array.ErrAbsent, c.Field)
		}
		if len(n.texts) > 1 {
			n.shape = []int{len(n.texts)}
		}
		return n.array()
	})
}

// cells are those of one line.
func cells(line []byte, comma rune) ([]string, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimRight(line, "\r\n")))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, comma == '\t'
	all, err := r.Read()
	if errors.Is(err, io.EOF) {
		return []string{""}, nil
	}
	return all, err
}
