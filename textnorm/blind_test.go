package textnorm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBlindSets: what judges found right or acceptable of a blind set is read so still. The first marks stay as
// they are; who brings another right reading of such a row puts it into the column of what is spoken.
func TestBlindSets(t *testing.T) {
	sets, err := filepath.Glob("testdata/blind/*.tsv")
	if err != nil || len(sets) == 0 {
		t.Fatalf("no sets: %v", err)
	}
	n, err := NewNormalizer(Config{Verbalise: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		text, err := os.ReadFile(set)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			cells := strings.Split(line, "\t")
			if len(cells) != 6 {
				t.Fatalf("%s:%d: %d columns, want 6", set, i+1, len(cells))
			}
			lang, mark, written, spoken := cells[0], cells[1], cells[2], cells[4]
			if mark != "right" && mark != "acceptable" {
				continue
			}
			if got, _ := n.Normalize(written, lang); got != spoken {
				t.Errorf("%s:%d: %q is read\n\t%q, which was %s as\n\t%q", set, i+1, written, got, mark, spoken)
			}
		}
	}
}
