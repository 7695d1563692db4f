package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// allowed are what Encodings.md of the format allows: which kinds an encoding
// is for, and how its values are written.
var allowed = []struct {
	name  string
	id    int
	kinds []Kind
	write func(r *rand.Rand, kind Kind, values [][]byte) []byte
}{
	{"PLAIN", 0, []Kind{Boolean, Int32, Int64, Int96, Float, Double, ByteArray, FixedByteArray}, func(_ *rand.Rand, kind Kind, v [][]byte) []byte {
		if kind == Boolean {
			return packBits(asNumbers(v), 1)
		}
		return asPlain(v, kind != ByteArray)
	}},
	{"RLE", 3, []Kind{Boolean}, func(r *rand.Rand, _ Kind, v [][]byte) []byte {
		return asPlain([][]byte{asRuns(r, asNumbers(v), 1)}, false)
	}},
	{"DELTA_BINARY_PACKED", 5, []Kind{Int32, Int64}, func(r *rand.Rand, kind Kind, v [][]byte) []byte {
		numbers := asNumbers(v)
		if kind == Int32 { // differences of signed numbers
			for i, n := range numbers {
				numbers[i] = uint64(int64(int32(n)))
			}
		}
		return asDelta(r, numbers)
	}},
	{"DELTA_LENGTH_BYTE_ARRAY", 6, []Kind{ByteArray}, func(r *rand.Rand, _ Kind, v [][]byte) []byte { return asDeltaLengths(r, v) }},
	{"DELTA_BYTE_ARRAY", 7, []Kind{ByteArray, FixedByteArray}, func(r *rand.Rand, _ Kind, v [][]byte) []byte { return asDeltaBytes(r, v) }},
	{"BYTE_STREAM_SPLIT", 9, []Kind{Int32, Int64, Float, Double, FixedByteArray}, func(_ *rand.Rand, _ Kind, v [][]byte) []byte {
		if len(v) == 0 {
			return nil
		}
		return asSplit(v, len(v[0]))
	}},
	{"PLAIN_DICTIONARY", 2, []Kind{Int32, Int64, Int96, Float, Double, ByteArray, FixedByteArray}, nil},
	{"RLE_DICTIONARY", 8, []Kind{Int32, Int64, Int96, Float, Double, ByteArray, FixedByteArray}, nil},
}

func asNumbers(values [][]byte) (numbers []uint64) {
	for _, v := range values {
		numbers = append(numbers, binary.LittleEndian.Uint64(append(bytes.Clone(v), make([]byte, 8)...)))
	}
	return numbers
}

// fixedWidth is the width of the tests' fixed byte arrays.
const fixedWidth = 5

func widthOf(kind Kind) int {
	if kind == FixedByteArray {
		return fixedWidth
	}
	return map[Kind]int{Int96: 12}[kind]
}

// pageOf writes the page of values that may be null, of either version.
func pageOf(r *rand.Rand, second bool, encoding, levels int, values [][]byte, write func([][]byte) []byte) made {
	var defined []uint64
	var there [][]byte
	for _, v := range values {
		switch {
		case v != nil:
			there, defined = append(there, v), append(defined, uint64(levels))
		default: // a structure around it may be what is not there
			defined = append(defined, uint64(r.IntN(levels)))
		}
	}
	var runs []byte
	if levels > 0 {
		if runs = asRuns(r, defined, uint(bits.Len(uint(levels)))); runs == nil {
			runs = []byte{}
		}
	}
	if second {
		return secondPage(encoding, len(values), len(values)-len(there), runs, write(there))
	}
	return firstPage(encoding, len(values), runs, write(there))
}

