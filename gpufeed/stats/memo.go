package stats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/store"
)

// MemoName is the folder of a store that holds memos. It is no part of any dataset,
// and may be deleted at any time.
const MemoName = "stats"

const (
	memoMagic       = "voxpack stats\n"
	temporaryPrefix = ".tmp-"
	// memoVersion is raised when the bytes of a memo, or what they say, change.
	memoVersion = 1
)

// memo is what is remembered of a group: the sums of all of its rows, under the
// digest of its leaves, and those of each leaf under its own. Whatever is wrong
// with it, it is made anew.
type memo struct {
	recipe store.Digest
	group  store.Digest
	whole  []byte // a part
	leaves map[store.Digest][]byte
	fresh  int // leaves that were computed for it
}

// encode is the bytes of a memo: magic, recipe, group, the part of the group, and for
// each leaf its digest and its part, parts with their length before them; then the
// checksum of it all.
func (m *memo) encode() []byte {
	b := append([]byte(memoMagic), m.recipe[:]...)
	b = append(b, m.group[:]...)
	b = blob(b, m.whole)
	for _, leaf := range slices.SortedFunc(maps.Keys(m.leaves), func(a, b store.Digest) int { return bytes.Compare(a[:], b[:]) }) {
		b = blob(append(b, leaf[:]...), m.leaves[leaf])
	}
	return binary.LittleEndian.AppendUint64(b, store.Checksum(b))
}

func blob(b, content []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(content))), content...)
}

// decodeMemo reads a memo of a recipe; of another recipe, or damaged, it is empty.
func decodeMemo(b []byte, recipe store.Digest) *memo {
	m := &memo{recipe: recipe, leaves: map[store.Digest][]byte{}}
	head := len(memoMagic) + 2*len(recipe)
	end := len(b) - 8
	if end < head || string(b[:len(memoMagic)]) != memoMagic || store.Checksum(b[:end]) != binary.LittleEndian.Uint64(b[end:]) {
		return m
	}
	read := &memo{recipe: recipe, leaves: map[store.Digest][]byte{}}
	copy(read.group[:], b[head-len(recipe):])
	if !bytes.Equal(b[len(memoMagic):head-len(recipe)], recipe[:]) {
		return m
	}
	var ok bool
	if read.whole, b, ok = cutBlob(b[head:end]); !ok {
		return m
	}
	for len(b) > 0 {
		var leaf store.Digest
		if len(b) < len(leaf) {
			return m
		}
		copy(leaf[:], b)
		if read.leaves[leaf], b, ok = cutBlob(b[len(leaf):]); !ok {
			return m
		}
	}
	return read
}

func cutBlob(b []byte) (content, rest []byte, ok bool) {
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return nil, nil, false
	}
	b = b[used:]
	return b[:n:n], b[n:], true
}

// readMemo reads a group's memo; none, or one that cannot be read, is empty.
func readMemo(dir, name string, recipe store.Digest) *memo {
	b, _ := os.ReadFile(filepath.Join(dir, name))
	return decodeMemo(b, recipe)
}

// write puts the memo into its place, whole or not at all. It is not sent to the
// disk: a checksum tells what a crash has left of it.
func (m *memo) write(dir, name string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	// Not os.CreateTemp: others of a group read what one of them has computed, and what
	// a killed process leaves is removed by the next one. Of two that write at the same time
	// one may take away what the other has, which the checksum or a missing file tells.
	temporary := filepath.Join(dir, temporaryPrefix+name)
	_ = os.Remove(temporary)
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // after the rename there is none
	_, err = f.Write(m.encode())
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// tidy removes the memos, and what was to become one, of groups that the dataset does not have.
func tidy(dir string, groups []group) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if !slices.ContainsFunc(groups, func(g group) bool { return g.name() == strings.TrimPrefix(e.Name(), temporaryPrefix) }) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // the next one tries again
		}
	}
}

// encode is the bytes of a part: by column its bands, and the speakers that have
// values: how many, and of each the number and the sum.
func (p part) encode() []byte {
	var b []byte
	for i := range p {
		for band := range p[i].bands {
			b = p[i].bands[band].encode(b)
		}
		b = binary.AppendUvarint(b, uint64(len(p[i].speakers)))
		for _, number := range slices.Sorted(maps.Keys(p[i].speakers)) {
			b = p[i].speakers[number].encode(binary.AppendVarint(b, int64(number)))
		}
	}
	return b
}

// addCoded adds the rows of an encoded part; false where the bytes are none, and then
// nothing is added.
func (p part) addCoded(b []byte, columns []column) bool {
	read := newPart(columns)
	ok := true
	for i := range read {
		for band := range read[i].bands {
			if b, ok = read[i].bands[band].decode(b); !ok {
				return false
			}
		}
		n, used := binary.Uvarint(b)
		if used <= 0 || n > uint64(len(b)) {
			return false
		}
		for b = b[used:]; n > 0; n-- {
			number, used := binary.Varint(b)
			if used <= 0 || number != int64(int32(number)) {
				return false
			}
			if b, ok = read[i].of(int32(number)).decode(b[used:]); !ok {
				return false
			}
		}
	}
	if len(b) > 0 {
		return false
	}
	p.add(read)
	return true
}

// group is the leaves of a dataset that share a page of the trie.
type group struct {
	prefix uint64
	depth  int
	leaves []int
}

// groupBits is how many bits of place a group's leaves differ in at most: an edit
// writes the memo of one group, of some 20 leaves in a full trie.
const groupBits = 6

func (g group) name() string { return fmt.Sprintf("%02d-%016x", g.depth, g.prefix) }

// groupsOf puts leaves into groups, in the order of their first leaves.
func groupsOf(leaves []store.Leaf) []group {
	type place struct {
		prefix uint64
		depth  int
	}
	at := map[place]int{}
	var list []group
	for i, l := range leaves {
		p := place{depth: max(0, l.Depth-1) / groupBits * groupBits}
		p.prefix = l.Prefix &^ (^uint64(0) >> p.depth)
		n, ok := at[p]
		if !ok {
			n = len(list)
			at[p] = n
			list = append(list, group{prefix: p.prefix, depth: p.depth})
		}
		list[n].leaves = append(list[n].leaves, i)
	}
	return list
}

// digest names the leaves of a group.
func (g group) digest(leaves []store.Leaf) store.Digest {
	b := make([]byte, 0, len(g.leaves)*len(store.Digest{}))
	for _, i := range g.leaves {
		b = append(b, leaves[i].Digest[:]...)
	}
	return store.Sum(b)
}
