package store

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"github.com/cespare/xxhash/v2"
)

// Place is where an id stands in the trie: xxhash64 of its raw bytes.
func Place(id string) uint64 { return xxhash.Sum64String(id) }

// maxDepth is where equal places stop splitting; only a leaf there may hold
// more than K rows.
const maxDepth = 64

// Leaf is one leaf of a trie: the rows whose place begins with the Depth upper
// bits of Prefix.
type Leaf struct {
	Prefix uint64 // the other bits are zero
	Depth  int
	Rows   int
	Digest Digest // of the shard's or origin's record
}

// Last is the last place that the leaf covers.
func (l Leaf) Last() uint64 { return l.Prefix | lowBits(l.Depth) }

// Less orders ids by (place, id), the order of rows inside a shard.
func Less(placeA uint64, a string, placeB uint64, b string) bool {
	if placeA != placeB {
		return placeA < placeB
	}
	return a < b
}

// Split cuts rows, given by their sorted places, into leaves of at most k.
// It depends on the set of places alone, never on history. Empty leaves are
// left out; a leaf's rows are places[from:from+Rows] in the order of leaves.
func Split(places []uint64, k int) []Leaf { return SplitBelow(places, k, 0) }

// SplitBelow is Split without leaves above a depth: what a part of a trie that is split there
// anyway looks like, when the rows of the other parts are not known.
func SplitBelow(places []uint64, k, least int) []Leaf {
	var leaves []Leaf
	var cut func(rows []uint64, prefix uint64, depth int)
	cut = func(rows []uint64, prefix uint64, depth int) {
		if len(rows) == 0 {
			return
		}
		if len(rows) <= k && depth >= least || depth == maxDepth {
			leaves = append(leaves, Leaf{Prefix: prefix, Depth: depth, Rows: len(rows)})
			return
		}
		bit := uint64(1) << (63 - depth)
		middle := sort.Search(len(rows), func(i int) bool { return rows[i]&bit != 0 })
		cut(rows[:middle], prefix, depth+1)
		cut(rows[middle:], prefix|bit, depth+1)
	}
	cut(places, 0, 0)
	return leaves
}

// Pages hold the trie as a Merkle tree with one page for every pageBits bits of
// place, so that an edit rewrites one short page for each level and equal pages
// need not be read to know that they are equal. 6 bits: a page of a full level
// has 64 entries of 46 bytes, and 13,100 rows (1,168 leaves) make two levels.
const pageBits = 6

const pageMagic = "VXP1"

// pageEntry is a leaf, or, with child set, a page of the next level.
type pageEntry struct {
	Leaf
	child bool
}

// WriteTrie stores leaves, which are in the order of their prefixes, as pages
// through put and returns the digest of the first page.
func WriteTrie(leaves []Leaf, put func(page []byte) (Digest, error)) (Digest, error) {
	return writePage(leaves, 0, put)
}

// writePage stores the page of the leaves that share their first depth bits. Leaves that end within the
// next pageBits bits stand in it themselves; deeper ones are grouped by those bits, and each group becomes
// a page of its own, which is stored first because its digest stands here.
func writePage(leaves []Leaf, depth int, put func([]byte) (Digest, error)) (Digest, error) {
	below := depth + pageBits
	var entries []pageEntry
	for i := 0; i < len(leaves); {
		if leaves[i].Depth <= below {
			entries = append(entries, pageEntry{Leaf: leaves[i]})
			i++
			continue
		}
		prefix := leaves[i].Prefix &^ (^uint64(0) >> below)
		child := pageEntry{Leaf: Leaf{Prefix: prefix, Depth: below}, child: true}
		from := i
		for i < len(leaves) && leaves[i].Prefix&^(^uint64(0)>>below) == prefix {
			child.Rows += leaves[i].Rows
			i++
		}
		var err error
		if child.Digest, err = writePage(leaves[from:i], below, put); err != nil {
			return Digest{}, err
		}
		entries = append(entries, child)
	}
	return put(encodePage(depth, entries))
}

