package hftok

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// bpe is byte-pair encoding as the package tokenizers does it. A piece begins as
// its characters. While two neighbours are a merge of the file, the one of the
// lowest rank is made, and of equal ones the first:
//
//	rank(merge) = its index in "merges"
//	h u g s  --(u g)-->  h ug s  --(h ug)-->  hug s
//
// The result is independent of how the pair is found. Two ways are here: all pairs
// are looked at for a short piece, a heap is kept for a long one (longWord).
//
// "Bytes" of a ByteLevel file are characters by the time that they come here; see
// byteRunes. "dropout" is refused: it makes ids random.
type bpe struct {
	vocab          map[string]int32
	tokens         []string
	near           [nearRunes]int32 // id of a character's token, -1 for none
	far            map[rune]int32
	prefix, suffix string // of symbols after the first one; of the last one
	bytes          byteIDs
	fallback       bool // bytes for what is unknown
	unk            int32
	fuse           bool // one unk for a run
	whole          bool // a piece that is a token is that token
	pairs          pairTable
	mark           string // where pieces may be cut, "" for nowhere; see findMark
}

type bpeJSON struct {
	Type     string           `json:"type"`
	Dropout  *float64         `json:"dropout"`
	Unk      *string          `json:"unk_token"`
	Prefix   *string          `json:"continuing_subword_prefix"`
	Suffix   *string          `json:"end_of_word_suffix"`
	Fuse     bool             `json:"fuse_unk"`
	Fallback bool             `json:"byte_fallback"`
	Whole    bool             `json:"ignore_merges"`
	Vocab    map[string]int32 `json:"vocab"`
	Merges   []mergeJSON      `json:"merges"`
}

// mergeJSON is "a b", or ["a", "b"] in newer files.
type mergeJSON [2]string

// UnmarshalJSON reads both. The older form cannot have a space in a token; an error
// shows what is there.
func (m *mergeJSON) UnmarshalJSON(src []byte) error {
	var pair []string
	var text string
	var err error
	if src[0] == '[' {
		err = json.Unmarshal(src, &pair)
	} else if err = json.Unmarshal(src, &text); err == nil {
		pair = strings.Split(text, " ")
	}
	if err == nil && len(pair) != 2 {
		err = fmt.Errorf("merges: %s is not a pair", src)
	}
	if err == nil {
		*m = mergeJSON(pair)
	}
	return err
}

// readBPE reads a model of type BPE. The second result is what the canonical file
// holds: the same model without dropout, which is null or 0 here.
func readBPE(raw json.RawMessage) (model, any, error) {
	var c bpeJSON
	if err := settings(raw, "model", &c); err != nil {
		return nil, nil, err
	}
	if c.Dropout != nil && *c.Dropout != 0 {
		return nil, nil, fmt.Errorf("model: dropout %g makes ids random; set it to null", *c.Dropout)
	}
	c.Type, c.Dropout = "BPE", nil
	m := &bpe{vocab: c.Vocab, fallback: c.Fallback, fuse: c.Fuse, whole: c.Whole, far: map[rune]int32{}}
	var err error
	if m.tokens, m.unk, err = inOrder(c.Vocab, c.Unk); err != nil {
		return nil, nil, err
	}
	if c.Prefix != nil {
		m.prefix = *c.Prefix
	}
	if c.Suffix != nil {
		m.suffix = *c.Suffix
	}
	for i := range m.near {
		m.near[i] = -1
	}
	for token, id := range m.vocab {
		if r, size := utf8.DecodeRuneInString(token); size == len(token) && size > 0 {
			if r < nearRunes {
				m.near[r] = id
			} else {
				m.far[r] = id
			}
		}
	}
	m.bytes = findBytes(inMap(m.vocab))
	if err := m.addMerges(c.Merges); err != nil {
		return nil, nil, err
	}
	m.findMark(c.Merges)
	return m, c, nil
}

// addMerges enters the merges with their ranks. What a merge makes is its two tokens
// without the second one's continuing_subword_prefix: "a" and "##b" make "ab". An
// error names the merge by its index.
func (m *bpe) addMerges(merges []mergeJSON) error {
	m.pairs = newPairTable(len(merges))
	for rank, pair := range merges {
		var ids [2]int32
		for i, token := range pair {
			id, ok := m.vocab[token]
			if !ok {
				return fmt.Errorf("model: merges[%d]: %q is not in vocab", rank, token)
			}
			ids[i] = id
		}
		if len(pair[1]) < len(m.prefix) {
			return fmt.Errorf("model: merges[%d]: %q is shorter than continuing_subword_prefix", rank, pair[1])
		}
		merged := pair[0] + pair[1][len(m.prefix):]
		id, ok := m.vocab[merged]
		if !ok {
			return fmt.Errorf("model: merges[%d]: %q, which it makes, is not in vocab", rank, merged)
		}
		m.pairs.put(ids[0], ids[1], int32(rank), id)
	}
	return nil
}

