package hftok

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// place is what an error has to name: a component, or a byte of the file.
var place = regexp.MustCompile(`^f: .*(added_tokens|normalizer|pre_tokenizer|post_processor|model|version|at byte \d|SentencePiece model|not UTF-8|array|truncation|padding)`)

// survives parses a file and, where it is read, encodes by it. An error has to name
// a place.
func survives(t *testing.T, src []byte) error {
	t.Helper()
	tok, err := Parse("f", src)
	if err != nil {
		if !place.MatchString(err.Error()) {
			t.Errorf("an error without a place: %v", err)
		}
		return err
	}
	ids, _, _ := tok.Encode(nil, "Hello, wörld! a[X]b ▁<s> ۱۲۳ ①\n", true)
	for _, id := range ids {
		if id < 0 || int(id) >= len(tok.Tokens()) {
			t.Errorf("id %d of %d", id, len(tok.Tokens()))
		}
	}
	NewDecoder(tok, "").Decode(append(ids, -1, 1<<30))
	return nil
}

func files(t *testing.T, pattern string) (all [][]byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "lines.json") {
			all = append(all, src)
		}
	}
	return all
}

// TestCutFiles: no file that is cut anywhere is read. A SentencePiece model may be
// cut between two pieces; what is left is then a smaller model.
func TestCutFiles(t *testing.T) {
	r := random(1)
	for _, src := range files(t, "*.json") {
		src = []byte(strings.TrimSpace(string(src)))
		for range 25 {
			n := r.IntN(len(src))
			if err := survives(t, src[:n]); err == nil {
				t.Errorf("%d of %d bytes are read", n, len(src))
			}
		}
	}
	for _, src := range files(t, "*.model") {
		errors := 0
		for range 200 {
			if survives(t, src[:r.IntN(len(src))]) != nil {
				errors++
			}
		}
		if errors < 150 {
			t.Errorf("%d errors of 200 cuts", errors)
		}
	}
}

// TestChangedBytes: a file with a few wrong bytes is an error with a place, or a
// tokenizer with other ids.
func TestChangedBytes(t *testing.T) {
	r := random(2)
	for _, src := range append(files(t, "*.json"), files(t, "*.model")...) {
		for range 12 {
			wrong := append([]byte{}, src...)
			for range 1 + r.IntN(3) {
				wrong[r.IntN(len(wrong))] ^= byte(1) << r.IntN(8)
			}
			survives(t, wrong)
		}
	}
}

// TestHostileValues puts each kind of value in the place of each value of a file
// that has all the components.
func TestHostileValues(t *testing.T) {
	const src = `{"version": "1.0", "truncation": null, "padding": null,
 "added_tokens": [{"id": 3, "content": "[X]", "single_word": false, "lstrip": true, "rstrip": true, "normalized": true, "special": true}],
 "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "},
  {"type": "Prepend", "prepend": "_"}, {"type": "Strip", "strip_left": true, "strip_right": true},
  {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}]},
 "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": false},
  {"type": "Digits", "individual_digits": true}, {"type": "Punctuation", "behavior": "Isolated"}, {"type": "CharDelimiterSplit", "delimiter": "-"},
  {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": true}, {"type": "ByteLevel", "add_prefix_space": true, "use_regex": true}]},
 "post_processor": {"type": "Sequence", "processors": [{"type": "BertProcessing", "sep": ["a", 0], "cls": ["b", 1]},
  {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "[X]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}], "pair": [],
   "special_tokens": {"[X]": {"id": "[X]", "ids": [3], "tokens": ["[X]"]}}}]},
 "model": MODEL}`
	models := []string{
		`{"type": "BPE", "dropout": null, "unk_token": "a", "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": true,
		 "byte_fallback": true, "ignore_merges": true, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}`,
		`{"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["a", -1], ["b", -2], ["ab", -1]]}`,
		`{"type": "WordPiece", "unk_token": "a", "continuing_subword_prefix": "##", "max_input_chars_per_word": 9, "vocab": {"a": 0, "b": 1, "ab": 2}}`,
		`{"type": "WordLevel", "unk_token": "a", "vocab": {"a": 0, "b": 1, "ab": 2}}`,
		`{"type": "SentencePiece", "algorithm": "bpe", "byte_fallback": false, "treat_whitespace_as_suffix": true, "precompiled_charsmap": "",
		 "add_dummy_prefix": true, "remove_extra_whitespaces": true, "escape_whitespaces": true, "pieces": [["a", 0, 2], ["b", -1, 1], ["ab", -2, 4]]}`,
	}
	values := []string{"null", "true", `""`, `"` + strings.Repeat("é", 5000) + `"`, "-1", "1e300", "2147483647", "[]", "{}", `[[]]`, `{"type": "Sequence"}`}
	if testing.Short() {
		values = values[3:8]
	}
	for i, model := range models {
		var root any
		if err := json.Unmarshal([]byte(strings.Replace(src, "MODEL", model, 1)), &root); err != nil {
			t.Fatal(err)
		}
		if err := survives(t, []byte(strings.Replace(src, "MODEL", model, 1))); err != nil {
			t.Fatalf("the file itself: %v", err)
		}
		if i > 0 {
			root = map[string]any{"model": root.(map[string]any)["model"]} // the rest was seen with the first one
		}
		read, refused := 0, 0
		for _, value := range values {
			eachPlace(root, func(put func(any)) {
				put(json.RawMessage(value))
				wrong, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				if survives(t, wrong) == nil {
					read++
				} else {
					refused++
				}
			})
		}
		if refused < 2*read {
			t.Errorf("%.30s: %d files are read, %d refused", model, read, refused)
		}
	}
}

// eachPlace calls f with a setter for each value in v, and restores the value.
func eachPlace(v any, f func(put func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for key, old := range v {
			f(func(value any) { v[key] = value })
			v[key] = old
			eachPlace(old, f)
		}
	case []any:
		for i, old := range v {
			f(func(value any) { v[i] = value })
			v[i] = old
			eachPlace(old, f)
		}
	}
}

// TestHostileModels: models of SentencePiece out of fields that do not belong
// together, tables of replacements that point anywhere among them.
func TestHostileModels(t *testing.T) {
	read, models := 0, uint64(2000)
	if testing.Short() {
		models = 800
	}
	for seed := range models {
		r := random(seed)
		m := message{}.piece("<unk>", 0, pieceUnknown)
		for i := range r.IntN(5) {
			m = m.piece("a"+strconv.Itoa(i), r.Float32()-1, uint64(r.IntN(8)))
		}
		m = m.bytes(2, hostileFields(r))
		if table := hostileTable(r); r.IntN(2) == 0 {
			m = m.bytes(3, message{}.bytes(2, table).number(3, uint64(r.IntN(2))))
		}
		if survives(t, m) == nil {
			read++
		}
	}
	if read < int(models/20) {
		t.Errorf("%d of %d models are read", read, models)
	}
}

func hostileFields(r *rand.Rand) message {
	m := message{}
	for range r.IntN(4) {
		m = m.number([]int{3, 24, 35, 4, 99}[r.IntN(5)], uint64(r.IntN(6)))
	}
	return m
}

// hostileTable is a table of replacements with random units.
func hostileTable(r *rand.Rand) []byte {
	n := r.IntN(40)
	table := []byte{byte(4 * n), 0, 0, 0}
	for range n {
		table = append(table, "Helo, w"[r.IntN(7)], byte(r.IntN(3)), 0, byte(r.IntN(2)<<7))
	}
	return append(table, "xyz\x00é\x00"[:r.IntN(7)]...)
}
