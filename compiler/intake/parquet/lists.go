package parquet

import (
	"errors"
	"fmt"
	"slices"

	"voxpack/internal/number"
)

// Number names the type of a column's values, as i32, u64, f16 or bool; "" where they are no
// numbers that Arrays reads.
func (c *Column) Number() string {
	switch {
	case c.Foreign == "FLOAT16" && c.Kind == FixedByteArray && c.width == 2:
		return "f16"
	case c.Foreign != "" || c.meaning != asStored && c.meaning != asUnsigned:
		return ""
	case c.meaning == asUnsigned:
		return map[Kind]string{Int32: "u32", Int64: "u64"}[c.Kind]
	}
	return map[Kind]string{Boolean: "bool", Int32: "i32", Int64: "i64", Float: "f32", Double: "f64"}[c.Kind]
}

// mostLists bounds lists within lists: mels and codes have two.
const mostLists = 4

// Arrays reads a column of numbers row by row, from the first to the last: of each row a number,
// a list of them, or lists of lists. It is for one goroutine.
// Its memory is that of a Cursor and the lengths of one row's lists.
type Arrays struct {
	c    *Cursor
	most int    // entries of a row
	next uint32 // the list that goes on with the next entry; 0: a row begins
	open bool   // next is known, of the present group
	rows int64  // of the group, read
}

// Array is a row's value.
type Array struct {
	Values []byte // little-endian, one after the other, those that are null left out; a bool is a byte
	Shape  []int  // of a list its length, of lists within lists that of each depth; of a number it is empty
	// What is wrong with it: the row has no value; one in its lists is null; its lists of
	// one depth have several lengths. Then Shape counts for nothing.
	Null, Hole, Ragged bool
}

// Arrays begins to read a column of numbers; a row with more than so many entries is an error.
// The caller closes what it gets.
func (f *File) Arrays(c *Column, most int) (*Arrays, error) {
	switch {
	case c.Number() == "" && c.Foreign != "":
		return nil, fmt.Errorf("column %s has values of the type %s, which are no numbers", c.Name(), c.Foreign)
	case c.Number() == "":
		return nil, fmt.Errorf("column %s has no numbers, but %v", c.Name(), c.Kind)
	case len(c.lists) > mostLists:
		return nil, fmt.Errorf("column %s has lists within %d lists; %d are the most", c.Name(), len(c.lists)-1, mostLists-1)
	}
	return &Arrays{c: &Cursor{f: f, col: c, unpacker: unpacker{r: f.r}}, most: most}, nil
}

// Close gives up what it holds; the file's reader stays open.
func (a *Arrays) Close() { a.c.Close() }

// Next is the next row's value, which it appends to dst, so that Values begin where dst ends.
// After the last row it is an error, and an error is final.
func (a *Arrays) Next(dst []byte) (Array, error) {
	row := Array{Values: dst}
	err := a.read(&row)
	return row, a.c.wrong(err)
}

// read takes entries until one begins the next row, or the group ends: rows go on over pages,
// and end with their group.
func (a *Arrays) read(row *Array) error {
	if !a.open {
		if _, err := a.advance(); err != nil {
			return err
		}
		if a.rows = 0; a.next != 0 {
			return errors.New("a group begins within a row")
		}
	}
	if a.rows++; a.rows > a.c.f.groups[a.c.group-1].rows {
		return fmt.Errorf("a group of %s has more", number.Count(a.rows-1, "row"))
	}
	s := shaper{lists: a.c.col.lists}
	for n := 1; ; n++ {
		if n > a.most {
			return fmt.Errorf("a row of more than %s", number.Count(a.most, "value"))
		}
		if err := a.take(row, &s); err != nil {
			return err
		}
		more, err := a.advance()
		if err != nil {
			return err
		}
		if !more || a.next == 0 {
			break
		}
	}
	s.end(row)
	return nil
}

// take takes the entry that stands next.
func (a *Arrays) take(row *Array, s *shaper) error {
	c, level := a.c, uint(0)
	c.left--
	if c.col.level > 0 {
		v, _ := c.levels.next() // load has counted them
		level = uint(v)
	}
	switch {
	case a.next > 0 && row.Null && s.missing(level): // DuckDB writes a null of a list of a fixed size as often as the list has values
		return nil
	case !s.entry(int(a.next), level):
		return errors.New("a list goes on that has not begun")
	case level == c.col.level:
		v, err := c.values()
		row.Values = append(row.Values, v...)
		return err
	case s.missing(level):
		row.Null = true
	case !s.empty(level):
		row.Hole = true
	}
	return nil
}

// advance goes on to the next entry, and reports false where the present group has none.
func (a *Arrays) advance() (more bool, err error) {
	c := a.c
	if a.open && c.left == 0 && c.rows == 0 {
		if rows := c.f.groups[c.group-1].rows; rows != a.rows {
			return false, fmt.Errorf("a group of %s has %d", number.Count(rows, "row"), a.rows)
		}
		a.open = false
		return false, nil
	}
	if err := c.page(); err != nil {
		return false, err
	}
	if err := c.load(); err != nil {
		return false, err
	}
	a.open, a.next = true, 0
	if c.col.Listed {
		a.next, _ = c.repeats.next() // load has counted them
	}
	return true, nil
}

// shaper finds the shape of a row's lists from the levels of its entries.
type shaper struct {
	lists  []uint         // Column.lists
	n      [mostLists]int // entries of the list of each depth that is open
	depth  int            // how many are open
	shape  []int          // of those that have ended; fewer than lists: none has at that depth
	ragged bool
}

// missing reports whether a level is that of a row without a value.
func (s *shaper) missing(level uint) bool { return len(s.lists) == 0 || level+1 < s.lists[0] }

// empty reports whether a level is that of an empty list, at any depth.
func (s *shaper) empty(level uint) bool { return slices.Contains(s.lists, level+1) }

// entry takes an entry that goes on with a list, counted from 1; 0: it begins all. It is false
// where that list has no entry yet, or none now.
func (s *shaper) entry(list int, level uint) bool {
	if list > 0 {
		if list > s.depth || s.n[list-1] == 0 || level < s.lists[list-1] {
			return false
		}
		s.closeTo(list)
		s.n[list-1]++
	}
	for d := list; d < len(s.lists); d++ {
		s.n[d], s.depth = 1, d+1
		if level < s.lists[d] { // it is empty, and there is nothing below it
			s.n[d] = 0
			break
		}
	}
	return true
}

// closeTo ends the lists that are deeper than so many.
func (s *shaper) closeTo(depth int) {
	for ; s.depth > depth; s.depth-- {
		d, n := s.depth-1, s.n[s.depth-1]
		for len(s.shape) <= d {
			s.shape = append(s.shape, -1)
		}
		if s.shape[d] < 0 {
			s.shape[d] = n
		}
		s.ragged = s.ragged || s.shape[d] != n
	}
}

// end ends all lists of a row. Of a depth at which there was none, as below an empty list, the
// length is 0.
func (s *shaper) end(row *Array) {
	s.closeTo(0)
	for d := range s.lists {
		row.Shape = append(row.Shape, 0)
		if d < len(s.shape) {
			row.Shape[d] = max(0, s.shape[d])
		}
	}
	row.Ragged = s.ragged && !row.Null && !row.Hole
}
