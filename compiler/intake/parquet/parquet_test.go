package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// written are the files that testdata/make.py writes in every way that is read here.
var written = []string{"snappy", "plain", "none", "gzip", "zstd", "second", "bare", "untold", "one"}

func load(t testing.TB, name string) []byte {
	b, err := os.ReadFile(filepath.Join("testdata", name+".parquet"))
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
					got := c.Text(v)
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
					t.Errorf("behind the last row of %s is %q", c.Name(), v)
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
		t.Errorf("one value of a column of %d bytes read %d behind %d of headers; its page has %d", bodies, read, headers, cursor.h.compressed)
	}
}

func TestWhatIsNotReadIsSaid(t *testing.T) {
	for name, want := range map[string]string{"brotli": "BROTLI", "delta": "DELTA_BYTE_ARRAY"} {
		f := open(t, name)
		if _, _, err := f.Value(f.Column("text"), 0, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "column text") {
			t.Errorf("%s: %v, want %s named", name, err, want)
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

// A footer of a few bytes that claims two thousand million elements is an error,
// not so many elements of memory.
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
// error or behind their last row.
func FuzzFile(f *testing.F) {
	for _, name := range written {
		f.Add(load(f, name), int64(3))
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
			for ; err == nil; n++ {
				_, err = cursor.Next()
			}
			if n-1 > file.Rows {
				t.Errorf("%d rows of %d", n-1, file.Rows)
			}
			cursor.Close()
		}
	})
}

// A row takes a byte somewhere; rows without any are a claim, and each would
// become an error with memory of its own.
func TestRowsAreHeldAgainstTheFile(t *testing.T) {
	for _, c := range []struct {
		rows, inGroup int64
		ok            bool
	}{{100, 50, true}, {120, 60, false}, {99, 50, false}, {-100, -50, false}, {1 << 62, 1 << 61, false}} {
		f := &File{Rows: c.rows, groups: []group{{rows: c.inGroup}, {rows: c.inGroup}}}
		if err := f.check(100); (err == nil) != c.ok {
			t.Errorf("%d rows in two groups of %d and 100 bytes: %v", c.rows, c.inGroup, err)
		}
	}
}
