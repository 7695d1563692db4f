package intake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestQuotesJoinNoRows: LJSpeech's 13,100 texts have 104 with an odd number of
// quotes, of which a reader of CSV makes 12,911 rows, one of 6,293 characters. Here
// each line is its own row, in two columns and in three; and in a table with
// commas whose writer took no care of quotes, a line costs itself at most.
func TestQuotesJoinNoRows(t *testing.T) {
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set; the texts of LJSpeech are not read")
	}
	src, err := os.ReadFile(filepath.Join(corpora, "ljspeech-32", "transcripts-13100.csv"))
	if err != nil {
		t.Skip("the 13,100 transcripts are not there")
	}
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	var two, commas strings.Builder
	commas.WriteString("path,text\n")
	odd := 0
	for _, l := range lines {
		cols := strings.Split(l, "|")
		two.WriteString(cols[0] + "|" + cols[1] + "\n")
		commas.WriteString(cols[0] + ".wav," + strings.ReplaceAll(cols[1], ",", ";") + "\n")
		odd += strings.Count(cols[1], `"`) % 2
	}
	if len(lines) != 13100 || odd < 100 {
		t.Fatalf("%d lines, %d with an odd number of quotes: these are not the texts", len(lines), odd)
	}
	for name, text := range map[string]string{"three columns": string(src), "two columns": two.String(), "commas": commas.String()} {
		table, err := Read(Corpus{Dir: folderWith(t, map[string]string{"metadata.csv": text})})
		if err != nil {
			t.Fatal(err)
		}
		if name != "commas" && (len(table.Rows) != len(lines) || len(table.Errors) != 0) || len(table.Rows)+len(table.Errors) != len(lines) || len(table.Rows) < 12900 {
			t.Errorf("%s: %d rows and %d errors of %d lines", name, len(table.Rows), len(table.Errors), len(lines))
		}
		for _, r := range table.Rows {
			line := r.Pos.Line - 1
			if name == "commas" {
				line-- // of the header
			}
			_, own, _ := strings.Cut(lines[line], "|")
			own, _, _ = strings.Cut(own, "|")
			if name == "commas" && len(r.Text) > len(own) || name != "commas" && r.Text != strings.TrimSpace(own) {
				t.Fatalf("%s: line %d is %q, want %q", name, r.Pos.Line, r.Text, own)
			}
		}
	}
}
