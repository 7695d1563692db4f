package intake

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A hubColumn is a column of a data set as the hub has them: its path in the schema,
// the name of what its bytes mean (LogicalType), and a value for each row, nil for
// null. Values of the kind 6 (BYTE_ARRAY) are texts, those of 2 (INT64) and 5
// (DOUBLE) eight bytes, lowest first, those of 1 (INT32) four.
type hubColumn struct {
	path   string // with a dot: a part of a structure
	kind   byte
	text   bool
	listed bool
	values []any // string, int64, int32 or nil
}

// thrift is the compact protocol, written by hand: a field's step and type in one
// byte, whole numbers in zigzag, 0 at the end of a structure.
type thrift []byte

func (b *thrift) head(step, kind byte) { *b = append(*b, step<<4|kind) }
func (b *thrift) i32(step byte, v int) { b.head(step, 5); *b = binary.AppendVarint(*b, int64(v)) }
func (b *thrift) i64(step byte, v int) { b.head(step, 6); *b = binary.AppendVarint(*b, int64(v)) }
func (b *thrift) end()                 { *b = append(*b, 0) }
func (b *thrift) str(step byte, s string) {
	b.head(step, 8)
	*b = append(binary.AppendUvarint(*b, uint64(len(s))), s...)
}
func (b *thrift) list(step byte, n int, kind byte) {
	b.head(step, 9)
	*b = binary.AppendUvarint(append(*b, 0xf0|kind), uint64(n))
}

// hubFile is a Parquet file of one group and a page a column, PLAIN and without
// compression, as README.md and Encodings.md of the format say; note is what the
// library datasets keeps under the key "huggingface".
func hubFile(note string, columns ...hubColumn) string {
	file := []byte("PAR1")
	rows := len(columns[0].values)
	var schema, chunks thrift
	elements, tops := 1, 0
	for i, c := range columns {
		top, name, inside := strings.Cut(c.path, ".")
		levels := 1
		if inside {
			levels = 2
		} else {
			name = top
		}
		if before, _, _ := strings.Cut(columns[max(i-1, 0)].path, "."); i == 0 || !inside || before != top {
			tops++
			if inside { // the structure, with as many children as columns begin like it
				n := 0
				for _, other := range columns {
					if strings.HasPrefix(other.path, top+".") {
						n++
					}
				}
				schema.i32(3, 1)
				schema.str(1, top)
				schema.i32(1, n)
				schema.end()
				elements++
			}
		}
		repetition := 1
		if c.listed {
			repetition = 2
		}
		schema.i32(1, int(c.kind))
		schema.i32(2, repetition)
		schema.str(1, name)
		if c.text {
			schema.i32(2, 0) // UTF8
		}
		schema.end()
		elements++

		var bits, body []byte // levels in packed groups of eight; then the values
		for n, v := range c.values {
			if n%8 == 0 {
				bits = append(bits, make([]byte, levels)...)
			}
			if v == nil {
				continue
			}
			at := n % 8 * levels
			bits[len(bits)-levels+at/8] |= byte(levels) << (at % 8)
			switch v := v.(type) {
			case string:
				body = append(binary.LittleEndian.AppendUint32(body, uint32(len(v))), v...)
			case int64:
				body = binary.LittleEndian.AppendUint64(body, uint64(v))
			case int32:
				body = binary.LittleEndian.AppendUint32(body, uint32(v))
			}
		}
		bits = append(binary.AppendUvarint(nil, uint64((rows+7)/8)<<1|1), bits...)
		body = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(bits))), bits...), body...)
		var head thrift
		head.i32(1, 0)
		head.i32(1, len(body))
		head.i32(1, len(body))
		head.head(2, 12)
		for _, v := range []int{rows, 0, 3, 3} {
			head.i32(1, v)
		}
		head.end()
		head.end()
		chunks.head(3, 12)
		chunks.i32(1, int(c.kind))
		chunks.i32(3, 0)
		chunks.i64(1, rows)
		chunks.i64(2, len(head)+len(body))
		chunks.i64(2, len(file))
		chunks.end()
		chunks.end()
		file = append(append(file, head...), body...)
	}
	var foot thrift
	foot.i32(1, 2)
	foot.list(1, elements, 12)
	foot.str(4, "schema")
	foot.i32(1, tops)
	foot.end()
	foot = append(foot, schema...)
	foot.i64(1, rows)
	foot.list(1, 1, 12)
	foot.list(1, len(columns), 12)
	foot = append(foot, chunks...)
	foot.i64(2, rows)
	foot.end()
	if note != "" {
		foot.list(1, 1, 12)
		foot.str(1, "huggingface")
		foot.str(1, note)
		foot.end()
	}
	foot.end()
	file = binary.LittleEndian.AppendUint32(append(file, foot...), uint32(len(foot)))
	return string(file) + "PAR1"
}

