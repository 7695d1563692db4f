package hftok

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// matcher finds added tokens as the package tokenizers does (find_matches in
// added_vocabulary.rs): from the left, and of those that begin at one place the
// longest. A tokenizer has up to two, one for the text as written and one for the
// text as normalised; a token is in the second where "normalized" is true.
//
// The flags of a token that was found:
//
//	single_word  it counts only between characters that are no \w
//	lstrip       it takes the white space before it, as far as no token has it
//	rstrip       it takes the white space after it
//
// A token that single_word rules out still hides shorter ones inside of it: the
// search goes on after it.
type matcher struct {
	trie   *trie
	tokens []addedToken
	first  [256]bool // bytes that a token begins with
}

// maxPattern bounds an added token that its normalizer makes longer, in bytes. A
// replacement of one character by maxToken bytes would otherwise make a pattern of
// megabytes out of a token.
const maxPattern = 4 * maxToken

// span is text[start:end]; id is that of an added token, -1 for ordinary text.
type span struct {
	start, end int
	id         int32
}

// addTokens numbers the added tokens as the original does, which does not look
// at the ids of the file: a token of the vocabulary keeps its number, others
// get the next one. A file that says otherwise would mean two things: its ids in the
// JSON and those that the package gives. Numbers begin at the size of the vocabulary,
// not after its largest id, so that a new token may fill a hole.
//
// An error names the entry by its place in the list and its text.
func (t *Tokenizer) addTokens(list []addedToken) error {
	words := t.model.vocabulary()
	t.tokens = words.tokens
	next := int32(words.size)
	t.added = map[string]int32{}
	var raw, normal []addedToken
	var patterns []string
	for i, a := range list {
		path := fmt.Sprintf("added_tokens[%d] %q", i, a.Content)
		if a.Content == "" {
			return fmt.Errorf("%s: it is empty", path)
		}
		if len(a.Content) > maxToken {
			return fmt.Errorf("added_tokens[%d]: %d bytes; at most %d are read", i, len(a.Content), maxToken)
		}
		if slices.Contains(list[:i], a) {
			continue // the files of Yi hold one entry twice
		}
		if _, twice := t.added[a.Content]; twice {
			return fmt.Errorf("%s: it is there twice, with other settings", path)
		}
		id, known := words.find(a.Content)
		if !known {
			id = next
			next++
		}
		if a.ID != id {
			return fmt.Errorf("%s: it has id %d, and the package tokenizers would give it %d; save the file anew with that package", path, a.ID, id)
		}
		if !known && !t.name(id, a.Content) {
			return fmt.Errorf("%s: its id %d is that of %q in the vocabulary", path, id, t.tokens[id])
		}
		t.added[a.Content] = id
		if !a.Normalized {
			raw = append(raw, a)
			continue
		}
		pattern := t.normalized(a.Content)
		if len(pattern) > maxPattern {
			return fmt.Errorf("%s: normalised, it has %d bytes", path, len(pattern))
		}
		if pattern == "" {
			return fmt.Errorf("%s: nothing is left of it when it is normalised", path)
		}
		normal = append(normal, a)
		patterns = append(patterns, pattern)
	}
	if len(t.tokens) > maxVocabulary {
		return fmt.Errorf("added_tokens: %d tokens; at most %d are read", len(t.tokens), maxVocabulary)
	}
	written := make([]string, len(raw))
	for i, a := range raw {
		written[i] = a.Content
	}
	var err error
	if t.raw, err = newMatcher(raw, written); err == nil {
		t.normal, err = newMatcher(normal, patterns)
	}
	return err
}

// name gives an id that nothing has to an added token; false: something has it.
func (t *Tokenizer) name(id int32, token string) bool {
	if int(id) == len(t.tokens) {
		t.tokens = append(t.tokens, token)
		return true
	}
	free := t.tokens[id] == ""
	if free {
		t.tokens[id] = token
	}
	return free
}

// newMatcher looks for patterns[i] where tokens[i] is meant. It is nil where there
// is nothing to look for, and an error where two tokens have one pattern: which of
// them is found would depend on the order of the file.
func newMatcher(tokens []addedToken, patterns []string) (*matcher, error) {
	if len(tokens) == 0 {
		return nil, nil
	}
	m := &matcher{tokens: tokens}
	at := map[string]int32{}
	for i, p := range patterns {
		if other, twice := at[p]; twice {
			return nil, fmt.Errorf("added_tokens: %q and %q are the same text when they are normalised", tokens[other].Content, tokens[i].Content)
		}
		at[p] = int32(i)
		m.first[p[0]] = true
	}
	m.trie = newTrie(at)
	return m, nil
}

// find appends the spans of s: without gaps, none of them empty, all of s. A nil
// matcher finds nothing, and s is one span. Most bytes begin no token, which first
// tells without a step in the trie.
func (m *matcher) find(dst []span, s string) []span {
	start := 0 // of what no span covers yet
	for i := 0; m != nil && i < len(s); {
		if !m.first[s[i]] {
			i++
			continue
		}
		token, size := m.trie.longest(s[i:])
		if size == 0 {
			i++
			continue
		}
		from, to := i, i+size
		i = to
		a := &m.tokens[token]
		if a.SingleWord && !standsAlone(s, from, to) {
			continue
		}
		if a.LStrip {
			from = max(from-trailingSpace(s[:from]), start)
		}
		if a.RStrip {
			to += leadingSpace(s[to:])
		}
		if start < from {
			dst = append(dst, span{start, from, -1})
		}
		dst = append(dst, span{from, to, a.ID})
		start = to
	}
	if start < len(s) {
		dst = append(dst, span{start, len(s), -1})
	}
	return dst
}

// standsAlone reports whether neither neighbour of s[from:to] is part of a word. At
// the ends of a text there is none.
func standsAlone(s string, from, to int) bool {
	before, size := utf8.DecodeLastRuneInString(s[:from])
	after, width := utf8.DecodeRuneInString(s[to:])
	return (size == 0 || !isWord(before)) && (width == 0 || !isWord(after))
}

// leadingSpace is the size in bytes of the white space that s begins with.
func leadingSpace(s string) int {
	for i, r := range s {
		if !isSpace(r) {
			return i
		}
	}
	return len(s)
}

// trailingSpace is the size in bytes of the white space that s ends with.
func trailingSpace(s string) (n int) {
	for n < len(s) {
		r, size := utf8.DecodeLastRuneInString(s[:len(s)-n])
		if !isSpace(r) {
			break
		}
		n += size
	}
	return n
}
