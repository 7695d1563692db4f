package spoken

import "strings"

// hanWords is a list of words that stand beside a number, by their first and their
// last character: most lists are asked at most numbers.
type hanWords struct{ byFirst, byLast map[rune][]string }

// wordsOf reads a list in which spaces part the words.
func wordsOf(list string) hanWords {
	w := hanWords{map[rune][]string{}, map[rune][]string{}}
	for word := range strings.FieldsSeq(list) {
		first, last := firstOf(word), lastOf(word)
		w.byFirst[first] = append(w.byFirst[first], word)
		w.byLast[last] = append(w.byLast[last], word)
	}
	return w
}

// at is the word at the beginning of a text, "" for none.
func (w hanWords) at(text string) string {
	for _, word := range w.byFirst[firstOf(text)] {
		if strings.HasPrefix(text, word) {
			return word
		}
	}
	return ""
}

// begin reports whether a text begins with one of the words.
func (w hanWords) begin(text string) bool { return w.at(text) != "" }

// end reports whether a text ends in one of the words, with at most a space, a
// colon and a copula behind it.
func (w hanWords) end(text string) bool {
	for _, off := range [...]string{" ", ":", "：", "是", "为", "為", "は", "："} {
		text = strings.TrimSuffix(text, off)
	}
	for _, word := range w.byLast[lastOf(text)] {
		if strings.HasSuffix(text, word) {
			return true
		}
	}
	return false
}
