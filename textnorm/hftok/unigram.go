package hftok

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// unkPenalty is what an unknown character costs below the worst token.
const unkPenalty = 10

// unigram takes the cut of a piece whose tokens have the highest sum of scores.
type unigram struct {
	tokens   []string
	scores   []float64
	trie     *trie
	unk      int32
	unkScore float64
	fallback bool
	bytes    [256]int32
}

// bestPath is the best way to the end of a prefix of the piece.
type bestPath struct {
	score float64
	from  int32 // where its last token begins; -1: no way yet
	id    int32
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
	m := &unigram{unk: *c.UnkID, fallback: c.Fallback}
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
	m.bytes = byteTokens(m.trie.exact)
	return m, c, nil
}

func (m *unigram) vocabulary() vocabulary { return vocabulary{m.tokens, m.trie.exact, len(m.tokens)} }

func (m *unigram) encode(e *encoder, s string) {
	if cap(e.unigram) <= len(s) {
		e.unigram = make([]bestPath, len(s)+1)
	}
	best := e.unigram[:len(s)+1]
	for i := range best {
		best[i] = bestPath{from: -1}
	}
	m.search(best, s)
	// From the end to the start, the ends of tokens are linked the other way
	// round, so that they can be written in order.
	after := int32(len(s))
	for at := after; at > 0; {
		from := best[at].from
		best[at].from = after // from here on: the end of the token behind
		after, at = at, from
	}
	m.write(e, best, s, after)
}

// search fills in the best ways. An unknown character is a token that costs
// more than any, unless a token of its own is there.
func (m *unigram) search(best []bestPath, s string) {
	for at := 0; at < len(s); {
		_, size := utf8.DecodeRuneInString(s[at:])
		here := best[at].score
		single := false
		node := int32(0)
		for end := at; end < len(s); {
			if node = m.trie.step(node, s[end]); node < 0 {
				break
			}
			end++
			id := m.trie.nodes[node].value
			if id < 0 {
				continue
			}
			single = single || end-at == size
			// Addition in the order of the original, for the same ties.
			if score := m.scores[id] + here; best[end].from < 0 || score > best[end].score {
				best[end] = bestPath{score, int32(at), id}
			}
		}
		if end := at + size; !single {
			if score := m.unkScore + here; best[end].from < 0 || score > best[end].score {
				best[end] = bestPath{score, int32(at), m.unk}
			}
		}
		at += size
	}
}

// write appends the tokens, the first of which ends at end. Unknown ones that
// follow each other are one.
func (m *unigram) write(e *encoder, best []bestPath, s string, end int32) {
	start, unknown := 0, -1
	for {
		at := int(end)
		node := best[at]
		if node.id == m.unk {
			if unknown < 0 {
				unknown = start
			}
		} else {
			if unknown >= 0 {
				m.writeUnknown(e, s[unknown:start])
				unknown = -1
			}
			e.ids = append(e.ids, node.id)
		}
		start = at
		if at == len(s) {
			break
		}
		end = node.from
	}
	if unknown >= 0 {
		m.writeUnknown(e, s[unknown:])
	}
}

func (m *unigram) writeUnknown(e *encoder, s string) {
	if id, ok := m.trie.exact(s); ok {
		e.ids = append(e.ids, id)
		return
	}
	if m.fallback && m.hasBytes(s) {
		for _, c := range []byte(s) {
			e.ids = append(e.ids, m.bytes[c])
		}
		return
	}
	e.miss(s, m.unk)
}

func (m *unigram) hasBytes(s string) bool {
	for _, c := range []byte(s) {
		if m.bytes[c] < 0 {
			return false
		}
	}
	return true
}
