package hftok

import (
	"slices"
	"unicode/utf8"
)

// unkPenalty is what an unknown character costs below the worst token.
const unkPenalty = 10

// lattice finds the cut of a text into tokens with the highest sum of scores,
// by Viterbi's recurrence over its bytes:
//
//	best(0) = 0
//	best(end) = max over tokens t that end there of score(t) + best(end - len(t))
//
// The package tokenizers adds in 64 bits and the package sentencepiece in 32,
// which decides between ways that are nearly equal: with 64 bits one line in a
// thousand of a SentencePiece model was cut otherwise. A byte inside of a character
// is the end of no token, because tokens are UTF-8, so that the recurrence visits
// characters only. The time is the length of the text times that of the longest token.
type lattice[F float32 | float64] struct {
	trie     *trie
	scores   []F // by id
	unk      int32
	unkScore F // of one unknown character
}

// way is the best one to the end of a prefix of the text.
type way[F float32 | float64] struct {
	score F
	from  int32 // where its last token begins; -1: no way yet
	id    int32
}

// part is text[from:to] and its token.
type part struct{ from, to, id int32 }

// search appends the parts of s from left to right. An unknown character is a
// part, unless a token of its own is there. Of equal ways the one that was found
// first stays, whose last token begins further left.
func (l *lattice[F]) search(dst []part, scratch *[]way[F], s string) []part {
	if cap(*scratch) <= len(s) {
		*scratch = make([]way[F], len(s)+1)
	}
	best := (*scratch)[:len(s)+1]
	for i := range best {
		best[i] = way[F]{from: -1}
	}
	for at := 0; at < len(s); {
		_, size := utf8.DecodeRuneInString(s[at:])
		here := best[at].score
		single := false
		node := int32(0)
		for end := at; end < len(s); {
			if node = l.trie.step(node, s[end]); node < 0 {
				break
			}
			end++
			id := l.trie.nodes[node].value
			if id < 0 {
				continue
			}
			single = single || end-at == size
			best[end].take(l.scores[id]+here, at, id)
		}
		if !single {
			best[at+size].take(l.unkScore+here, at, l.unk)
		}
		at += size
	}
	start := len(dst)
	for end := int32(len(s)); end > 0; end = best[end].from {
		dst = append(dst, part{best[end].from, end, best[end].id})
	}
	slices.Reverse(dst[start:])
	return dst
}

// take makes w the way that was offered, if it is better than any before.
func (w *way[F]) take(score F, from int, id int32) {
	if w.from < 0 || score > w.score {
		*w = way[F]{score, int32(from), id}
	}
}