// TestEveryPageOfTheFormat: each encoding for each kind that it is for, in pages of
// both versions, required, optional and in optional structures, by each codec, with
// and without checksums, gives back its values and nulls, by all ways of asking.
func TestEveryPageOfTheFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	codecs := []int{0, 1, 2, 4, 5, 6, 7}
	turn := 0
	for _, e := range allowed {
		for _, kind := range e.kinds {
			for levels := range 3 {
				for _, second := range []bool{false, true} {
					turn++
					l := leaf{kind: kind, width: widthOf(kind), levels: levels, codec: codecs[turn%len(codecs)], sum: turn%3 == 0, words: e.write == nil}
					var want [][]byte
					for group := range 2 {
						var words [][]byte
						write := func(v [][]byte) []byte { return e.write(r, kind, v) }
						if e.write == nil {
							words = valuesOf(kind, widthOf(kind), 5)
							write = func(v [][]byte) []byte {
								var places []uint64
								for _, v := range v {
									places = append(places, uint64(slices.IndexFunc(words, func(w []byte) bool { return bytes.Equal(v, w) })))
								}
								return append([]byte{3}, asRuns(r, places, 3)...)
							}
						}
						var pages []made
						if words != nil {
							pages = append(pages, wordsPage(len(words), asPlain(words, kind != ByteArray)))
						}
						rows := 0
						for _, n := range []int{9, 0, 1, 140}[:2+turn%3] {
							values := valuesOf(kind, widthOf(kind), n)
							for i := range values {
								if words != nil {
									values[i] = words[i%len(words)]
								}
								if levels > 0 && (i%4 == 2 || n == 1) {
									values[i] = nil
								}
							}
							pages, want, rows = append(pages, pageOf(r, second, e.id, levels, values, write)), append(want, values...), rows+n
						}
						if group == 0 {
							pages = append(pages, made{head: record{{1, int32(1)}, {6, record{}}}, body: []byte("an index page")})
						}
						l.groups, l.rows = append(l.groups, pages), append(l.rows, rows)
					}
					path := []string{"s1", "s2"}[:max(0, levels-1)]
					got, err := readAll(l.file(t), append(path, "a")...)
					if err != nil || !slices.EqualFunc(got, want, func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }) {
						t.Errorf("%s of %v, %d levels, second version %v, codec %d: %v\n%q\nwant\n%q", e.name, kind, levels, second, l.codec, err, got, want)
					}
				}
			}
		}
	}
}

// plainLeaf is a right file of texts: a group of two pages.
func plainLeaf() *leaf {
	v := valuesOf(ByteArray, 0, 8)
	return &leaf{kind: ByteArray, groups: [][]made{{firstPage(0, 5, nil, asPlain(v[:5], false)), firstPage(0, 3, nil, asPlain(v[5:], false))}}, rows: []int{8}}
}

// TestOddFilesThatAreRight: what the format leaves open, and what writers did.
func TestOddFilesThatAreRight(t *testing.T) {
	v := valuesOf(ByteArray, 0, 8)
	words := wordsPage(8, asPlain(v, false))
	r := rand.New(rand.NewPCG(1, 1))
	everyWord := append([]byte{3}, asRuns(r, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, 3)...)
	for _, c := range []struct {
		name string
		leaf *leaf
		lie  func(record) record
	}{
		{"the plain file", plainLeaf(), nil},
		{"a writer that says nothing of itself", plainLeaf(), func(m record) record { return m.with(nil, 6) }},
		{"fields that are not known yet", plainLeaf(), func(m record) record {
			return m.with(raw{11, []byte{1, 0x85, 2, 'a', 9}}, 77).with([]any{record{{3, []any{int64(1)}}}}, 78).with(true, 79).with(raw{7, make([]byte, 8)}, 80)
		}},
		{"a logical type that is not known yet", plainLeaf(), func(m record) record { return m.with(record{{4660, record{}}}, 2, 1, 10) }},
		{"a dictionary that the footer does not tell of", &leaf{kind: ByteArray, groups: [][]made{{words, firstPage(8, 8, nil, everyWord)}}, rows: []int{8}}, nil},
		{"a dictionary at the place 0", &leaf{kind: ByteArray, groups: [][]made{{words, firstPage(8, 8, nil, everyWord)}}, rows: []int{8}},
			func(m record) record { return m.with(int64(0), 4, 0, 1, 0, 3, 11) }},
		{"a writer that gave the dictionary up", &leaf{kind: ByteArray, words: true, rows: []int{8},
			groups: [][]made{{words, firstPage(8, 3, nil, append([]byte{3}, asRuns(r, []uint64{0, 1, 2}, 3)...)), firstPage(0, 5, nil, asPlain(v[3:], false))}}}, nil},
		{"a page of a kind that is not known yet", &leaf{kind: ByteArray, rows: []int{8},
			groups: [][]made{{{head: record{{1, int32(9)}}, body: []byte("x")}, firstPage(0, 8, nil, asPlain(v, false))}}}, nil},
		{"a group without rows between two", &leaf{kind: ByteArray, rows: []int{3, 0, 5},
			groups: [][]made{{firstPage(0, 3, nil, asPlain(v[:3], false))}, {}, {firstPage(0, 5, nil, asPlain(v[3:], false))}}}, nil},
		{"a second version that is not compressed", &leaf{kind: ByteArray, codec: 1, rows: []int{8},
			groups: [][]made{{secondPage(0, 8, 0, nil, asPlain(v, false)).with(false, 8, 7)}}}, nil},
		{"a dictionary after its pages, which no page needs", plainLeaf(), func(m record) record { return m.with(int64(1)<<40, 4, 0, 1, 0, 3, 11) }},
		{"bytes after the last value", &leaf{kind: ByteArray, rows: []int{8}, groups: [][]made{{firstPage(0, 8, nil, append(asPlain(v, false), "more"...))}}}, nil},
		{"more differences than the head has values", &leaf{kind: ByteArray, rows: []int{8}, groups: [][]made{{firstPage(6, 8, nil, asDeltaLengths(r, append(slices.Clone(v), v...)))}}}, nil},
		{"statistics of a page", &leaf{kind: ByteArray, rows: []int{8}, groups: [][]made{{firstPage(0, 8, nil, asPlain(v, false)).with(record{{1, "z"}, {2, "a"}, {3, int64(0)}}, 5, 5)}}}, nil},
	} {
		file, meta := c.leaf.footer(t)
		if c.lie != nil {
			meta = c.lie(meta)
		}
		got, err := readAll(closeFile(file, meta), "a")
		if err != nil || !slices.EqualFunc(got, v, bytes.Equal) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, v)
		}
	}
	// A single word needs no bits for its place.
	one := &leaf{kind: ByteArray, words: true, rows: []int{3}, groups: [][]made{{wordsPage(1, asPlain([][]byte{{'w'}}, false)), firstPage(8, 3, nil, []byte{0, 3 << 1})}}}
	if got, err := readAll(one.file(t), "a"); err != nil || fmt.Sprintf("%s", got) != "[w w w]" {
		t.Errorf("a dictionary of one word: %q, %v", got, err)
	}
	// Nulls alone, of a page without a byte to unpack, which is no frame of snappy's.
	none := &leaf{kind: Float, levels: 1, rows: []int{3}, groups: [][]made{{secondPage(0, 3, 3, []byte{3 << 1, 0}, nil)}}}
	file, meta := none.footer(t)
	got, err := readAll(closeFile(file, meta.with(int32(1), 4, 0, 1, 0, 3, 4)), "a")
	if err != nil || !slices.EqualFunc(got, make([][]byte, 3), func(a, b []byte) bool { return a == nil && b == nil }) {
		t.Errorf("a compressed page of nulls and no bytes: %q, %v", got, err)
	}
}