// recorded are the two columns of a recording, as Audio() of datasets writes them.
func recorded(bytes, paths []any) []hubColumn {
	return []hubColumn{
		{path: "audio.bytes", kind: 6, values: bytes},
		{path: "audio.path", kind: 6, text: true, values: paths},
	}
}

// TestRowsOfTheHub: each row of a data set is kept or refused at its number, by its
// own values alone.
func TestRowsOfTheHub(t *testing.T) {
	type row struct{ bytes, path, text, speaker, language, split any }
	good := row{"RIFF", "a.wav", "one", "ada", "en", "train"}
	with := func(change func(r *row)) row { r := good; change(&r); return r }
	for _, c := range []struct {
		name string
		row  row
		want string // after the file and its number
	}{
		{"all", good, "a (x.parquet)#2:a.wav one [ada] [en] [train]"},
		{"no bytes, but a path", with(func(r *row) { r.bytes = nil }), "a (a.wav) one [ada] [en] [train]"},
		{
			"bytes without a name",
			with(func(r *row) { r.path = nil }),
			"x/00000002 (x.parquet)#2: one [ada] [en] [train]",
		},
		{"an empty name", with(func(r *row) { r.path = "" }), "x/00000002 (x.parquet)#2: one [ada] [en] [train]"},
		{"no bytes of no length", with(func(r *row) { r.bytes = "" }), "a (x.parquet)#2:a.wav one [ada] [en] [train]"},
		{"neither", with(func(r *row) { r.bytes, r.path = nil, nil }), "! neither a recording nor the path of one"},
		{"a path of another machine", with(func(r *row) { r.path = "/elsewhere/clips/a.wav" }),
			"a (x.parquet)#2:a.wav one [ada] [en] [train]"},
		{
			"a path of Windows",
			with(func(r *row) { r.path, r.bytes = `D:\clips\a.wav`, nil }),
			"a (a.wav) one [ada] [en] [train]",
		},
		{"a path that leaves", with(func(r *row) { r.path, r.bytes = "../a.wav", nil }),
			`../a! "../a.wav" leaves the dataset's folder or names no file`},
		{"a name that leaves", with(func(r *row) { r.path = "../a.wav" }),
			`../a! "../a.wav" leaves the dataset's folder or names no file`},
		{"an id with a line end", with(func(r *row) { r.path = "a\nb.wav" }), "! the id holds a line end: \"a\\nb\""},
		{"an id of a NUL", with(func(r *row) { r.path = "a\x00.wav" }), "! the id holds a NUL character"},
		{"no text", with(func(r *row) { r.text = nil }), "a! the text column is empty"},
		{"an empty text is a text", with(func(r *row) { r.text = "" }), "a (x.parquet)#2:a.wav  [ada] [en] [train]"},
		{
			"lines are joined",
			with(func(r *row) { r.text = "one\r\n two\n" }),
			"a (x.parquet)#2:a.wav one two [ada] [en] [train]",
		},
		{"a text that is no UTF-8", with(func(r *row) { r.text = "\xff" }),
			"a! the column of the text: invalid UTF-8 at byte 0 of the line (0xFF); save the file as UTF-8"},
		{"a speaker that is no UTF-8", with(func(r *row) { r.speaker = "a\xff" }),
			"a! the column of the speaker: invalid UTF-8 at byte 1 of the line (0xFF); save the file as UTF-8"},
		{"a text of over a megabyte", with(func(r *row) { r.text = strings.Repeat("x", maxLine+1) }),
			"a! the column of the text: the line has 1048577 bytes; 1048576 are the most"},
		{"no speaker", with(func(r *row) { r.speaker = nil }), "a! the speaker column is empty"},
		{"an empty speaker", with(func(r *row) { r.speaker = "" }), "a! the speaker column is empty"},
		{"no language", with(func(r *row) { r.language = nil }), "a (x.parquet)#2:a.wav one [ada] [train]"},
		{
			"a language by region",
			with(func(r *row) { r.language = "fa_IR" }),
			"a (x.parquet)#2:a.wav one [ada] [fa] [train]",
		},
		{"a language that is none", with(func(r *row) { r.language = "klingon" }),
			`a! language "klingon" is not a known code (en, fa, de, …; und where nothing fits)`},
		{"no split", with(func(r *row) { r.split = nil }), "a (x.parquet)#2:a.wav one [ada] [en]"},
		{
			"another word for a split",
			with(func(r *row) { r.split = "dev" }),
			"a (x.parquet)#2:a.wav one [ada] [en] [val]",
		},
		{"a split that is none", with(func(r *row) { r.split = "half" }), `a! split "half" is not train, val or test`},
	} {
		three := func(get func(r row) any) []any { // its neighbours are good rows
			first, last := good, good
			first.path, last.path = "before.wav", "after.wav"
			return []any{get(first), get(c.row), get(last)}
		}
		columns := append(recorded(three(func(r row) any { return r.bytes }), three(func(r row) any { return r.path })),
			hubColumn{path: "text", kind: 6, text: true, values: three(func(r row) any { return r.text })},
			hubColumn{path: "speaker_id", kind: 6, text: true, values: three(func(r row) any { return r.speaker })},
			hubColumn{path: "language", kind: 6, text: true, values: three(func(r row) any { return r.language })},
			hubColumn{path: "split", kind: 6, text: true, values: three(func(r row) any { return r.split })})
		got := outcome(t, Corpus{Dir: tree{"x.parquet": hubFile("", columns...)}.write(t, t.TempDir())})
		want := []string{"parquet", "x.parquet:1 before (x.parquet)#1:before.wav one [ada] [en] [train]",
			"x.parquet:3 after (x.parquet)#3:after.wav one [ada] [en] [train]"}
		if strings.Contains(c.want, "! ") {
			want = append(want, "x.parquet:2 "+c.want)
		} else {
			want = slices.Insert(want, 2, "x.parquet:2 "+c.want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, clip(strings.Join(got, "\n"), 600), strings.Join(want, "\n"))
		}
	}
}

