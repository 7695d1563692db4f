package column

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/compiler/column/array"
	"voxpack/compiler/intake"
)

// tables are the files of package parquet's tests.
const tables = "../intake/parquet/testdata/"

// TestATableHasTheValuesOfRows: numbers and lists of each type by id, by several writers; what a row lacks is told by its row.
func TestATableHasTheValuesOfRows(t *testing.T) {
	for _, file := range []string{"lists-pyarrow", "lists-pyarrow-small", "lists-pyarrow-second", "lists-pyarrow-legacy", "lists-polars", "lists-duckdb-v1", "lists-duckdb-v2"} {
		b, err := os.ReadFile(tables + file + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		for field, want := range map[string]string{
			"numbers": "row-00 i32[1] [0 0 0 0], row-03 absent, row-05 i32[0] []", "halves": "row-02 f64[2] [0 0 0 0 0 0 0 0 0 0 0 0 0 0 224 63]",
			"small": "row-01 u8[2] [254 1]", "wide": "row-02 u64[2] [253 255 255 255 255 255 255 255 253 255 255 255 255 255 255 255], row-05 absent",
			"codes": "row-02 i16[2,2] [2 0 0 0 2 0 255 255], row-00 i16[0,0] []", "fixed": "row-02 f32[3] [0 0 0 63 0 0 0 191 0 0 0 63], row-04 absent",
			"ragged": "row-03 row 4: its lists are of several lengths, row-01 i64[1,0] []", "holes": "row-05 row 6: a number in it is null, row-03 i32[1] [3 0 0 0]",
			"truths": "row-02 bool[2] [1 1]", "number": "row-31 i64[] [1 0 0 0 0 0 0 0], row-04 absent", "score": "row-08 f32[] [0 0 128 63]",
		} {
			m, err := openTable(Config{Field: field}, "", bytes.NewReader(b), int64(len(b)))
			if err != nil {
				t.Errorf("%s: %s: %v", file, field, err)
				continue
			}
			if n := len(m.Names()); n != 60 {
				t.Errorf("%s: %s: %d rows", file, field, n)
			}
			for _, row := range strings.Split(want, ", row-") {
				id, want, _ := strings.Cut(strings.TrimPrefix(row, "row-"), " ")
				want = strings.NewReplacer("u8[2] [254 1]", "u32[2] [254 0 0 0 1 0 0 0]", "i16[2,2] [2 0 0 0 2 0 255 255]", "i32[2,2] [2 0 0 0 0 0 0 0 2 0 0 0 255 255 255 255]",
					"i16[0,0]", "i32[0,0]").Replace(want) // Parquet stores small integers in 4 bytes
				a, err := m.Read("row-" + id)
				got := fmt.Sprint(err)
				if errors.Is(err, array.ErrAbsent) {
					got = "absent"
				} else if err == nil {
					got = fmt.Sprintf("%v %v", a, a.Data)
				}
				if got != want {
					t.Errorf("%s: %s of row-%s: %s, want %s", file, field, id, got, want)
				}
			}
			if _, err := m.Read("nobody"); !errors.Is(err, array.ErrAbsent) {
				t.Errorf("a row that is not there: %v", err)
			}
			m.(*table).Close()
		}
	}
}

// TestATableLeavesNothingBehind: its temporary file has no name, and a folder without room for it is the machine's fault, not the
// values'.
func TestATableLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	b, err := os.ReadFile(tables + "lists-pyarrow.parquet")
	if err != nil {
		t.Fatal(err)
	}
	m, err := openTable(Config{Field: "numbers"}, "", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	defer m.(*table).Close()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	if _, err := openTable(Config{Field: "numbers"}, "", bytes.NewReader(b), int64(len(b))); !intake.IsMachine(err) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("no folder: %v", err)
	}
}

// TestWrongTablesAreRefused, with what is missing.
func TestWrongTablesAreRefused(t *testing.T) {
	for _, tt := range []struct{ file, field, want string }{
		{"lists-pyarrow", "none", `no column "none"`}, {"lists-pyarrow", "id", "column id has no numbers"}, {"meanings-pyarrow", "day", `no column "id"`},
		{"plain", "clip", `no column "id"`},
	} {
		b, err := os.ReadFile(tables + tt.file + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openTable(Config{Field: tt.field}, "", bytes.NewReader(b), int64(len(b))); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s of %s: %v, want %q", tt.field, tt.file, err, tt.want)
		}
	}
}

// FuzzTable: any bytes are refused or have values by id, each with the bytes of its shape.
func FuzzTable(f *testing.F) {
	paths, _ := filepath.Glob(tables + "lists-*.parquet")
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, field := range []string{"numbers", "codes", "score"} {
			f.Add(b, field)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, field string) {
		m, err := openTable(Config{Field: field}, "", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		defer m.(*table).Close()
		for _, id := range m.Names() {
			if a, err := m.Read(id); err == nil && a.Len()*a.DType.Size() != len(a.Data) {
				t.Errorf("%s: %v has %d bytes", id, a, len(a.Data))
			}
		}
	})
}
