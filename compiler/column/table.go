package column

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"voxpack/compiler/column/array"
	"voxpack/compiler/intake"
	"voxpack/compiler/intake/parquet"
	"voxpack/internal/number"
)

// table is a Parquet file with the values of all rows. Its pages are packed, and rows are asked for in
// another order than they stand in: so it is read once, a page at a time, into a temporary file that
// has no name, and of each row only the id and the place are held.
type table struct {
	spool *os.File
	dtype array.DType
	names []string
	place map[string]cell
}

// cell is where a row's value is in the spool: its axes in four bytes each, then its bytes.
type cell struct {
	from    int64
	row     int // of the file, counted from 1
	bytes   int
	axes    uint8
	trouble trouble
}

// trouble is why a row of a table has no value.
type trouble uint8

const (
	sound  trouble = iota
	null           // there is none
	hole           // a number in it is null
	ragged         // its lists have several lengths
)

// openTable reads a Parquet file: the ids of rows in its column id, their values in the column of the
// field, numbers or lists of them.
func openTable(c Config, _ string, at io.ReaderAt, size int64) (members, error) {
	f, err := parquet.Open(at, size)
	if err != nil {
		return nil, err
	}
	id, value := f.Column("id"), (*parquet.Column)(nil)
	if id == nil || id.Listed {
		return nil, errors.New(`it has no column "id"`)
	}
	for _, leaf := range f.Columns { // a list is a group of the schema, with a leaf
		if leaf.Name() == c.Field || strings.HasPrefix(leaf.Name(), c.Field+".") {
			if value != nil {
				return nil, fmt.Errorf("%s has several columns: %s, %s", c.Field, value.Name(), leaf.Name())
			}
			value = leaf
		}
	}
	if value == nil {
		return nil, fmt.Errorf("it has no column %q", c.Field)
	}
	t := &table{place: map[string]cell{}}
	t.dtype, _ = array.DTypeOf(value.Number()) // of a column without numbers Arrays says so
	if t.spool, err = spool(); err != nil {
		return nil, err
	}
	if err := t.read(f, id, value); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// spool is a file that is gone when it is closed, also by a crash.
func spool() (*os.File, error) {
	f, err := os.CreateTemp("", "voxpack-values-*")
	if err == nil {
		err = os.Remove(f.Name())
	}
	return f, spoolError(err)
}

// spoolError keeps a fault of the temporary folder from being taken for one of the values.
func spoolError(err error) error {
	if err == nil {
		return nil
	}
	return &intake.MachineError{Err: err, Cure: "set TMPDIR to a folder with as much room as the values take, and build again"}
}

// mostRows bounds what is held of a file: the rows of one take 150 bytes each, and can be said in none.
const mostRows = 1 << 24

// read takes all rows of the file, ids and values side by side.
func (t *table) read(f *parquet.File, id, value *parquet.Column) error {
	if f.Rows > mostRows {
		return fmt.Errorf("it has %s; %d are the most", number.Count(f.Rows, "row"), mostRows)
	}
	ids, err := f.Read(id)
	if err != nil {
		return err
	}
	defer ids.Close()
	values, err := f.Arrays(value, array.MaxBytes/max(1, t.dtype.Size()))
	if err != nil {
		return err
	}
	defer values.Close()
	out, at := bufio.NewWriterSize(t.spool, 1<<16), int64(0)
	var buf []byte
	for n := range f.Rows {
		name, err := rowID(ids, id)
		if err != nil {
			return fmt.Errorf("row %d: %w", n+1, err)
		}
		if first, twice := t.place[name]; twice {
			return fmt.Errorf("row %d: %q is there twice: first in row %d", n+1, name, first.row)
		}
		a, err := values.Next(buf[:0])
		if err != nil {
			return fmt.Errorf("row %d: %w", n+1, err)
		}
		buf = a.Values
		place := cell{from: at, row: int(n) + 1, bytes: len(a.Values), axes: uint8(len(a.Shape)), trouble: troubleOf(a)}
		if place.trouble == sound {
			var head []byte
			for _, axis := range a.Shape {
				head = binary.LittleEndian.AppendUint32(head, uint32(axis))
			}
			_, err := out.Write(append(head, a.Values...))
			if at += int64(len(head) + len(a.Values)); err != nil {
				return spoolError(err)
			}
		}
		t.names, t.place[name] = append(t.names, name), place
	}
	return spoolError(out.Flush())
}

// rowID is the next id.
func rowID(ids *parquet.Cursor, column *parquet.Column) (string, error) {
	b, err := ids.Next()
	if err == nil && b == nil {
		err = errors.New("it has no id")
	}
	if err != nil {
		return "", err
	}
	return column.Text(b)
}

func troubleOf(a parquet.Array) trouble {
	switch {
	case a.Null:
		return null
	case a.Hole:
		return hole
	case a.Ragged:
		return ragged
	}
	return sound
}

func (t *table) Names() []string { return t.names }

func (t *table) Read(name string) (*array.Array, error) {
	p, ok := t.place[name]
	switch {
	case !ok || p.trouble == null:
		return nil, fmt.Errorf("%w: %q", array.ErrAbsent, name)
	case p.trouble == hole:
		return nil, fmt.Errorf("row %d: a number in it is null", p.row)
	case p.trouble == ragged:
		return nil, fmt.Errorf("row %d: its lists are of several lengths", p.row)
	}
	b := make([]byte, 4*int(p.axes)+p.bytes)
	if _, err := t.spool.ReadAt(b, p.from); err != nil {
		return nil, spoolError(err)
	}
	a := &array.Array{DType: t.dtype}
	for range p.axes {
		a.Shape, b = append(a.Shape, int(binary.LittleEndian.Uint32(b))), b[4:]
	}
	a.Data = slices.Clip(b)
	return a, nil
}

// Close gives the spool's room back.
func (t *table) Close() error { return t.spool.Close() }