// lies are changes to a right file of which each makes it a wrong one.
var lies = []struct {
	name string
	path []int // in the footer
	v    any
}{
	{"fewer rows than its groups", []int{3}, int64(7)}, {"more rows than its groups", []int{3}, int64(9)}, {"rows below none", []int{3}, int64(-8)},
	{"no schema", []int{2}, nil}, {"a schema without columns", []int{2}, []any{record{{4, "schema"}, {5, int32(0)}}}},
	{"a top that has more children than follow", []int{2, 0, 5}, int32(2)}, {"children below none", []int{2, 0, 5}, int32(-1)}, {"very many children", []int{2, 0, 5}, int32(1<<31 - 1)},
	{"a column without a type", []int{2, 1, 1}, nil}, {"a type that is none", []int{2, 1, 1}, int32(8)}, {"a type below none", []int{2, 1, 1}, int32(-1)},
	{"another type than the chunk's", []int{2, 1, 1}, int32(1)}, {"a fixed width that is not said", []int{2, 1, 1}, int32(7)},
	{"a repetition that is none", []int{2, 1, 3}, int32(3)},
	{"a type that is a text", []int{2, 1, 1}, "6"}, {"rows that are a text", []int{3}, "8"},
	{"a group without its columns", []int{4, 0, 1}, []any{}}, {"a group of negative rows", []int{4, 0, 3}, int64(-8)},
	{"a chunk in another file", []int{4, 0, 1, 0, 1}, "other.parquet"}, {"a chunk without its description", []int{4, 0, 1, 0, 3}, nil},
	{"an encrypted chunk", []int{4, 0, 1, 0, 8}, record{{1, record{}}}},
	{"a chunk that begins before the file", []int{4, 0, 1, 0, 3, 9}, int64(-1)}, {"a chunk that begins after the file", []int{4, 0, 1, 0, 3, 9}, int64(1 << 40)},
	{"a chunk that begins in its middle", []int{4, 0, 1, 0, 3, 9}, int64(9)},
	{"a chunk of a negative size", []int{4, 0, 1, 0, 3, 7}, int64(-1)}, {"a chunk over the file's end", []int{4, 0, 1, 0, 3, 7}, int64(1 << 50)}, {"a chunk cut short", []int{4, 0, 1, 0, 3, 7}, int64(30)},
	{"a codec that is none", []int{4, 0, 1, 0, 3, 4}, int32(77)}, {"another codec", []int{4, 0, 1, 0, 3, 4}, int32(6)}, {"a chunk of another type", []int{4, 0, 1, 0, 3, 1}, int32(2)},
}

