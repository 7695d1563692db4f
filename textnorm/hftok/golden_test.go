package hftok

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
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
	if os.IsNotExist(err) {
		src, err = os.ReadFile(filepath.Join("testdata", name+".model"))
	}
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Parse(name, src)
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

// BenchmarkCold is lines a second on one core with nothing remembered: each turn
// has a tokenizer of its own. Lines are 100 characters, from 18 languages.
func BenchmarkCold(b *testing.B) {
	lines := sentences(b)
	names, _ := golden(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			tok := read(b, name)
			dressed := make([]string, len(lines))
			for i, line := range lines {
				dressed[i] = asTrained(name, line)
			}
			var ids []int32
			for b.Loop() {
				tok.pool = encoderPool{}
				for _, line := range dressed {
					ids, _, _ = tok.Encode(ids[:0], line, true)
				}
			}
			b.ReportMetric(float64(b.N*len(lines))/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// sentences are the bundled ones, each filled up to 100 characters by those
// that follow it.
func sentences(t testing.TB) (lines []string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "detect", "testdata", "sentences.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var line []rune
	for s := bufio.NewScanner(z); s.Scan(); {
		_, text, _ := strings.Cut(s.Text(), "\t")
		if line = append(append(line, []rune(text)...), ' '); len(line) >= 100 {
			lines = append(lines, string(line[:100]))
			line = nil
		}
	}
	return lines
}
