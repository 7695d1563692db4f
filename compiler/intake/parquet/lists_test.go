package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// valueOf is a row of Arrays as JSON has it: numbers, lists of them, nil.
func valueOf(t testing.TB, c *Column, a Array) any {
	if a.Null {
		return nil
	}
	width := map[string]int{"bool": 1, "f16": 2}[c.Number()]
	if width == 0 {
		width = c.width
	}
	at := 0
	var build func(shape []int) any
	build = func(shape []int) any {
		if len(shape) > 0 {
			list := []any{}
			for range shape[0] {
				list = append(list, build(shape[1:]))
			}
			return list
		}
		v := a.Values[at : at+width]
		at += width
		return numberOf(c.Number(), v)
	}
	v := build(a.Shape)
	if at != len(a.Values) {
		t.Fatalf("%s: shape %v has %d bytes of %d", c.Name(), a.Shape, at, len(a.Values))
	}
	return v
}

// numberOf is a number as JSON's decoder gives it.
func numberOf(kind string, v []byte) any {
	switch kind {
	case "bool":
		return v[0] == 1
	case "f16":
		h := binary.LittleEndian.Uint16(v)
		return json.Number(fmt.Sprint(math.Ldexp(float64(h&0x3ff|0x400)*[]float64{1, -1}[h>>15], int(h>>10&31)-25)))
	case "f32":
		return json.Number(fmt.Sprint(math.Float32frombits(binary.LittleEndian.Uint32(v))))
	case "f64":
		return json.Number(fmt.Sprint(math.Float64frombits(binary.LittleEndian.Uint64(v))))
	case "u32":
		return json.Number(fmt.Sprint(binary.LittleEndian.Uint32(v)))
	case "u64":
		return json.Number(fmt.Sprint(binary.LittleEndian.Uint64(v)))
	}
	return json.Number(fmt.Sprint(signed(v)))
}

// plainNumbers writes 1.0 as 1, as Go does.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case json.Number:
		return json.Number(strings.TrimSuffix(v.String(), ".0"))
	}
	return v
}

// arraysOf are all rows of a column.
func arraysOf(f *File, c *Column, most int) (rows []Array, err error) {
	a, err := f.Arrays(c, most)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for range f.Rows {
		row, err := a.Next(nil)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	if _, err := a.Next(nil); err == nil || !strings.Contains(err.Error(), "no more rows") {
		return rows, fmt.Errorf("after the last row: %w", err)
	}
	return rows, nil
}

// TestListsAreReadAsTheyWereWritten by pyarrow in its forms, DuckDB and polars (testdata/make_lists.py): lists, lists of a fixed size,
// lists within lists and single numbers; null, empty and ragged ones are told.
func TestListsAreReadAsTheyWereWritten(t *testing.T) {
	var want []map[string]any
	for lines := bufio.NewScanner(bytes.NewReader(loadFile(t, "lists.jsonl"))); lines.Scan(); {
		var row map[string]any
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		if d.UseNumber(); d.Decode(&row) != nil {
			t.Fatalf("%s", lines.Bytes())
		}
		want = append(want, row)
	}
	paths, _ := filepath.Glob("testdata/lists-*.parquet")
	if len(paths) < 7 {
		t.Fatalf("%d files", len(paths))
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".parquet")
		f := open(t, name)
		for _, c := range f.Columns {
			if c.Number() == "" {
				continue
			}
			rows, err := arraysOf(f, c, 1000)
			if err != nil || len(rows) != len(want) {
				t.Errorf("%s: %s: %d rows, %v", name, c.Name(), len(rows), err)
				continue
			}
			for n, row := range rows {
				wanted := plainNumbers(want[n][c.Path[0]])
				if c.Path[0] == "sixteen" {
					if n == 0 {
						continue // 0, which numberOf does not know
					}
					wanted = []any{json.Number(fmt.Sprint(float64(n) / 2)), json.Number(fmt.Sprint(-n))}
				}
				text := fmt.Sprint(wanted)
				hole, ragged := strings.Contains(text, "<nil>") && wanted != nil, c.Path[0] == "ragged" && wanted != nil && len(wanted.([]any)) > 1
				if row.Hole != hole || row.Ragged != ragged {
					t.Errorf("%s: %s: row %d: %+v for %v", name, c.Name(), n, row, wanted)
				} else if got := "hole"; !hole && !ragged {
					if v := valueOf(t, c, row); !reflect.DeepEqual(v, wanted) {
						t.Errorf("%s: %s: row %d: %v %v, want %v", name, c.Name(), n, got, v, wanted)
					}
				}
			}
		}
	}
}

