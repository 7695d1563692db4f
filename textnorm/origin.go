package textnorm

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// longWord is the length in bytes from which a word is not searched for a character: a
// note on it stands at its beginning, so that hostile lines cost little more than others.
const longWord = 1 << 12

// atOrigin moves notes from their places in what the rules of all languages made of a text
// to the places in the text as it came. Both have the same words in the same order, but one
// may have become several, and one without sound none. Where a repair joined words the
// place is near.
func (n *Normalizer) atOrigin(notes []Note, was, plain string) {
	if was == plain {
		return
	}
	inOrder := make([]*Note, len(notes))
	for i := range notes {
		inOrder[i] = &notes[i]
	}
	slices.SortStableFunc(inOrder, func(a, b *Note) int { return cmp.Compare(a.At, b.At) })
	w := wordPair{n: n, rest: was}
	word, seen := 0, 0 // the number of the word of plain that begins at the last space seen
	for _, note := range inOrder {
		at := min(note.At, len(plain))
		word += strings.Count(plain[seen:at], " ")
		seen = at
		for w.first+len(w.said) <= word && w.next() {
		}
		note.At = w.start + w.origin(word-w.first, at-1-strings.LastIndexByte(plain[:at], ' '))
	}
}

// wordPair goes through a text word by word.
type wordPair struct {
	n     *Normalizer
	rest  string // what comes after the word
	was   string // the word as it came
	start int    // its offset
	said  []string
	first int // the number of said[0] among all words
}

// next goes on to the next word, which may be nothing; false at the end.
func (w *wordPair) next() bool {
	if w.rest == "" {
		return false
	}
	w.start += len(w.was)
	spaces := len(w.rest) - len(strings.TrimLeftFunc(w.rest, unicode.IsSpace))
	w.start, w.rest = w.start+spaces, w.rest[spaces:]
	end := strings.IndexFunc(w.rest, unicode.IsSpace)
	if end < 0 {
		end = len(w.rest)
	}
	w.first += len(w.said)
	w.was, w.rest = w.rest[:end], w.rest[end:]
	plain, _ := w.n.plain(w.was)
	w.said = strings.Fields(plain)
	return true
}

// origin is where in the word as it came a byte stood of what became of it, in the one with a
// number: the last character without which the result is too short.
func (w *wordPair) origin(number, at int) int {
	if len(w.was) > longWord || number >= len(w.said) {
		return 0
	}
	for _, before := range w.said[:number] {
		at += len(before) + 1
	}
	var starts []int
	for i := range w.was {
		starts = append(starts, i)
	}
	ends := append(starts[1:], len(w.was))
	i := sort.Search(len(ends), func(i int) bool {
		plain, _ := w.n.plain(w.was[:ends[i]])
		return len(plain) > at
	})
	return starts[min(i, len(starts)-1)]
}
