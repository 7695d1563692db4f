package intake

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderWith writes files below a new folder, of their paths and contents.
func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o777), os.WriteFile(full, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAFolderTooHighOrTooLow: who names the folder above a corpus, or that of its
// clips, is told which one was meant; nothing is guessed where there is none.
func TestAFolderTooHighOrTooLow(t *testing.T) {
	dir := folderWith(t, map[string]string{
		"lj/metadata.csv": "a|one\n", "lj/wavs/a.wav": "x", "lj/wavs/sub/b.wav": "x", "lj/docs/about.md": "x",
		"more/deep/fa/metadata.csv": "a|one\n", "more/en/list.txt": "a|one\nb|two\n", "more/.hidden/metadata.csv": "a|one\n",
		"bare/wavs/a.wav": "x", "notes/readme.txt": "nothing to be read here\n",
	})
	for _, c := range []struct{ in, near string }{
		{"", "lj or more/en"},
		{"lj/wavs", "lj"},
		{"lj/wavs/sub", ""}, // the folder above it has clips and no metadata
		{"lj/docs", ""},     // nothing in it is of a corpus
		{"more", "more/deep/fa or more/en"},
		{"more/deep", "more/deep/fa"},
		{"bare", ""},
		{"bare/wavs", ""},
		{"notes", ""},
	} {
		in := filepath.Join(dir, c.in)
		_, err := Read(Corpus{Dir: in})
		if !errors.Is(err, ErrNoMetadata) || err.Error() != Found(Corpus{Dir: in}).Error() {
			t.Fatalf("%s: error %v, want ErrNoMetadata as Found has it", c.in, err)
		}
		said := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		want := "did you mean " + c.near + "?"
		if c.near == "" {
			want = "name a file with --metadata FILE. Tried:\n    ljspeech: lines of id|text"
		}
		if !strings.Contains(said, want) || c.near == "" && strings.Contains(said, "did you mean") {
			t.Errorf("%q: error %q, want %q", c.in, said, want)
		}
	}
}

// TestFilesThatOtherProgramsSaved: a file that is one line to us, or no text, is an
// error that says what to do, whether its format is named or told.
func TestFilesThatOtherProgramsSaved(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"UTF-16 of one order", "\xff\xfea\x00|\x00b\x00\n\x00", "metadata.csv: the file is UTF-16; save it as UTF-8"},
		{"UTF-16 of the other", "\xfe\xff\x00a\x00|\x00b\x00\n", "metadata.csv: the file is UTF-16; save it as UTF-8"},
		{"UTF-16 without a mark", "a\x00|\x00b\x00\n\x00", "metadata.csv: the file is UTF-16; save it as UTF-8"},
		{"UTF-16 of Persian, of the other order", "\x00f\x00a\x00|\x06\x28\x06\x27\x06\x31\x06\x27\x06\x46\x00\n", "metadata.csv: the file is UTF-16; save it as UTF-8"},
		{"UTF-32 of one order", "\xff\xfe\x00\x00a\x00\x00\x00", "metadata.csv: the file is UTF-32; save it as UTF-8"},
		{"UTF-32 of the other", "\x00\x00\xfe\xff\x00\x00\x00a", "metadata.csv: the file is UTF-32; save it as UTF-8"},
		{"UTF-32 without a mark", "a\x00\x00\x00|\x00\x00\x00b\x00\x00\x00\n\x00\x00\x00", "metadata.csv: the file is UTF-32; save it as UTF-8"},
		{"UTF-32 of Persian without a mark", "\x00\x00\x00a\x00\x00\x06\x28\x00\x00\x06\x27\x00\x00\x00\n", "metadata.csv: the file is UTF-32; save it as UTF-8"},
		{"a text with one character of 0 is that line's fault", "a|one\nb|two\x00\nc|three\n", ""},
		{"a spreadsheet", "PK\x03\x04\x14\x00\n\x00", "metadata.csv: the file is a ZIP archive"},
		{"line ends of CR alone", "a|one\rb|two\r", "metadata.csv: its lines end with CR alone"},
		{"one line with CR at its end", "a|one\r", ""},
		{"CR in a text among lines", "a|one\rtwo\nb|three\n", ""},
	} {
		dir := folderWith(t, map[string]string{"metadata.csv": c.src})
		for _, format := range []string{"", "ljspeech"} {
			_, err := Read(Corpus{Dir: dir, Format: format})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !errors.Is(err, ErrNoMetadata) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s, format %q: error %v, want %q", c.name, format, err, c.want)
			}
		}
	}
}
