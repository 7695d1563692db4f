package hftok

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// cutting is what a pre-tokenizer makes of a text.
func cutting(t *testing.T, component, text string) (got []string) {
	t.Helper()
	fillOnce.Do(fillClasses)
	list, err := readCutters([]byte(component), "pre_tokenizer", 0)
	if err != nil {
		t.Fatal(err)
	}
	pieces := []piece{{text, -1, true}}
	for _, c := range list {
		var next []piece
		for _, p := range pieces {
			next = c(next, p)
		}
		pieces = next
	}
	for _, p := range pieces {
		got = append(got, p.text)
	}
	return got
}

// TestPreTokenizersOfUpstream holds the cases of the unit tests of the package
// tokenizers (src/pre_tokenizers and src/tokenizer/normalizer.rs).
func TestPreTokenizersOfUpstream(t *testing.T) {
	for _, tt := range []struct {
		component, in string
		want          []string
	}{
		{`{"type": "Split", "pattern": {"String": "-"}, "behavior": "Removed"}`, "the-final--countdown", []string{"the", "final", "countdown"}},
		{`{"type": "Split", "pattern": {"String": "-"}, "behavior": "Isolated"}`, "the-final--countdown", []string{"the", "-", "final", "-", "-", "countdown"}},
		{`{"type": "Split", "pattern": {"String": "-"}, "behavior": "MergedWithPrevious"}`, "the-final--countdown", []string{"the-", "final-", "-", "countdown"}},
		{`{"type": "Split", "pattern": {"String": "-"}, "behavior": "MergedWithNext"}`, "the-final--countdown", []string{"the", "-final", "-", "-countdown"}},
		{`{"type": "Split", "pattern": {"String": "-"}, "behavior": "Contiguous"}`, "the-final--countdown", []string{"the", "-", "final", "--", "countdown"}},
		{`{"type": "Split", "pattern": {"Regex": "\\p{L}+"}, "behavior": "Removed", "invert": true}`, "Hello, you!", []string{"Hello", "you"}},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "Hello my friend, how is your day going?",
			[]string{"Hello", "Ġmy", "Ġfriend", ",", "Ġhow", "Ġis", "Ġyour", "Ġday", "Ġgoing", "?"}},
		{`{"type": "ByteLevel", "add_prefix_space": true}`, "Hello my friend", []string{"ĠHello", "Ġmy", "Ġfriend"}},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "Hello there\nHello there", []string{"Hello", "Ġthere", "Ċ", "Hello", "Ġthere"}},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "Hello there       dear", []string{"Hello", "Ġthere", "ĠĠĠĠĠĠ", "Ġdear"}},
		{`{"type": "ByteLevel", "add_prefix_space": false}`, "i⭢j", []string{"i", "âŃ¢", "j"}},
		{`{"type": "Whitespace"}`, "Hey man!", []string{"Hey", "man", "!"}},
		{`{"type": "Whitespace"}`, "How are you doing?", []string{"How", "are", "you", "doing", "?"}},
		{`{"type": "Whitespace"}`, "\n", nil},
		{`{"type": "WhitespaceSplit"}`, "Hey man, Good?", []string{"Hey", "man,", "Good?"}},
		{`{"type": "BertPreTokenizer"}`, "Hey friend!     How are you?!?", []string{"Hey", "friend", "!", "How", "are", "you", "?", "!", "?"}},
		{`{"type": "BertPreTokenizer"}`, " 野  口  里  佳  Noguchi Rika", []string{"野", "口", "里", "佳", "Noguchi", "Rika"}},
		{`{"type": "Digits", "individual_digits": false}`, "Hey 123 friend!", []string{"Hey ", "123", " friend!"}},
		{`{"type": "Digits", "individual_digits": true}`, "Hey 123 friend!", []string{"Hey ", "1", "2", "3", " friend!"}},
		{`{"type": "Punctuation"}`, "Hey friend!     How are you?!?", []string{"Hey friend", "!", "     How are you", "?", "!", "?"}},
		{`{"type": "CharDelimiterSplit", "delimiter": "-"}`, "the-final--countdown", []string{"the", "final", "countdown"}},
		{`{"type": "Metaspace", "replacement": "▁"}`, "Hey friend!", []string{"▁Hey", "▁friend!"}},
		{`{"type": "Metaspace", "replacement": "▁"}`, "Hey   friend!", []string{"▁Hey", "▁", "▁", "▁friend!"}},
		{`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}`, "Hey friend!", []string{"Hey", "▁friend!"}},
		{`{"type": "Metaspace", "replacement": "▁", "split": false}`, "Hey my friend", []string{"▁Hey▁my▁friend"}},
	} {
		if got := cutting(t, tt.component, tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%s cuts %q into %q, want %q", tt.component, tt.in, got, tt.want)
		}
	}
}

