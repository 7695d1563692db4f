package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTokenizer(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "v.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	load := func(lines string) (Config, []string) {
		c, problems := Load(filepath.Join(dir, "voxpack.yaml"), []byte("data:\n  "+strings.ReplaceAll(lines, "\n", "\n  ")+"\n"), formats)
		var said []string
		for _, p := range problems {
			said = append(said, p.Key+": "+p.Message)
		}
		return c, said
	}
	c, said := load("tokenizer: v.json")
	if tok := c.Tokens; len(said) > 0 || tok.Tokenizer != "json" || string(tok.File) != "{}" || tok.FilePath != filepath.Join(dir, "v.json") || tok.Unknown != "unk" {
		t.Errorf("tokens = %+v, %q", c.Tokens, said)
	}
	if c, said := load("tokenizer: v.json\nunknown: drop"); len(said) > 0 || c.Tokens.Unknown != "drop" {
		t.Errorf("unknown = %q, %q; want what is given", c.Tokens.Unknown, said)
	}
	if c, said := load("tokenizer: char"); len(said) > 0 || c.Tokens.File != nil || c.Tokens.Unknown != "drop" {
		t.Errorf("tokens = %+v, %q", c.Tokens, said)
	}
	for _, name := range []string{"tacotron", "phoneme", "phoneme\nsymbols: abc"} {
		if c, said := load("tokenizer: " + name); len(said) > 0 || c.Tokens.File != nil || !strings.HasPrefix(name, c.Tokens.Tokenizer) {
			t.Errorf("tokenizer: %s: %+v, %q", name, c.Tokens, said)
		}
	}
	for _, tt := range []struct {
		lines string
		want  string
	}{
		{"tokenizer: bpe", "data.tokenizer: bpe is not in this version"},
		{"tokenizer: gone.json", "no such file"},
		{"tokenizer: gone.model", "no such file"},
		{"tokenizer: Tokenizer.Model.v3", "no such file"},
		{"tokenizer: gone.spm", "no such file"},
		{"tokenizer: tacotron\nsymbols: abc", "data.symbols: is about a table"},
		{"tokenizer: tacotron\npad_symbol: _", "data.pad_symbol: is about a table"},
		{"tokenizer: v.json\nsymbols: abc", "data.symbols: is about the table"},
		{"tokenizer: v.json\npad_symbol: _", "data.pad_symbol: is about the table"},
	} {
		_, said := load(tt.lines)
		if !slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, tt.want) }) {
			t.Errorf("%q gives %q, want %q", tt.lines, said, tt.want)
		}
	}
}
