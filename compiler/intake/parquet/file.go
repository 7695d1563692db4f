package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"voxpack/internal/number"
)

// Kind is how values are stored.
type Kind int64

// The kinds (Type of the format's parquet.thrift).
const (
	Boolean Kind = iota
	Int32
	Int64
	Int96
	Float
	Double
	ByteArray
	FixedByteArray
)

var kinds = [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}

// String is the format's name.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return fmt.Sprintf("Type %d", int64(k))
	}
	return kinds[k]
}

// widths are the bytes of values that always have as many.
var widths = map[Kind]int{Int32: 4, Int64: 8, Int96: 12, Float: 4, Double: 8}

// Column is a leaf of the schema.
type Column struct {
	Path    []string // names from the top
	Kind    Kind
	String  bool   // bytes that are said to be text
	Listed  bool   // it has a list of values for a row, which Arrays reads, and Read does not
	Foreign string // the type of values that Text cannot write, as DATE; else ""

	// Which chunk of a group is the column's, and how its values are cut. level is
	// the highest definition level (Encodings.md): how many nodes of the path may be
	// absent. A value with a lower level is null; 0: no value can be.
	at    int  // among the leaves
	level uint // of a value that is not null
	// lists has for each list around the value, from the top, the level from which on
	// the list has an entry. One level less is an empty list, still less is null.
	lists []uint
	width int // bytes of a value; 0: they differ
	meaning
	scale int // digits after the point of a decimal
}

// Name is the path with dots.
func (c *Column) Name() string { return strings.Join(c.Path, ".") }

// File is an open Parquet file. It is safe for concurrent use if its reader is.
type File struct {
	Rows    int64
	Columns []*Column
	Notes   map[string]string // what writers keep beside the data

	r      io.ReaderAt
	groups []group
}

// group is a row group: its chunks stand in the order of the columns.
// check has held their number against that of the columns.
type group struct {
	rows   int64
	chunks []chunk
}

// chunk is where the values of a column are in a group.
// Its numbers are the file's claims until check has held them against the file; a
// group without rows is not checked and never read.
type chunk struct {
	kind        Kind
	codec       int64
	begin, end  int64
	values      int64
	nulls       int64 // -1: not told
	data, index int64 // offsets of the first data page, of the dictionary
	size        int64
	elsewhere   bool
}

const (
	magic = "PAR1"
	// maxFooter bounds what Open asks for before a byte of the footer is known to be sound.
	maxFooter = 32 << 20 // that of 10,000 groups of ten columns has 10 MB
)

