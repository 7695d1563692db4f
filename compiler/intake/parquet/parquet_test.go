package parquet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written are the files that testdata/make.py writes in every way that is read here.
var written = []string{"snappy", "plain", "none", "gzip", "zstd", "second", "bare", "untold", "one", "brotli", "lz4", "delta", "delta-second"}

// meant are those whose values the writers named gave a meaning.
var meant = []string{"pyarrow", "pyarrow-second", "duckdb-v1-lz4_raw", "duckdb-v2-snappy", "duckdb-v2-brotli", "polars-zstd", "polars-lz4", "spark", "spark-second", "spark-legacy"}

func load(t testing.TB, name string) []byte { return loadFile(t, name+".parquet") }

func loadFile(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, name string) *File {
	b := load(t, name)
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantText is what make.py puts into a row, "-" for null.
func wantText(column string, n int) string {
	switch column {
	case "text":
		if n%5 == 3 {
			return "-"
		}
		return fmt.Sprint("text ", n)
	case "number":
		return fmt.Sprint(n - 100)
	case "wide":
		return fmt.Sprint(n << 33)
	case "half":
		return strings.TrimSuffix(fmt.Sprint(float64(n)/2), ".0")
	case "sure":
		return fmt.Sprint("sure ", n%3)
	case "clip.path":
		if n%11 == 5 {
			return "-"
		}
		return fmt.Sprintf("clip-%d.wav", n)
	}
	return string(wantClip(n))
}

func wantClip(n int) []byte {
	if n%11 == 4 || n%11 == 5 {
		return []byte("-")
	}
	b := make([]byte, n*7)
	for i := range b {
		b[i] = byte(n + i)
	}
	return b
}

func TestColumnsAreReadAsTheyWereWritten(t *testing.T) {
	for _, name := range written {
		t.Run(name, func(t *testing.T) {
			f := open(t, name)
			if f.Rows != 64 || len(f.Columns) != 8 {
				t.Fatalf("%d rows, %d columns; want 64, 8", f.Rows, len(f.Columns))
			}
			for _, c := range f.Columns {
				cursor, err := f.Read(c)
				if c.Listed {
					if err == nil {
						t.Errorf("the lists of %s are read", c.Name())
					}
					continue
				}
				nulls, _ := f.Read(c)
				for n := range 64 {
					v, err := cursor.Next()
					got, _ := c.Text(v)
					if v == nil {
						got = "-"
					}
					if want := wantText(c.Name(), n); err != nil || got != want {
						t.Fatalf("row %d of %s = %q, %v, want %q", n, c.Name(), got, err, want)
					}
					if null, err := nulls.Null(); err != nil || null != (v == nil) {
						t.Fatalf("row %d of %s: null %v, %v; its value is %q", n, c.Name(), null, err, got)
					}
				}
				if v, err := cursor.Next(); err == nil {
					t.Errorf("after the last row of %s is %q", c.Name(), v)
				}
				cursor.Close()
				nulls.Close()
			}
		})
	}
}

func TestValueIsThatOfItsRow(t *testing.T) {
	for _, name := range written {
		f := open(t, name)
		for n := range 64 {
			got, ok, err := f.Value(f.Column("clip", "bytes"), int64(n), []byte("front"))
			want := wantClip(n)
			if string(want) == "-" {
				if ok || err != nil || string(got) != "front" {
					t.Errorf("%s: row %d, which is null, = %q, %v, %v", name, n, got, ok, err)
				}
			} else if !ok || err != nil || string(got) != "front"+string(want) {
				t.Errorf("%s: row %d = %q, %v, %v, want %q", name, n, got, ok, err, want)
			}
		}
		for _, n := range []int64{-1, 64, 1 << 40} {
			if _, _, err := f.Value(f.Column("text"), n, nil); err == nil {
				t.Errorf("%s: there is a row %d", name, n)
			}
		}
	}
}

// counted is a reader that counts what is read.
type counted struct {
	*bytes.Reader
	n int64
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.n += int64(n)
	return n, err
}

// The last row, in small pages without a dictionary: beside the headers no more is
// read than its page.
func TestValueReadsNoOtherPage(t *testing.T) {
	b := load(t, "plain")
	r := &counted{Reader: bytes.NewReader(b)}
	f, err := Open(r, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	r.n = 0
	bodies, cursor := int64(0), func() *Cursor { c, _ := f.Read(f.Column("clip", "bytes")); return c }()
	for range f.Rows { // how much of the column the pages before the last are
		if err := cursor.page(); err != nil {
			t.Fatal(err)
		}
		if cursor.left == cursor.h.values {
			bodies += cursor.h.compressed
		}
		cursor.left--
	}
	headers := r.n
	r.n = 0
	if _, _, err := f.Value(f.Column("clip", "bytes"), f.Rows-1, nil); err != nil {
		t.Fatal(err)
	}
	if read := r.n - headers; read > cursor.h.compressed || r.n > int64(len(b))/2 {
		t.Errorf("one value of a column of %d bytes read %d after %d of headers; its page has %d", bodies, read, headers, cursor.h.compressed)
	}
}

// Values are written as their writers meant them: decimals with their point,
// numbers without a sign beyond those with one. What is not a number is foreign.
func TestValuesMeanWhatTheirWritersMeant(t *testing.T) {
	want := meanings(t)
	for _, name := range meant {
		foreign := map[string]string{"day": "DATE", "clock": "TIME", "moment": "TIMESTAMP"}
		columns := want[0]
		if strings.HasPrefix(name, "spark") { // it has no time of day
			columns = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "clock" })
		}
		if name == "spark-legacy" {
			foreign["moment"] = "INT96"
		}
		f := open(t, "meanings-"+name)
		if len(f.Columns) != len(columns) || f.Rows != int64(len(want)-1) {
			t.Fatalf("%s: %d columns, %d rows", name, len(f.Columns), f.Rows)
		}
		for at, c := range f.Columns {
			if c.Name() != columns[at] || c.Foreign != foreign[c.Name()] {
				t.Errorf("%s: column %s, foreign %q; want %s, %q", name, c.Name(), c.Foreign, columns[at], foreign[c.Name()])
			}
			i := slices.Index(want[0], c.Name())
			cursor, err := f.Read(c)
			if err != nil {
				t.Fatal(err)
			}
			for n, row := range want[1:] {
				v, err := cursor.Next()
				if err != nil {
					t.Errorf("%s: row %d of %s: %v", name, n, c.Name(), err)
					break
				}
				got, err := c.Text(v)
				if c.Foreign == "" && v != nil && (err != nil || got != row[i]) || (v == nil) != (row[i] == "-") {
					t.Errorf("%s: row %d of %s = %q, %v, want %q", name, n, c.Name(), got, err, row[i])
				}
			}
			cursor.Close()
		}
	}
}

