package parquet

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"testing"
)

// all are the files of testdata that have rows enough to cut.
func all() []string {
	list := slices.Clone(written)
	for _, name := range meant {
		list = append(list, "meanings-"+name)
	}
	return append(list, "empty", "constant", "inflated")
}

// TestAFileCutAnywhereIsNone: the footer stands at the end, so that no part of a
// file is taken for the file.
func TestAFileCutAnywhereIsNone(t *testing.T) {
	for _, name := range all() {
		b := load(t, name)
		for n := range b {
			if f, err := Open(bytes.NewReader(b[:n]), int64(n)); err == nil {
				t.Fatalf("%s: %d of %d bytes are a file of %d rows", name, n, len(b), f.Rows)
			}
		}
	}
}

// cutAt is a file that got shorter after its footer was read.
type cutAt struct {
	b     []byte
	bytes int64
}

func (c *cutAt) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	if at < c.bytes {
		n = copy(b, c.b[at:c.bytes])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// TestAFileThatIsCutWhileItIsReadGivesNoOtherValue: at every byte of the smaller
// files, and at some of the others, a column gives its values up to one and then
// an error, and a file of a few kB takes no more than some MB for all columns.
func TestAFileThatIsCutWhileItIsReadGivesNoOtherValue(t *testing.T) {
	for _, name := range append(slices.Clone(written), "meanings-pyarrow-second", "meanings-duckdb-v2-brotli", "meanings-polars-lz4", "meanings-spark-second") {
		b := load(t, name)
		cut := &cutAt{b: b, bytes: int64(len(b))}
		f, err := Open(cut, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, col := range f.Columns {
			if col.Listed {
				continue
			}
			var want [][]byte
			end := eachValue(f, col, func(v []byte) { want = append(want, bytes.Clone(v)) })
			if end != nil || len(want) != int(f.Rows) {
				t.Fatalf("%s: %d values of %s, %v", name, len(want), col.Name(), end)
			}
			from, to := int64(len(b)), int64(0) // where the column stands
			for _, g := range f.groups {
				from, to = min(from, g.chunks[col.at].begin), max(to, g.chunks[col.at].end)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			step := 1 + (to-from)/60
			tries := uint64(0)
			for n := from; n < to; n += step {
				cut.bytes = n
				at := 0
				end := eachValue(f, col, func(v []byte) {
					if (v == nil) != (want[at] == nil) || !bytes.Equal(v, want[at]) {
						t.Fatalf("%s: cut at %d, value %d of %s = %q, want %q", name, n, at, col.Name(), v, want[at])
					}
					at++
				})
				if end == nil {
					t.Errorf("%s: cut at %d of %d to %d, %s gives all its %d values", name, n, from, to, col.Name(), at)
				}
				tries++
			}
			cut.bytes = int64(len(b))
			runtime.ReadMemStats(&after)
			// zstd's decoder takes 1.1 MB, however little there is to decode.
			if used := (after.TotalAlloc - before.TotalAlloc) / tries; used > 2<<20 {
				t.Errorf("%s: reading %s took %d bytes of memory, the file has %d", name, col.Name(), used, len(b))
			}
		}
	}
}

// eachValue gives all values of a column, and what ended them but the last row.
func eachValue(f *File, col *Column, each func(v []byte)) error {
	cursor, err := f.Read(col)
	if err != nil {
		return err
	}
	defer cursor.Close()
	for range f.Rows {
		v, err := cursor.Next()
		if err != nil {
			return err
		}
		each(v)
	}
	return nil
}

// TestDamageUnderAChecksumIsNeverAnotherValue: in a file with checksums a bit of
// any byte of any column may be another: all its values are what they were, or an
// error comes. A head that is damaged may claim any size, and takes no memory for it.
func TestDamageUnderAChecksumIsNeverAnotherValue(t *testing.T) {
	for _, name := range []string{"none", "second"} {
		b := load(t, name)
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, col := range f.Columns {
			if col.Listed {
				continue
			}
			var want [][]byte
			if err := eachValue(f, col, func(v []byte) { want = append(want, bytes.Clone(v)) }); err != nil {
				t.Fatal(err)
			}
			flips, seen := uint64(0), 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, g := range f.groups {
				for at := g.chunks[col.at].begin; at < g.chunks[col.at].end; at++ {
					flips++
					b[at] ^= 1 << (at % 8)
					i, other := 0, false
					end := eachValue(f, col, func(v []byte) {
						other = other || (v == nil) != (want[i] == nil) || !bytes.Equal(v, want[i])
						i++
					})
					b[at] ^= 1 << (at % 8)
					if end != nil {
						seen++
					} else if other {
						t.Errorf("%s: a bit of byte %d changes %s unseen", name, at, col.Name())
					}
				}
			}
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) / flips; used > 64<<10 || seen == 0 {
				t.Errorf("%s: %s after a damage takes %d bytes of memory; %d of %d were seen", name, col.Name(), used, seen, flips)
			}
		}
	}
}