// wrongPages are pages of which each makes a file of eight texts a wrong one.
func wrongPages() map[string]*leaf {
	v := valuesOf(ByteArray, 0, 8)
	right := firstPage(0, 8, nil, asPlain(v, false))
	second := secondPage(0, 8, 0, nil, asPlain(v, false))
	words := wordsPage(8, asPlain(v, false))
	r := rand.New(rand.NewPCG(2, 2))
	places := append([]byte{4}, asRuns(r, []uint64{0, 1, 2, 3, 4, 5, 6, 7}, 4)...)
	strange := append([]byte{4}, asRuns(r, []uint64{0, 1, 2, 3, 4, 5, 6, 8}, 4)...)
	numbers := littleEndian(numbersFor(r, 8, 64), 8)
	fixed := valuesOf(FixedByteArray, 4, 8)
	other := slices.Clone(fixed) // one value has another length than the column says
	other[3] = []byte("xx")
	longer := slices.Clone(fixed)
	longer[0] = []byte("xxxxx")
	text := func(pages ...made) *leaf { return &leaf{kind: ByteArray, groups: [][]made{pages}, rows: []int{8}} }
	of := func(kind Kind, levels int, p made) *leaf {
		l := &leaf{kind: kind, levels: levels, groups: [][]made{{p}}, rows: []int{8}}
		if kind == FixedByteArray {
			l.width = 4
		}
		return l
	}
	return map[string]*leaf{
		"a page without its kind":                         text(made{head: right.head[1:], body: right.body}),
		"a page without its head":                         text(made{head: record{{1, int32(0)}}, body: right.body}),
		"a negative number of values":                     text(right.with(int32(-8), 5, 1)),
		"more values than the column":                     text(right.with(int32(9), 5, 1)),
		"fewer values than the column":                    text(right.with(int32(7), 5, 1)),
		"no pages":                                        text(),
		"only a dictionary":                               text(words),
		"an encoding that is none":                        text(right.with(int32(44), 5, 2)),
		"an encoding of other kinds":                      text(right.with(int32(9), 5, 2)),
		"a size below none":                               text(right.with(int32(-1), 3)),
		"a size over the chunk":                           text(right.with(int32(1<<30), 3)),
		"an unpacked size below none":                     text(right.with(int32(-1), 2)),
		"an unpacked size that is another":                text(right.with(int32(len(right.body)+1), 2)),
		"a checksum that does not fit":                    text(right.with(int32(12345), 4)),
		"places without a dictionary":                     text(firstPage(8, 8, nil, places)),
		"a dictionary after its first page":               text(firstPage(8, 8, nil, places), words),
		"two dictionaries":                                text(words, words, firstPage(8, 8, nil, places)),
		"a dictionary of a negative number":               text(words.with(int32(-1), 7, 1), firstPage(8, 8, nil, places)),
		"a dictionary of more words than it has":          text(words.with(int32(9), 7, 1), firstPage(8, 8, nil, places)),
		"a dictionary of very many words":                 text(words.with(int32(1<<31-1), 7, 1), firstPage(8, 8, nil, places)),
		"a dictionary in an encoding of its own":          text(words.with(int32(5), 7, 2), firstPage(8, 8, nil, places)),
		"a place after the last word":                     text(words, firstPage(8, 8, nil, strange)),
		"places of 33 bits":                               text(words, firstPage(8, 8, nil, append([]byte{33}, places[1:]...))),
		"places of no bytes":                              text(words, firstPage(8, 8, nil, nil)),
		"a run of no places":                              text(words, firstPage(8, 8, nil, []byte{3, 0, 0})),
		"levels longer than the page":                     of(ByteArray, 1, made{right.head, []byte{255, 0, 0, 0}, right.body}),
		"levels of fewer values":                          of(ByteArray, 1, firstPage(0, 8, []byte{7 << 1, 1}, asPlain(v, false))),
		"levels of more than there are":                   of(ByteArray, 1, firstPage(0, 8, []byte{8 << 1, 2}, asPlain(v, false))),
		"levels in an encoding that is gone":              of(ByteArray, 1, firstPage(0, 8, []byte{8 << 1, 1}, asPlain(v, false)).with(int32(4), 5, 3)),
		"nulls in a required column":                      text(second.with(int32(1), 8, 2)),
		"more nulls than values":                          of(ByteArray, 1, secondPage(0, 8, 9, []byte{8 << 1, 1}, asPlain(v, false))),
		"another number of nulls than the levels":         of(ByteArray, 1, secondPage(0, 8, 1, []byte{8 << 1, 1}, asPlain(v, false))),
		"a second version with levels over it":            of(ByteArray, 1, secondPage(0, 8, 0, []byte{8 << 1, 1}, asPlain(v, false)).with(int32(1<<20), 8, 5)),
		"a second version with levels below none":         of(ByteArray, 1, secondPage(0, 8, 0, []byte{8 << 1, 1}, asPlain(v, false)).with(int32(-2), 8, 5)),
		"a text longer than the page":                     text(firstPage(0, 8, nil, append([]byte{255, 255, 0, 0}, asPlain(v, false)...))),
		"a text of a negative length":                     text(firstPage(0, 8, nil, append([]byte{255, 255, 255, 255}, asPlain(v, false)...))),
		"too few plain numbers":                           of(Int64, 0, firstPage(0, 8, nil, asPlain(numbers[:7], true))),
		"too few numbers whose bytes stand apart":         of(Double, 0, firstPage(9, 8, nil, asSplit(numbers[:4], 8))),
		"too many numbers whose bytes stand apart":        of(Double, 0, firstPage(9, 8, nil, asSplit(append(numbers, numbers...), 8))),
		"numbers whose bytes stand apart, and nulls":      of(Double, 1, firstPage(9, 8, []byte{4 << 1, 1, 4 << 1, 0}, asSplit(numbers, 8))),
		"bytes that stand apart and are no whole values":  of(Double, 0, firstPage(9, 8, nil, asSplit(numbers, 8)[:63])),
		"fewer differences than values":                   of(Int64, 0, firstPage(5, 8, nil, asDelta(r, asNumbers(numbers[:5])))),
		"blocks of no differences":                        of(Int64, 0, firstPage(5, 8, nil, []byte{0, 4, 8, 0})),
		"blocks of no miniblocks":                         of(Int64, 0, firstPage(5, 8, nil, []byte{128, 1, 0, 8, 0})),
		"miniblocks of 30":                                of(Int64, 0, firstPage(5, 8, nil, []byte{120, 4, 8, 0, 0, 0, 0, 0, 0, 0})),
		"differences of 65 bits":                          of(Int64, 0, firstPage(5, 8, nil, append([]byte{128, 1, 4, 8, 0, 0, 65, 0, 0, 0}, make([]byte, 300)...))),
		"a beginning that is longer than what was before": text(firstPage(7, 8, nil, append(asDelta(r, []uint64{3, 0, 0, 0, 0, 0, 0, 0}), asDeltaLengths(r, v)...))),
		"a fixed value that is too short":                 of(FixedByteArray, 0, firstPage(7, 8, nil, asDeltaBytes(r, other))),
		"a fixed value that is too long":                  of(FixedByteArray, 0, firstPage(7, 8, nil, asDeltaBytes(r, longer))),
		"fixed values of no width":                        {kind: FixedByteArray, groups: [][]made{{firstPage(7, 8, nil, asDeltaBytes(r, other))}}, rows: []int{8}},
		"fixed values in an encoding of others":           of(FixedByteArray, 0, firstPage(6, 8, nil, asDeltaLengths(r, fixed))),
		"booleans that are too few":                       of(Boolean, 0, firstPage(0, 8, nil, nil)),
		"booleans in runs that are too few":               of(Boolean, 0, firstPage(3, 8, nil, []byte{2, 0, 0, 0, 7 << 1, 1})),
	}
}

// refused wants an error of a file, within a MB of memory.
func refused(t *testing.T, name string, b []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	path := []string{"a"}
	values, err := readAll(b, path...)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Errorf("%s is read, as %q", name, values)
	} else if strings.TrimSpace(err.Error()) == "" {
		t.Errorf("%s: no reason", name)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%s: a file of %d bytes took %d bytes of memory", name, len(b), used)
	}
}

// TestWrongFilesAreRefused: each lie about a right file is an error.
func TestWrongFilesAreRefused(t *testing.T) {
	for _, c := range lies {
		file, meta := plainLeaf().footer(t)
		refused(t, c.name, closeFile(file, meta.with(c.v, c.path...)))
	}
	for name, l := range wrongPages() {
		refused(t, name, l.file(t))
	}
	for codec := 1; codec < 8; codec++ { // bytes that nobody packed
		file, meta := plainLeaf().footer(t)
		refused(t, fmt.Sprint("plain bytes under codec ", codec), closeFile(file, meta.with(int32(codec), 4, 0, 1, 0, 3, 4)))
	}
}
