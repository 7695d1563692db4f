package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// This is a writer of Parquet by the format's own documents: the fields of
// parquet.thrift, Thrift's compact protocol, and README.md for the order of the
// parts. It writes what it is told, right or wrong, and shares no code and no
// constant with the reader.

// A field has the number that parquet.thrift gives it. v is a bool, int8, int32,
// int64, string, record, []any (a list), or raw.
type (
	field struct {
		id int
		v  any
	}
	record []field
	raw    struct {
		kind byte // in a field's head
		b    []byte
	}
)

// with is the record with another value at a path of numbers of fields and places
// in lists; nil takes the field away.
func (r record) with(v any, path ...int) record { return put(r, v, path).(record) }

func put(in, v any, path []int) any {
	if len(path) == 0 {
		return v
	}
	switch in := in.(type) {
	case []any:
		list := append([]any{}, in...)
		list[path[0]] = put(list[path[0]], v, path[1:])
		return list
	case record:
		out, done := record{}, false
		for _, f := range in {
			if f.id == path[0] || !done && f.id > path[0] {
				var old any
				if f.id == path[0] {
					old = f.v
				}
				if now := put(old, v, path[1:]); now != nil {
					out = append(out, field{path[0], now})
				}
				if done = true; old != nil {
					continue
				}
			}
			out = append(out, f)
		}
		if !done && v != nil {
			out = append(out, field{path[0], put(nil, v, path[1:])})
		}
		return out
	}
	return put(record{}, v, path)
}

// kindOf is the compact protocol's number of a value's type.
func kindOf(v any) byte {
	switch v := v.(type) {
	case bool:
		if v {
			return 1
		}
		return 2
	case int8:
		return 3
	case int32:
		return 5
	case int64:
		return 6
	case string:
		return 8
	case []any:
		return 9
	case raw:
		return v.kind
	}
	return 12
}

func encode(b []byte, v any) []byte {
	switch v := v.(type) {
	case int8:
		return append(b, byte(v))
	case int32:
		return binary.AppendVarint(b, int64(v))
	case int64:
		return binary.AppendVarint(b, v)
	case string:
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	case raw:
		return append(b, v.b...)
	case []any:
		kind := byte(12)
		if len(v) > 0 {
			kind = kindOf(v[0])
		}
		if len(v) < 15 {
			b = append(b, byte(len(v))<<4|kind)
		} else {
			b = binary.AppendUvarint(append(b, 0xf0|kind), uint64(len(v)))
		}
		for _, e := range v {
			b = encode(b, e)
		}
	case record:
		last := 0
		for _, f := range v {
			id := f.id
			if step := id - last; step > 0 && step < 16 {
				b = append(b, byte(step)<<4|kindOf(f.v))
			} else {
				b = binary.AppendVarint(append(b, kindOf(f.v)), int64(id))
			}
			b, last = encode(b, f.v), id
		}
		b = append(b, 0)
	}
	return b
}

// A made is a page: what is said of it, its definition levels, and its values.
type made struct {
	head         record
	levels, body []byte
}

// firstPage is a data page of version 1, whose levels have their length before them.
func firstPage(encoding, values int, levels, body []byte) made {
	if levels != nil {
		levels = append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
	}
	return made{record{{1, int32(0)}, {5, record{{1, int32(values)}, {2, int32(encoding)}, {3, int32(3)}, {4, int32(3)}}}}, levels, body}
}

// secondPage is one of version 2: the head has the length of the levels.
func secondPage(encoding, values, nulls int, levels, body []byte) made {
	return made{record{{1, int32(3)}, {8, record{{1, int32(values)}, {2, int32(nulls)}, {3, int32(values)}, {4, int32(encoding)},
		{5, int32(len(levels))}, {6, int32(0)}}}}, levels, body}
}

func wordsPage(words int, body []byte) made {
	return made{head: record{{1, int32(2)}, {7, record{{1, int32(words)}, {2, int32(0)}}}}, body: body}
}

// with is the page with another value in its head.
func (m made) with(v any, path ...int) made { m.head = m.head.with(v, path...); return m }

// bytes are the page in a file; what of sizes and checksum its head has already stays.
func (m made) bytes(t testing.TB, codec int, sum bool) []byte {
	second := m.head[0].v == int32(3)
	unpacked, stored := len(m.levels)+len(m.body), []byte(nil)
	switch {
	case !second:
		stored = packed(t, codec, append(bytes.Clone(m.levels), m.body...))
	case kindOfField(m.head, 8, 7) == 2: // is_compressed: false
		stored = append(bytes.Clone(m.levels), m.body...)
	default:
		stored = append(bytes.Clone(m.levels), packed(t, codec, m.body)...)
	}
	head := m.head
	for id, v := range map[int]int32{2: int32(unpacked), 3: int32(len(stored)), 4: int32(crc32.ChecksumIEEE(stored))} {
		if kindOfField(head, id) == 0 && (id != 4 || sum) {
			head = head.with(v, id)
		}
	}
	return append(encode(nil, head), stored...)
}

func kindOfField(r record, path ...int) byte {
	for _, f := range r {
		if f.id == path[0] {
			if len(path) > 1 {
				return kindOfField(f.v.(record), path[1:]...)
			}
			return kindOf(f.v)
		}
	}
	return 0
}