// TestFilesOfTheHub: what columns a file has decides whether it can be read at all.
func TestFilesOfTheHub(t *testing.T) {
	bytes, paths, texts := []any{"RIFF", "RIFF"}, []any{"a.wav", "b.wav"}, []any{"one", "two"}
	text := hubColumn{path: "text", kind: 6, text: true, values: texts}
	pair := func(name string) []hubColumn {
		both := recorded(bytes, paths)
		both[0].path, both[1].path = name+".bytes", name+".path"
		return both
	}
	labels := `{"info": {"features": {"language": {"names": ["fa", "en"], "_type": "ClassLabel"}}}}`
	for _, c := range []struct {
		name, note string
		columns    []hubColumn
		config     map[string]string
		want       string // the first row, or a piece of the error
	}{
		{
			name: "a structure of another name", columns: append(pair("clip"), text),
			want: "x.parquet:1 a (x.parquet)#1:a.wav one",
		},
		{name: "a column of bytes", columns: []hubColumn{{path: "audio", kind: 6, values: bytes}, text},
			want: "x.parquet:1 x/00000001 (x.parquet)#1: one"},
		{name: "a column of paths", columns: []hubColumn{{path: "audio", kind: 6, text: true, values: paths}, text},
			want: "x.parquet:1 a (a.wav) one"},
		{name: "two structures", columns: append(append(pair("left"), pair("right")...), text),
			want: "2 columns hold recordings (left, right); name the one that is meant audio"},
		{name: "two, one of which is audio", columns: append(append(pair("left"), pair("audio")...), text),
			want: "x.parquet:1 a (x.parquet)#1:a.wav one"},
		{
			name: "no text", columns: pair("audio"),
			want: "its columns do not tell where the recordings (audio) and their text",
		},
		{
			name:    "no recordings",
			columns: []hubColumn{text},
			want:    "its columns do not tell where the recordings (audio) and their text",
		},
		{name: "a text that is a list", columns: append(pair("audio"), hubColumn{
			path: "text", kind: 6, listed: true, values: texts,
		}),
			want: "column text is not of plain values, and cannot be the text"},
		{name: "labels", note: labels, want: "x.parquet:1 a (x.parquet)#1:a.wav one [en]",
			columns: append(pair("audio"), text, hubColumn{
				path:   "language",
				kind:   2,
				values: []any{int64(1), int64(-1)},
			})},
		{name: "a note that is no JSON", note: "{", want: `x.parquet:1 a! language "1" is not a known code`,
			columns: append(pair("audio"), text, hubColumn{
				path:   "language",
				kind:   2,
				values: []any{int64(1), int64(1)},
			})},
		{name: "an id is looked for where the config says", want: "x.parquet:1 a (x.parquet)#1:a.wav one",
			columns: append(pair("audio"), text, hubColumn{path: "id", kind: 1, values: []any{int32(7), int32(8)}})},
		{name: "an id that the config names", config: map[string]string{"id": "id"}, want: "x.parquet:1 7 (x.parquet)#1:a.wav one",
			columns: append(pair("audio"), text, hubColumn{path: "id", kind: 1, values: []any{int32(7), int32(8)}})},
		{name: "an offset that is none", config: map[string]string{"offset": "from"},
			want: `x.parquet:1 a! the offset: "soon" is not a number of seconds, as in 12.5`,
			columns: append(pair("audio"), text, hubColumn{
				path:   "from",
				kind:   6,
				text:   true,
				values: []any{"soon", "1.5"},
			})},
		{name: "a speaker by number", want: "x.parquet:1 a (x.parquet)#1:a.wav one [-3]",
			columns: append(pair("audio"), text, hubColumn{
				path:   "speaker",
				kind:   1,
				values: []any{int32(-3), int32(8)},
			})},
	} {
		dir := tree{"x.parquet": hubFile(c.note, c.columns...)}.write(t, t.TempDir())
		got := strings.Join(outcome(t, Corpus{Dir: dir, Columns: c.config}), "\n")
		if !strings.Contains(got+"\n", c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestHostileMetadataTakesBoundedMemory: whatever a file of a few hundred kB holds,
// reading it takes 300 times its size at most, which is that of an error
// for every two bytes, and every line is a row or
// an error.
func TestHostileMetadataTakesBoundedMemory(t *testing.T) {
	const n = 20000
	many := func(s string) string { return strings.Repeat(s, n) }
	for _, c := range []struct{ name, format, src string }{
		{"a line of bars", "ljspeech", "a|b\n" + many("|||||||")},
		{"ids alone", "ljspeech", many("a\n")},
		{"a header of many columns", "csv", "id,text" + many(",x") + "\na,b\n"},
		{"a header of many equal columns", "csv", "id" + many(",text") + "\na,b\n"},
		{"a row of many columns", "csv", "id,text\n" + many("a,b,") + "\n"},
		{"quotes that never close", "csv", "id,text,more\n" + many("a,\"\n")},
		{"quotes alone", "csv", "id,text\n" + many("\"\n")},
		{"doubled quotes alone", "csv", "id,text\na,\"" + many("\"\"") + "\n"},
		{"an odd quote before many lines", "csv", "id,text,more\na,\"b,c\n" + many("x\n") + "a,b,c\n"},
		{"rows that quotes would join", "csv", "id,text\n" + many("a,\"b\nc,d\"\n")},
		{"empty lines", "tsv", "id\ttext\n" + many("\n") + "a\tb\n"},
		{"spaces", "tsv", "id\ttext\n" + many(" ") + "\n"},
		{"arrays in arrays", "jsonl", many("[") + "\n"},
		{"objects in objects", "jsonl", many(`{"a":`) + "\n"},
		{"many keys", "jsonl", `{"id": "a", "text": "b"` + many(`, "k": 1`) + "}\n"},
		{"one key many times", "jsonl", `{"id": "a"` + many(`, "text": "b"`) + "}\n"},
		{"many escapes", "jsonl", `{"id": "a", "text": "` + many(`\u0041`) + "\"}\n"},
		{"parts of one file", "jsonl", many(`{"path": "a.wav", "text": "b", "offset": 1}` + "\n")},
		{"no UTF-8", "speaker", many("\xff|\xfe|\xfd\n")},
		{"a list of folders", "filelist", many("x/") + "a.wav|b\n"},
		{"columns in quotes", "coqui", "audio_file|text\na.wav|\"" + many("\"\"") + "\n"},
		{"quotes that open columns", "coqui", "audio_file|text\n" + many("\"|")},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := parse("metadata", c.src, c.format)
		runtime.ReadMemStats(&after)
		if err == nil {
			accounted(t, m)
		}
		if used := int(after.TotalAlloc - before.TotalAlloc); used > 1<<20+bytesPerByte*len(c.src) {
			t.Errorf("%s: %d bytes took %d of memory, %d times as many", c.name, len(c.src), used, used/len(c.src))
		}
	}
}

// TestTheOrderOfLinesIsNoMatter: lines in another order are the same rows, each at
// its new line, and the same errors.
func TestTheOrderOfLinesIsNoMatter(t *testing.T) {
	for _, w := range lineFormats {
		const n = 9
		lines := w.lines(n)
		lines[len(w.head)+3] += "\xff"
		turned := slices.Clone(lines)
		slices.Reverse(turned[len(w.head):])
		rows := func(lines []string) (all []string) {
			table := w.read(t, n, ended(lines, "\n"))
			accounted(t, table)
			for _, r := range table.Rows {
				all = append(all, fmt.Sprintf("%s of %q", rowText(r), lines[r.Pos.Line-1]))
			}
			for _, e := range table.Errors {
				all = append(all, e.Err.Error())
			}
			slices.Sort(all)
			return all
		}
		if got, want := rows(turned), rows(lines); !slices.Equal(got, want) || len(got) < n {
			t.Errorf("%s, backwards:\n%s\nforwards\n%s", w.format, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
