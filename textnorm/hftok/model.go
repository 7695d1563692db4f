package hftok

import (
	"encoding/json"
	"fmt"
	"strings"
)

// readModel reads the model and returns it with nothing but what encoding
// reads, for the canonical file.
func (t *Tokenizer) readModel(raw json.RawMessage) (canonical any, err error) {
	kind, err := modelKind(raw)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "BPE":
		t.model, canonical, err = readBPE(raw)
	case "Unigram":
		t.model, canonical, err = readUnigram(raw)
	case "WordPiece":
		t.model, canonical, err = readWordPiece(raw)
	case "WordLevel":
		t.model, canonical, err = readWordLevel(raw)
	case sentencePieceKind:
		t.model, canonical, err = readSentencePiece(raw)
	default:
		err = unknownType("model", kind, "BPE", "Unigram", "WordLevel", "WordPiece")
	}
	return canonical, err
}

// modelKind is the type of a model. Files of before 2021 have none, and what it
// is follows from the settings that no other kind has.
func modelKind(raw json.RawMessage) (string, error) {
	var c struct {
		Type    *string         `json:"type"`
		Merges  json.RawMessage `json:"merges"`
		UnkID   json.RawMessage `json:"unk_id"`
		Longest json.RawMessage `json:"max_input_chars_per_word"`
	}
	if err := json.Unmarshal(raw, &c); err == nil && c.Type == nil {
		switch {
		case c.Merges != nil:
			return "BPE", nil
		case c.UnkID != nil:
			return "Unigram", nil
		case c.Longest != nil:
			return "WordPiece", nil
		}
	}
	return typeOf(raw, "model", 0)
}

// inOrder lists a vocabulary by id, with "" where an id is nobody's. Ids may have
// holes, up to maxVocabulary; one below 0, one that two tokens have, and a token beyond
// maxToken are errors. unkID is the id of unk, -1 where that is nil.
func inOrder(vocab map[string]int32, unk *string) (list []string, unkID int32, err error) {
	if len(vocab) == 0 || len(vocab) > maxVocabulary {
		return nil, 0, fmt.Errorf("model: vocab: %d tokens; want 1 to %d", len(vocab), maxVocabulary)
	}
	last := int32(0)
	for _, id := range vocab {
		last = max(last, id)
	}
	if last >= maxVocabulary {
		return nil, 0, fmt.Errorf("model: vocab: id %d; the largest that is read is %d", last, maxVocabulary-1)
	}
	list = make([]string, last+1)
	taken := make([]bool, len(list))
	for token, id := range vocab {
		switch {
		case len(token) > maxToken:
			return nil, 0, fmt.Errorf("model: vocab: token %d has %d bytes; at most %d are read", id, len(token), maxToken)
		case id < 0:
			return nil, 0, fmt.Errorf("model: vocab: %q has id %d", token, id)
		case taken[id]:
			return nil, 0, fmt.Errorf("model: vocab: %q and %q both have id %d", min(token, list[id]), max(token, list[id]), id)
		}
		list[id], taken[id] = token, true
	}
	if unk == nil {
		return list, -1, nil
	}
	unkID, ok := vocab[*unk]
	if !ok {
		return nil, 0, fmt.Errorf("model: unk_token %q is not in vocab", *unk)
	}
	return list, unkID, nil
}

// byteIDs are the ids of <0x00> to <0xFF>, -1 for one that is missing.
type byteIDs [256]int32

// findBytes looks the 256 of them up.
func findBytes(find func(string) (int32, bool)) (ids byteIDs) {
	for b := range ids {
		id, ok := find(fmt.Sprintf("<0x%02X>", b))
		if !ok {
			id = -1
		}
		ids[b] = id
	}
	return ids
}

// have reports whether each byte of s has a token.
func (ids *byteIDs) have(s string) bool {
	for i := range len(s) {
		if ids[s[i]] < 0 {
			return false
		}
	}
	return true
}

// append appends the tokens of the bytes of s, all of which are there.
func (ids *byteIDs) append(dst []int32, s string) []int32 {
	for i := range len(s) {
		dst = append(dst, ids[s[i]])
	}
	return dst
}

// inMap is find over a map.
func inMap(vocab map[string]int32) func(string) (int32, bool) {
	return func(s string) (int32, bool) {
		id, ok := vocab[s]
		return id, ok
	}
}

// markSilent finds the tokens that say nothing: those of spaces, visible or
// not, and added ones in brackets, which are marks for a model and no text.
func (t *Tokenizer) markSilent() {
	t.silent = make([]bool, len(t.tokens))
	for id, token := range t.tokens {
		t.silent[id] = strings.IndexFunc(token, func(r rune) bool {
			// ĉ, Ċ, č and Ġ are the tab, the line ends and the space of GPT-2.
			return isLoud(r) && !strings.ContainsRune("ĉĊčĠ", r)
		}) < 0
	}
	if m, ok := t.model.(*sentencePiece); ok {
		for id := range m.Pieces { // added tokens come after them
			t.silent[id] = t.silent[id] || !m.says(int32(id))
		}
	}
	for _, m := range []*matcher{t.raw, t.normal} {
		for i := 0; m != nil && i < len(m.tokens); i++ {
			if a := &m.tokens[i]; a.Special || inBrackets(a.Content) {
				t.silent[a.ID] = true
			}
		}
	}
}

// inBrackets reports whether a token looks like a mark: [en], <s>.
func inBrackets(s string) bool {
	return strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") || strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">")
}
