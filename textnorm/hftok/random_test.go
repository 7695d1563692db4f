package hftok

import (
	"compress/bzip2"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestRandomFiles: files of random components and models of random pieces, which
// testdata/tokenizer_random.py made, have the ids that the packages tokenizers and
// sentencepiece gave. A file of theirs may be refused, seldom; where they gave none,
// any ids of the vocabulary will do.
func TestRandomFiles(t *testing.T) {
	for _, tt := range []struct {
		name    string
		files   int
		refused int // at most
	}{{"random.json.bz2", 250, 15}, {"random-models.json.bz2", 200, 0}} {
		f, err := os.Open(filepath.Join("testdata", tt.name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var all []struct {
			File  json.RawMessage // a tokenizer.json, or a model in base64
			Cases []struct {
				Text string
				IDs  []int32 // nil: theirs failed
			}
		}
		if err := json.NewDecoder(bzip2.NewReader(f)).Decode(&all); err != nil {
			t.Fatal(err)
		}
		refused := 0
		for i, c := range all {
			src := []byte(c.File)
			if src[0] == '"' {
				if err := json.Unmarshal(c.File, &src); err != nil {
					t.Fatal(err)
				}
			}
			tok, err := Parse("f", src)
			if err != nil {
				refused++
				continue
			}
			again, err := Parse("canonical", []byte(tok.Canonical()))
			if err != nil || again.Canonical() != tok.Canonical() {
				t.Errorf("%s, %d: its canonical file is read with %v", tt.name, i, err)
				continue
			}
			for _, x := range c.Cases {
				got, _, _ := tok.Encode(nil, x.Text, true)
				if x.IDs != nil && !slices.Equal(got, x.IDs) {
					t.Errorf("%s, %d: Encode(%+q) = %v, want %v by\n%s", tt.name, i, x.Text, got, x.IDs, tok.Canonical())
					break
				}
				if same, _, _ := again.Encode(nil, x.Text, true); !slices.Equal(same, got) {
					t.Errorf("%s, %d: Encode(%+q) = %v, by the canonical file %v", tt.name, i, x.Text, got, same)
				}
			}
		}
		if len(all) != tt.files || refused > tt.refused {
			t.Errorf("%s: %d of %d files are refused, want %d at most of %d", tt.name, refused, len(all), tt.refused, tt.files)
		}
	}
}