// shredded is a column of lists as levels, by the definition of the format: each of its nodes may be absent.
type shredded struct {
	repeats, levels []uint64
	values          [][]byte
}

// shred adds a row: nil, a number, or a list of such. depth lists are still to come; an optional node stands around each list
// and each value.
func (s *shredded) shred(v any, repeat, level uint64, list, depth int) {
	entry := func(level uint64) { s.repeats, s.levels = append(s.repeats, repeat), append(s.levels, level) }
	switch v := v.(type) {
	case nil:
		entry(level)
	case []any:
		if len(v) == 0 {
			entry(level + 1)
		}
		for i, e := range v {
			if i > 0 {
				repeat = uint64(list + 1)
			}
			s.shred(e, repeat, level+2, list+1, depth-1)
		}
	case int32:
		entry(level + 1)
		s.values = append(s.values, binary.LittleEndian.AppendUint32(nil, uint32(v)))
	}
}

// listLeaf is a file with a column of depth lists, its rows in groups and pages that are cut anywhere, of the second form between
// rows. The footer is made by leaf.footer, with another schema.
func listLeaf(t testing.TB, r *rand.Rand, rows []any, depth int, second bool) []byte {
	l := leaf{kind: Int32, codec: 1}
	entries := []int64{}
	for len(rows) > 0 {
		n := min(len(rows), 1+r.IntN(9))
		var s shredded
		for _, row := range rows[:n] {
			s.shred(row, 0, 0, 0, depth)
		}
		rows = rows[n:]
		entries = append(entries, int64(len(s.repeats)))
		top := uint64(2*depth + 1)
		var pages []made
		for len(s.repeats) > 0 {
			n := 1 + r.IntN(len(s.repeats))
			for second && n < len(s.repeats) && s.repeats[n] != 0 {
				n++
			}
			there, begun := 0, 0
			for i := range n {
				if s.levels[i] == top {
					there++
				}
				if s.repeats[i] == 0 {
					begun++
				}
			}
			lists, levels := asRuns(r, s.repeats[:n], uint(bits.Len(uint(depth)))), asRuns(r, s.levels[:n], uint(bits.Len64(top)))
			body := asPlain(s.values[:there], true)
			if second {
				p := secondPage(0, n, n-there, append(slices.Clone(lists), levels...), body)
				pages = append(pages, p.with(int32(begun), 8, 3).with(int32(len(levels)), 8, 5).with(int32(len(lists)), 8, 6))
			} else {
				p := firstPage(0, n, levels, body)
				p.levels = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(lists))), lists...), p.levels...)
				pages = append(pages, p)
			}
			s.repeats, s.levels, s.values = s.repeats[n:], s.levels[n:], s.values[there:]
		}
		l.groups, l.rows = append(l.groups, pages), append(l.rows, n)
	}
	file, meta := l.footer(t)
	schema := []any{record{{4, "schema"}, {5, int32(1)}}}
	for range depth {
		schema = append(schema, record{{3, int32(1)}, {4, "l"}, {5, int32(1)}}, record{{3, int32(2)}, {4, "list"}, {5, int32(1)}})
	}
	meta = meta.with(append(schema, record{{1, int32(Int32)}, {3, int32(1)}, {4, "a"}}), 2)
	for g, n := range entries {
		meta = meta.with(n, 4, g, 1, 0, 3, 5)
	}
	return closeFile(file, meta)
}

