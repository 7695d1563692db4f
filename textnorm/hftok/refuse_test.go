package hftok

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tiny is a file with every part; the tests change one.
const tiny = `{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [{"id": 3, "content": "[X]", "special": true}],
 "normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": {"type": "Whatever"},
 "model": {"type": "BPE", "unk_token": null, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}}`

func TestTinyIsRead(t *testing.T) {
	tok, err := Parse("tiny", []byte(tiny))
	if err != nil {
		t.Fatal(err)
	}
	if ids, _, heard := tok.Encode(nil, "ab a[X]b", true); !slices.Equal(ids, []int32{2, 0, 3, 1}) || !heard {
		t.Errorf("ids = %v, heard %v", ids, heard)
	}
	if strings.Contains(tok.Canonical(), "Whatever") {
		t.Error("the decoder is part of the canonical file, though encoding does not read it")
	}
}

// TestTheLastTemplateIsOutermost: of a sequence of post-processors.
func TestTheLastTemplateIsOutermost(t *testing.T) {
	ends := func(id string) string {
		return `{"type": "BertProcessing", "sep": ["x", ` + id + `], "cls": ["x", ` + id + `]}`
	}
	src := strings.Replace(tiny, `"post_processor": null`, `"post_processor": {"type": "Sequence", "processors": [`+ends("0")+`, `+ends("1")+`]}`, 1)
	tok, err := Parse("tiny", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if ids, _, _ := tok.Encode(nil, "ab", true); !slices.Equal(ids, []int32{1, 0, 2, 0, 1}) {
		t.Errorf("ids = %v, want 1 outside of 0", ids)
	}
}

func TestWhatIsRefusedIsNamed(t *testing.T) {
	set := func(key, value string) string {
		var f map[string]json.RawMessage
		if err := json.Unmarshal([]byte(tiny), &f); err != nil {
			t.Fatal(err)
		}
		f[key] = json.RawMessage(value)
		b, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	nested := strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + `{"type":"NFC"}` + strings.Repeat(`]}`, 20)
	deep := strings.Repeat("[", 20000) + strings.Repeat("]", 20000)
	for _, tt := range []struct{ name, src, want string }{
		{"a cut file", tiny[:len(tiny)/2], "no JSON at byte"},
		{"an empty file", "", "no JSON"},
		{"another thing", `[1, 2]`, "array"},
		{"bytes", "\xff\xfe", "not UTF-8"},
		{"enormous", strings.Repeat(" ", MaxBytes+1), "at most"},
		{"deep JSON", strings.Replace(tiny, `{"type": "Whatever"}`, deep, 1), "depth"},
		{"another version", set("version", `"2.0"`), `version "2.0"`},
		{"no model", set("model", "null"), "model: there is none"},
		{"a model of an unknown kind", set("model", `{"type": "Morph"}`), `model: type "Morph" is not known`},
		{"a model without a type", set("model", `{"vocab": {}}`), "model: it has no type"},
		{"an unknown setting", set("model", `{"type": "BPE", "vocab": {"a": 0}, "merges": [], "magic": 1}`), `model: unknown field "magic"`},
		{"no vocabulary", set("model", `{"type": "BPE", "vocab": {}, "merges": []}`), "model: vocab: 0 tokens"},
		{"an added token that would get another id", set("model", `{"type": "BPE", "vocab": {"a": 0, "b": 2}, "merges": []}`), "would give it 2"},
		{"an added token with an id of the vocabulary", set("added_tokens", `[{"id": 2, "content": "[X]"}]`), "would give it 3"},
		{"an added token in the place of another", strings.Replace(set("model", `{"type": "BPE", "vocab": {"a": 0, "b": 2}, "merges": []}`), `"id":3`, `"id":2`, 1), "its id 2 is that of \"b\""},
		{"an id beyond reason", set("model", `{"type": "BPE", "vocab": {"a": 0, "b": 1048576}, "merges": []}`), "id 1048576"},
		{"one id twice", set("model", `{"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []}`), "both have id 0"},
		{"a negative id", set("model", `{"type": "BPE", "vocab": {"a": -1}, "merges": []}`), "id -1"},
		{"an id beyond all", set("model", `{"type": "BPE", "vocab": {"a": 99999999999}, "merges": []}`), "model"},
		{"a merge of what is not there", set("model", `{"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}`), `model: merges[0]: "b" is not in vocab`},
		{"a merge into what is not there", set("model", `{"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a"]]}`), `"aa", which it makes`},
		{"a merge that is none", set("model", `{"type": "BPE", "vocab": {"a": 0}, "merges": ["a b c"]}`), "not a pair"},
		{"dropout", set("model", `{"type": "BPE", "dropout": 0.1, "vocab": {"a": 0}, "merges": []}`), "random"},
		{"an unk that is not there", set("model", `{"type": "BPE", "unk_token": "?", "vocab": {"a": 0}, "merges": []}`), `unk_token "?"`},
		{"a unigram without unk", set("model", `{"type": "Unigram", "vocab": [["a", -1]]}`), "unk_id"},
		{"an unk beyond a unigram", set("model", `{"type": "Unigram", "unk_id": 4, "vocab": [["a", -1]]}`), "unk_id 4"},
		{"an unknown normalizer", set("normalizer", `{"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Polish"}]}`), `normalizer.normalizers[1]: type "Polish"`},
		{"sequences without end", set("normalizer", nested), "nest deeper"},
		{"an unknown expression", set("normalizer", `{"type": "Replace", "pattern": {"Regex": "(?<=a)b"}, "content": ""}`), "(?<=a)b"},
		{"an expression that matches nothing", set("normalizer", `{"type": "Replace", "pattern": {"Regex": "a*"}, "content": ""}`), "nothing at all"},
		{"a table of replacements that is cut", set("normalizer", `{"type": "Precompiled", "precompiled_charsmap": "AAAA"}`), "normalizer: precompiled_charsmap"},
		{"an unknown pre-tokenizer", set("pre_tokenizer", `{"type": "UnicodeScripts"}`), `pre_tokenizer: type "UnicodeScripts"`},
		{"an unknown behaviour", set("pre_tokenizer", `{"type": "Punctuation", "behavior": "Eaten"}`), `behavior "Eaten"`},
		{"an unknown post-processor", set("post_processor", `{"type": "Wrap"}`), `post_processor: type "Wrap"`},
		{"a processor after a template", set("post_processor", `{"type": "Sequence", "processors": [{"type": "TemplateProcessing", "single":
			[{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "x", "type_id": 0}}], "pair": [], "special_tokens":
			{"x": {"id": "x", "ids": [0], "tokens": ["x"]}}}, {"type": "BertProcessing", "sep": ["x", 0], "cls": ["y", 1]}]}`), "post_processor.processors: a processor that adds tokens comes after"},
		{"an id beyond the vocabulary", set("post_processor", `{"type": "BertProcessing", "sep": ["x", 9], "cls": ["y", 0]}`), "id 9 is not in the vocabulary of 4"},
		{"an added token with a hole before it", set("added_tokens", `[{"id": 7, "content": "[X]"}]`), `added_tokens[0] "[X]": it has id 7`},
		{"an added token twice", set("added_tokens", `[{"id": 3, "content": "[X]"}, {"id": 3, "content": "[X]", "lstrip": true}]`), "there twice, with other settings"},
		{"an empty added token", set("added_tokens", `[{"id": 3, "content": ""}]`), "it is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.json", []byte(tt.src))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "f.json: ") {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestExpressions(t *testing.T) {
	for _, tt := range []struct {
		expr, in string
		want     []string // nil: refused
	}{
		{` {2,}`, "a  b   c d", []string{"  ", "   "}},
		{`\s`, "a\u00a0b\u3000", []string{"\u00a0", "\u3000"}},
		{`[\s\p{P}]`, "a, b", []string{",", " "}},
		{`\d+|\S`, "a۱۲", []string{"a", "۱۲"}},
		{` ?\p{L}+`, "ab cd1", []string{"ab", " cd"}},
		{`\r?\n`, "a\r\n\n", []string{"\r\n", "\n"}},
		{`\[|\]`, "[a]", []string{"[", "]"}},
		{`[&!]`, "a&&b!", []string{"&", "&", "!"}},
		{`\s+$`, "a \n\nb\n ", []string{" \n", "\n "}},
		{`\P{L}`, "a1", []string{"1"}},
		{`[^\P{N}2]`, "a12", []string{"1"}},
		{`(a|b)+|\s+(?!\S)|\s+`, "ab  b ", []string{"ab", " ", " ", "b", " "}},
		{`\p{Lu}?(?i:'s|'t|'re|'ve|'m|'ll|'d)`, "A'LL x'ſ", []string{"A'LL", "'ſ"}},
		{`a+?`, "", nil}, {`a++`, "", nil}, {`\bx`, "", nil}, {`\w+`, "", nil}, {`^a`, "", nil}, {`(?i)a`, "", nil}, {`[[:alpha:]]`, "", nil},
		{`.`, "", nil}, {`(`, "", nil}, {`a{,3}`, "", nil}, {`\p{Nonsense}`, "", nil}, {`[a&&b]`, "", nil}, {`a|`, "", nil}, {`\`, "", nil}, {`[]`, "", nil},
	} {
		find, err := readRegex(tt.expr, "here")
		if (err == nil) != (tt.want != nil) {
			t.Errorf("%s: error = %v, want one: %v", tt.expr, err, tt.want == nil)
		}
		if err != nil {
			continue
		}
		var got []string
		for at := 0; ; {
			from, to := find(tt.in, at)
			if from < 0 {
				break
			}
			got, at = append(got, tt.in[from:to]), to
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s finds %q in %q, want %q", tt.expr, got, tt.in, tt.want)
		}
	}
}

// FuzzParse: any bytes are an error or a tokenizer that cuts texts and is read
// from its canonical file again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(tiny), "ab a[X]b ☃")
	files, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, "Hello, wörld! سلام ۱۲۳")
	}
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		tok, err := Parse("f", src)
		if err != nil {
			return
		}
		ids, _, _ := tok.Encode(nil, text, true)
		for _, id := range ids {
			if id < 0 || int(id) >= len(tok.Tokens()) {
				t.Fatalf("id %d of %d", id, len(tok.Tokens()))
			}
		}
		again, err := Parse("canonical", []byte(tok.Canonical()))
		if err != nil {
			t.Fatalf("the canonical file is refused: %v", err)
		}
		if same, _, _ := again.Encode(nil, text, true); !slices.Equal(same, ids) {
			t.Errorf("%q: %v by the file, %v by its canonical one", text, ids, same)
		}
	})
}
