package spoken

import (
	"strings"
	"sync"
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
