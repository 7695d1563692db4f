package textnorm

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/textnorm/hftok"
)

// xtts is a small vocabulary of XTTS's kind.
func xtts(t testing.TB) *hftok.Tokenizer { return tokenizerFile(t, "xtts") }

func tokenizerFile(t testing.TB, name string) *hftok.Tokenizer {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("hftok", "testdata", name+".json"))
	if os.IsNotExist(err) {
		src, err = os.ReadFile(filepath.Join("hftok", "testdata", name+".model"))
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := hftok.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEncodeByAFile(t *testing.T) {
	file := xtts(t)
	id := func(token string) int32 {
		id, ok := file.ID(token)
		if !ok {
			t.Fatalf("no token %q", token)
		}
		return id
	}
	a, unk := id("a"), id("[UNK]")
	snow := []Note{{NoteUnknown, 1, "U+2603"}}
	tests := []struct {
		name   string
		config TokenizerConfig
		in     string
		want   []int32
		notes  []Note
		err    error
	}{
		{"an unknown character is the file's unk", TokenizerConfig{}, "a☃", []int32{a, unk}, snow, nil},
		{"or is left out", TokenizerConfig{Unknown: UnknownDrop}, "a☃", []int32{a}, snow, nil},
		{"or rejects the text", TokenizerConfig{Unknown: UnknownReject}, "a☃", nil, snow, ErrUnknown},
		{"ends are tokens of the file", TokenizerConfig{AddBOS: true, BOS: "[en]", AddEOS: true, EOS: "[STOP]"}, "a", []int32{id("[en]"), a, id("[STOP]")}, nil, nil},
		{"a text of marks says nothing", TokenizerConfig{}, "[en][SPACE]", nil, nil, ErrEmpty},
		{"spaces say nothing", TokenizerConfig{}, "  ", nil, nil, ErrEmpty},
		{"nothing known", TokenizerConfig{}, "☃☃", nil, []Note{{NoteUnknown, 0, "U+2603"}}, ErrAllUnknown},
		{"a raw byte is unknown", TokenizerConfig{}, "a\xff", []int32{a, unk}, []Note{{NoteUnknown, 1, "0xFF"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Kind, tt.config.File = KindJSON, file
			tok := newTokenizer(t, tt.config)
			got, notes, err := tok.Encode([]int32{-7}, tt.in)
			if want := append([]int32{-7}, tt.want...); !slices.Equal(got, want) || !reflect.DeepEqual(notes, tt.notes) {
				t.Errorf("Encode(%q) = %v, %v, want %v, %v", tt.in, got, notes, want, tt.notes)
			}
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Errorf("Encode(%q) error = %v, want %v", tt.in, err, tt.err)
			}
			if len(tok.Symbols()) != len(file.Tokens()) || tok.Symbols()[unk] != "[UNK]" {
				t.Errorf("%d symbols, want the tokens of the file by id", len(tok.Symbols()))
			}
		})
	}
}

func TestDressIsWhatXTTSDoes(t *testing.T) {
	c := TokenizerConfig{Kind: KindJSON, File: xtts(t), LanguageTag: true, SpaceSymbol: "[SPACE]"}
	for _, tt := range []struct{ language, want string }{{"en", "[en]a[SPACE]b"}, {"fa", "[fa]a[SPACE]b"}, {"uk", ""}, {"und", ""}} {
		got, err := c.Dress("a b", tt.language)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("Dress(a b, %s) = %q, %v, want %q", tt.language, got, err, tt.want)
		}
	}
	if got, err := (TokenizerConfig{}).Dress("a b", "uk"); got != "a b" || err != nil {
		t.Errorf("Dress without settings = %q, %v", got, err)
	}
}

func TestAFileIsInTheCanonicalText(t *testing.T) {
	base := TokenizerConfig{Kind: KindJSON, File: xtts(t)}
	seen := map[string]string{}
	for name, edit := range map[string]func(*TokenizerConfig){
		"base": func(*TokenizerConfig) {}, "another file": func(c *TokenizerConfig) { c.File = tokenizerFile(t, "gpt2") },
		"language_tag": func(c *TokenizerConfig) { c.LanguageTag = true }, "space_symbol": func(c *TokenizerConfig) { c.SpaceSymbol = "[SPACE]" },
		"unknown": func(c *TokenizerConfig) { c.Unknown = UnknownDrop }, "add_bos": func(c *TokenizerConfig) { c.AddBOS = true },
	} {
		c := base
		edit(&c)
		text := c.Canonical()
		if other, twice := seen[text]; twice {
			t.Errorf("%s and %s have the same canonical text", name, other)
		}
		seen[text] = name
		if !strings.Contains(text, hftok.Version) {
			t.Errorf("%s: the version of the reader is not in the canonical text", name)
		}
	}
}

