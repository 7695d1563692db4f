package store

import (
	"fmt"
	"slices"
)

// JoinTries makes one trie of several whose leaves lie one after the other, in the order
// of their first pages. Pages below which there are leaves of one of them alone are taken as they are,
// so it reads and writes the pages along the seams: for parts of some thousand leaves, a few each.
// Leaves that overlap: ErrDamaged.
func JoinTries(tries []Digest, get func(Digest) ([]byte, error), put func(page []byte) (Digest, error)) (Digest, error) {
	return joinPages(tries, 0, 0, get, put)
}

// joinPages joins pages of one prefix and depth.
func joinPages(pages []Digest, prefix uint64, depth int, get func(Digest) ([]byte, error), put func([]byte) (Digest, error)) (Digest, error) {
	var all []pageEntry
	for _, at := range pages {
		b, err := get(at)
		if err != nil {
			return Digest{}, fmt.Errorf("trie page %s: %w", at.Short(), err)
		}
		entries, err := decodePage(b, prefix, depth)
		if err != nil {
			return Digest{}, err
		}
		all = append(all, entries...)
	}
	joined := all[:0:0]
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].child && all[0].child && all[n].Prefix == all[0].Prefix {
			n++
		}
		same := all[:n]
		all = all[n:]
		entry := same[0]
		if n > 1 {
			below := make([]Digest, n)
			for i, e := range same {
				below[i] = e.Digest
			}
			var err error
			if entry.Digest, err = joinPages(below, entry.Prefix, entry.Depth, get, put); err != nil {
				return Digest{}, err
			}
			entry.Rows = sumRows(same)
		}
		joined = append(joined, entry)
	}
	b := encodePage(depth, joined)
	if _, err := decodePage(b, prefix, depth); err != nil {
		return Digest{}, fmt.Errorf("the parts overlap: %w", err)
	}
	return put(b)
}

func sumRows(entries []pageEntry) (rows int) {
	for _, e := range entries {
		rows += e.Rows
	}
	return rows
}

// RowsByPrefix counts the rows below each prefix of so many bits. No leaf may lie above them, as
// in a trie of SplitBelow.
func RowsByPrefix(trie Digest, bits int, get func(Digest) ([]byte, error)) (rows map[uint64]int, err error) {
	rows = map[uint64]int{}
	var walk func(at Digest, prefix uint64, depth int) error
	walk = func(at Digest, prefix uint64, depth int) error {
		b, err := get(at)
		if err != nil {
			return fmt.Errorf("trie page %s: %w", at.Short(), err)
		}
		entries, err := decodePage(b, prefix, depth)
		if err != nil {
			return err
		}
		for _, e := range entries {
			switch {
			case e.child && e.Depth < bits:
				err = walk(e.Digest, e.Prefix, e.Depth)
			case e.Depth < bits:
				err = fmt.Errorf("a leaf of depth %d lies above prefixes of %d bits: %w", e.Depth, bits, ErrDamaged)
			default:
				rows[e.Prefix&^lowBits(bits)] += e.Rows
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return rows, walk(trie, 0, 0)
}

// encodePage is the bytes of a page.
func encodePage(depth int, entries []pageEntry) []byte {
	e := newEncoder(pageMagic)
	e.u8(uint8(depth))
	e.u32(uint32(len(entries)))
	for _, entry := range entries {
		e.u8(flag(entry.child))
		e.u8(uint8(entry.Depth))
		e.u64(entry.Prefix)
		e.u32(uint32(entry.Rows))
		e.name(entry.Digest)
	}
	return slices.Clip(e.buf)
}
