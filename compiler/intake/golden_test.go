package intake

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden rows of the corpora in testdata")

// corpora is the folder with a corpus for each format, under the format's name.
const corpora = "../../testdata/corpus/formats"

// TestFormats: every format of the table has a corpus whose format is told from
// the folder alone, and whose rows are those of its rows.golden.
func TestFormats(t *testing.T) {
	for _, f := range formats {
		t.Run(f.Name, func(t *testing.T) {
			dir := filepath.Join(corpora, f.Name)
			table, err := Read(Corpus{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if table.Format != f.Name {
				t.Errorf("%s is taken for %s", dir, table.Format)
			}
			got := table.String()
			golden := filepath.Join(dir, "rows.golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || got != string(want) {
				t.Errorf("%v; rows of %s are\n%swant\n%s", err, dir, got, want)
			}
			named, err := Read(Corpus{Dir: dir, Format: f.Name})
			if err != nil || named.String() != got {
				t.Errorf("with format: %s the rows are\n%v %v", f.Name, named, err)
			}
		})
	}
}

// String is a line a row and a line an error, as the golden files have them.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d lines, speaker %v, language %v, split %v, of %s, in %s\n", t.Format, t.Lines, t.HasSpeaker, t.HasLanguage, t.HasSplit, t.Files, t.Folders)
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "%v\t%s\t%q\t%q %v\tspeaker %q\tlanguage %q\tsplit %q", r.Pos, r.ID, r.Text, r.Given, r.HasGiven, r.Speaker, r.Language, r.Split)
		if a := r.Audio; a != nil {
			fmt.Fprintf(&b, "\taudio %q", a.Path)
			if a.Member > 0 {
				fmt.Fprintf(&b, " member %d %q", a.Member, a.Inner)
			}
			if a.Part() {
				fmt.Fprintf(&b, " from %v length %v", a.From, a.Length)
			}
		}
		b.WriteByte('\n')
	}
	for _, e := range t.Errors {
		fmt.Fprintf(&b, "%v\n", e)
	}
	return b.String()
}

// fuzzFormat is a fuzz target over a format's own corpus: any bytes in the place
// of one of its files of text give an error, or every line as a row or an error
// with its place; never a panic.
func fuzzFormat(f *testing.F, name string) {
	dir := filepath.Join(corpora, name)
	table, err := Read(Corpus{Dir: dir})
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range table.Files {
		if b, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			f.Add(i, b)
		}
	}
	format := formatNamed(name)
	f.Fuzz(func(t *testing.T, file int, src []byte) {
		if file < 0 || file >= len(table.Files) {
			return
		}
		in := Input{Corpus: Corpus{Dir: dir}, table: &Table{}, texts: map[string]string{table.Files[file]: string(src)}}
		parts := []Part{{File: table.Files[0]}}
		if format.Find != nil {
			if found := format.Find(dir); len(found) > 0 {
				parts = found
			}
		}
		for _, p := range parts {
			in.Part = p
			if err := format.Read(&in); err != nil {
				return
			}
		}
		if got := in.table; len(got.Rows)+len(got.Errors) != got.Lines {
			t.Errorf("%d rows and %d errors of %d lines", len(got.Rows), len(got.Errors), got.Lines)
		}
		for _, r := range in.table.Rows {
			if r.ID == "" || r.Pos.Line < 1 || !filepath.IsLocal(r.ID) || r.Audio != nil && r.Audio.Path != "" && !filepath.IsLocal(r.Audio.Path) {
				t.Errorf("row %+v %+v", r, r.Audio)
			}
		}
		for _, e := range in.table.Errors {
			if e.Pos.Line < 1 || e.Err == nil || e.Stage != StageMetadata {
				t.Errorf("error %+v", e)
			}
		}
	})
}

func FuzzLJSpeech(f *testing.F) { fuzzFormat(f, "ljspeech") }