func TestCheckOfAFile(t *testing.T) {
	base := TokenizerConfig{Kind: KindJSON, File: xtts(t)}
	for _, tt := range []struct {
		want string
		edit func(*TokenizerConfig)
	}{
		{"", func(*TokenizerConfig) {}},
		{"add_blank", func(c *TokenizerConfig) { c.AddBlank = true }},
		{`add_bos: the file has no token "<bos>"`, func(c *TokenizerConfig) { c.AddBOS = true }},
		{`add_eos: the file has no token "x-y"`, func(c *TokenizerConfig) { c.AddEOS, c.EOS = true, "x-y" }},
		{`space_symbol: the file has no token "[GAP]"`, func(c *TokenizerConfig) { c.SpaceSymbol = "[GAP]" }},
		{`unknown "?"`, func(c *TokenizerConfig) { c.Unknown = "?" }},
	} {
		c := base
		tt.edit(&c)
		errs := c.Check()
		if tt.want == "" && len(errs) > 0 || tt.want != "" && (len(errs) != 1 || !strings.Contains(errs[0].Error(), tt.want)) {
			t.Errorf("Check = %v, want one error with %q", errs, tt.want)
		}
	}
}

// A SentencePiece model has its own sign for a space, and its control pieces are
// put around a text, never into it.
func TestASentencePieceModel(t *testing.T) {
	c := TokenizerConfig{Kind: KindJSON, File: tokenizerFile(t, "sp-unigram"), LanguageTag: true, AddBOS: true, BOS: "<s>"}
	if errs := c.Check(); len(errs) > 0 {
		t.Errorf("Check = %v", errs)
	}
	if text, err := c.Dress("a b", "en"); text != "[en]a b" || err != nil {
		t.Errorf("Dress = %q, %v", text, err)
	}
	if text, err := c.Dress("a b", "fa"); err == nil {
		t.Errorf("Dress = %q, want an error: there is no [fa]", text)
	}
	tok := newTokenizer(t, c)
	ids, notes, err := tok.Encode(nil, "hello☃<ctl>")
	bos, _ := c.File.ID("<s>")
	control, _ := c.File.ID("<ctl>")
	if err != nil || len(notes) > 0 || len(ids) < 2 || ids[0] != bos || slices.Contains(ids, control) {
		t.Errorf("Encode = %v, %v, %v; bos %d, control %d", ids, notes, err, bos, control)
	}
	c.SpaceSymbol = "[en]"
	if errs := c.Check(); len(errs) != 1 || !strings.Contains(errs[0].Error(), "its own sign for a space") {
		t.Errorf("Check = %v", errs)
	}
}

// FuzzEncodeByAFile: no letter of a text vanishes without a note, ids are in the
// table, and nothing panics, whatever the text is.
func FuzzEncodeByAFile(f *testing.F) {
	for _, line := range corpus(f) {
		f.Add(line)
	}
	f.Add("[en]a[SPACE]☃\xff ▁▁ <mask>")
	var toks []*Tokenizer
	for _, name := range []string{"xtts", "gpt2", "llama", "unigram", "xlmr-small", "bert", "subwords", "sp-unigram", "sp-bpe", "sp-suffix"} {
		for _, unknown := range []string{UnknownDrop, UnknownUnk, UnknownReject} {
			toks = append(toks, newTokenizer(f, TokenizerConfig{Kind: KindJSON, File: tokenizerFile(f, name), Unknown: unknown}))
		}
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, tok := range toks {
			ids, notes, err := tok.Encode(nil, in)
			for _, id := range ids {
				if id < 0 || int(id) >= len(tok.Symbols()) {
					t.Fatalf("Encode(%q) gives id %d of %d", in, id, len(tok.Symbols()))
				}
			}
			if err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrAllUnknown) {
				t.Errorf("Encode(%q) error = %v", in, err)
			}
			for _, n := range notes {
				if n.Kind != NoteUnknown || n.At < 0 || n.At > len(in) {
					t.Errorf("Encode(%q) notes %v", in, n)
				}
			}
		}
		// The first vocabulary has letters as they are, so that what is not in
		// the ids can be told.
		ids, notes, err := toks[1].Encode(nil, in)
		if got := toks[1].Decode(ids); err == nil {
			for _, r := range in {
				if r < 0x80 && r > ' ' && strings.Count(got, string(r)) < strings.Count(in, string(r)) && !noted(notes, r) {
					t.Errorf("Encode(%q) lost %q without a note", in, r)
				}
			}
		}
	})
}

func noted(notes []Note, r rune) bool {
	var book notebook
	book.char(NoteUnknown, 0, r)
	return slices.ContainsFunc(notes, func(n Note) bool { return n.Detail == book.notes[0].Detail })
}
