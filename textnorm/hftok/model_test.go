package hftok

import (
	"slices"
	"testing"
)

// TestModels holds small cases whose ids the package tokenizers 0.23 gave.
func TestModels(t *testing.T) {
	for _, tt := range []struct {
		name, model, in string
		want            []int32
	}{
		{"an unknown character costs 10 below the worst token",
			`{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["ab", -1], ["xa", -8], ["b", -8]]}`, "xab", []int32{2, 3}},
		{"of equal cuts the one whose last token begins first",
			`{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["b", -1], ["c", -1], ["ab", -1], ["bc", -1]]}`, "abc", []int32{1, 5}},
		{"unknown characters and the unk itself are one",
			`{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1]]}`, "x<unk>y", []int32{0}},
		{"a merge that reaches into the next word",
			`{"type": "BPE", "vocab": {"a": 0, "b": 1, "▁": 2, "a▁": 3}, "merges": ["a ▁"]}`, "a▁b", []int32{3, 1}},
		{"an unk comes after the bytes of what follows it",
			`{"type": "BPE", "unk_token": "?", "byte_fallback": true, "vocab": {"a": 0, "b": 1, "<0xC3>": 2, "<0xA9>": 3, "?": 4}, "merges": []}`,
			"xébxx", []int32{2, 3, 4, 1, 4, 4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tok, err := Parse("f", []byte(`{"model": `+tt.model+`}`))
			if err != nil {
				t.Fatal(err)
			}
			if ids, _, _ := tok.Encode(nil, tt.in, true); !slices.Equal(ids, tt.want) {
				t.Errorf("Encode(%q) = %v, want %v", tt.in, ids, tt.want)
			}
		})
	}
}

// TestLongPieces: a piece of a megabyte does not take the square of its length,
// which would be hours.
func TestLongPieces(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size >>= 2
	}
	for _, name := range []string{"xtts", "gpt2", "llama", "unigram", "bert", "words"} {
		tok := read(t, name)
		line := make([]byte, size)
		for i := range line {
			line[i] = "etaoinshrdlu"[i*i%7+i%5]
		}
		ids, _, _ := tok.Encode(nil, string(line), true)
		if len(ids) == 0 {
			t.Errorf("%s: no ids for a long word", name)
		}
	}
}
