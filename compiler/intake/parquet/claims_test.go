package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"
)

// A footer of a few bytes that claims two thousand million elements is an error,
// not that many elements of memory.
func TestClaimsTakeNoMemory(t *testing.T) {
	claim := []byte{0xfc, 0xff, 0xff, 0xff, 0xff, 0x07}
	for name, footer := range map[string][]byte{
		"schema": append([]byte{0x15, 2, 0x19}, claim...),
		"groups": append([]byte{0x15, 2, 0x19, 0x1c, 0x48, 1, 'a', 0, 0x16, 0, 0x19}, claim...),
		"deep":   bytes.Repeat([]byte{0x1c}, 1<<16),
		"lists":  append([]byte{0xf9}, bytes.Repeat([]byte{0x19}, 1<<16)...), // of a field that is not known
	} {
		b := append([]byte("PAR1"), footer...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
		b = append(b, magic...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		want := "damaged: it ends too early"
		if name == "deep" || name == "lists" {
			want = "16 deep" // the stack is memory too
		}
		if _, err := Open(bytes.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: a file of %d bytes took %d bytes of memory", name, len(b), used)
		}
	}
}

// onePage is a file of one column and one page, as small as one can be.
func onePage(kind Kind, codec, encoding, values, size int64, body []byte) []byte {
	b := []byte(magic)
	i := func(step, kind byte, v int64) { b = binary.AppendVarint(append(b, step<<4|kind), v) }
	add := func(more ...byte) { b = append(b, more...) }
	i(1, typeInt32, pageData) // the page's header
	i(1, typeInt32, size)
	i(1, typeInt32, int64(len(body)))
	add(2<<4 | typeStruct)
	i(1, typeInt32, values)
	i(1, typeInt32, encoding)
	i(1, typeInt32, encodingRuns)
	i(1, typeInt32, encodingRuns)
	add(0, 0)
	add(body...)
	end := len(b)
	i(1, typeInt32, 1)
	add(1<<4|typeList, 2<<4|typeStruct)
	add(4<<4|typeBytes, 1, 's') // the top of the schema
	i(1, typeInt32, 1)
	add(0)
	i(1, typeInt32, int64(kind)) // and the column
	i(2, typeInt32, 0)
	add(1<<4|typeBytes, 1, 'a', 0)
	i(1, typeInt64, values)
	add(1<<4|typeList, 1<<4|typeStruct, 1<<4|typeList, 1<<4|typeStruct) // groups, chunks
	add(3<<4 | typeStruct)
	i(1, typeInt32, int64(kind))
	i(3, typeInt32, codec)
	i(1, typeInt64, values)
	i(2, typeInt64, int64(end-4))
	i(2, typeInt64, 4)
	add(0, 0)
	i(2, typeInt64, values)
	add(0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)-end))
	return append(b, magic...)
}

// A page of a few bytes may claim what it likes: it takes memory for what comes.
func TestClaimsOfAPageTakeNoMemory(t *testing.T) {
	const many, most = math.MaxInt32, maxPage - 1
	u := func(list ...uint64) (b []byte) {
		for _, v := range list {
			b = binary.AppendUvarint(b, v)
		}
		return b
	}
	none := []byte{0, 0, 0, 0, 0} // a block without differences, in four miniblocks
	for _, c := range []struct {
		name            string
		kind            Kind
		codec, encoding int64
		values, size    int64
		body            []byte
		want            string // "": there are values
	}{
		{"a value", ByteArray, codecNone, encodingPlain, 1, 5, []byte{1, 0, 0, 0, 'x'}, ""},
		{"brotli of nothing", ByteArray, codecBrotli, encodingPlain, 1, most, []byte{6}, "EOF"},
		{"brotli that is none", ByteArray, codecBrotli, encodingPlain, 1, most, []byte("xxxxxxx"), "brotli"},
		{"brotli of more than is allowed", ByteArray, codecBrotli, encodingPlain, 1, many, []byte{6}, "are the most"},
		{"LZ4", ByteArray, codecLZ4, encodingPlain, 1, most, []byte("\x10x"), "that claims"},
		{"LZ4 of too little", ByteArray, codecLZ4, encodingPlain, 1, 200, []byte("\x10x"), "that claims 200"},
		{"LZ4 from before its begin", ByteArray, codecLZ4, encodingPlain, 1, 200, []byte("\x1fx\x09\x00\x20\x10x"), "lz4"},
		{"Hadoop's LZ4", ByteArray, codecHadoopLZ4, encodingPlain, 1, 200, []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), "lz4"},
		{"differences, all 0", Int64, codecNone, encodingDelta, many, 10, append(u(128, 4, many, 0), none...), ""},
		{"lengths of nothing", ByteArray, codecNone, encodingDeltaLength, many, 10, append(u(128, 4, many, 0), none...), "too early"},
		{"beginnings of nothing", ByteArray, codecNone, encodingDeltaBytes, many, 10, append(u(128, 4, many, 0), none...), "too early"},
		{"a long value", ByteArray, codecNone, encodingDeltaLength, 1, 5, u(128, 4, 1, 1<<40), "too early"},
		{"a negative length", ByteArray, codecNone, encodingDeltaLength, 1, 5, u(128, 4, 1, 1), "too early"},
		{"a great block", Int32, codecNone, encodingDelta, many, 12, append(u(1<<40, 4, many, 0), none...), "delta blocks of 1099511627776 values"},
		{"many miniblocks", Int32, codecNone, encodingDelta, many, 12, append(u(128, 1<<30, many, 0), none...), "in 1073741824 miniblocks"},
		{"no miniblocks", Int32, codecNone, encodingDelta, many, 12, append(u(128, 0, many, 0), none...), "in 0 miniblocks"},
		{"differences of 65 bits", Int32, codecNone, encodingDelta, 2, 10, append(u(128, 4, 2, 0), 0, 65, 0, 0, 0), "too early"},
	} {
		if c.codec == codecNone {
			c.size = int64(len(c.body))
		}
		b := onePage(c.kind, c.codec, c.encoding, c.values, c.size, c.body)
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		cursor, err := f.Read(f.Columns[0])
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for n := 0; n < 3 && int64(n) < c.values && err == nil; n++ {
			_, err = cursor.Next()
		}
		runtime.ReadMemStats(&after)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: a file of %d bytes took %d bytes of memory", c.name, len(b), used)
		}
	}
}

// The sum of what groups claim is the file's rows, and does not overflow.
func TestRowsOfGroupsAreAdded(t *testing.T) {
	for _, c := range []struct {
		rows, inGroup int64
		ok            bool
	}{{100, 50, true}, {99, 50, false}, {-100, -50, false}, {1 << 41, 1 << 40, false}, {-2, 1<<63 - 1, false}} {
		f := &File{Rows: c.rows, groups: []group{{rows: c.inGroup}, {rows: c.inGroup}}}
		if err := f.check(100); (err == nil) != c.ok {
			t.Errorf("%d rows in two groups of %d: %v", c.rows, c.inGroup, err)
		}
	}
}
