package parquet

import (
	"errors"
	"fmt"
	"math/bits"

	"voxpack/internal/number"
)

// Cursor reads a column from its first row to its last, one page at a time. It is
// for one goroutine.
// Its memory is the present page, packed and unpacked, and the chunk's dictionary.
type Cursor struct {
	f   *File
	col *Column
	unpacker

	group  int   // the next
	rows   int64 // of the present group that are not in a page read; of a column of lists entries of them
	chunk  *chunk
	at     int64 // offset of the next page
	window []byte

	left   int64 // rows of the present page, of a column of lists entries
	h      header
	loaded bool
	// The dictionary is read when the first page needs it, and kept for the chunk:
	// wordsAt is its header, from the time that page passed it.
	levels  runs
	repeats runs // of a column of lists
	values  decoder
	wordsAt *header
	words   *dictionary
}

// Read begins to read a column.
// The caller closes the cursor. Cursors of one file do not disturb each other.
func (f *File) Read(c *Column) (*Cursor, error) {
	if c.Listed {
		return nil, fmt.Errorf("column %s has a list in each row", c.Name())
	}
	return &Cursor{f: f, col: c, unpacker: unpacker{r: f.r}}, nil
}

// Close gives up what the cursor holds.
// The file's reader stays open; it is the caller's.
func (c *Cursor) Close() { c.close() }

// Next is the next row's value, nil for null. It lasts until the next call.
// After the last row it is an error.
// An error is final: the cursor's place after it is not defined.
func (c *Cursor) Next() ([]byte, error) {
	if err := c.page(); err != nil {
		return nil, c.wrong(err)
	}
	if err := c.load(); err != nil {
		return nil, c.wrong(err)
	}
	c.left--
	v, err := c.value()
	return v, c.wrong(err)
}

// Null reports whether the next row's value is null. It reads no page whose
// header tells, so a cursor is either for Next or for Null.
func (c *Cursor) Null() (bool, error) {
	if err := c.page(); err != nil {
		return false, c.wrong(err)
	}
	if !c.loaded {
		of, nulls := c.h.values, c.h.nulls
		if c.chunk.nulls == 0 || c.chunk.nulls == c.chunk.values {
			of, nulls = c.chunk.values, c.chunk.nulls
		}
		// All or none are null: the page need not be read. level 0: a required column.
		if nulls == 0 || nulls == of || c.col.level == 0 {
			c.left--
			return nulls == of && c.col.level > 0, nil
		}
	}
	v, err := c.Next()
	return v == nil, err
}

// Value appends the value of one row to dst and reports whether there is one. It
// reads the headers of the pages before it, and of values the one page that
// holds it, with the dictionary where that page needs it.
// Groups in front of the row are passed over by the footer alone. dst lets a
// caller keep one buffer for all recordings; what is appended is a copy.
func (f *File) Value(col *Column, row int64, dst []byte) (_ []byte, ok bool, err error) {
	c, err := f.Read(col)
	if err != nil {
		return dst, false, err
	}
	defer c.Close()
	if row < 0 || row >= f.Rows {
		return dst, false, fmt.Errorf("there is no row %d; the file has %d", row+1, f.Rows)
	}
	for c.group < len(f.groups) && row >= f.groups[c.group].rows {
		row -= f.groups[c.group].rows
		c.group++
	}
	for {
		if err := c.page(); err != nil {
			return dst, false, c.wrong(err)
		}
		if row < c.left {
			break
		}
		row -= c.left
		c.left = 0
	}
	for ; row >= 0 && err == nil; row-- {
		var v []byte
		if v, err = c.Next(); row == 0 && v != nil {
			dst, ok = append(dst, v...), true
		}
	}
	return dst, ok, err
}

// wrong names the column in an error; nil stays nil.
func (c *Cursor) wrong(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("column %s: %w", c.col.Name(), err)
}

// page goes on to the page of the next row, if the present one is done.
// It reads headers only. A page has at least the bytes of its header, so the loop
// ends at the end of the chunk, also where pages claim no rows.
func (c *Cursor) page() error {
	for c.left == 0 {
		if c.rows == 0 {
			if c.group >= len(c.f.groups) {
				return errors.New("there are no more rows")
			}
			g := &c.f.groups[c.group]
			c.group++
			if g.rows == 0 {
				continue
			}
			c.rows, c.chunk, c.wordsAt, c.words = g.rows, &g.chunks[c.col.at], nil, nil
			if c.col.Listed { // a row has one entry at least, which says that its list is empty or null
				if c.rows = c.chunk.values; c.rows < g.rows || c.rows > maxRows {
					return fmt.Errorf("%s in %s", number.Count(c.rows, "value"), number.Count(g.rows, "row"))
				}
			}
			if c.at = c.chunk.begin; c.chunk.elsewhere {
				return errors.New("it is encrypted, or in another file")
			}
		}
		var err error
		if c.h, c.window, err = readHeader(c.r, c.at, c.chunk.end, c.window); err != nil {
			return err
		}
		c.at = c.h.body + c.h.compressed
		switch c.h.kind {
		case pageWords:
			if c.wordsAt != nil {
				return errors.New("it has two dictionaries in one group")
			}
			h := c.h
			c.wordsAt = &h
		case pageData, pageSecond:
			if c.h.values > c.rows || (c.h.kind == pageSecond) != c.h.second {
				return fmt.Errorf("a page of %s where %d are left", number.Count(c.h.values, c.unit()), c.rows)
			}
			c.rows -= c.h.values
			c.left, c.loaded = c.h.values, false
		}
		if c.at == c.chunk.end && c.left == 0 && c.rows > 0 {
			return fmt.Errorf("its pages end %s too early", number.Count(c.rows, c.unit()))
		}
	}
	return nil
}