// findMark finds out whether no merge reaches over the beginning of a word,
// where words begin with sentencepiece's visible space. A long piece may then
// be cut there without another result, and its words can be remembered.
//
// Files of the LLaMA family have no pre-tokenizer, so that a whole line is one
// piece; without the cut the memory of an encoder would hold no word of it. The
// visible spaces that a pair begins with do not count: "▁▁" is a token of many
// files, and runs of them are not cut (wordEnd). A prefix, a suffix and
// ignore_merges depend on the whole piece, and rule the cut out.
func (m *bpe) findMark(merges []mergeJSON) {
	const mark = "\u2581"
	if _, ok := m.vocab[mark]; !ok || m.prefix != "" || m.suffix != "" || m.whole {
		return
	}
	for _, pair := range merges {
		if strings.Contains(strings.TrimLeft(pair[0]+pair[1], mark), mark) {
			return
		}
	}
	m.mark = mark
}

func (m *bpe) vocabulary() vocabulary { return vocabulary{m.tokens, inMap(m.vocab), len(m.vocab)} }

// bpeScratch holds the symbols of a piece. prev, next and heap are for long ones.
type bpeScratch struct {
	ids     []int32
	symbols []symbol
	prev    []int32
	next    []int32
	heap    []uint64 // rank << 32 | position: the least one is the next merge
}

// symbol is one of a piece, with what it becomes with the next one: rank is noRank and
// made is -1 where the two do not merge.
type symbol struct{ id, rank, made int32 }

func (m *bpe) encode(e *encoder, s string) {
	end := len(s)
	if m.mark != "" {
		end = wordEnd(s, m.mark)
	}
	if end == len(s) {
		m.encodeWhole(e, s)
		return
	}
	for len(s) > 0 {
		e.piece(s[:end]) // comes back here with one word
		if s = s[end:]; s != "" {
			end = wordEnd(s, m.mark)
		}
	}
}

// wordEnd is where the second word of s begins: after the run of marks that s begins
// with, at the next mark. It is the size of s where there is one word.
func wordEnd(s, mark string) int {
	at := 0
	for strings.HasPrefix(s[at:], mark) {
		at += len(mark)
	}
	if next := strings.Index(s[at:], mark); next >= 0 {
		return at + next
	}
	return len(s)
}

// encodeWhole encodes a piece that is not cut further. With ignore_merges a piece
// that is a token is that one, whether or not merges lead to it. Unks go through the
// merges as every symbol does, and are left out at the end where they are not kept.
func (m *bpe) encodeWhole(e *encoder, s string) {
	if m.whole {
		if id, ok := m.vocab[s]; ok {
			e.ids = append(e.ids, id)
			return
		}
	}
	b := &e.bpe
	b.ids = b.ids[:0]
	m.symbols(e, s)
	m.merge(b)
	for _, id := range b.ids {
		if id != m.unk || e.keep {
			e.ids = append(e.ids, id)
		}
	}
}

// symbols makes the symbols of s: its characters, bytes or unks. An unk waits
// until a character is known, as in the original, so that it comes after the bytes
// of characters that were unknown after it. A character becomes bytes only where all
// of its bytes have a token.
func (m *bpe) symbols(e *encoder, s string) {
	b := &e.bpe
	waiting := false
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		id, symbol := m.symbol(s, i, r, size)
		if id >= 0 {
			if waiting {
				b.ids, waiting = append(b.ids, m.unk), false
			}
			b.ids = append(b.ids, id)
			continue
		}
		if m.fallback && m.bytes.have(symbol) {
			b.ids = m.bytes.append(b.ids, symbol)
			continue
		}
		e.unknown = append(e.unknown, r)
		if waiting && !m.fuse {
			b.ids = append(b.ids, m.unk)
		}
		waiting = m.unk >= 0
	}
	if waiting {
		b.ids = append(b.ids, m.unk)
	}
}

