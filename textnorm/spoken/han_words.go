package spoken

import (
	"strings"
	"sync"
)

// hanWords is a list of words that stand beside a number, by their first and their
// last character: most lists are asked at most numbers.
// It is made when it is first asked, as a wordList is.
type hanWords struct {
	list            string
	once            sync.Once
	byFirst, byLast map[rune][]string
}

// wordsOf takes a list in which spaces part the words.
func wordsOf(list string) *hanWords { return &hanWords{list: list} }

var noHanWords hanWords

// made is the list with its tables; nil, where a language has no such words, is
// an empty one.
func (w *hanWords) made() *hanWords {
	if w == nil {
		return &noHanWords
	}
	w.once.Do(func() {
		w.byFirst, w.byLast = map[rune][]string{}, map[rune][]string{}
		for word := range strings.FieldsSeq(w.list) {
			first, last := firstOf(word), lastOf(word)
			w.byFirst[first] = append(w.byFirst[first], word)
			w.byLast[last] = append(w.byLast[last], word)
		}
	})
	return w
}

// at is the word at the beginning of a text, "" for none.
func (w *hanWords) at(text string) string {
	for _, word := range w.made().byFirst[firstOf(text)] {
		if strings.HasPrefix(text, word) {
			return word
		}
	}
	return ""
}

// begin reports whether a text begins with one of the words.
func (w *hanWords) begin(text string) bool { return w.at(text) != "" }

// end reports whether a text ends in one of the words, with at most a space, a
// colon and a copula after it.
func (w *hanWords) end(text string) bool {
	for _, off := range [...]string{" ", ":", "：", "是", "为", "為", "は", "："} {
		text = strings.TrimSuffix(text, off)
	}
	for _, word := range w.made().byLast[lastOf(text)] {
		if strings.HasSuffix(text, word) {
			return true
		}
	}
	return false
}
