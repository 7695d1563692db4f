package hftok

import (
	"compress/bzip2"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// golden is what testdata/tokenizer_peers.py --write made: vocabularies of each
// kind, lines, and the ids that the package tokenizers gave for them.
func golden(t testing.TB) (names, lines []string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "lines.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &lines); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.ids.bz2"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden ids: %v", err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".ids.bz2"))
	}
	return names, lines
}

func read(t testing.TB, name string) *Tokenizer {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Parse(name+".json", src)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// asTrained does to a line what the users of such a vocabulary do.
func asTrained(name, line string) string {
	if name == "xtts" {
		return "[en]" + strings.ReplaceAll(lowercase(line), " ", "[SPACE]")
	}
	return line
}

func TestIDsAreThoseOfTokenizers(t *testing.T) {
	names, lines := golden(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			tok := read(t, name)
			f, err := os.Open(filepath.Join("testdata", name+".ids.bz2"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			src, err := io.ReadAll(bzip2.NewReader(f))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
			if len(want) != len(lines) {
				t.Fatalf("%d lines of ids for %d lines", len(want), len(lines))
			}
			again, err := Parse("canonical", []byte(tok.Canonical()))
			if err != nil || again.Canonical() != tok.Canonical() {
				t.Fatalf("the canonical file is read to another one: %v", err)
			}
			for range 2 { // the second time from memory
				for i, line := range lines {
					line = asTrained(name, line)
					ids, _, _ := tok.Encode(nil, line, true)
					if got := strings.Trim(fmt.Sprint(ids), "[]"); got != want[i] {
						t.Errorf("Encode(%+q)\n got %s\nwant %s", line, got, want[i])
					}
					if same, _, _ := again.Encode(nil, line, true); !slices.Equal(same, ids) {
						t.Errorf("Encode(%+q) by the canonical file = %v, want %v", line, same, ids)
					}
				}
			}
		})
	}
}
