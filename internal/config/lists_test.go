package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a config names by path and Load reads: the lexicon as it is, lists of
// ids line by line.
func TestNamedFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"words.txt": "\ufeffDr.\tdoctor\r\n", "empty.txt": "", "drop.txt": "\ufeffa\r\n\r\n b c \nd", "keep.txt": "a\n", "bad.txt": "a\n\xff\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "config.yaml")
	c, list := Load(path, []byte("data:\n  lexicon: words.txt\n  drop_ids: drop.txt\n  keep_ids: keep.txt\n"), formats)
	if len(list) > 0 {
		t.Fatalf("problems = %v", list)
	}
	if got, want := string(c.Text.Lexicon), "\ufeffDr.\tdoctor\r\n"; got != want || c.Text.LexiconFile != filepath.Join(dir, "words.txt") {
		t.Errorf("lexicon = %q of %s, want %q", got, c.Text.LexiconFile, want)
	}
	if got, want := c.Filter.DropIDs, []string{"a", "b c", "d"}; !slices.Equal(got, want) {
		t.Errorf("drop_ids = %q, want %q", got, want)
	}
	if got, want := c.Filter.KeepIDs, []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("keep_ids = %q, want %q", got, want)
	}
	var want []string
	for _, name := range []string{"config.yaml", "words.txt", "drop.txt", "keep.txt"} {
		want = append(want, filepath.Join(dir, name))
	}
	if got := c.Files(); !slices.Equal(got, want) {
		t.Errorf("Files = %q, want %q", got, want)
	}
	c, list = Load(path, []byte("data:\n  lexicon: empty.txt\n  drop_ids: empty.txt\n"), formats)
	if len(list) > 0 || c.Text.Lexicon == nil || c.Filter.DropIDs == nil {
		t.Errorf("empty files: %v, %v, %v; want both given and no problem", c.Text.Lexicon, c.Filter.DropIDs, list)
	}
	for src, want := range map[string]string{
		"lexicon: none.txt": "no such file", "lexicon: .": "not a file", "drop_ids: none.txt": "no such file", "drop_ids: bad.txt": "bad.txt:2:1: not UTF-8",
		"keep_ids: .": "not a file", "keep_ids: empty.txt": "no ids, so that no row would be kept",
	} {
		_, list := Load(path, []byte("data:\n  "+src+"\n"), formats)
		key, _, _ := strings.Cut(src, ":")
		if len(list) != 1 || list[0].Line != 2 || list[0].Key != "data."+key || !strings.Contains(list[0].Message, want) {
			t.Errorf("%s: problems = %v, want one with %q", src, list, want)
		}
	}
}
