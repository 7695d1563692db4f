package config

import "strings"

// Bounds on the files of `lexicon` and of ids: a million entries of either.
const (
	maxLexiconFile = 16 << 20
	maxIDFile      = 64 << 20
)

// lexicon reads the bytes of the lexicon, when the config names one. The caller
// interprets them.
func (l *loader) lexicon() {
	text := &l.config.Text
	b, ok := readFile(l, "lexicon", text.LexiconFile, whereHint, func(path string) ([]byte, error) {
		text.LexiconFile = path
		return readNamed(path, maxLexiconFile)
	})
	if ok {
		text.Lexicon = b
	}
}

// ids reads a file of ids that key names into list. Spaces around an id and
// empty lines are ignored. An empty list of what to keep would keep
// nothing, which nobody means.
func (l *loader) ids(key, path string, list *[]string) {
	read := func(path string) ([]string, error) { return readLines(path, maxIDFile) }
	lines, ok := readFile(l, key, path, whereHint, read)
	if !ok {
		return
	}
	ids := []string{}
	for _, line := range lines {
		if id := strings.TrimSpace(line); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 && key == "keep_ids" {
		l.at(l.beside(path)+": no ids, so that no row would be kept", "write one id a line", key)
		return
	}
	*list = ids
}
