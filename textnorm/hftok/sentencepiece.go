package hftok

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The kinds of pieces in a SentencePiece model, with its numbers (enum Type in
// sentencepiece_model.proto). Of a text, normal and user-defined ones are found.
// Unused ones take part in merges and are taken apart again. Control pieces, the
// unknown one and those of bytes never match a text.
const (
	pieceNormal = iota + 1
	pieceUnknown
	pieceControl
	pieceUserDefined
	pieceUnused
	pieceByte
)

// sentencePieceKind is the type of the model in a canonical file. It is ours:
// the package tokenizers has none for it.
const sentencePieceKind = "SentencePiece"

// spaceMark is SentencePiece's visible space.
const spaceMark = "\u2581"

// sentencePieceJSON is a SentencePiece model with nothing but what encoding
// reads.
type sentencePieceJSON struct {
	Type      string     `json:"type"`
	Algorithm string     `json:"algorithm"` // unigram, bpe or char
	Fallback  bool       `json:"byte_fallback"`
	Suffix    bool       `json:"treat_whitespace_as_suffix"`
	Charsmap  string     `json:"precompiled_charsmap"`
	Dummy     bool       `json:"add_dummy_prefix"`
	Squeeze   bool       `json:"remove_extra_whitespaces"`
	Escape    bool       `json:"escape_whitespaces"`
	Pieces    []pieceRow `json:"pieces"`
}

// pieceRow is ["text", score, kind].
type pieceRow struct {
	text  string
	score float32
	kind  int
}

// UnmarshalJSON reads the three.
func (p *pieceRow) UnmarshalJSON(src []byte) error {
	row := [3]any{&p.text, &p.score, &p.kind}
	return json.Unmarshal(src, &row)
}

// MarshalJSON writes the three.
func (p pieceRow) MarshalJSON() ([]byte, error) { return json.Marshal([3]any{p.text, p.score, p.kind}) }

// isSentencePiece reports whether a file begins as a SentencePiece model does:
// with a first piece, whose first field is its text. JSON begins otherwise.
func isSentencePiece(src []byte) bool {
	if len(src) == 0 || src[0] != 1<<3|2 {
		return false
	}
	_, n := uvarint(src[1:])
	return n > 0 && len(src) > 1+n && src[1+n] == 1<<3|2 && !json.Valid(src)
}

// readModelFile makes of a SentencePiece model the file in which it is kept here. The
// fields of ModelProto: 1 a piece, 2 the settings of the training, 3 those of the
// normalizer. What is not in the file has the default of the format.
func readModelFile(src []byte) (f file, err error) {
	m := sentencePieceJSON{Type: sentencePieceKind, Algorithm: "unigram", Dummy: true, Squeeze: true, Escape: true}
	err = eachField(src, func(f field) error {
		switch {
		case f.tag == 1 && f.bytes != nil:
			if len(m.Pieces) == maxVocabulary {
				return fmt.Errorf("over %d pieces", maxVocabulary)
			}
			p, err := readPiece(f.bytes)
			if err == nil && !utf8.ValidString(p.text) { // JSON would make other bytes of it
				err = fmt.Errorf("piece %d %q is not UTF-8", len(m.Pieces), p.text)
			}
			m.Pieces = append(m.Pieces, p)
			return err
		case f.tag == 2 && f.bytes != nil:
			return m.readTrainer(f.bytes)
		case f.tag == 3 && f.bytes != nil:
			return m.readRules(f.bytes)
		}
		return nil
	})
	if err != nil {
		return f, fmt.Errorf("SentencePiece model: %w", err)
	}
	f.Model, err = json.Marshal(m)
	return f, err
}

func readPiece(message []byte) (p pieceRow, err error) {
	p.kind = pieceNormal
	err = eachField(message, func(f field) error {
		switch f.tag {
		case 1:
			p.text = string(f.bytes)
		case 2:
			p.score = f.float()
		case 3:
			p.kind = int(min(f.number, 99))
		}
		return nil
	})
	return p, err
}

// readTrainer takes from the settings of the training those that encoding needs:
// model_type (3), treat_whitespace_as_suffix (24) and byte_fallback (35).
func (m *sentencePieceJSON) readTrainer(message []byte) error {
	return eachField(message, func(f field) error {
		switch f.tag {
		case 3:
			names := []string{1: "unigram", 2: "bpe", 3: "word", 4: "char"}
			if m.Algorithm = strconv.FormatUint(f.number, 10); f.number > 0 && f.number < uint64(len(names)) {
				m.Algorithm = names[f.number]
			}
		case 24:
			m.Suffix = f.number != 0
		case 35:
			m.Fallback = f.number != 0
		}
		return nil
	})
}

// readRules takes the settings of the normalizer: precompiled_charsmap (2),
// add_dummy_prefix (3), remove_extra_whitespaces (4) and escape_whitespaces (5).
func (m *sentencePieceJSON) readRules(message []byte) error {
	return eachField(message, func(f field) error {
		switch f.tag {
		case 2:
			m.Charsmap = base64.StdEncoding.EncodeToString(f.bytes)
		case 3:
			m.Dummy = f.number != 0
		case 4:
			m.Squeeze = f.number != 0
		case 5:
			m.Escape = f.number != 0
		}
		return nil
	})
}

// sentencePiece is a model of the package sentencepiece. It sees the whole text
// as it was written, and makes its own of it first (normalize). Then
//
//	unigram  the pieces with the highest sum of scores (lattice, in 32 bits)
//	bpe      characters, of which the pair that makes the piece of the highest score
//	         is merged first; of equal scores the one further left (merge)
//	char     characters
//
// The first two of them leave a user-defined piece whole: its score is the highest of
// its length, and it merges with nothing. With byte_fallback an unknown character
// is its bytes, and nothing is reported as unknown.
type sentencePiece struct {
	sentencePieceJSON
	lattice[float32] // its trie has the pieces of a text but for unused ones
	tokens           []string
	reserved         map[string]int32 // pieces that no text matches
	pieces           map[string]int32 // the others
	own              *trie            // of user-defined ones; nil: there are none
	rules            *charsmap        // nil: there are none
	bytes            byteIDs
	ranks            []int32 // by id: the higher the score, the lower
}

func readSentencePiece(raw json.RawMessage) (model, any, error) {
	m := &sentencePiece{lattice: lattice[float32]{unk: -1}, reserved: map[string]int32{}, pieces: map[string]int32{}}
	if err := settings(raw, "model", &m.sentencePieceJSON); err != nil {
		return nil, nil, err
	}
	switch m.Algorithm {
	case "unigram", "bpe", "char":
	default:
		return nil, nil, fmt.Errorf("model: SentencePiece of type %s is not read; unigram, bpe and char are. Train it anew as one of them, or name a tokenizer.json", m.Algorithm)
	}
	if len(m.Pieces) == 0 || len(m.Pieces) > maxVocabulary {
		return nil, nil, fmt.Errorf("model: %d pieces; want 1 to %d", len(m.Pieces), maxVocabulary)
	}
	if err := m.enter(); err != nil {
		return nil, nil, fmt.Errorf("model: %w", err)
	}
	if m.Charsmap != "" {
		var err error
		if m.rules, err = newCharsmap(m.Charsmap, "model"); err != nil {
			return nil, nil, err
		}
	}
	return m, m.sentencePieceJSON, nil
}

// enter makes the tables of the pieces. An error names the piece by its number and
// text. A score that is no number is refused: it would make the best way depend on the
// order of comparisons.
func (m *sentencePiece) enter() error {
	own, used := map[string]int32{}, map[string]int32{}
	// The best score begins at the smallest positive number, as in the original.
	worst, best := float32(math.MaxFloat32), float32(0x1p-126)
	for i, p := range m.Pieces {
		id, table := int32(i), m.pieces
		switch p.kind {
		case pieceNormal:
			worst, best = min(worst, p.score), max(best, p.score)
		case pieceUserDefined:
			own[p.text] = id
		case pieceUnused:
		case pieceUnknown:
			if m.unk >= 0 {
				return fmt.Errorf("pieces %d and %d are both unknown", m.unk, id)
			}
			m.unk, table = id, m.reserved
		case pieceControl, pieceByte:
			table = m.reserved
		default:
			return fmt.Errorf("piece %d %q: kind %d is not known", id, p.text, p.kind)
		}
		switch _, twice := table[p.text]; {
		case twice:
			return fmt.Errorf("piece %d %q is there twice", id, p.text)
		case p.text == "" || len(p.text) > maxToken:
			return fmt.Errorf("piece %d has %d bytes; want 1 to %d", id, len(p.text), maxToken)
		case p.score != p.score || math.IsInf(float64(p.score), 0):
			return fmt.Errorf("piece %d %q has the score %g", id, p.text, p.score)
		}
		table[p.text] = id
		m.tokens, m.scores = append(m.tokens, p.text), append(m.scores, p.score)
	}
	m.rank()
	m.unkScore = worst - unkPenalty
	for text, id := range m.pieces {
		switch m.Pieces[id].kind {
		case pieceUnused:
			continue
		case pieceUserDefined:
			// Its own score does not count; this is the formula of the original.
			m.scores[id] = float32(float64(float32(len(text))*best) - 0.1)
		}
		used[text] = id
	}
	if m.unk < 0 {
		return errors.New("there is no unknown piece")
	}
	m.trie = newTrie(used)
	if len(own) > 0 {
		m.own = newTrie(own)
	}
	m.bytes = findBytes(func(s string) (int32, bool) {
		id, ok := m.reserved[s]
		return id, ok && m.Pieces[id].kind == pieceByte
	})
	if m.Fallback && slices.Min(m.bytes[:]) < 0 {
		return errors.New("byte_fallback is set, and not all 256 bytes have a piece")
	}
	return nil
}

// rank numbers the scores, from the highest one on, and gives equal ones one number,
// so that a rank and a position fit into one key of the heap.
func (m *sentencePiece) rank() {
	byScore := make([]int32, len(m.Pieces))
	for i := range byScore {
		byScore[i] = int32(i)
	}
	score := func(id int32) float32 { return m.Pieces[id].score }
	slices.SortFunc(byScore, func(a, b int32) int { return cmp.Compare(score(b), score(a)) })
	m.ranks = make([]int32, len(m.Pieces))
	for i, id := range byScore {
		m.ranks[id] = int32(i)
		if i > 0 && score(id) == score(byScore[i-1]) {
			m.ranks[id] = m.ranks[byScore[i-1]]
		}
	}
}

func (m *sentencePiece) vocabulary() vocabulary {
	return vocabulary{m.tokens, func(s string) (int32, bool) {
		if id, ok := m.reserved[s]; ok {
			return id, true
		}
		id, ok := m.pieces[s]
		return id, ok
	}, len(m.tokens)}
}

// says reports whether a piece may be part of a text. Control pieces are added
// around it by who asks for them.
func (m *sentencePiece) says(id int32) bool {
	kind := m.Pieces[id].kind
	return kind != pieceControl && kind != pieceUnknown && !(kind == pieceUserDefined && inBrackets(m.tokens[id]))
}

// encode appends the pieces of a text. Unknown parts that follow each other are one
// unk.
func (m *sentencePiece) encode(e *encoder, s string) {
	b := &e.spm
	if b.text = m.normalize(b.text[:0], s); len(b.text) == 0 {
		return
	}
	text := string(b.text)
	e.parts = e.parts[:0]
	if m.Algorithm == "unigram" {
		e.parts = m.search(e.parts, &e.single, text)
	} else {
		m.merge(e, text)
	}
	unknown := false // the last piece was
	for _, p := range e.parts {
		if p.id != m.unk {
			unknown = false
			e.ids = append(e.ids, p.id)
			continue
		}
		part := text[p.from:p.to]
		if m.Fallback {
			e.ids = m.bytes.append(e.ids, part)
			continue
		}
		for _, r := range strings.ReplaceAll(part, spaceMark, " ") {
			e.unknown = append(e.unknown, r)
		}
		if e.keep && !unknown { // one for a run
			e.ids = append(e.ids, m.unk)
		}
		unknown = true
	}
}

// normalize writes the text as the pieces have it, as Normalizer::Normalize does: the
// rules of the model, one space for a run of them and none at the ends (Squeeze), a
// space before the text or after it (Dummy), spaces as spaceMark (Escape). A visible
// space at the end of the text goes with the others, since it looks like one by then.
func (m *sentencePiece) normalize(dst []byte, s string) []byte {
	space := " "
	if m.Escape {
		space = spaceMark
	}
	if m.Squeeze {
		for s != "" {
			text, size := m.prefix(s)
			if text != " " {
				break
			}
			s = s[size:]
		}
	}
	if s == "" {
		return dst
	}
	if m.Dummy && !m.Suffix {
		dst = append(dst, space...)
	}
	inSpace := m.Squeeze
	for s != "" {
		text, size := m.prefix(s)
		s = s[size:]
		for inSpace && strings.HasPrefix(text, " ") {
			text = text[1:]
		}
		if text == "" {
			continue
		}
		for i := range len(text) {
			if text[i] == ' ' {
				dst = append(dst, space...)
			} else {
				dst = append(dst, text[i])
			}
		}
		inSpace = m.Squeeze && text[len(text)-1] == ' '
	}
	for m.Squeeze && len(dst) >= len(space) && string(dst[len(dst)-len(space):]) == space {
		dst = dst[:len(dst)-len(space)]
	}
	if m.Dummy && m.Suffix {
		dst = append(dst, space...)
	}
	return dst
}

// prefix is what the beginning of s becomes, and its size: a user-defined piece
// stays, then the longest rule counts, then one character.
func (m *sentencePiece) prefix(s string) (text string, size int) {
	if m.own != nil {
		if _, size = m.own.longest(s); size > 0 {
			return s[:size], size
		}
	}
	if m.rules != nil {
		if text, size = m.rules.longest(s); size > 0 {
			return text, size
		}
	}
	_, size = utf8.DecodeRuneInString(s)
	return s[:size], size
}