// unit is what pages count.
func (c *Cursor) unit() string {
	if c.col.Listed {
		return "value"
	}
	return "row"
}

// load takes the present page out of the file.
// Where a column can hold null, levels come first: one small number a row, in as
// many bits as the column's level needs. Only rows that are not null have a value.
func (c *Cursor) load() error {
	if c.loaded {
		return nil
	}
	words := c.h.encoding == encodingDictionary || c.h.encoding == encodingOldWords
	if words && c.words == nil {
		if err := c.readWords(); err != nil {
			return err
		}
	}
	levels, page, err := c.unpacker.page(c.h, c.chunk.codec)
	if err != nil {
		return err
	}
	if page, err = c.setLevels(levels, page); err != nil {
		return err
	}
	there, ok := c.h.values, true
	if c.col.level > 0 {
		there, ok = c.levels.count(c.h.values, uint32(c.col.level), uint32(c.col.level))
	}
	if !ok {
		return fmt.Errorf("its levels are not those of %s", number.Count(c.h.values, "row"))
	}
	if nulls := c.h.values - there; c.h.second && c.h.nulls >= 0 && c.h.nulls != nulls {
		return fmt.Errorf("a page of %d nulls that claims %d", nulls, c.h.nulls)
	}
	if c.loaded = true; words {
		c.values, err = c.words.words(page)
	} else {
		c.values, err = c.col.decoderOf(c.h.encoding, page, there)
	}
	return err
}

// setLevels takes the levels of the present page: of the second form they are given, of the
// first they stand in front of the values. It gives the values. Those of lists stand first: 0
// where a row begins, else the number of the list that goes on.
func (c *Cursor) setLevels(levels, page []byte) (values []byte, err error) {
	var lists []byte
	switch {
	case c.h.second:
		lists, levels = levels[:c.h.listBytes], levels[c.h.listBytes:]
	case c.col.Listed:
		if lists, page, err = cutLevels(c.h.lists, page); err != nil {
			return nil, err
		}
		fallthrough
	case c.col.level > 0:
		if levels, page, err = cutLevels(c.h.levels, page); err != nil {
			return nil, err
		}
	}
	c.levels = runs{b: levels, width: uint(bits.Len(c.col.level))}
	if !c.col.Listed {
		return page, nil
	}
	depth := uint(len(c.col.lists))
	c.repeats = runs{b: lists, width: uint(bits.Len(depth))}
	rows, ok := c.repeats.count(c.h.values, 0, uint32(depth))
	if !ok || c.h.rows >= 0 && c.h.rows != rows {
		return nil, fmt.Errorf("its levels of lists are not those of %s in %s", number.Count(c.h.values, "value"), number.Count(c.h.rows, "row"))
	}
	return page, nil
}

// readWords reads the dictionary of the present chunk.
// PLAIN_DICTIONARY of a dictionary page is PLAIN, written so by older writers
// (Encodings.md).
func (c *Cursor) readWords() error {
	if c.wordsAt == nil {
		return errors.New("its dictionary is missing")
	}
	h := *c.wordsAt
	if h.encoding != encodingPlain && h.encoding != encodingOldWords || c.col.width == 0 && c.col.Kind != ByteArray {
		return fmt.Errorf("its dictionary of %v is written as %s (%d)", c.col.Kind, encodings[h.encoding], h.encoding)
	}
	_, page, err := c.unpacker.page(h, c.chunk.codec)
	if err != nil {
		return err
	}
	c.raw, c.out = nil, nil // the words lie there, and stay while pages come and go
	c.words, err = newDictionary(page, c.col.width, h.values)
	return err
}

// value is the next value of the page.
// A level below the column's own means that the value, or a structure around it, is null.
func (c *Cursor) value() ([]byte, error) {
	if c.col.level > 0 {
		if level, _ := c.levels.next(); level < uint32(c.col.level) { // load has counted them
			return nil, nil
		}
	}
	return c.values()
}