// symbol is the id of the character r at s[i:], of size bytes, -1 for none, and its
// text with the prefix or the suffix that it has at this place.
func (m *bpe) symbol(s string, i int, r rune, size int) (int32, string) {
	text := s[i : i+size]
	if m.prefix == "" && m.suffix == "" {
		if r < nearRunes {
			return m.near[r], text
		}
		if id, ok := m.far[r]; ok {
			return id, text
		}
		return -1, text
	}
	if i > 0 {
		text = m.prefix + text
	}
	if i+size == len(s) {
		text += m.suffix
	}
	if id, ok := m.vocab[text]; ok {
		return id, text
	}
	return -1, text
}

// noRank is the rank of a pair that does not merge.
const noRank = math.MaxInt32

// longWord is the number of symbols from which a heap beats looking at all pairs
// for each merge: n merges of n looks against n merges of log n steps each, with
// more memory to touch. Words of texts are far below it.
const longWord = 40

// merge makes the merges of b.ids, in place. A symbol knows the rank of the pair
// that it begins, so that a merge asks the table twice: for the new symbol with the
// next one, and for the one before it with the new symbol.
func (m *bpe) merge(b *bpeScratch) {
	n := len(b.ids)
	if n < 2 {
		return
	}
	s := b.symbols[:0]
	for _, id := range b.ids {
		s = append(s, symbol{id, noRank, -1})
	}
	b.symbols = s
	for i := range n - 1 {
		s[i].rank, s[i].made = m.pairs.get(s[i].id, s[i+1].id)
	}
	if n > longWord {
		m.mergeLong(b)
		return
	}
	for {
		best, at := int32(noRank), 0
		for i := range s {
			if s[i].rank < best {
				best, at = s[i].rank, i
			}
		}
		if best == noRank {
			break
		}
		s[at] = symbol{s[at].made, noRank, -1}
		s = append(s[:at+1], s[at+2:]...)
		if at+1 < len(s) {
			s[at].rank, s[at].made = m.pairs.get(s[at].id, s[at+1].id)
		}
		if at > 0 {
			s[at-1].rank, s[at-1].made = m.pairs.get(s[at-1].id, s[at].id)
		}
	}
	b.ids = b.ids[:len(s)]
	for i := range s {
		b.ids[i] = s[i].id
	}
}

// mergeLong does the same with a list and a heap, in n log n. An entry of the heap
// is not removed when its pair is gone: it is out of date, and skipped, when its
// rank is no more that of the symbol at its position.
func (m *bpe) mergeLong(b *bpeScratch) {
	s := b.symbols
	n := len(s)
	b.prev, b.next, b.heap = b.prev[:0], b.next[:0], b.heap[:0]
	for i := range n {
		b.prev, b.next = append(b.prev, int32(i-1)), append(b.next, int32(i+1))
		if s[i].rank != noRank {
			b.heap = append(b.heap, uint64(s[i].rank)<<32|uint64(i))
		}
	}
	for i := len(b.heap)/2 - 1; i >= 0; i-- {
		sink(b.heap, i)
	}
	look := func(i int32) {
		s[i].rank, s[i].made = noRank, -1
		if j := b.next[i]; int(j) < n {
			s[i].rank, s[i].made = m.pairs.get(s[i].id, s[j].id)
		}
		if s[i].rank != noRank {
			b.heap = rise(append(b.heap, uint64(s[i].rank)<<32|uint64(i)))
		}
	}
	for len(b.heap) > 0 {
		top := b.heap[0]
		b.heap = pop(b.heap)
		at := int32(uint32(top))
		if s[at].rank != int32(top>>32) {
			continue // another merge was first
		}
		gone := b.next[at]
		s[at].id, s[gone].rank = s[at].made, noRank
		b.next[at] = b.next[gone]
		if int(b.next[at]) < n {
			b.prev[b.next[at]] = at
		}
		look(at)
		if before := b.prev[at]; before >= 0 {
			look(before)
		}
	}
	b.ids = b.ids[:0]
	for i := 0; i < n; i = int(b.next[i]) {
		b.ids = append(b.ids, s[i].id)
	}
}

// pop takes the least key, heap[0], out of a heap.
func pop(heap []uint64) []uint64 {
	last := len(heap) - 1
	heap[0] = heap[last]
	sink(heap[:last], 0)
	return heap[:last]
}

// sink moves heap[i] down until neither child is less.
func sink(heap []uint64, i int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if heap[i] <= heap[child] {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// rise moves the last key, which was just appended, up to its place.
func rise(heap []uint64) []uint64 {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if heap[parent] <= heap[i] {
			break
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
	return heap
}
