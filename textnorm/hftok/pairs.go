package hftok

import "math/bits"

// pairTable finds the merge of two symbols: open addressing over a power of two
// that is at most half full, so that a search ends at a free slot. It is asked twice
// for each merge, and a slot is one quarter of a cache line.
type pairTable struct {
	slots []pairSlot
	shift uint
}

type pairSlot struct {
	left, right int32 // left is -1 in a free slot
	rank, made  int32
}

// newPairTable is empty and has room for n pairs.
func newPairTable(n int) pairTable {
	size := max(4, bits.Len(uint(2*n)))
	t := pairTable{slots: make([]pairSlot, 1<<size), shift: uint(64 - size)}
	for i := range t.slots {
		t.slots[i].left = -1
	}
	return t
}

// slot is where a pair stands or would stand. The factor is 2^64 divided by the
// golden ratio (Knuth's multiplicative hashing); the highest bits of the product are
// the best mixed ones, and shift keeps those.
func (t *pairTable) slot(left, right int32) *pairSlot {
	at := (uint64(uint32(left))<<32 | uint64(uint32(right))) * 0x9E3779B97F4A7C15 >> t.shift
	for {
		s := &t.slots[at]
		if s.left < 0 || s.left == left && s.right == right {
			return s
		}
		at = (at + 1) & uint64(len(t.slots)-1)
	}
}

// put enters a merge; the later one of a pair counts.
func (t *pairTable) put(left, right, rank, made int32) {
	*t.slot(left, right) = pairSlot{left, right, rank, made}
}

// get is the rank of a pair and what it becomes; noRank where it does not merge.
func (t *pairTable) get(left, right int32) (rank, made int32) {
	if s := t.slot(left, right); s.left >= 0 {
		return s.rank, s.made
	}
	return noRank, -1
}
