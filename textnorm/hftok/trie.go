package hftok

import "slices"

// trie is a double array over bytes (Aoe 1989): the child of node n by byte c is node
// base[n] + c, if that one's parent is n. The root is node 0. A step is one addition
// and one comparison, whatever the number of children; place keeps 257 slots after
// each base, so that no step leaves the array.
type trie struct {
	nodes []trieNode
}

// trieNode is 12 bytes, so that a step touches one cache line.
type trieNode struct {
	base   int32
	parent int32 // -1: free
	value  int32 // -1: no word ends here
}

// newTrie makes a trie of the words, none of which is empty. They are sorted first, so
// that it does not depend on the order of the map.
func newTrie(words map[string]int32) *trie {
	sorted := make([]string, 0, len(words))
	for w := range words {
		sorted = append(sorted, w)
	}
	slices.Sort(sorted)
	b := trieBuilder{words: sorted, values: words, t: &trie{}}
	b.grow(257)
	b.t.nodes[0].parent = 0
	b.free = 1
	b.build(0, 0, len(sorted), 0)
	return b.t
}

// trieBuilder holds the words while the nodes are placed.
type trieBuilder struct {
	t      *trie
	words  []string
	values map[string]int32
	free   int // no slot below this is free, but for a few that were skipped
}

// grow makes sure of n nodes.
func (b *trieBuilder) grow(n int) {
	for len(b.t.nodes) < n {
		b.t.nodes = append(b.t.nodes, trieNode{base: -1, parent: -1, value: -1})
	}
}

// build places the children of a node whose words are words[from:to], which
// share depth bytes. The depth of recursion is the length of the longest word,
// and goroutine stacks hold that of a whole file.
func (b *trieBuilder) build(node int32, from, to, depth int) {
	if from < to && len(b.words[from]) == depth {
		b.t.nodes[node].value = b.values[b.words[from]]
		from++
	}
	if from == to {
		return
	}
	var bytes [256]byte
	var starts [257]int
	n := 0
	for i := from; i < to; {
		c := b.words[i][depth]
		bytes[n], starts[n] = c, i
		n++
		for i < to && b.words[i][depth] == c {
			i++
		}
	}
	starts[n] = to
	base := b.place(bytes[:n])
	b.t.nodes[node].base = base
	for _, c := range bytes[:n] {
		b.t.nodes[base+int32(c)].parent = node
	}
	for i, c := range bytes[:n] {
		b.build(base+int32(c), starts[i], starts[i+1], depth+1)
	}
}

// place finds a base whose slots for all bytes are free. After some tries
// without success in one region the region is given up, so that a large
// vocabulary takes linear time at the price of holes.
func (b *trieBuilder) place(bytes []byte) int32 {
	for b.free < len(b.t.nodes) && b.t.nodes[b.free].parent >= 0 {
		b.free++
	}
	tries := 0
	for slot := b.free; ; slot++ {
		b.grow(slot + 257)
		if b.t.nodes[slot].parent >= 0 {
			continue
		}
		base := slot - int(bytes[0])
		if base > 0 && b.fits(base, bytes) {
			return int32(base)
		}
		if tries++; tries == 64 {
			b.free = slot - 32
		}
	}
}

// fits reports whether the children of one node have room at a base.
func (b *trieBuilder) fits(base int, bytes []byte) bool {
	for _, c := range bytes {
		if b.t.nodes[base+int(c)].parent >= 0 {
			return false
		}
	}
	return true
}

// step is the child of node by c, -1 where there is none.
func (t *trie) step(node int32, c byte) int32 {
	base := t.nodes[node].base
	if base < 0 {
		return -1
	}
	next := base + int32(c)
	if t.nodes[next].parent != node {
		return -1
	}
	return next
}

// longest is the value and size of the longest word that s begins with; the
// size is 0 where none is.
func (t *trie) longest(s string) (value int32, size int) { return t.longestFrom(0, s) }

// longestFrom is longest of the words from a node on; from node -1 there are none.
func (t *trie) longestFrom(node int32, s string) (value int32, size int) {
	for i := 0; i < len(s) && node >= 0; i++ {
		if node = t.step(node, s[i]); node < 0 {
			break
		}
		if v := t.nodes[node].value; v >= 0 {
			value, size = v, i+1
		}
	}
	return value, size
}

// exact is the value of s as a whole word.
func (t *trie) exact(s string) (int32, bool) {
	v, size := t.longest(s)
	return v, size == len(s) && s != ""
}