// TestModelsOfUpstream holds the cases of the unit tests of its models: of BPE
// test_unk_not_fused, test_unk_get_fused, test_bpe_with_continuing_subword_prefix,
// test_bpe_byte_fallback, of Unigram test_encode2 and test_unigram_bytefallback,
// of WordPiece and WordLevel what they are documented to do.
func TestModelsOfUpstream(t *testing.T) {
	const (
		apart    = `{"type": "BPE", "unk_token": "<unk>", "vocab": {"<unk>": 0, "a": 1, "b": 2}, "merges": []}`
		fused    = `{"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "vocab": {"<unk>": 0, "a": 1, "b": 2}, "merges": []}`
		prefix   = `{"type": "BPE", "continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "##c": 2, "ab": 3, "abc": 4}, "merges": [["a", "##b"], ["ab", "##c"]]}`
		fallback = `{"type": "BPE", "unk_token": "<unk>", "byte_fallback": true, "vocab": {"<unk>": 0, "<0x61>": 1, "<0x0A>": 2}, "merges": []}`
		encode2  = `{"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["ab", 0], ["cd", -0.1], ["abc", -0.2], ["a", -0.3], ["b", -0.4],
			["c", -0.5], ["ABC", -0.5], ["abcdabcd", 20], ["q", 20.5], ["r", 20.5], ["qr", -0.5]]}`
		bytes = `{"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["<unk>", 0], ["<0xC3>", -0.01], ["<0xA9>", -0.03]]}`
		piece = `{"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 12, "vocab":
			{"[UNK]": 0, "un": 1, "##aff": 2, "##able": 3, "##a": 4, "want": 5, "##ing": 6}}`
		level = `{"type": "WordLevel", "unk_token": "<unk>", "vocab": {"a": 1, "<unk>": 0}}`
	)
	for _, tt := range []struct{ model, in, want string }{
		{apart, "c", "[0]"}, {apart, "cc", "[0 0]"}, {apart, "accb", "[1 0 0 2]"},
		{fused, "c", "[0]"}, {fused, "cc", "[0]"}, {fused, "accb", "[1 0 2]"},
		{prefix, "ab", "[3]"}, {prefix, "abc", "[4]"},
		{fallback, "c", "[0]"}, {fallback, "a", "[1]"}, {fallback, "\n", "[2]"},
		{encode2, "abc", "[3]"}, {encode2, "AB", "[0]"}, {encode2, "abcd", "[1 2]"}, {encode2, "abcc", "[3 6]"},
		{encode2, "xabcabaabcdd", "[0 3 1 4 1 2 0]"}, {encode2, "xyz東京", "[0]"}, {encode2, "ABC", "[7]"},
		{encode2, "abABCcd", "[1 7 2]"}, {encode2, "ababcdabcdcd", "[1 8 2]"}, {encode2, "abqrcd", "[1 9 10 2]"},
		{bytes, "é", "[1 2]"}, {bytes, "?é", "[0]"},
		{piece, "unaffable", "[1 2 3]"}, {piece, "wanting", "[5 6]"}, {piece, "unwanting", "[0]"}, {piece, "aff", "[0]"}, {piece, "unaaaaaaaaaa", "[1 4 4 4 4 4 4 4 4 4 4]"},
		{piece, "unaaaaaaaaaaa", "[0]"},
		{level, "a", "[1]"}, {level, "c", "[0]"},
	} {
		tok, err := Parse("f", []byte(`{"model": `+tt.model+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if ids, _, _ := tok.Encode(nil, tt.in, true); fmt.Sprint(ids) != tt.want {
			t.Errorf("%.40s: Encode(%q) = %v, want %s", tt.model, tt.in, ids, tt.want)
		}
	}
}

// TestNormalizersOfUpstream: cases of src/normalizers and bert.rs.
func TestNormalizersOfUpstream(t *testing.T) {
	fillOnce.Do(fillClasses)
	for _, tt := range []struct{ component, in, want string }{
		{`{"type": "Prepend", "prepend": "▁"}`, "Hello", "▁Hello"},
		{`{"type": "Prepend", "prepend": "▁"}`, "", ""},
		{`{"type": "Replace", "pattern": {"String": "''"}, "content": "\""}`, "This is a ''test''", `This is a "test"`},
		{`{"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}`, "This     is   a         test", "This is a test"},
		{`{"type": "Strip", "strip_left": true, "strip_right": false}`, "  a  ", "a  "},
		{`{"type": "Strip", "strip_left": false, "strip_right": true}`, "  a  ", "  a"},
		{`{"type": "Strip", "strip_left": true, "strip_right": true}`, " \t ", ""},
		{`{"type": "StripAccents"}`, "Me llamo \u00f3", "Me llamo \u00f3"}, // a composed letter has no mark to remove
		{`{"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}]}`, "Me llamó, ｍañana", "Me llamo, manana"},
		{`{"type": "NFKC"}`, "\ufb01", "fi"},
		{`{"type": "ByteLevel"}`, "Hello 我今天能为你做什么", "HelloĠæĪĳä»Ĭå¤©èĥ½ä¸ºä½łåģļä»Ģä¹Ī"},
		{`{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "lowercase": true}`, "Héllo 野口\x00", "hello  野  口 "},
		{`{"type": "BertNormalizer", "strip_accents": false, "lowercase": true}`, "HÉ", "hé"},
		{`{"type": "Nmt"}`, "a\u200bb\x01c\ufeffd", "a bc d"},
	} {
		list, err := readNormalizers([]byte(tt.component), "normalizer", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&Tokenizer{normalize: list}).normalized(tt.in); got != tt.want {
			t.Errorf("%s makes %+q of %+q, want %+q", tt.component, got, tt.in, tt.want)
		}
	}
}

// TestBehavioursByDefinition: what each behaviour does to any text, from the
// maximal runs of delimiters and of others.
func TestBehavioursByDefinition(t *testing.T) {
	for seed := range uint64(300) {
		r := random(seed)
		s := word(r, []rune("ab-"), 9)
		join := func(name string) []string {
			return cutting(t, `{"type": "Split", "pattern": {"String": "-"}, "behavior": "`+name+`"}`, s)
		}
		fields := strings.FieldsFunc(s, func(r rune) bool { return r == '-' })
		if got := join("Removed"); !slices.Equal(got, fields) {
			t.Fatalf("%q without delimiters: %q", s, got)
		}
		if got := join("MergedWithPrevious"); !slices.Equal(got, slices.DeleteFunc(strings.SplitAfter(s, "-"), func(s string) bool { return s == "" })) {
			t.Fatalf("%q merged with what is before: %q", s, got)
		}
		parts := strings.Split(s, "-")
		for i := range parts[1:] {
			parts[i+1] = "-" + parts[i+1]
		}
		if parts[0] == "" {
			parts = parts[1:]
		}
		if got := join("MergedWithNext"); !slices.Equal(got, parts) {
			t.Fatalf("%q merged with what is after: %q, want %q", s, got, parts)
		}
		if got := cutting(t, `{"type": "Split", "pattern": {"Regex": "a|b"}, "behavior": "Contiguous", "invert": true}`, s); !slices.Equal(got, join("Contiguous")) {
			t.Fatalf("%q between letters: %q, want %q", s, got, join("Contiguous"))
		}
		for _, name := range []string{"Isolated", "Contiguous"} {
			got := join(name)
			if strings.Join(got, "") != s {
				t.Fatalf("%s %q: %q does not make it up", name, s, got)
			}
			for i, part := range got {
				delim := strings.Trim(part, "-") == ""
				if !delim && strings.Contains(part, "-") || name == "Isolated" && delim && part != "-" {
					t.Fatalf("%s %q: the part %q of %q", name, s, part, got)
				}
				if i > 0 && (name == "Contiguous" || !delim) && (strings.Trim(got[i-1], "-") == "") == delim {
					t.Fatalf("%s %q: %q and %q are apart", name, s, got[i-1], part)
				}
			}
		}
	}
}
