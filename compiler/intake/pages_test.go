package intake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesShowWhatIsRead: the second block of a format's page is metadata, all of
// it rows of that format, told without help; both languages show the same.
func TestPagesShowWhatIsRead(t *testing.T) {
	for name, rows := range map[string]int{"ljspeech": 2, "speaker": 3, "filelist": 2, "coqui": 2, "csv": 2, "tsv": 2, "common-voice": 1, "jsonl": 2, "audiofolder": 2} {
		var shown [2]string
		for i, language := range []string{"en", "fa"} {
			page, err := os.ReadFile(filepath.Join("../../docs", language, "formats", name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			if blocks := strings.Split(string(page), "\n```"); len(blocks) > 3 {
				_, shown[i], _ = strings.Cut(blocks[3], "\n")
			}
		}
		table, err := parse("metadata.csv", shown[0]+"\n", "auto")
		if err != nil || table.Format != name || len(table.Rows) != rows || len(table.Errors) > 0 {
			t.Errorf("the page of %s shows\n%s\nwhich is read as %v, %v; want %d rows", name, shown[0], table, err, rows)
		}
		if shown[0] != shown[1] {
			t.Errorf("the pages of %s show\n%s\nand\n%s", name, shown[0], shown[1])
		}
	}
}
