package hftok

import "unicode/utf8"

// spmSymbol is text[from:to], which may still merge with the next one. Symbols are a
// list by prev and next, -1 at its ends; one that was merged into the symbol before it
// is in no list any more.
type spmSymbol struct {
	from, to   int
	prev, next int32
	rank       int32 // of the piece that it makes with the next one; noRank: none
	frozen     bool  // a user-defined piece merges with nothing
}

// spmMerges is what merging needs. Its heap has rank << 32 | position of a pair,
// so that of equal scores the one further left is the first. Positions are those of
// symbols and not of bytes; both give the same order.
type spmMerges struct {
	text    []byte // as the pieces have it
	symbols []spmSymbol
	heap    []uint64
	parts   map[string][2]string // an unused piece: what it was merged from
}

// merge puts characters together, the piece of the highest score first. It is the loop
// of bpe.mergeLong, but a pair merges where its text is a piece, whatever two pieces it
// is made of; user-defined pieces are frozen; and unused ones are split at the end.
func (m *sentencePiece) merge(e *encoder, s string) {
	q := &e.spm
	q.symbols, q.heap = q.symbols[:0], q.heap[:0]
	clear(q.parts)
	for at := 0; at < len(s); {
		_, size := utf8.DecodeRuneInString(s[at:])
		frozen := false
		if m.own != nil {
			if _, n := m.own.longest(s[at:]); n > 0 {
				size, frozen = n, true
			}
		}
		n := int32(len(q.symbols))
		q.symbols = append(q.symbols, spmSymbol{at, at + size, n - 1, n + 1, noRank, frozen})
		at += size
	}
	q.symbols[len(q.symbols)-1].next = -1
	if m.Algorithm == "bpe" {
		for i := range q.symbols {
			m.offer(q, s, int32(i))
		}
	}
	for len(q.heap) > 0 {
		top := q.heap[0]
		q.heap = pop(q.heap)
		left := int32(uint32(top))
		if l := &q.symbols[left]; l.rank == int32(top>>32) { // else another merge was first
			r := &q.symbols[l.next]
			l.to, l.next, r.rank = r.to, r.next, noRank
			if l.next >= 0 {
				q.symbols[l.next].prev = left
			}
			m.offer(q, s, l.prev)
			m.offer(q, s, left)
		}
	}
	for i := int32(0); i >= 0; i = q.symbols[i].next {
		m.split(e, s, q.symbols[i].from, q.symbols[i].to)
	}
}

// offer enters a symbol and the next one where they are a piece together. It notes of
// which two parts an unused piece was made last; the original keeps one such note for a
// piece as well, and not one for each place.
func (m *sentencePiece) offer(q *spmMerges, s string, left int32) {
	if left < 0 {
		return
	}
	l := &q.symbols[left]
	l.rank = noRank
	if l.next < 0 || l.frozen || q.symbols[l.next].frozen {
		return
	}
	r := &q.symbols[l.next]
	piece := s[l.from:r.to]
	id, ok := m.pieces[piece]
	if !ok {
		return
	}
	l.rank = m.ranks[id]
	q.heap = rise(append(q.heap, uint64(l.rank)<<32|uint64(left)))
	if m.Pieces[id].kind == pieceUnused {
		if q.parts == nil {
			q.parts = map[string][2]string{}
		}
		q.parts[piece] = [2]string{s[l.from:l.to], s[r.from:r.to]}
	}
}

// split writes a symbol, in the parts that it was merged from where its piece is
// not to be used. Parts are shorter than what they make up, so that the recursion
// ends. A reserved piece is one here: the original looks a symbol up by its text.
func (m *sentencePiece) split(e *encoder, s string, from, to int) {
	piece := s[from:to]
	id, ok := m.reserved[piece]
	if !ok {
		if id, ok = m.pieces[piece]; !ok {
			id = m.unk
		}
	}
	if m.Pieces[id].kind == pieceUnused {
		if parts, ok := e.spm.parts[piece]; ok {
			middle := from + len(parts[0])
			m.split(e, s, from, middle)
			m.split(e, s, middle, to)
			return
		}
		id = m.unk
	}
	e.parts = append(e.parts, part{int32(from), int32(to), id})
}