// randomRow is a row of lists of a depth: rectangular for two of three, with nulls.
func randomRow(r *rand.Rand, depth int) any {
	if r.IntN(9) == 0 {
		return nil
	}
	if depth == 0 {
		return r.Int32()
	}
	list := []any{}
	for range r.IntN(4) {
		list = append(list, randomRow(r, depth-1))
	}
	return list
}

// shapeOf is what Arrays says of a row: its shape, and what is wrong with it.
func shapeOf(v any, depth int) (shape []int, values []int32, hole, ragged bool) {
	shape = make([]int, depth)
	seen := make([]bool, depth)
	var walk func(v any, d int)
	walk = func(v any, d int) {
		switch v := v.(type) {
		case nil:
			hole = true
		case int32:
			values = append(values, v)
		case []any:
			ragged = ragged || seen[d] && shape[d] != len(v)
			if !seen[d] {
				seen[d], shape[d] = true, len(v)
			}
			for _, e := range v {
				walk(e, d+1)
			}
		}
	}
	walk(v, 0)
	return shape, values, hole, ragged && !hole
}

// TestListsOfEveryDepth: what is shredded by the format's definition comes back, over pages and groups that end anywhere.
func TestListsOfEveryDepth(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for turn := range 400 {
		depth, rows := 1+turn%3, []any{}
		for range 1 + r.IntN(40) {
			rows = append(rows, randomRow(r, depth))
		}
		b := listLeaf(t, r, rows, depth, turn%2 == 1)
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := arraysOf(f, f.Columns[0], 100)
		if err != nil || len(got) != len(rows) {
			t.Fatalf("turn %d: %d rows of %d: %v", turn, len(got), len(rows), err)
		}
		for i, row := range rows {
			shape, values, hole, ragged := shapeOf(row, depth)
			var has []int32
			for at := 0; at < len(got[i].Values); at += 4 {
				has = append(has, int32(binary.LittleEndian.Uint32(got[i].Values[at:])))
			}
			a := got[i]
			if same := a.Null == (row == nil) && a.Ragged == ragged && a.Hole == (hole && row != nil) && slices.Equal(values, has); !same || !hole && !ragged && !slices.Equal(a.Shape, shape) {
				t.Fatalf("turn %d: row %d: %+v of %v, want %v %v, hole %v, ragged %v", turn, i, a, row, shape, values, hole, ragged)
			}
		}
		if _, err := arraysOf(f, f.Columns[0], 1); err == nil && slices.ContainsFunc(rows, func(v any) bool { _, n, _, _ := shapeOf(v, depth); return len(n) > 1 }) {
			t.Fatalf("turn %d: a row of more than 1 value was read", turn)
		}
	}
}

// TestListsOfOldWriters: two levels, a list of a repeated value (parquet-mr), and one, a repeated value alone (protobuf).
func TestListsOfOldWriters(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	repeated := record{{1, int32(Int32)}, {3, int32(2)}, {4, "array"}}
	for name, c := range map[string]struct {
		schema []any
		levels []uint64
		want   string
	}{
		"two levels": {[]any{record{{4, "schema"}, {5, int32(1)}}, record{{3, int32(1)}, {4, "l"}, {5, int32(1)}, {6, int32(3)}}, repeated}, []uint64{2, 2, 0, 1, 2}, "[2] null [0] [1]"},
		"required":   {[]any{record{{4, "schema"}, {5, int32(1)}}, record{{3, int32(0)}, {4, "l"}, {5, int32(1)}}, repeated}, []uint64{1, 1, 0, 0, 1}, "[2] [0] [0] [1]"},
		"one level":  {[]any{record{{4, "schema"}, {5, int32(1)}}, repeated}, []uint64{1, 1, 0, 0, 1}, "[2] [0] [0] [1]"},
	} {
		top := slices.Max(c.levels)
		lists, levels := asRuns(r, []uint64{0, 1, 0, 0, 0}, 1), asRuns(r, c.levels, uint(bits.Len64(top)))
		p := firstPage(0, 5, levels, bytes.Repeat([]byte{7, 0, 0, 0}, 3))
		p.levels = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(lists))), lists...), p.levels...)
		l := leaf{kind: Int32, groups: [][]made{{p}}, rows: []int{4}}
		file, meta := l.footer(t)
		b := closeFile(file, meta.with(c.schema, 2).with(int64(5), 4, 0, 1, 0, 3, 5))
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := arraysOf(f, f.Columns[0], 100)
		var got []string
		for _, row := range rows {
			text := fmt.Sprint(row.Shape)
			if row.Null {
				text = "null"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, " "); err != nil || text != c.want {
			t.Errorf("%s: %s, %v; want %s", name, text, err, c.want)
		}
	}
}

