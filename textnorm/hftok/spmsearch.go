package hftok

import "unicode/utf8"

// spmBest is the best way to the end of a prefix of the text.
type spmBest struct {
	score float32
	from  int32 // where its last piece begins; -1: no way yet
	id    int32
}

// search finds the pieces with the highest sum of scores. The sums are rounded to
// 32 bits as in the original, which decides between ways that are nearly equal.
func (m *sentencePiece) search(b *spmScratch, s string) {
	if cap(b.best) <= len(s) {
		b.best = make([]spmBest, len(s)+1)
	}
	best := b.best[:len(s)+1]
	for i := range best {
		best[i] = spmBest{from: -1}
	}
	unkScore := m.worst - unkPenalty
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
			if id < 0 || m.Pieces[id].kind == pieceUnused {
				continue
			}
			score := m.Pieces[id].score
			if m.Pieces[id].kind == pieceUserDefined {
				score = float32(float64(float32(end-at)*m.best) - 0.1)
			}
			best[end].take(score+here, at, id)
			single = single || end-at == size
		}
		if !single {
			best[at+size].take(unkScore+here, at, m.unk)
		}
		at += size
	}
	for end := len(s); end > 0; end = int(best[end].from) {
		b.parts = append(b.parts, spmPart{int(best[end].from), end, best[end].id})
	}
	for i, j := 0, len(b.parts)-1; i < j; i, j = i+1, j-1 {
		b.parts[i], b.parts[j] = b.parts[j], b.parts[i]
	}
}

func (b *spmBest) take(score float32, from int, id int32) {
	if b.from < 0 || score > b.score {
		*b = spmBest{score, int32(from), id}
	}
}

// spmSymbol is a part of the text that may still merge with the next one.
type spmSymbol struct {
	from, to   int
	prev, next int32
	rank       int32 // of the piece that it makes with the next one; noRank: none
	frozen     bool  // a user-defined piece merges with nothing
}

// spmMerges is what merging needs. Its heap has rank << 32 | position of a pair,
// so that of equal scores the one further left is the first.
type spmMerges struct {
	symbols []spmSymbol
	heap    []uint64
	parts   map[string][2]string // an unused piece: what it was merged from
}

// merge puts characters together, the piece of the highest score first.
func (m *sentencePiece) merge(b *spmScratch, s string) {
	q := &b.spm
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
		last := len(q.heap) - 1
		q.heap[0] = q.heap[last]
		q.heap = q.heap[:last]
		sink(q.heap, 0)
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
		m.split(b, s, q.symbols[i].from, q.symbols[i].to)
	}
}

// offer enters a symbol and the next one where they are a piece together.
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
// not to be used.
func (m *sentencePiece) split(b *spmScratch, s string, from, to int) {
	piece := s[from:to]
	id, ok := m.reserved[piece]
	if !ok {
		if id, ok = m.pieces[piece]; !ok {
			id = m.unk
		}
	}
	if m.Pieces[id].kind == pieceUnused {
		if parts, ok := b.spm.parts[piece]; ok {
			middle := from + len(parts[0])
			m.split(b, s, from, middle)
			m.split(b, s, middle, to)
			return
		}
		id = m.unk
	}
	b.parts = append(b.parts, spmPart{from, to, id})
}
