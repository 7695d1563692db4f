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
	if text.LexiconFile == "" || l.failed["lexicon"] {
		return
	}
	text.LexiconFile = l.beside(text.LexiconFile)
	b, err := readNamed(text.LexiconFile, maxLexiconFile)
	if err != nil {
		l.at(err.Error(), "the path is relative to the config file", "lexicon")
		return
	}
	text.Lexicon = b
	l.config.named = append(l.config.named, text.LexiconFile)
}

// ids reads a file of ids that key names into list. Spaces around an id and
// empty lines are ignored. An empty list of what to keep would keep
// nothing, which nobody means.
func (l *loader) ids(key, path string, list *[]string) {
	if path == "" || l.failed[key] {
		return
	}
	path = l.beside(path)
	lines, err := readLines(path, maxIDFile)
	if err != nil {
		l.at(err.Error(), "the path is relative to the config file", key)
		return
	}
	ids := []string{}
	for _, line := range lines {
		if id := strings.TrimSpace(line); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 && key == "keep_ids" {
		l.at(path+": no ids, so that no row would be kept", "write one id a line", key)
		return
	}
	*list = ids
	l.config.named = append(l.config.named, path)
}