// TestListsThatCannotBeAreRefused: levels of lists that contradict each other, the group or the page.
func TestListsThatCannotBeAreRefused(t *testing.T) {
	page := func(second bool, lists, levels []uint64, values int) made {
		r := rand.New(rand.NewPCG(1, 1))
		a, b := asRuns(r, lists, 1), asRuns(r, levels, 2)
		body := bytes.Repeat([]byte{1, 0, 0, 0}, values)
		p := firstPage(0, len(levels), b, body)
		p.levels = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(a))), a...), p.levels...)
		if second {
			p = secondPage(0, len(levels), len(levels)-values, append(slices.Clone(a), b...), body).with(int32(len(b)), 8, 5).with(int32(len(a)), 8, 6)
		}
		return p
	}
	for name, c := range map[string]struct {
		pages   []made
		entries int64
		want    string
	}{
		"a row goes on first":           {[]made{page(false, []uint64{1, 0}, []uint64{3, 3}, 2)}, 2, "begins within a row"},
		"fewer rows":                    {[]made{page(false, []uint64{0, 1, 1}, []uint64{3, 3, 3}, 3)}, 3, "a group of 2 rows has 1"},
		"more rows":                     {[]made{page(false, []uint64{0, 0, 0}, []uint64{3, 3, 3}, 3)}, 3, "a group of 2 rows has more"},
		"an empty list goes on":         {[]made{page(false, []uint64{0, 1, 0}, []uint64{1, 3, 3}, 2)}, 3, "has not begun"},
		"a null list goes on":           {[]made{page(false, []uint64{0, 1, 0}, []uint64{0, 3, 3}, 2)}, 3, "has not begun"},
		"a list goes on with nothing":   {[]made{page(false, []uint64{0, 1, 0}, []uint64{3, 1, 3}, 2)}, 3, "has not begun"},
		"fewer entries than rows":       {[]made{page(false, []uint64{0, 0}, []uint64{3, 3}, 2)}, 1, "1 value in 2 rows"},
		"no entries":                    {[]made{page(false, []uint64{0, 0}, []uint64{3, 3}, 2)}, 0, "0 values in 2 rows"},
		"less than no entries":          {[]made{page(false, []uint64{0, 0}, []uint64{3, 3}, 2)}, -5, "values in 2 rows"},
		"more entries than pages":       {[]made{page(false, []uint64{0, 0}, []uint64{3, 3}, 2)}, 9, "ends too early"},
		"a page with more entries":      {[]made{page(false, []uint64{0, 0, 1}, []uint64{3, 3, 3}, 3)}, 2, "where 2 are left"},
		"other rows than the page says": {[]made{page(true, []uint64{0, 1, 0}, []uint64{3, 3, 3}, 3).with(int32(3), 8, 3)}, 3, "in 3 rows"},
		"packed levels":                 {[]made{page(false, []uint64{0, 0}, []uint64{3, 3}, 2).with(int32(4), 5, 4)}, 2, "BIT_PACKED"},
	} {
		l := leaf{kind: Int32, groups: [][]made{c.pages}, rows: []int{2}}
		file, meta := l.footer(t)
		meta = meta.with([]any{record{{4, "schema"}, {5, int32(1)}}, record{{3, int32(1)}, {4, "l"}, {5, int32(1)}}, record{{3, int32(2)}, {4, "list"}, {5, int32(1)}},
			record{{1, int32(Int32)}, {3, int32(1)}, {4, "a"}}}, 2).with(c.entries, 4, 0, 1, 0, 3, 5)
		b := closeFile(file, meta)
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := arraysOf(f, f.Columns[0], 100); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestWhatHasNoNumbersIsNoArray: texts, times and decimals.
func TestWhatHasNoNumbersIsNoArray(t *testing.T) {
	f := open(t, "meanings-pyarrow")
	for name, want := range map[string]string{"text": "BYTE_ARRAY", "day": "DATE", "decimal7": "no numbers", "uuid": "no numbers", "moment": "TIMESTAMP"} {
		if _, err := f.Arrays(f.Column(name), 10); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "column "+name) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// TestManyRowsOfAListTakeNoMemory: a page of few bytes that claims a row of 2^30 values.
func TestManyRowsOfAListTakeNoMemory(t *testing.T) {
	run := func(n int, value byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)<<1), value) }
	const n = 1 << 30
	lists := append(run(1, 0), run(n-1, 1)...)
	p := secondPage(8, n, 0, append(slices.Clone(lists), run(n, 3)...), append([]byte{1}, run(n, 0)...))
	p = p.with(int32(1), 8, 3).with(int32(len(run(n, 3))), 8, 5).with(int32(len(lists)), 8, 6)
	l := leaf{kind: Int32, groups: [][]made{{wordsPage(1, []byte{1, 2, 3, 4}), p}}, rows: []int{1}, words: true}
	file, meta := l.footer(t)
	meta = meta.with([]any{record{{4, "schema"}, {5, int32(1)}}, record{{3, int32(1)}, {4, "l"}, {5, int32(1)}}, record{{3, int32(2)}, {4, "list"}, {5, int32(1)}},
		record{{1, int32(Int32)}, {3, int32(1)}, {4, "a"}}}, 2).with(int64(n), 4, 0, 1, 0, 3, 5)
	b := closeFile(file, meta)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := arraysOf(f, f.Columns[0], 1000); err == nil || len(rows) > 0 || !strings.Contains(err.Error(), "more than 1,000 values") {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// FuzzArrays: any bytes are an error or a file, whose rows have the number of values that their shape says; a column without lists
// has those that Next gives.
func FuzzArrays(f *testing.F) {
	paths, _ := filepath.Glob("testdata/lists-*.parquet")
	for _, path := range paths {
		f.Add(loadFile(f, filepath.Base(path)))
	}
	r := rand.New(rand.NewPCG(4, 4))
	for turn := range 6 {
		rows := []any{}
		for range 9 {
			rows = append(rows, randomRow(r, 1+turn%3))
		}
		f.Add(listLeaf(f, r, rows, 1+turn%3, turn > 2))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, c := range file.Columns {
			a, err := file.Arrays(c, 1<<10)
			if err != nil {
				continue
			}
			cursor, plain := file.Read(c)
			for n := int64(0); n < 1<<10; n++ {
				row, err := a.Next(nil)
				var v []byte
				if plain == nil {
					var other error
					if v, other = cursor.Next(); err == nil && (other != nil || !bytes.Equal(row.Values, v)) { // an error comes a row early: Arrays looks ahead
						t.Fatalf("row %d: %x, %v; Next gives %x, %v", n, row.Values, err, v, other)
					}
				}
				if err != nil {
					break
				}
				if n >= file.Rows {
					t.Fatalf("a row after %d", file.Rows)
				}
				if !row.Null && !row.Hole && !row.Ragged {
					valueOf(t, c, row)
				}
			}
			a.Close()
			if plain == nil {
				cursor.Close()
			}
		}
	})
}
