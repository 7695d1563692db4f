package hftok

import (
	"encoding/json"
	"unicode/utf8"
)

// wordLevel has a token for a piece or has not: then the piece is one unk, and each
// character of it is reported.
type wordLevel struct {
	vocab  map[string]int32
	tokens []string
	unk    int32
}

// readWordLevel reads a model of type WordLevel. An error tells of a vocabulary that
// is wrong (inOrder) or has no unk_token.
func readWordLevel(raw json.RawMessage) (model, any, error) {
	var c struct {
		Type  string           `json:"type"`
		Vocab map[string]int32 `json:"vocab"`
		Unk   string           `json:"unk_token"`
	}
	if err := settings(raw, "model", &c); err != nil {
		return nil, nil, err
	}
	tokens, unk, err := inOrder(c.Vocab, &c.Unk)
	if err != nil {
		return nil, nil, err
	}
	return &wordLevel{c.Vocab, tokens, unk}, c, nil
}

func (m *wordLevel) vocabulary() vocabulary {
	return vocabulary{m.tokens, inMap(m.vocab), len(m.vocab)}
}

func (m *wordLevel) encode(e *encoder, s string) {
	if id, ok := m.vocab[s]; ok {
		e.ids = append(e.ids, id)
		return
	}
	e.miss(s, m.unk)
}

// wordPiece takes the longest token at each place of a piece, and never goes back: a
// piece of which a rest has no token is unknown as a whole, even if shorter tokens
// would have led to its end. Tokens inside a piece begin with a prefix, "##" in BERT.
// The trie holds them with it, and a match inside begins at the node after it.
//
// A piece of more characters than most is unknown without a search; files say 100.
type wordPiece struct {
	tokens []string
	trie   *trie
	size   int
	inside int32 // where the prefix of tokens inside a word leads; -1: nowhere
	unk    int32
	most   int // characters of a piece
}

// readWordPiece reads a model of type WordPiece, with the defaults of the package
// tokenizers for what old files do not say.
func readWordPiece(raw json.RawMessage) (model, any, error) {
	c := struct {
		Type   string           `json:"type"`
		Vocab  map[string]int32 `json:"vocab"`
		Unk    string           `json:"unk_token"`
		Prefix string           `json:"continuing_subword_prefix"`
		Most   int              `json:"max_input_chars_per_word"`
	}{Unk: "[UNK]", Prefix: "##", Most: 100}
	if err := settings(raw, "model", &c); err != nil {
		return nil, nil, err
	}
	tokens, unk, err := inOrder(c.Vocab, &c.Unk)
	if err != nil {
		return nil, nil, err
	}
	words := make(map[string]int32, len(c.Vocab))
	for token, id := range c.Vocab {
		if token != "" {
			words[token] = id
		}
	}
	c.Type = "WordPiece"
	m := &wordPiece{tokens: tokens, size: len(c.Vocab), trie: newTrie(words), unk: unk, most: c.Most}
	for i := 0; i < len(c.Prefix) && m.inside >= 0; i++ {
		m.inside = m.trie.step(m.inside, c.Prefix[i])
	}
	return m, c, nil
}

func (m *wordPiece) vocabulary() vocabulary { return vocabulary{m.tokens, m.trie.exact, m.size} }

// encode appends the tokens of a piece, or the unk instead of all of them. The bound on
// its size counts characters, as the original does.
func (m *wordPiece) encode(e *encoder, s string) {
	start := len(e.ids)
	if utf8.RuneCountInString(s) > m.most {
		e.miss(s, m.unk)
		return
	}
	node := int32(0)
	for at := 0; at < len(s); {
		id, size := m.trie.longestFrom(node, s[at:])
		if size == 0 {
			e.ids = e.ids[:start]
			e.miss(s, m.unk)
			return
		}
		e.ids = append(e.ids, id)
		at += size
		node = m.inside
	}
}