// packed is b as each codec of the format stores it.
func packed(t testing.TB, codec int, b []byte) []byte {
	var out bytes.Buffer
	var err error
	literals := func() []byte { // LZ4's block of one run of literals
		n := len(b)
		if n < 15 {
			return append([]byte{byte(n) << 4}, b...)
		}
		head := append([]byte{0xf0}, bytes.Repeat([]byte{255}, (n-15)/255)...)
		return append(append(head, byte((n-15)%255)), b...)
	}
	switch codec {
	case 1:
		return snappy.Encode(nil, b)
	case 2:
		half := len(b) / 2
		for _, part := range [][]byte{b[:half], b[half:]} { // a page may be several members
			w := gzip.NewWriter(&out)
			_, err = w.Write(part)
			err = errors.Join(err, w.Close())
		}
	case 4:
		w := brotli.NewWriterLevel(&out, 1)
		_, err = w.Write(b)
		err = errors.Join(err, w.Close())
	case 5: // Hadoop's frame: both lengths, the highest byte first
		_ = binary.Write(&out, binary.BigEndian, [2]uint32{uint32(len(b)), uint32(len(literals()))})
		out.Write(literals())
	case 6:
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstd.MinWindowSize))
		defer w.Close()
		return w.EncodeAll(b, nil)
	case 7:
		return literals()
	default:
		return b
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A leaf is a column as it is written: its place in the schema, and its pages in
// each group.
type leaf struct {
	kind   Kind
	width  int // of FixedByteArray
	levels int // 0: required; n: it is optional, and so are n-1 structures around it
	codec  int
	sum    bool // pages have checksums
	groups [][]made
	rows   []int // of each group
	words  bool  // the first page of each group is a dictionary, which the footer says
}

// footer is what stands at the end, and the pages before it. The column's name is
// "a", its structures' are s1, s2 and so on.
func (l *leaf) footer(t testing.TB) (file []byte, meta record) {
	file = []byte("PAR1")
	schema := []any{record{{4, "schema"}, {5, int32(1)}}}
	path := []any{}
	for i := 1; i < l.levels; i++ {
		name := "s" + string(rune('0'+i))
		schema, path = append(schema, record{{3, int32(1)}, {4, name}, {5, int32(1)}}), append(path, name)
	}
	element := record{{1, int32(l.kind)}, {3, int32(min(l.levels, 1))}, {4, "a"}}
	if l.width > 0 {
		element = element.with(int32(l.width), 2)
	}
	schema, path = append(schema, element), append(path, "a")
	groups, all := []any{}, 0
	for i, pages := range l.groups {
		begin, data := len(file), int64(len(file))
		for k, p := range pages {
			file = append(file, p.bytes(t, l.codec, l.sum)...)
			if k == 0 && l.words {
				data = int64(len(file))
			}
		}
		size := int64(len(file) - begin)
		chunk := record{{1, int32(l.kind)}, {2, []any{int32(0)}}, {3, path}, {4, int32(l.codec)}, {5, int64(l.rows[i])}, {6, size}, {7, size}, {9, data}}
		if l.words {
			chunk = chunk.with(int64(begin), 11)
		}
		groups = append(groups, record{{1, []any{record{{2, int64(begin)}, {3, chunk}}}}, {2, size}, {3, int64(l.rows[i])}})
		all += l.rows[i]
	}
	return file, record{{1, int32(2)}, {2, schema}, {3, int64(all)}, {4, groups}, {6, "a test"}}
}

// close puts a footer to its file.
func closeFile(file []byte, meta record) []byte {
	foot := encode(nil, meta)
	file = append(bytes.Clone(file), foot...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(foot)))
	return append(file, "PAR1"...)
}

func (l *leaf) file(t testing.TB) []byte { return closeFile(l.footer(t)) }

// readAll are a column's values, nil for null, read to the end; with it the values
// are asked for one by one, and the nulls.
func readAll(b []byte, path ...string) (values [][]byte, err error) {
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	col := f.Column(path...)
	if col == nil {
		return nil, fmt.Errorf("no column %q", path)
	}
	if err := eachValue(f, col, func(v []byte) { values = append(values, bytes.Clone(v)) }); err != nil {
		return values, err
	}
	for row, want := range values {
		got, ok, err := f.Value(col, int64(row), nil)
		if err != nil {
			return values, err
		}
		if ok != (want != nil) || !bytes.Equal(got, want) {
			panic("Value gives another value than Next")
		}
	}
	return values, nil
}

// valuesOf are n random values of a kind.
func valuesOf(kind Kind, width, n int) (values [][]byte) {
	for i := range n {
		switch kind {
		case Boolean:
			values = append(values, []byte{byte(i / 3 % 2)})
		case Int32, Float:
			values = append(values, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(i*i)-7)))
		case Int64, Double:
			values = append(values, binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(i*i)-7)))
		case ByteArray:
			values = append(values, bytes.Repeat([]byte{'a' + byte(i%7)}, i%5))
		default:
			values = append(values, append(bytes.Repeat([]byte{'x'}, width-1), byte(i)))
		}
	}
	return values
}