// Open reads the footer of a file. It stands at the end, before its length in
// four bytes and PAR1: a writer knows only then where the chunks are. So a file
// that is cut anywhere is refused.
// The file keeps r, and reads it later: the caller closes r after the last Cursor.
func Open(r io.ReaderAt, size int64) (*File, error) {
	var head [4]byte
	var tail [8]byte
	if size < int64(len(head)+len(tail)) {
		return nil, errors.New("it is too short for a Parquet file")
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, err
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil {
		return nil, err
	}
	switch {
	case string(tail[4:]) == "PARE":
		return nil, errors.New("it is encrypted")
	case string(head[:]) != magic || string(tail[4:]) != magic:
		return nil, errors.New("it is not a Parquet file, or a part of one: PAR1 does not stand at both ends")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	// 12: the magic at both ends and the length.
	if n > size-12 || n > maxFooter {
		return nil, fmt.Errorf("its footer is said to have %d bytes; the file has %d, and %d are the most", n, size, maxFooter)
	}
	b := make([]byte, n)
	if _, err := r.ReadAt(b, size-8-n); err != nil {
		return nil, err
	}
	f := &File{r: r, Notes: map[string]string{}}
	if err := f.footer(b, size-8-n); err != nil {
		return nil, fmt.Errorf("its footer is damaged: %w", err)
	}
	return f, nil
}

// node is an element of the schema, as it is written.
// A group has children and no kind, a leaf a kind and no children.
type node struct {
	name     string
	kind     Kind
	width    int64 // of FixedByteArray
	repeats  int64 // 0 there, 1 there or null, 2 a list
	children int64
	old, new logical // what values mean
}

// logical is the new type where the writer gave one, else the old one. Writers give
// both, and the old one cannot say all: the new one wins.
func (n *node) logical() logical {
	if n.new.name != "" {
		return n.new
	}
	return n.old
}

// footer reads FileMetaData of parquet.thrift. The numbers here and below are
// those of the fields there; fields that are not needed are skipped.
func (f *File) footer(b []byte, end int64) error {
	c := &compact{b: b}
	var schema []node
	c.structure(typeStruct, func(id int, kind byte) bool {
		switch id {
		case 2:
			c.list(kind, func(kind byte) { schema = append(schema, readNode(c, kind)) })
		case 3:
			f.Rows = c.integer(kind)
		case 4:
			c.list(kind, func(kind byte) { f.groups = append(f.groups, readGroup(c, kind)) })
		case 5:
			c.list(kind, func(kind byte) { f.readNote(c, kind) })
		default:
			return false
		}
		return true
	})
	if c.err != nil {
		return c.err
	}
	if err := f.leaves(schema); err != nil {
		return err
	}
	return f.check(end)
}

// readNode reads a SchemaElement. One without a kind is a group of others.
// A converted type that is not in the table has the zero value: as it is stored.
func readNode(c *compact, kind byte) node {
	n := node{kind: -1}
	numbers := []*int64{1: (*int64)(&n.kind), 2: &n.width, 3: &n.repeats, 5: &n.children, 7: &n.old.scale, 8: &n.old.precision}
	c.numbers(kind, numbers, func(id int, kind byte) bool {
		switch id {
		case 4:
			n.name = string(c.octets(kind))
		case 6: // the old way to say what values mean
			l := converted[c.integer(kind)]
			n.old.meaning, n.old.name = l.meaning, l.name
		case 10: // and the new one
			n.new = readLogical(c, kind)
		default:
			return false
		}
		return true
	})
	return n
}

// readGroup reads a RowGroup.
func readGroup(c *compact, kind byte) (g group) {
	c.numbers(kind, []*int64{3: &g.rows}, func(id int, kind byte) bool {
		if id == 1 {
			c.list(kind, func(kind byte) { g.chunks = append(g.chunks, readChunk(c, kind)) })
		}
		return id == 1
	})
	return g
}

// readChunk reads a ColumnChunk with its ColumnMetaData. Five of the facts are
// required there and used here: kind, codec, values, size and the first data page.
// The dictionary's place is optional.
func readChunk(c *compact, kind byte) chunk {
	k := chunk{kind: untold, codec: untold, values: untold, size: untold, data: untold, nulls: -1}
	facts := []*int64{1: (*int64)(&k.kind), 4: &k.codec, 5: &k.values, 7: &k.size, 9: &k.data, 11: &k.index}
	c.structure(kind, func(id int, kind byte) bool {
		switch id {
		case 1, 8, 9: // a path, or keys
			k.elsewhere = true
		case 3:
			c.numbers(kind, facts, func(id int, kind byte) bool {
				if id == 12 {
					k.nulls = readNulls(c, kind)
				}
				return id == 12
			})
			return true
		}
		return false
	})
	if c.err == nil && min(int64(k.kind), k.codec, k.values, k.size, k.data) == untold {
		c.fail(errors.New("a column says neither where it is nor how long"))
	}
	return k
}

// readNulls reads statistics: how many values are null, -1 where it is not told.
func readNulls(c *compact, kind byte) int64 {
	nulls := int64(-1)
	c.numbers(kind, []*int64{3: &nulls}, nil)
	return nulls
}

// readNote reads a KeyValue, as Hugging Face's datasets keep the names of classes
// under the key "huggingface".
// A key that stands there twice has its last value.
func (f *File) readNote(c *compact, kind byte) {
	var pair [3]string
	c.structure(kind, func(id int, kind byte) bool {
		if id == 1 || id == 2 {
			pair[id] = string(c.octets(kind))
			return true
		}
		return false
	})
	f.Notes[pair[1]] = pair[2]
}

// leaves makes columns of the schema, which is a tree written from the top.
// Each element tells how many of those after it are its children; the top one is
// the table itself. Depth is bounded by maxDepth, so a footer cannot exhaust the
// stack. Each child takes an element away, so a claimed number of them ends too.
func (f *File) leaves(schema []node) error {
	if len(schema) == 0 {
		return errors.New("it has no schema")
	}
	rest := schema[1:]
	var walk func(n int64, above Column, depth int) error
	walk = func(n int64, above Column, depth int) error {
		for ; n > 0; n-- {
			if len(rest) == 0 || depth > maxDepth {
				return errors.New("its schema is not a tree")
			}
			next := rest[0]
			rest = rest[1:]
			c := above
			c.Path = append(slices.Clone(above.Path), next.name)
			// An optional or repeated node may be absent: one more definition level.
			if next.repeats != 0 {
				c.level++
			}
			if next.repeats == 2 {
				c.Listed, c.lists = true, append(slices.Clone(above.lists), c.level)
			}
			if next.children == 0 && next.kind >= 0 {
				c.Kind, c.at, c.width = next.kind, len(f.Columns), widths[next.kind]
				// A width that cannot be is left 0, and no page is read then (decoderOf).
				if c.Kind == FixedByteArray && 0 < next.width && next.width <= maxPage {
					c.width = int(next.width)
				}
				c.mean(next.logical())
				f.Columns = append(f.Columns, &c)
				continue
			}
			if err := walk(next.children, c, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(schema[0].children, Column{}, 0); err != nil {
		return err
	}
	if len(rest) > 0 {
		return errors.New("its schema is not a tree")
	}
	return nil
}

// maxRows bounds what a footer claims, so that sums of it do not overflow. How
// many rows there are, only reading tells: a constant column takes no byte for one.
const maxRows = 1 << 40

// check holds what the footer says of places and sizes against the file. Of a
// group without rows nothing is read, and writers say odd things of its columns.
func (f *File) check(end int64) error {
	var rows int64
	for i := range f.groups {
		g := &f.groups[i]
		if g.rows < 0 || g.rows > maxRows-rows || len(g.chunks) != len(f.Columns) {
			return fmt.Errorf("a group of %s and %s", number.Count(g.rows, "row"), number.Count(len(g.chunks), "column"))
		}
		if rows += g.rows; g.rows == 0 {
			continue
		}
		for j := range g.chunks {
			k := &g.chunks[j]
			k.begin = k.data // a dictionary stands in front of the data; 0: there is none
			if k.index > 0 && k.index < k.data {
				k.begin = k.index
			}
			k.end = k.begin + k.size
			if k.begin < 4 || k.size < 0 || k.end < k.begin || k.end > end || k.kind != f.Columns[j].Kind {
				return fmt.Errorf("column %s lies at %d to %d of %d bytes", f.Columns[j].Name(), k.begin, k.end, end)
			}
		}
	}
	if rows != f.Rows {
		return fmt.Errorf("%s, but its groups have %d in total", number.Count(f.Rows, "row"), rows)
	}
	return nil
}

// Column finds a column by its path, nil where there is none.
// It serves columns that are lists as well; Arrays reads those, Read refuses them.
func (f *File) Column(path ...string) *Column {
	for _, c := range f.Columns {
		if slices.Equal(c.Path, path) {
			return c
		}
	}
	return nil
}
