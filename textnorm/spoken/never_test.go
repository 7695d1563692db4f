package spoken_test

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestNever: no reading of a row of never.tsv has a word that the row forbids.
func TestNever(t *testing.T) {
	f, err := os.Open("testdata/never.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("never.tsv:%d: %d columns, want 3", n, len(fields))
		}
		rows++
		said := readers[0].read(fields[0], fields[1])
		for never := range strings.SplitSeq(fields[2], " ^ ") {
			if beginsWord(said, never) {
				t.Errorf("never.tsv:%d: %q is read %q, and %q must not be said", n, fields[1], said, never)
			}
		}
		if again := readers[0].read(fields[0], said); again != said {
			t.Errorf("never.tsv:%d: %q is read %q, and that %q", n, fields[1], said, again)
		}
	}
	if err := lines.Err(); err != nil || rows < 35 {
		t.Fatalf("%d rows, %v, want at least 35", rows, err)
	}
}

// beginsWord reports whether a text has a word that begins so.
func beginsWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		if at == 0 || strings.IndexByte(" -(,", text[at-1]) >= 0 || strings.HasSuffix(text[:at], "\u200c") {
			return true
		}
		from = at + len(word)
	}
}