// ReadTrie returns all leaves below a page, in the order of their prefixes.
// get fetches a page by digest; it answers for the page's integrity.
func ReadTrie(root Digest, get func(Digest) ([]byte, error)) ([]Leaf, error) {
	var leaves []Leaf
	err := walkPages(root, 0, 0, get, func(Digest) bool { return true }, func(l Leaf) error { leaves = append(leaves, l); return nil })
	return leaves, err
}

// readLeafAt returns the leaf below a first page that covers a place, alone, or none: a page of each level is read.
func readLeafAt(at Digest, place uint64, get func(Digest) ([]byte, error)) ([]Leaf, error) {
	var prefix uint64
	for depth := 0; ; {
		b, err := get(at)
		if err != nil {
			return nil, fmt.Errorf("trie page %s: %w", at.Short(), err)
		}
		entries, err := decodePage(b, prefix, depth)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(entries, func(e pageEntry) bool { return commonBits(e.Prefix, place) >= e.Depth })
		if i < 0 {
			return nil, nil
		}
		if !entries[i].child {
			return []Leaf{entries[i].Leaf}, nil
		}
		at, prefix, depth = entries[i].Digest, entries[i].Prefix, entries[i].Depth
	}
}

// walkPages calls page for the page at and every page below it (it returns false to
// leave a page and all below it out) and leaf for every leaf; the first error ends it.
// The page is of that prefix and depth: of a first page both are 0.
func walkPages(at Digest, prefix uint64, depth int, get func(Digest) ([]byte, error), page func(Digest) bool, leaf func(Leaf) error) error {
	if !page(at) {
		return nil
	}
	b, err := get(at)
	if err != nil {
		return fmt.Errorf("trie page %s: %w", at.Short(), err)
	}
	entries, err := decodePage(b, prefix, depth)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.child {
			err = walkPages(entry.Digest, entry.Prefix, entry.Depth, get, page, leaf)
		} else {
			err = leaf(entry.Leaf)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decodePage reads a page and checks that its entries lie inside its prefix, in
// order and without overlap, so that a damaged page cannot loop or lie.
func decodePage(b []byte, prefix uint64, depth int) ([]pageEntry, error) {
	d := newDecoder("trie page", pageMagic, b)
	if got := int(d.u8()); got != depth {
		d.fail("is of depth %d, want %d", got, depth)
	}
	n := d.count(46) // flag 1, depth 1, prefix 8, rows 4, digest 32
	entries := make([]pageEntry, 0, n)
	next, full := prefix, false // the least prefix that may follow; full: an entry ended at the last place of all
	for range n {
		e := pageEntry{child: d.u8() != 0}
		e.Depth, e.Prefix, e.Rows = int(d.u8()), d.u64(), int(d.u32())
		e.Digest = d.name()
		if d.err != nil {
			return nil, d.err
		}
		outside := e.Depth < depth || e.Depth > min(depth+pageBits, maxDepth) || (e.child && e.Depth != depth+pageBits)
		if outside || full || e.Prefix < next || commonBits(e.Prefix, prefix) < depth || e.Prefix&lowBits(e.Depth) != 0 {
			d.fail("has an entry out of place")
			return nil, d.err
		}
		last := e.Last()
		next, full = last+1, last == ^uint64(0)
		entries = append(entries, e)
	}
	return entries, d.end()
}

// lowBits has the bits set that a prefix of depth bits leaves open.
func lowBits(depth int) uint64 {
	if depth >= 64 {
		return 0
	}
	return ^uint64(0) >> depth
}

// commonBits is how many upper bits two places share.
func commonBits(a, b uint64) int { return bits.LeadingZeros64(a ^ b) }

// FindLeaf is the index of the leaf that holds a place, -1 where there is none. leaves are in the order of
// their prefixes and do not overlap, so only the last one that begins at or before the place can hold it.
func FindLeaf(leaves []Leaf, place uint64) int {
	i := sort.Search(len(leaves), func(i int) bool { return leaves[i].Prefix > place }) - 1
	if i < 0 || commonBits(leaves[i].Prefix, place) < leaves[i].Depth {
		return -1
	}
	return i
}
