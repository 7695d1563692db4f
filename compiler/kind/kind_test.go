package kind

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"voxpack/textnorm"
)

// TestKindsAreSaid: the pages list every cause of a rejection, in the order of the
// table, and no other.
func TestKindsAreSaid(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|")
	table := regexp.MustCompile(`(?s)\n\| kind \|.*?\n\n`)
	for _, language := range []string{"en", "fa"} {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", language, "commands.md"))
		if err != nil {
			t.Fatal(err)
		}
		var said []Rejection
		for _, m := range row.FindAllSubmatch(table.Find(page), -1) {
			said = append(said, Rejection(m[1]))
		}
		if !slices.Equal(said, Rejections()) {
			t.Errorf("docs/%s/commands.md lists %q, the table %q", language, said, Rejections())
		}
	}
}

// TestNamesAreUnique, also between notes on rows and notes on characters: both
// stand in one list of a snapshot.
func TestNamesAreUnique(t *testing.T) {
	for _, names := range [][]string{append(Notes(), textnorm.NoteKinds()...), strings(Rejections())} {
		slices.Sort(names)
		if n := len(names); len(slices.Compact(names)) != n {
			t.Errorf("a name stands twice in %q", names)
		}
	}
}

func strings(list []Rejection) (out []string) {
	for _, k := range list {
		out = append(out, string(k))
	}
	return out
}
