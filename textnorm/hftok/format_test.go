package hftok

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// withModel is a file with a vocabulary of words, each with its number by its place.
func withModel(parts string, words ...string) string {
	vocab := map[string]int{"<unk>": 0}
	for i, w := range words {
		vocab[w] = i + 1
	}
	b, err := json.Marshal(vocab)
	if err != nil {
		panic(err)
	}
	return `{` + parts + `"model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": ` + string(b) + `}}`
}

// TestTheFormat: what the documentation of tokenizers says of each kind of component,
// seen by a vocabulary of whole words, which shows what reaches the model. A piece that
// is no word is 0.
func TestTheFormat(t *testing.T) {
	norm := func(s string) string { return `"normalizer": ` + s + `, ` }
	cut := func(s string) string { return `"pre_tokenizer": ` + s + `, ` }
	post := func(s string) string { return `"post_processor": ` + s + `, ` }
	const spaces = `"pre_tokenizer": {"type": "WhitespaceSplit"}, `
	for _, tt := range []struct {
		rule, parts string
		words       []string
		in, want    string
	}{
		{"no component: the whole text is one piece", "", []string{"a b", "a"}, "a b", "[1]"},
		{"nulls are no components", `"normalizer": null, "pre_tokenizer": null, "post_processor": null, "added_tokens": [], `, []string{"a b"}, "a b", "[1]"},
		{"a decoder of any kind is not read", `"decoder": {"type": "Nobody", "knows": [1, {}]}, `, []string{"a"}, "a", "[1]"},
		{"truncation and padding are not done", `"truncation": {"max_length": 1}, "padding": {"strategy": {"Fixed": 9}}, ` + spaces, []string{"a"}, "a a a", "[1 1 1]"},
		{"an empty text is no piece", spaces, []string{"a"}, "", "[]"},
		{"white space alone is none either", spaces, []string{"a"}, " \t\n", "[]"},

		{"Lowercase", norm(`{"type": "Lowercase"}`), []string{"éa"}, "ÉA", "[1]"},
		{"NFC composes", norm(`{"type": "NFC"}`), []string{"é"}, "e\u0301", "[1]"},
		{"NFD decomposes", norm(`{"type": "NFD"}`), []string{"e\u0301"}, "é", "[1]"},
		{"NFKC folds what only looks different", norm(`{"type": "NFKC"}`), []string{"fi"}, "ﬁ", "[1]"},
		{"NFKD does and decomposes", norm(`{"type": "NFKD"}`), []string{"ae\u0301"}, "ａé", "[1]"},
		{"StripAccents removes marks", norm(`{"type": "StripAccents"}`), []string{"e"}, "e\u0301", "[1]"},
		{"Strip takes what it is told to", norm(`{"type": "Strip", "strip_left": true, "strip_right": false}`), []string{"a "}, "  a ", "[1]"},
		{"Prepend puts a text before", norm(`{"type": "Prepend", "prepend": "x"}`), []string{"xa"}, "a", "[1]"},
		{"Replace of a text takes every place", norm(`{"type": "Replace", "pattern": {"String": "b"}, "content": "cc"}`), []string{"accacc"}, "abab", "[1]"},
		{"Replace of an expression", norm(`{"type": "Replace", "pattern": {"Regex": "b+"}, "content": ""}`), []string{"aa"}, "abbab", "[1]"},
		{"a Sequence goes in its order", norm(`{"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "A"}, {"type": "Lowercase"}]}`), []string{"ab"}, "B", "[1]"},
		{"and in the other", norm(`{"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "Prepend", "prepend": "A"}]}`), []string{"Ab"}, "B", "[1]"},
		{"an empty Sequence is nothing", norm(`{"type": "Sequence", "normalizers": []}`), []string{"B"}, "B", "[1]"},
		{"BertNormalizer without its parts", norm(`{"type": "BertNormalizer", "clean_text": false, "handle_chinese_chars": false, "strip_accents": false, "lowercase": false}`),
			[]string{"É中\t"}, "É中\t", "[1]"},
		{"BertNormalizer takes accents off with capitals", norm(`{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}`),
			[]string{"ea"}, "É\u0000A", "[1]"},
		{"its null leaves accents where capitals stay", norm(`{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": false}`),
			[]string{"É"}, "É", "[1]"},

		{"Whitespace parts words and signs", cut(`{"type": "Whitespace"}`), []string{"a", "!?", "b_1"}, "a!? b_1", "[1 2 3]"},
		{"WhitespaceSplit at white space alone", spaces, []string{"a!?", "b"}, "a!?\u3000b", "[1 2]"},
		{"BertPreTokenizer makes each sign a piece", cut(`{"type": "BertPreTokenizer"}`), []string{"a", "!"}, "a!! a", "[1 2 2 1]"},
		{"Punctuation keeps spaces", cut(`{"type": "Punctuation", "behavior": "Isolated"}`), []string{"a", "!", " b"}, "a! b", "[1 2 3]"},
		{"Digits together", cut(`{"type": "Digits", "individual_digits": false}`), []string{"a", "12"}, "a12", "[1 2]"},
		{"Digits one by one", cut(`{"type": "Digits", "individual_digits": true}`), []string{"a", "1", "2"}, "a12", "[1 2 3]"},
		{"CharDelimiterSplit drops its character", cut(`{"type": "CharDelimiterSplit", "delimiter": "中"}`), []string{"a", "b"}, "a中b中", "[1 2]"},
		{"Metaspace always begins with a mark", cut(`{"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": true}`), []string{"_a", "_b"}, "a b", "[1 2]"},
		{"or never", cut(`{"type": "Metaspace", "replacement": "_", "prepend_scheme": "never", "split": true}`), []string{"a", "_b"}, "a b", "[1 2]"},
		{"or does not split", cut(`{"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": false}`), []string{"_a_b"}, "a b", "[1]"},
		{"ByteLevel has letters for bytes", cut(`{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}`), []string{"Ġa", "ĠÃ©"}, "a é", "[1 2]"},
		{"without its expression it is one piece", cut(`{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}`), []string{"aĠb"}, "a b", "[1]"},
		{"Split at a text", cut(`{"type": "Split", "pattern": {"String": "ab"}, "behavior": "Isolated", "invert": false}`), []string{"c", "ab"}, "cabcab", "[1 2 1 2]"},
		{"Split inverted keeps what matches", cut(`{"type": "Split", "pattern": {"Regex": "[0-9]+"}, "behavior": "Removed", "invert": true}`), []string{"12", "3"}, "a12b3", "[1 2]"},
		{"a Sequence cuts what the first one left", cut(`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Isolated"}]}`),
			[]string{"a", "-", "b"}, "a-b a", "[1 2 3 1]"},

		{"TemplateProcessing stands around the text", post(`{"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "S", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
			{"SpecialToken": {"id": "E", "type_id": 0}}], "pair": [], "special_tokens": {"S": {"id": "S", "ids": [1], "tokens": ["s"]}, "E": {"id": "E", "ids": [2, 1], "tokens": ["e", "s"]}}}`),
			[]string{"s", "e", "a"}, "a", "[1 3 2 1]"},
		{"also around nothing", post(`{"type": "BertProcessing", "sep": ["e", 2], "cls": ["s", 1]}`), []string{"s", "e", "a"}, "", "[1 2]"},
		{"RobertaProcessing alike", post(`{"type": "RobertaProcessing", "sep": ["e", 2], "cls": ["s", 1], "trim_offsets": true, "add_prefix_space": true}`), []string{"s", "e", "a"}, "a", "[1 3 2]"},
		{"ByteLevel behind the model adds nothing", post(`{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true}`), []string{"a"}, "a", "[1]"},

		{"an added token is found inside of words", `"added_tokens": [{"id": 2, "content": "[X]"}], `, []string{"a"}, "a[X]a", "[1 2 1]"},
		{"single_word: not there", `"added_tokens": [{"id": 2, "content": "x", "single_word": true}], `, []string{"axa"}, "axa", "[1]"},
		{"lstrip takes spaces before", `"added_tokens": [{"id": 2, "content": "[X]", "lstrip": true}], `, []string{"a"}, "a  [X]a", "[1 2 1]"},
		{"rstrip those after", `"added_tokens": [{"id": 2, "content": "[X]", "rstrip": true}], `, []string{"a"}, "a[X]  a", "[1 2 1]"},
		{"normalized: it is looked for afterwards", norm(`{"type": "Lowercase"}`) + `"added_tokens": [{"id": 2, "content": "XY", "normalized": true}], `, []string{"a"}, "AxyA", "[1 2 1]"},
		{"not normalized: before", norm(`{"type": "Lowercase"}`) + `"added_tokens": [{"id": 2, "content": "XY", "normalized": false}], `, []string{"axya"}, "AxyA", "[1]"},
		{"a token of the vocabulary keeps its number", `"added_tokens": [{"id": 1, "content": "a", "special": true}], `, []string{"a", "b"}, "ba", "[2 1]"},
		{"keys of JSON may be escaped", `"pre_token\u0069zer": {"type": "White\u0073paceSplit"}, `, []string{"a"}, "a a", "[1 1]"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			tok, err := Parse("f", []byte(withModel(tt.parts, tt.words...)))
			if err != nil {
				t.Fatal(err)
			}
			if ids, _, _ := tok.Encode(nil, tt.in, true); fmt.Sprint(ids) != tt.want {
				t.Errorf("Encode(%q) = %v, want %s", tt.in, ids, tt.want)
			}
			if again, err := Parse("f", []byte(tok.Canonical())); err != nil || again.Canonical() != tok.Canonical() {
				t.Errorf("its canonical file is read with %v", err)
			}
		})
	}
}

