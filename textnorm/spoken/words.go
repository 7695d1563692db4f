package spoken

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// wordList is a set of words between white space. It is made when it is first
// asked: a build in English never makes the sets of Arabic.
type wordList struct {
	list string
	once sync.Once
	set  map[string]bool
}

func wordSet(list string) *wordList { return &wordList{list: list} }

func (w *wordList) has(word string) bool {
	w.once.Do(func() {
		w.set = map[string]bool{}
		for word := range strings.FieldsSeq(w.list) {
			w.set[word] = true
		}
	})
	return w.set[word]
}

// oneOf reports whether a word is in a list of words between white space.
func oneOf(word, list string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

func endsIn(word, list string) bool {
	for end := range strings.FieldsSeq(list) {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// firstRune is the first character of a text.
func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// lastRune is the last character of what is written so far.
func lastRune(b []byte) rune {
	r, _ := utf8.DecodeLastRune(b)
	return r
}
