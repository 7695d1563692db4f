package hftok

import (
	"compress/bzip2"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTextsAreThoseOfTokenizers: the package tokenizers 0.23.3 made of the golden
// ids the texts of decoded.json.bz2, with the decoder that files of each kind come
// with: WordPiece with "##", BPEDecoder with "</w>", ByteLevel, Metaspace, for
// llama Replace, ByteFallback, Fuse and Strip, none for words; of xtts the tokens
// were joined, as coqui does. Special tokens were left out, bytes apart.
func TestTextsAreThoseOfTokenizers(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "decoded.json.bz2"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var want map[string][]string
	if err := json.NewDecoder(bzip2.NewReader(f)).Decode(&want); err != nil {
		t.Fatal(err)
	}
	names, lines := golden(t)
	for _, name := range names {
		tok := read(t, name)
		d := NewDecoder(tok, map[string]string{"xtts": "[SPACE]"}[name])
		if len(want[name]) != len(lines) {
			t.Fatalf("%s: %d texts for %d lines", name, len(want[name]), len(lines))
		}
		for i, line := range lines {
			ids, _, _ := tok.Encode(nil, asTrained(name, line), true)
			if got := d.Decode(ids); got != want[name][i] {
				t.Errorf("%s: Decode of %+q\n got %+q\nwant %+q", name, line, got, want[name][i])
			}
		}
	}
}

// FuzzDecode: any ids, in every kind of vocabulary.
func FuzzDecode(f *testing.F) {
	names, _ := golden(f)
	var all []*Decoder
	for _, name := range names {
		all = append(all, NewDecoder(read(f, name), "", "the"))
	}
	f.Add([]byte("\x00\x01\xff"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		ids := make([]int32, len(raw))
		for i, b := range raw {
			ids[i] = int32(b)*7 - 3
		}
		for _, d := range all {
			if got := d.Decode(ids); strings.ToValidUTF8(got, "") != got {
				t.Errorf("Decode(%v) = %q", ids, got)
			}
		}
	})
}
