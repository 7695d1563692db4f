package config

import (
	"path/filepath"
	"strings"
)

// maxTokenizerFile is twice the largest tokenizer.json in use.
const maxTokenizerFile = 64 << 20

// tokenizer reads the bytes of a tokenizer.json, when the config names one, and
// finds keys that are about a table of symbols beside it. What the bytes mean is
// for who cuts text by them.
func (l *loader) tokenizer() {
	t := &l.config.Tokens
	if l.failed["tokenizer"] || t.Tokenizer == "char" {
		return
	}
	if !strings.EqualFold(filepath.Ext(t.Tokenizer), ".json") {
		l.at(t.Tokenizer+" is not in this version", "write char, or the path of a tokenizer.json", "tokenizer")
		return
	}
	t.FilePath = l.beside(t.Tokenizer)
	t.Tokenizer = "json"
	var err error
	if t.File, err = readNamed(t.FilePath, maxTokenizerFile); err != nil {
		l.at(err.Error(), "the path is relative to the config file", "tokenizer")
		return
	}
	l.config.named = append(l.config.named, t.FilePath)
	for _, key := range []string{"symbols", "symbols_file", "pad_symbol", "unk_symbol", "blank_symbol"} {
		if l.config.Given(key) {
			l.at("is about the table of tokenizer: char, and a tokenizer.json has its own symbols", "take it away", key)
		}
	}
	if !l.config.Given("unknown") {
		t.Unknown = "unk" // what the file itself says
	}
}
