package hftok

import (
	"slices"
	"testing"
)

// TestDecoders: what the documentation says of the decoder that goes with each kind of
// file, for ids that no text needs to have made.
func TestDecoders(t *testing.T) {
	const (
		bytes     = `{"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "model": {"type": "BPE", "merges": [], "vocab": {"a": 0, "Ġ": 1, "Ã": 2, "©": 3, "Ċ": 4, "日": 5, "Ġb": 6}}}`
		prefixed  = `{"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": true}, "model": {"type": "BPE", "merges": [], "vocab": {"a": 0, "Ġ": 1, "Ġb": 2}}}`
		pieces    = `{"added_tokens": [{"id": 4, "content": "[SEP]", "special": true}, {"id": 5, "content": "[X]"}], "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "play": 1, "##ing": 2, ".": 3}}}`
		suffixed  = `{"model": {"type": "BPE", "end_of_word_suffix": "</w>", "merges": [], "vocab": {"lo": 0, "w</w>": 1, "er</w>": 2}}}`
		metaspace = `{"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}, "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁a", 0], ["b", 0], ["▁", 0]]}}`
		never     = `{"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}, "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁a", 0], ["b", 0]]}}`
		fallback  = `{"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}, "model": {"type": "BPE", "byte_fallback": true, "merges": [],
			"vocab": {"▁": 0, "a": 1, "<0xC3>": 2, "<0xA9>": 3, "<0x0A>": 4}}}`
		words = `{"model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": {"<unk>": 0, "two": 1, "words": 2}}}`
	)
	for _, tt := range []struct {
		rule, file string
		ids        []int32
		want       string
	}{
		{"nothing is nothing", bytes, nil, ""},
		{"letters are bytes", bytes, []int32{0, 1, 0, 4}, "a a\n"},
		{"a character of two tokens", bytes, []int32{0, 2, 3}, "aé"},
		{"half of one is U+FFFD", bytes, []int32{0, 2, 0}, "a\ufffda"},
		{"two halves in a row are one U+FFFD", bytes, []int32{2, 2}, "\ufffd"},
		{"what is no letter of a byte stays", bytes, []int32{5, 0}, "日a"},
		{"ids without a token are left out", bytes, []int32{-1, 0, 99, 1 << 30, 6}, "a b"},
		{"a space that was put before goes", prefixed, []int32{2, 2}, "b b"},
		{"one only", prefixed, []int32{1, 2}, " b"},
		{"pieces of words join", pieces, []int32{1, 2, 1}, "playing play"},
		{"a sign has no space before it", pieces, []int32{1, 2, 3}, "playing."},
		{"special tokens are left out, others stay", pieces, []int32{4, 1, 5, 4}, "play [X]"},
		{"a piece of a word at the beginning keeps its prefix", pieces, []int32{2, 1}, "##ing play"},
		{"the end of a word is a space but for the last", suffixed, []int32{0, 1, 0, 2}, "low loer"},
		{"visible spaces are spaces", metaspace, []int32{1, 2, 1}, "ab a"},
		{"the first one was put there", metaspace, []int32{3, 1}, " a"},
		{"where none was put none goes", never, []int32{1, 2}, " ab"},
		{"tokens of bytes are put together", fallback, []int32{1, 2, 3, 0, 1, 4}, "aé a\n"},
		{"bytes that make no character", fallback, []int32{3, 1}, "\ufffda"},
		{"words stand apart", words, []int32{1, 2, 0}, "two words <unk>"},
	} {
		tok, err := Parse("f", []byte(tt.file))
		if err != nil {
			t.Fatal(err)
		}
		if got := NewDecoder(tok, "").Decode(tt.ids); got != tt.want {
			t.Errorf("%s: Decode(%v) = %q, want %q", tt.rule, tt.ids, got, tt.want)
		}
	}
}

// TestDecoderOfAModel: a SentencePiece model has its own space, and control and unknown
// pieces say nothing.
func TestDecoderOfAModel(t *testing.T) {
	tok, err := Parse("m", abc())
	if err != nil {
		t.Fatal(err)
	}
	d := NewDecoder(tok, "")
	for _, tt := range []struct {
		ids  []int32
		want string
	}{{[]int32{2, 6, 5, 2, 3}, "abc a"}, {[]int32{1, 2, 2, 3, 0, 1}, "a"}, {[]int32{3, 2, 8}, "a [en]"}, {nil, ""}} {
		if got := d.Decode(tt.ids); got != tt.want {
			t.Errorf("Decode(%v) = %q, want %q", tt.ids, got, tt.want)
		}
	}
	for _, text := range []string{"ab", "a b", "abc ab c"} {
		if ids, _, _ := tok.Encode(nil, text, true); d.Decode(ids) != text {
			t.Errorf("Decode(%v) = %q, want %q", ids, d.Decode(ids), text)
		}
	}
}

// TestEndsAndSpaces: tokens that stand around every text, and a sign that a config puts
// in the place of spaces.
func TestEndsAndSpaces(t *testing.T) {
	tok, err := Parse("f", []byte(`{"added_tokens": [{"id": 3, "content": "[SPACE]"}, {"id": 4, "content": "[START]"}, {"id": 5, "content": "[STOP]", "special": true}],
		"model": {"type": "BPE", "unk_token": "?", "merges": [], "vocab": {"?": 0, "a": 1, "b": 2}}}`))
	if err != nil {
		t.Fatal(err)
	}
	ids, _, _ := tok.Encode(nil, "[START]a[SPACE]b[STOP]", true)
	if !slices.Equal(ids, []int32{4, 1, 3, 2, 5}) {
		t.Fatalf("ids %v", ids)
	}
	if got := NewDecoder(tok, "[SPACE]", "[START]").Decode(ids); got != "a b" {
		t.Errorf("Decode = %q, want %q", got, "a b")
	}
	if got := NewDecoder(tok, "[SPACE]").Decode(ids); got != "[START]a b" {
		t.Errorf("Decode = %q where [START] is no end", got)
	}
}