// TestCanonicalSaysWhatCounts: layout, order of keys, decoders, padding and truncation
// change no id, and not the canonical file; anything that changes an id does.
func TestCanonicalSaysWhatCounts(t *testing.T) {
	canonical := func(src string) string {
		t.Helper()
		tok, err := Parse("f", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return tok.Canonical()
	}
	const base = `{"version": "1.0", "added_tokens": [{"id": 3, "content": "[X]", "special": true}], "pre_tokenizer": {"type": "Digits", "individual_digits": true},
		"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}`
	want := canonical(base)
	for name, change := range map[string][2]string{
		"layout":             {": ", " :\n\t"},
		"merges as pairs":    {`"a b"`, `["a", "b"]`},
		"a decoder":          {`{"version"`, `{"decoder": {"type": "ByteLevel"}, "version"`},
		"truncation":         {`{"version"`, `{"truncation": {"max_length": 5}, "padding": {}, "version"`},
		"the order of keys":  {`{"type": "Digits", "individual_digits": true}`, `{"individual_digits": true, "type": "Digits"}`},
		"the order of vocab": {`{"a": 0, "b": 1, "ab": 2}`, `{"ab": 2, "b": 1, "a": 0}`},
		"no version":         {`"version": "1.0", `, ""},
	} {
		src := strings.Replace(base, change[0], change[1], -1)
		if src == base {
			t.Fatalf("%s: nothing is changed", name)
		}
		if got := canonical(src); got != want {
			t.Errorf("%s: the canonical file is\n%s\nnot\n%s", name, got, want)
		}
	}
	for name, change := range map[string][2]string{
		"a setting":       {`_digits": true`, `_digits": false`},
		"a flag":          {`"special": true`, `"lstrip": true`},
		"the vocabulary":  {`"a": 0, "b": 1`, `"a": 1, "b": 0`},
		"no merge":        {`["a b"]`, `[]`},
		"no cutter":       {`"pre_tokenizer"`, `"decoder"`},
		"an unk":          {`"type": "BPE"`, `"type": "BPE", "unk_token": "a"`},
		"fallback":        {`"type": "BPE"`, `"type": "BPE", "byte_fallback": true`},
		"no added tokens": {`{"id": 3, "content": "[X]", "special": true}`, ""},
	} {
		src := strings.Replace(base, change[0], change[1], 1)
		if src == base {
			t.Fatalf("%s: nothing is changed", name)
		}
		if got := canonical(src); got == want {
			t.Errorf("%s does not show in the canonical file", name)
		}
	}
}

// TestHostileJSON: an error, and memory within a multiple of the file.
func TestHostileJSON(t *testing.T) {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	vocab := func(s string) string { return `{"model": {"type": "WordLevel", "unk_token": "a", "vocab": ` + s + `}}` }
	for name, src := range map[string]string{
		"nested lists":             deep("[", "]", 1<<20),
		"nested objects":           strings.Repeat(`{"model":`, 1<<18),
		"lists in a component":     `{"normalizer": ` + deep("[", "]", 1<<19) + `}`,
		"lists in a vocabulary":    vocab(deep("[", "]", 1<<19)),
		"sequences":                `{"pre_tokenizer": ` + strings.Repeat(`{"type":"Sequence","pretokenizers":[`, 2000) + strings.Repeat(`]}`, 2000) + `, "model": {}}`,
		"an id of 2^20":            vocab(`{"a": 1048576}`),
		"an id of 2^31":            vocab(`{"a": 2147483648}`),
		"an id of many digits":     vocab(`{"a": ` + strings.Repeat("9", 1<<20) + `}`),
		"a fraction for an id":     vocab(`{"a": 0.5}`),
		"a text for an id":         vocab(`{"a": "0"}`),
		"a list for a vocabulary":  vocab(`["a"]`),
		"a number for a type":      `{"model": {"type": 1}}`,
		"a list for a type":        `{"model": {"type": ["BPE"]}}`,
		"half a surrogate pair":    vocab(`{"a": 0, "\ud800": 0}`),
		"a token of megabytes":     vocab(`{"a": 0, "` + strings.Repeat("x", 1<<21) + `": 1}`),
		"two tokens of one id":     vocab(`{"a": 0, "b": 0}`),
		"a negative id":            vocab(`{"a": -1}`),
		"trailing text":            vocab(`{"a": 0}`) + "x",
		"two files in one":         vocab(`{"a": 0}`) + vocab(`{"a": 0}`),
		"a control character":      vocab("{\"a\x01\": 0}"),
		"a comment":                "// a tokenizer\n" + vocab(`{"a": 0}`),
		"a byte order mark":        "\ufeff" + vocab(`{"a": 0}`),
		"a score that is too big":  `{"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", 1e999]]}}`,
		"a score that is a text":   `{"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", "1"]]}}`,
		"an unk_id below 0":        `{"model": {"type": "Unigram", "unk_id": -1, "vocab": [["a", 0]]}}`,
		"merges of one":            `{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a"]]}}`,
		"merges of three":          `{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a", "a"]]}}`,
		"merges of numbers":        `{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [[1, 2]]}}`,
		"a template of many parts": withModel(`"post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}`+strings.Repeat(`, {"SpecialToken": {"id": "S", "type_id": 0}}`, 5000)+`], "pair": [], "special_tokens": {"S": {"id": "S", "ids": [0], "tokens": ["S"]}}}, `, "a"),
		"a delimiter of two":       withModel(`"pre_tokenizer": {"type": "CharDelimiterSplit", "delimiter": "ab"}, `, "a"),
		"no delimiter":             withModel(`"pre_tokenizer": {"type": "CharDelimiterSplit", "delimiter": ""}, `, "a"),
		"an expression too deep":   withModel(`"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "`+deep("(", ")", 5000)+`"}, "behavior": "Removed", "invert": false}, `, "a"),
		"one that repeats a lot":   withModel(`"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a{1000}){1000}"}, "behavior": "Removed", "invert": false}, `, "a"),
		"a Replace that grows":     withModel(`"added_tokens": [{"id": 2, "content": "`+strings.Repeat("a", 4000)+`", "normalized": true}], "normalizer": {"type": "Replace", "pattern": {"String": "a"}, "content": "`+strings.Repeat("b", 4000)+`"}, `, "a"),
	} {
		if tok, err := Parse("f", []byte(src)); err == nil {
			t.Errorf("%s: the file is read as %.80s", name, tok.Canonical())
		} else if len(err.Error()) > 20_000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// TestRepeatedKeys: of a key that is there twice the last one counts, for all readers of
// JSON here and in the original, and the ids are those of a file without the first.
func TestRepeatedKeys(t *testing.T) {
	twice, err := Parse("f", []byte(`{"model": {"type": "WordLevel", "unk_token": "b", "vocab": {"b": 0}},
		"model": {"type": "WordLevel", "unk_token": "b", "unk_token": "a", "vocab": {"a": 0, "b": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if ids, _, _ := twice.Encode(nil, "b", true); !slices.Equal(ids, []int32{1}) || len(twice.Tokens()) != 2 {
		t.Errorf("ids %v of %q", ids, twice.Tokens())
	}
	// A repeated token is one token, so that its two ids cannot both be taken.
	tok, err := Parse("f", []byte(`{"model": {"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 2, "b": 1}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := tok.ID("b"); id != 1 || !ok {
		t.Errorf("ID(b) = %d, %v", id, ok)
	}
}

// TestHostileProtobufs: lengths that lie, numbers of too many bytes, groups, messages
// in messages, fields of another kind than the format has, pieces of any bytes.
func TestHostileProtobufs(t *testing.T) {
	long := message{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
	valid := abc()
	for name, src := range map[string]message{
		"a length beyond the file":   append(slices.Clone(valid), 1<<3|2, 0x7F, 1),
		"a length of 2^63":           append(append(slices.Clone(valid), 1<<3|2), append(long, 0x7F)...),
		"a length of 2^64 and more":  append(append(slices.Clone(valid), 1<<3|2), append(long, 0xFF, 0x01)...),
		"a number without an end":    append(append(slices.Clone(valid), 9<<3), append(long, 0xFF, 0xFF)...),
		"a key without a value":      append(slices.Clone(valid), 1<<3|2),
		"field 0":                    append(slices.Clone(valid), 0, 0),
		"a group":                    append(slices.Clone(valid), 9<<3|3, 9<<3|4),
		"wire type 7":                append(slices.Clone(valid), 9<<3|7),
		"four bytes that are three":  append(slices.Clone(valid), 9<<3|5, 1, 2, 3),
		"eight that are seven":       append(slices.Clone(valid), 9<<3|1, 1, 2, 3, 4, 5, 6, 7),
		"a piece that is cut":        message{}.piece("<unk>", 0, pieceUnknown).bytes(1, []byte{1<<3 | 2, 9, 'a'}),
		"a piece without a text":     valid.bytes(1, message{}.number(3, 1)),
		"a piece of no UTF-8":        valid.piece("\xff", -1, pieceNormal),
		"a piece of half a letter":   valid.piece("é"[:1], -1, pieceNormal),
		"a piece of kilobytes":       valid.piece(strings.Repeat("x", maxToken+1), -1, pieceNormal),
		"a kind of 2^63":             valid.piece("x", -1, 1<<63),
		"infinity for a score":       valid.piece("x", float32(math.Inf(1)), pieceNormal),
		"settings that are cut":      valid.bytes(2, []byte{3 << 3}),
		"rules that are cut":         valid.bytes(3, []byte{2<<3 | 2, 5, 0}),
		"a table without its trie":   valid.bytes(3, message{}.bytes(2, []byte{0, 0, 0, 0})),
		"a table larger than itself": valid.bytes(3, message{}.bytes(2, binary.LittleEndian.AppendUint32(nil, 1<<31))),
		"a model type of none":       valid.bytes(2, message{}.number(3, 1<<40)),
		"byte fallback without them": valid.bytes(2, message{}.number(35, 1)),
	} {
		if tok, err := Parse("f", src); err == nil {
			t.Errorf("%s: the file is read as %.80s", name, tok.Canonical())
		}
	}
	nested := []byte(message{}.number(1, 1))
	for range 2000 {
		nested = message{}.bytes(7, nested)
	}
	for name, src := range map[string]message{
		"a field nobody knows":              valid.number(200, 7).bytes(201, []byte("x")),
		"messages in a field nobody knows":  valid.bytes(9, nested),
		"a number where a message would be": valid.number(2, 5).number(3, 5),
		"settings twice":                    valid.bytes(2, message{}.number(3, 1)).bytes(2, message{}.number(3, 1)),
		"an empty message":                  valid.bytes(2, nil).bytes(3, nil),
	} {
		tok, err := Parse("f", src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ids, _, _ := tok.Encode(nil, "ab", true); !slices.Equal(ids, []int32{2, 6}) {
			t.Errorf("%s: Encode(ab) = %v", name, ids)
		}
	}
}
