package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// maxTokenizerFile is twice the largest tokenizer.json in use.
const maxTokenizerFile = 64 << 20

// tokenizers are the names that stand for no file.
var tokenizers = []string{"char", "tacotron", "phoneme"}

// tokenizer reads the bytes of a vocabulary, when the config names one, and
// finds keys that are about a table of symbols beside a tokenizer that has its
// own. The caller interprets the bytes.
func (l *loader) tokenizer() {
	t := &l.config.Tokens
	if l.failed["tokenizer"] {
		return
	}
	if slices.Contains(tokenizers, t.Tokenizer) {
		if t.Tokenizer == "tacotron" {
			l.ownSymbols("is about a table of symbols, and tokenizer: tacotron has its own", "symbols", "symbols_file", "pad_symbol")
		}
		return
	}
	if !IsVocabulary(t.Tokenizer) {
		l.at(t.Tokenizer+" is not in this version", "write char, tacotron, phoneme, or the path of a tokenizer.json or of a SentencePiece model (.model)", "tokenizer")
		return
	}
	read := func(path string) ([]byte, error) { return readNamed(path, maxTokenizerFile) }
	var ok bool
	t.FilePath = l.beside(t.Tokenizer)
	if t.File, ok = readFile(l, "tokenizer", t.Tokenizer, whereHint, read); !ok {
		return
	}
	t.Tokenizer = "json"
	l.ownSymbols("is about the table of tokenizer: char, and a tokenizer.json has its own symbols", "symbols", "symbols_file", "pad_symbol", "unk_symbol", "blank_symbol")
	if !l.config.Given("unknown") {
		t.Unknown = "unk" // what the file itself says
	}
}

// IsVocabulary reports whether a path is that of a vocabulary with rules of its
// own: a tokenizer.json, or a SentencePiece model.
func IsVocabulary(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	// Mistral's are called tokenizer.model.v3.
	return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".model") || strings.HasSuffix(name, ".spm") || strings.Contains(name, ".model.v")
}

// ownSymbols refuses keys that a tokenizer with its own symbols cannot obey.
func (l *loader) ownSymbols(message string, keys ...string) {
	for _, key := range keys {
		if l.config.Given(key) {
			l.at(message, "take it away", key)
		}
	}
}