// meanings are the rows of meanings.tsv, its header first.
func meanings(t *testing.T) (rows [][]string) {
	b, err := os.ReadFile(filepath.Join("testdata", "meanings.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		kind         Kind
		scale, width int
		value, want  string
	}{
		{Int32, 2, 4, "\x14\x00\x00\x00", "0.20"},
		{Int32, 2, 4, "\xff\xff\xff\xff", "-0.01"},
		{Int32, 0, 4, "\x14\x00\x00\x00", "20"},
		{Int64, 3, 8, "\x00\x00\x00\x00\x00\x00\x00\x80", "-9223372036854775.808"},
		{ByteArray, 1, 0, "", "0.0"},
		{ByteArray, 1, 0, "\xff", "-0.1"},
		{ByteArray, 1, 0, "\x00\xff", "25.5"},
		{FixedByteArray, 4, 16, strings.Repeat("\xff", 15) + "\xfe", "-0.0002"},
		{FixedByteArray, 0, 32, "\x7f" + strings.Repeat("\xff", 31), "57896044618658097711785492504343953926634992332820282019728792003956564819967"},
		{ByteArray, 0, 0, strings.Repeat("\x01", 33), "a decimal of 33 bytes"},
	} {
		col := Column{Kind: c.kind, width: c.width}
		col.mean(logical{asDecimal, "DECIMAL", int64(c.scale), 76})
		got, err := col.Text([]byte(c.value))
		if err != nil {
			got = err.Error()
		}
		if col.Foreign != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%v, scale %d, %q = %q, want %q", c.kind, c.scale, c.value, got, c.want)
		}
	}
	for _, c := range []Column{{Kind: Double}, {Kind: FixedByteArray, width: 33}, {Kind: Boolean}} {
		if c.mean(logical{asDecimal, "DECIMAL", 2, 4}); c.Foreign != "DECIMAL(4, 2)" {
			t.Errorf("a decimal of %v and %d bytes is %q", c.Kind, c.width, c.Foreign)
		}
	}
	for _, l := range []logical{{asDecimal, "DECIMAL", 5, 4}, {asDecimal, "DECIMAL", -1, 4}, {asDecimal, "DECIMAL", 1 << 40, 1 << 40}, {asUUID, "UUID", 0, 0}} {
		c := Column{Kind: Int32, width: 4}
		if c.mean(l); c.Foreign == "" {
			t.Errorf("%+v of INT32 is read", l)
		}
	}
}

