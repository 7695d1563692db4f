package hftok

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEditionsOfUnicode: the package tokenizers 0.23.3 gave these results, each
// on a code point that another edition of Unicode treats otherwise.
func TestEditionsOfUnicode(t *testing.T) {
	marks := strings.Repeat("\u0301\u0323", 20)
	for _, tt := range []struct{ name, normalizer, in, want string }{
		{"BERT keeps what nothing is", `{"type": "BertNormalizer", "clean_text": true}`, "a\u0378\uffff\U0001fbf0b", "a\u0378\uffff\U0001fbf0b"},
		{"it removes controls, formats and private characters", `{"type": "BertNormalizer", "clean_text": true}`, "a\x07\u200d\ue000\U000f0000\ufffdb", "ab"},
		{"a format character that came late stays", `{"type": "BertNormalizer", "clean_text": true}`, "a\U00013430\u0890b", "a\U00013430\u0890b"},
		{"all white space is a space", `{"type": "BertNormalizer", "clean_text": true}`, "a\u2028\u3000b\tc", "a  b c"},
		{"an accent that came late stays", `{"type": "BertNormalizer", "strip_accents": true}`, "e\u0301\u1acb", "e\u1acb"},
		{"a compatible character that came late stays", `{"type": "NFKC"}`, "㋿\ua7f2\U0001fbf0 ㍿ ①", "㋿\ua7f2\U0001fbf0 株式会社 1"},
		{"a mark that came late changes no places", `{"type": "NFD"}`, "a\u1df6\u0301", "a\u1df6\u0301"},
		{"what came late is a border", `{"type": "NFC"}`, "e\u1df6\u0301\u0323 e\u0301", "e\u1df6\u0323\u0301 \u00e9"},
		{"forty marks are put in order, and nothing between them", `{"type": "NFD"}`, "a" + marks + "b", "a" + strings.Repeat("\u0323", 20) + strings.Repeat("\u0301", 20) + "b"},
		{"the first of them composes", `{"type": "NFC"}`, "a" + marks + "b", "ạ" + strings.Repeat("\u0323", 19) + strings.Repeat("\u0301", 20) + "b"},
		{"also where letters stand for several marks", `{"type": "NFD"}`, "\u1f82" + strings.Repeat("\u0344", 14), "\u03b1\u0313\u0300" + strings.Repeat("\u0308\u0301", 14) + "\u0345"},
		{"a syllable too", `{"type": "NFKC"}`, "\u1100\u1161\u11a8" + marks + "ﬁ", "\uac01" + strings.Repeat("\u0323", 20) + strings.Repeat("\u0301", 20) + "fi"},
		{"new capitals are small", `{"type": "Lowercase"}`, "\ua7cbİΣ\U00010d50", "\u0264i\u0307σ\U00010d70"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := readNormalizers([]byte(tt.normalizer), "normalizer", 0)
			if err != nil {
				t.Fatal(err)
			}
			fillOnce.Do(fillClasses)
			got := tt.in
			for _, f := range list {
				got = f(got)
			}
			if got != tt.want {
				t.Errorf("of %+q: %+q, want %+q", tt.in, got, tt.want)
			}
		})
	}
}

// TestNoTableOfGo: ids depend on no edition of Unicode but those of unicode.txt.
func TestNoTableOfGo(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`\bunicode\.([A-LN-Z]|M[^a]|Ma[^x])\w*|strings\.(ToLower|ToUpper|Title|Fields|TrimSpace)\(`)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || name == "tables.go" {
			continue
		}
		if found := table.Find(src); found != nil {
			t.Errorf("%s uses %s, which differs with the Go that builds it", name, found)
		}
	}
}

// TestOldFiles: a model without a type is known by its settings, and an added
// token that is there again is the same one.
func TestOldFiles(t *testing.T) {
	for _, tt := range []struct{ model, want string }{
		{`{"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}`, "[2 3 2]"},
		{`{"unk_id": 0, "vocab": [["a", -1], ["b", -1], ["ab", -1]]}`, "[2 3 2]"},
		{`{"unk_token": "a", "continuing_subword_prefix": "", "max_input_chars_per_word": 9, "vocab": {"a": 0, "b": 1, "ab": 2}}`, "[2 3 2]"},
	} {
		tok, err := Parse("f", []byte(`{"added_tokens": [{"id": 3, "content": "[X]"}, {"id": 3, "content": "[X]"}], "model": `+tt.model+`}`))
		if err != nil {
			t.Errorf("%s: %v", tt.model, err)
			continue
		}
		if ids, _, _ := tok.Encode(nil, "ab[X]ab", true); fmt.Sprint(ids) != tt.want {
			t.Errorf("%s: ids %v, want %s", tt.model, ids, tt.want)
		}
		if again, err := Parse("canonical", []byte(tok.Canonical())); err != nil || again.Canonical() != tok.Canonical() {
			t.Errorf("%s: the canonical file is read to another one: %v", tt.model, err)
		}
	}
}

// TestIDsWithHoles: ids that nothing has are no reason to refuse a file, and
// neither is what a training leaves in it.
func TestIDsWithHoles(t *testing.T) {
	tok, err := Parse("f", []byte(`{"truncation": {"max_length": 2}, "padding": {"strategy": {"Fixed": 7}},
		"model": {"type": "BPE", "vocab": {"a": 0, "b": 2, "ab": 7}, "merges": ["a b"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	ids, _, _ := tok.Encode(nil, "abab", true)
	if !slices.Equal(ids, []int32{7, 7}) || len(tok.Tokens()) != 8 || tok.Tokens()[1] != "" {
		t.Errorf("ids %v of %q", ids, tok.Tokens())
	}
	if got := fmt.Sprint(tok.Notes()); !strings.Contains(got, "truncation is not done") || !strings.Contains(got, "padding is not done") {
		t.Errorf("notes %s", got)
	}
}
