package config

// specialNames are the specials that stand before the characters of a text,
// with the defaults of the keys that name them.
var specialNames = []string{"<pad>", "<unk>", "<bos>", "<eos>", "<blank>"}

// maxSymbolsFile is far above the largest table that a tokenizer takes.
const maxSymbolsFile = 1 << 20

// symbols reads the table of symbols from its file, when the config names one.
func (l *loader) symbols() {
	path := l.config.Tokens.symbolsFile
	if path == "" || l.failed["symbols_file"] {
		return
	}
	if l.config.Given("symbols") {
		l.at("symbols are given twice: here and by symbols", "take one of them away", "symbols_file")
		return
	}
	if IsVocabulary(path) {
		l.at(path+" is a vocabulary with rules of its own, no table of symbols", "name it by tokenizer: "+path, "symbols_file")
		return
	}
	if symbols, ok := readFile(l, "symbols_file", path, whereHint, readSymbolsFile); ok {
		l.config.Tokens.Symbols = symbols
	}
}

// readSymbolsFile reads one symbol a line; an empty line is an empty symbol,
// which the tokenizer refuses with its number.
func readSymbolsFile(path string) ([]string, error) {
	return readLines(path, maxSymbolsFile)
}