func TestFilesWithFewerBytesThanRows(t *testing.T) {
	if f := open(t, "empty"); f.Rows != 0 {
		t.Errorf("%d rows, want none", f.Rows)
	} else if c, err := f.Read(f.Columns[0]); err != nil {
		t.Error(err)
	} else if v, err := c.Next(); err == nil {
		t.Errorf("the first of no rows is %q", v)
	}
	f := open(t, "constant")
	c, err := f.Read(f.Column("text"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 100000 {
		if v, err := c.Next(); err != nil || string(v) != "The same." {
			t.Fatalf("row %d = %q, %v", n, v, err)
		}
	}
}

func TestWhatIsNotReadIsSaid(t *testing.T) {
	for _, c := range []struct {
		kind     Kind
		encoding int64
		want     string
	}{{Int32, encodingRuns, "RLE (3)"}, {ByteArray, encodingDelta, "DELTA_BINARY_PACKED (5)"}, {Double, 4, "BIT_PACKED (4)"}, {Boolean, encodingSplit, "(BOOLEAN)"}} {
		col := Column{Kind: c.kind, width: widths[c.kind]}
		if _, err := col.decoderOf(c.encoding, make([]byte, 64), 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v in encoding %d: %v, want %s named", c.kind, c.encoding, err, c.want)
		}
	}
	for codec, want := range map[int64]string{codecLZO: "LZO", 99: "unknown compression codec 99"} {
		if _, err := (&unpacker{}).decompress([]byte("x"), codec, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("codec %d: %v, want %s named", codec, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "too short", "PAR1": "too short", strings.Repeat("x", 20): "not a Parquet file",
		"PAR1" + strings.Repeat("x", 20) + "\x00\x00\x00\x00PARE": "encrypted", "PAR1xxxx\xff\xff\xff\x00PAR1": "its footer is said to have",
	} {
		if _, err := Open(strings.NewReader(text), int64(len(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%q) = %v, want %s", text, err, want)
		}
	}
}

// A file whose checksums fit has no bit of a page that can change unseen.
func TestDamageOfAPageIsSeen(t *testing.T) {
	for _, name := range []string{"none", "second"} {
		b := load(t, name)
		f := open(t, name)
		c, _ := f.Read(f.Column("clip", "bytes"))
		if err := c.page(); err != nil {
			t.Fatal(err)
		}
		for at := c.h.body; at < c.h.body+c.h.compressed; at++ {
			b[at] ^= 0x10
			if f, err := Open(bytes.NewReader(b), int64(len(b))); err != nil {
				t.Fatal(err)
			} else if _, _, err := f.Value(f.Column("clip", "bytes"), 1, nil); err == nil || !strings.Contains(err.Error(), "checksum") {
				t.Fatalf("%s: a bit of byte %d changed: %v", name, at, err)
			}
			b[at] ^= 0x10
		}
	}
}

// FuzzFile: any bytes are an error or a file, all of whose columns end in an
// error or after their last row.
func FuzzFile(f *testing.F) {
	for _, name := range append(slices.Clone(written), "empty", "constant") {
		f.Add(load(f, name), int64(3))
	}
	for _, name := range meant {
		f.Add(load(f, "meanings-"+name), int64(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, row int64) {
		file, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for _, c := range file.Columns {
			_, _, _ = file.Value(c, row, nil)
			cursor, err := file.Read(c)
			if err != nil {
				continue
			}
			n := int64(0)
			for ; err == nil && n < 1<<12; n++ { // a constant column may have 2^40 rows
				var v []byte
				if v, err = cursor.Next(); err == nil {
					_, _ = c.Text(v)
				}
			}
			if n-1 > file.Rows {
				t.Errorf("%d rows of %d", n-1, file.Rows)
			}
			cursor.Close()
		}
	})
}
