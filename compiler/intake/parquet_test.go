package intake

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"voxpack/compiler/intake/parquet"
)

// shardsOf is a corpus of files that the tests of package parquet read, under
// other names.
func shardsOf(t *testing.T, files map[string]string) string {
	t.Helper()
	all := tree{}
	for name, from := range files {
		b, err := os.ReadFile(filepath.Join("parquet", "testdata", from+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(b)
	}
	return all.write(t, t.TempDir())
}

// Of the files of package parquet the row at 3 (from 0) has no text, that at 4 no
// bytes, that at 5 no clip.
func TestParquetRows(t *testing.T) {
	const file = "train-00000-of-00001.parquet"
	dir := shardsOf(t, map[string]string{file: "snappy"})
	for _, c := range []struct {
		name    string
		columns map[string]string
		want    []string // rows 1 and 5, errors 1 and 2 of the file
	}{
		{"the recordings are found, by whatever name", nil,
			[]string{file + ":2 clip-1 (" + file + ")#2:clip-1.wav text 1 [train]", file + ":5 clip-4 (clip-4.wav) text 4 [train]",
				file + ":4 clip-3! the text column is empty", file + ":6 ! neither a recording nor the path of one"}},
		{"ids, speakers and texts that the config names", map[string]string{"audio": "clip", "id": "wide", "speaker": "number", "text": "sure", "normalised": "text"},
			[]string{file + ":2 8589934592 (" + file + ")#2:clip-1.wav sure 1/text 1 [-99] [train]", file + ":4 25769803776 (" + file + ")#4:clip-3.wav sure 0 [-97] [train]",
				file + ":6 42949672960! neither a recording nor the path of one", file + ":17 137438953472! neither a recording nor the path of one"}},
		{"an offset", map[string]string{"offset": "half", "duration": "4"},
			[]string{file + ":2 clip-1 (" + file + ")#2:clip-1.wav 500ms+500ms text 1 [train]", file + ":5 clip-4 (clip-4.wav) 2s+2s text 4 [train]",
				file + ":4 clip-3! the text column is empty", file + ":6 ! neither a recording nor the path of one"}},
	} {
		got := outcome(t, Corpus{Dir: dir, Columns: c.columns})
		if len(got) != 65 {
			t.Fatalf("%s: %q", c.name, got)
		}
		rows := slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, "! ") })
		got = append([]string{got[2], got[4]}, got[rows:rows+2]...)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestParquetFiles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []Part
	}{
		{"the top and data/, splits by the name", map[string]string{"test.parquet": "one", "data/train-00001-of-00002.parquet": "one", "data/validation.clean-00000-of-00001.parquet": "one", "data/0000.parquet": "one", "more/x.parquet": "one", ".x.parquet": "one"},
			[]Part{{"test.parquet", Test}, {"data/0000.parquet", Unsplit}, {"data/train-00001-of-00002.parquet", Train}, {"data/validation.clean-00000-of-00001.parquet", Val}}},
	} {
		if got := shards.Find(shardsOf(t, c.files)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	dir := shardsOf(t, map[string]string{"metadata.csv": "one", "x.parquet": "one"})
	if got := outcome(t, Corpus{Dir: dir, Metadata: filepath.Join(dir, "x.parquet")}); got[0] != "parquet" {
		t.Errorf("a file that --metadata names: %q", got)
	}
}

func TestParquetErrorsNameTheFile(t *testing.T) {
	dir := shardsOf(t, map[string]string{"x.parquet": "one"})
	for _, c := range []struct {
		columns map[string]string
		want    string
	}{
		{map[string]string{"text": "words"}, `columns: text is "words", which is not in the header`},
		{map[string]string{"text": "list"}, "column list is not of plain values, and cannot be the text"},
		{map[string]string{"speaker": "clip"}, "column clip is not of plain values, and cannot be the speaker"},
	} {
		if got := outcome(t, Corpus{Dir: dir, Columns: c.columns})[0]; !strings.Contains(got, "x.parquet: "+c.want) {
			t.Errorf("columns %v: %s, want %s", c.columns, got, c.want)
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "x.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	tree{"x.parquet": string(b[:len(b)-5])}.write(t, dir)
	if got := outcome(t, Corpus{Dir: dir})[0]; !strings.Contains(got, "x.parquet: it is not a Parquet file, or a part of one") {
		t.Errorf("a file that is cut: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "x.parquet")); err != nil {
		t.Fatal(err)
	}
	outside := shardsOf(t, map[string]string{"y.parquet": "one"})
	if err := os.Symlink(filepath.Join(outside, "y.parquet"), filepath.Join(dir, "x.parquet")); err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, Corpus{Dir: dir})[0]; !strings.Contains(got, "x.parquet: a link out of the corpus") {
		t.Errorf("a link out of the corpus: %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "x.parquet")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, Corpus{Dir: dir})[0]; !strings.Contains(got, "data/y.parquet: a link out of the corpus") {
		t.Errorf("a folder that is a link out of the corpus: %s", got)
	}
}

// What values mean decides whether a column can be one of ours.
func TestParquetColumnsOfOtherTypes(t *testing.T) {
	dir := shardsOf(t, map[string]string{"x.parquet": "meanings-pyarrow"})
	for column, want := range map[string]string{"day": "DATE in INT32", "clock": "TIME in INT64", "moment": "TIMESTAMP in INT64"} {
		got := outcome(t, Corpus{Dir: dir, Columns: map[string]string{"audio": "uuid", "text": "text", "offset": column}})[0]
		if want = "x.parquet: column " + column + " is " + want + ", which cannot be the offset"; !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	got := outcome(t, Corpus{Dir: dir, Columns: map[string]string{"audio": "uuid", "text": "text", "offset": "single", "duration": "decimal7", "speaker": "uint32"}})
	if want := "x.parquet:24 00112233-4455-6677-8899-000000000017 (00112233-4455-6677-8899-000000000017) 5.75s+550ms a text, 23 [4000000023]"; !slices.Contains(got, want) {
		t.Errorf("%q, want %q among them", got, want)
	}
}

func TestParquetOfFewBytes(t *testing.T) {
	table, err := Read(Corpus{Dir: shardsOf(t, map[string]string{"x.parquet": "constant"})})
	if err != nil || len(table.Rows) != 100000 {
		t.Errorf("100,000 rows that say the same: %v", err)
	}
	table, err = Read(Corpus{Dir: shardsOf(t, map[string]string{"train.parquet": "one", "test.parquet": "empty"})})
	if err != nil || table.Lines != 64 {
		t.Errorf("a split without rows beside one of 64: %v", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(Corpus{Dir: shardsOf(t, map[string]string{"x.parquet": "inflated"})})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "such a file is not a corpus") {
		t.Errorf("a file of 2 kB with 95 GiB of text: %v", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 200<<20 {
		t.Errorf("a file of 2 kB with 95 GiB of text took %d MiB", used>>20)
	}
}

func TestNumbersThatStandForNames(t *testing.T) {
	f := &parquet.File{Notes: map[string]string{"huggingface": `{"info": {"features": {"lang": {"names": ["en", "fa"], "_type": "ClassLabel"}, "text": {"dtype": "string", "_type": "Value"}, "audio": {"sampling_rate": 8000}}}}`}}
	for name, n := range map[string]int{"lang": 2, "text": 0, "audio": 0, "other": 0} {
		if got := labelsOf(f, name); len(got) != n {
			t.Errorf("column %s has the names %q", name, got)
		}
	}
	var s shard
	s.columns[colLanguage], s.labels[colLanguage] = &parquet.Column{Kind: parquet.Int64}, labelsOf(f, "lang")
	for n, want := range map[int64]string{0: "en", 1: "fa", -1: "", 2: "2"} {
		if got, err := s.text(colLanguage, binary.LittleEndian.AppendUint64(nil, uint64(n))); err != nil || got != want {
			t.Errorf("%d is %q, %v, want %q", n, got, err, want)
		}
	}
}

// One reader serves many callers at once, and what they have stays as it is.
func TestMemberSideBySide(t *testing.T) {
	f, err := os.Open(filepath.Join("parquet", "testdata", "zstd.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 64 {
				n := (i*7 + worker) % 64
				got, err := Member(f, info.Size(), n, []byte("x"))
				if n%11 == 4 || n%11 == 5 {
					if err == nil || !strings.Contains(err.Error(), "holds no recording") {
						t.Errorf("row %d, which has none: %v", n, err)
					}
					continue
				}
				want := []byte("x")
				for k := range n * 7 {
					want = append(want, byte(n+k))
				}
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("row %d: %d bytes, %v; want %d", n, len(got), err, len(want))
				}
			}
		})
	}
	wg.Wait()
	for _, n := range []int{-1, 64} {
		if _, err := Member(f, info.Size(), n, nil); err == nil {
			t.Errorf("there is a row %d", n)
		}
	}
}

func FuzzParquet(f *testing.F) { fuzzFormat(f, "parquet") }

// FuzzMember: any bytes in place of a container are an error, or bytes.
func FuzzMember(f *testing.F) {
	for _, name := range []string{"snappy", "zstd", "none", "brotli", "lz4", "delta"} {
		b, err := os.ReadFile(filepath.Join("parquet", "testdata", name+".parquet"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, 7)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		got, err := Member(bytes.NewReader(b), int64(len(b)), n, []byte("front"))
		if err == nil && !bytes.HasPrefix(got, []byte("front")) {
			t.Errorf("%q does not go on after what was there", got)
		}
	})
}
