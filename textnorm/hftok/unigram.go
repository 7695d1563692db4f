package hftok

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// unigram takes the cut of a piece whose tokens have the highest sum of scores, which
// are logarithms of probabilities: the likeliest cut where tokens are independent.
// The package tokenizers' encode_optimized is followed, with fuse_unk, which files
// cannot switch off.
type unigram struct {
	lattice[float64]
	tokens   []string
	fallback bool
	bytes    byteIDs
}

// scoredToken is ["text", -1.5].
type scoredToken struct {
	text  string
	score float64
}

// UnmarshalJSON reads the pair.
func (s *scoredToken) UnmarshalJSON(src []byte) error {
	pair := [2]any{&s.text, &s.score}
	return json.Unmarshal(src, &pair)
}

// MarshalJSON writes the pair.
func (s scoredToken) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{s.text, s.score}) }

// readUnigram reads a model of type Unigram. Sampling (alpha) is refused; the size of
// it (nbest_size) says nothing without. Of tokens of one text the last one is found,
// as in the map of the original.
func readUnigram(raw json.RawMessage) (model, any, error) {
	var c struct {
		Type     string        `json:"type"`
		UnkID    *int32        `json:"unk_id"`
		Fallback bool          `json:"byte_fallback"`
		Alpha    *float64      `json:"alpha,omitempty"`
		NBest    *int          `json:"nbest_size,omitempty"`
		Vocab    []scoredToken `json:"vocab"`
	}
	if err := settings(raw, "model", &c); err != nil {
		return nil, nil, err
	}
	if c.Alpha != nil && *c.Alpha != 0 {
		return nil, nil, fmt.Errorf("model: alpha %g makes ids random; set it to null", *c.Alpha)
	}
	c.Type, c.Alpha, c.NBest = "Unigram", nil, nil
	if len(c.Vocab) == 0 || len(c.Vocab) > maxVocabulary {
		return nil, nil, fmt.Errorf("model: vocab: %d tokens; want 1 to %d", len(c.Vocab), maxVocabulary)
	}
	if c.UnkID == nil {
		return nil, nil, errors.New("model: unk_id: there is none for what is unknown")
	}
	if *c.UnkID < 0 || int(*c.UnkID) >= len(c.Vocab) {
		return nil, nil, fmt.Errorf("model: unk_id %d is not among %d tokens", *c.UnkID, len(c.Vocab))
	}
	m := &unigram{lattice: lattice[float64]{unk: *c.UnkID}, fallback: c.Fallback}
	words := make(map[string]int32, len(c.Vocab))
	worst := math.Inf(1)
	for i, s := range c.Vocab {
		if len(s.text) > maxToken {
			return nil, nil, fmt.Errorf("model: vocab[%d] has %d bytes; at most %d are read", i, len(s.text), maxToken)
		}
		m.tokens, m.scores = append(m.tokens, s.text), append(m.scores, s.score)
		worst = min(worst, s.score)
		if s.text != "" {
			words[s.text] = int32(i) // the last of several counts
		}
	}
	m.unkScore = worst - unkPenalty
	m.trie = newTrie(words)
	m.bytes = findBytes(m.trie.exact)
	return m, c, nil
}

func (m *unigram) vocabulary() vocabulary { return vocabulary{m.tokens, m.trie.exact, len(m.tokens)} }

// encode appends the tokens of the best way. Unknown ones that follow each other
// are one.
func (m *unigram) encode(e *encoder, s string) {
	e.parts = m.search(e.parts[:0], &e.double, s)
	unknown := int32(-1) // where a run of them begins
	for _, p := range e.parts {
		switch {
		case p.id != m.unk:
			if unknown >= 0 {
				m.writeUnknown(e, s[unknown:p.from])
				unknown = -1
			}
			e.ids = append(e.ids, p.id)
		case unknown < 0:
			unknown = p.from
		}
	}
	if unknown >= 0 {
		m.writeUnknown(e, s[unknown:])
	}
}

// writeUnknown appends what a run of unknown characters becomes: a token that is the
// run as a whole, its bytes where there is a token
// for each of them, or the unk.
func (m *unigram) writeUnknown(e *encoder, s string) {
	if id, ok := m.trie.exact(s); ok {
		e.ids = append(e.ids, id)
		return
	}
	if m.fallback && m.bytes.have(s) {
		e.ids = m.bytes.append(e.ids, s)
		return
	}
	e.miss(s, m.unk)
}
