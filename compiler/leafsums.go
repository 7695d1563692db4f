package compiler

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"

	"voxpack/compiler/clip"
	"voxpack/store"
)

// leafSums remember of each leaf what it was made from: a sum over what the metadata says of
// its rows and over the stamps of their files. A sum stands beside the origin record that
// came of it, so it stays true whatever becomes of the snapshot. They lie in the cache in
// chunks by the upper bits of places, so that an edit writes some kilobytes.
type leafSums struct {
	cache    *store.Cache
	stats    *clip.StatTable
	decoders *clip.Decoders
	seed     store.Digest // of the settings and versions that read the inputs
	kept     bool         // there is nothing in a row that a sum does not cover
	usable   bool         // kept, and what is remembered may be trusted
	taken    []bool       // by leaf of the previous snapshot
	chunks   [sumChunks]sumChunk
}

const sumChunks = 256

// sumChunk is a chunk as the cache has it.
type sumChunk struct {
	once    sync.Once
	encoded []byte
	remains []*remains
	at      map[uint64]int // in encoded, by the beginning of the origin record's digest
}

// leafSum is the sum of a leaf, and what remains of its rows: of each, or of all of them.
type leafSum struct {
	sum     [16]byte
	remains []*remains
}

// leafDone is the sum of a leaf that was worked, made before the fates of its rows go.
type leafDone struct {
	sum   [16]byte
	sound bool // it is one: see leafSums.sum
}

// sumsOf are the sums that a build keeps. Values of a user's own columns come from further
// files, so a dataset that has some goes without.
func sumsOf(o *Options, t *tools, cache *store.Cache) *leafSums {
	s := &leafSums{cache: cache, stats: t.stats, decoders: t.decoders, kept: len(o.Config.Columns) == 0}
	s.seed = store.Sum(fmt.Appendf(nil, "%s %v", o.order(), o.Config.clips().Limits))
	s.usable = s.kept && cache != nil
	return s
}

func chunkOf(l *store.Leaf) int { return int(l.Prefix >> 56) }

// sumKey is a chunk's key in the cache. L1 is the form; another one needs another number.
func sumKey(i int) []byte { return []byte{'L', '1', byte(i)} }

func (t *leafSums) chunk(i int) *sumChunk {
	c := &t.chunks[i]
	c.once.Do(func() {
		if value, ok := t.cache.Get(sumKey(i)); ok && !c.load(value) {
			c.remains, c.at = nil, nil // other bytes than were written: its leaves are read
		}
	})
	return c
}

// packsKey is the key of the packs that held the records of the leaves when a chunk was written
// last, beside the pack of its own build, without which there is no snapshot.
var packsKey = []byte("LP1")

// soundPacks reports whether records in the packs need not be read to know that they are there.
func (t *leafSums) soundPacks(st *store.Store) bool {
	value, ok := t.cache.Get(packsKey)
	return ok && st.Untouched(strings.Fields(string(value)))
}

// of is what is remembered of a leaf.
func (t *leafSums) of(l *store.Leaf) (s leafSum, ok bool) {
	c := t.chunk(chunkOf(l))
	at, ok := c.at[binary.LittleEndian.Uint64(l.Digest[:])]
	if !ok {
		return s, false
	}
	d := sumReader{b: c.encoded[at:]}
	copy(s.sum[:], d.take(len(s.sum)))
	for range d.number() {
		at, rows := d.number(), d.number()
		if at >= len(c.remains) || rows > l.Rows || rows == 0 {
			return s, false
		}
		if s.remains = append(s.remains, c.remains[at]); rows == l.Rows {
			break
		}
		for range rows - 1 {
			s.remains = append(s.remains, c.remains[at])
		}
	}
	return s, !d.short && len(s.remains) > 0 && (len(s.remains) == 1 || len(s.remains) == l.Rows)
}

// load takes in what the cache has, and reports whether it is whole.
func (c *sumChunk) load(value []byte) bool {
	c.encoded, c.at = value, map[uint64]int{}
	d := sumReader{b: value}
	for range min(d.number(), len(value)) {
		r := &remains{language: d.str(), told: d.number() == 1}
		for range min(d.number(), len(d.b)) {
			r.notes = append(r.notes, store.Note{Stage: d.str(), Kind: d.str(), Detail: d.str(), Count: uint32(d.number())})
		}
		c.remains = append(c.remains, r)
	}
	for len(d.b) > 0 && !d.short {
		origin := d.take(8)
		at := len(value) - len(d.b)
		d.take(16)
		for range min(d.number(), len(d.b)) {
			d.number()
			d.number()
		}
		if !d.short {
			c.at[binary.LittleEndian.Uint64(origin)] = at
		}
	}
	return !d.short
}

// save puts the chunks in which a leaf was not taken over.
func (t *leafSums) save(l *layout, prev *previous, packs []string, put func(key, value []byte) error) error {
	if !t.kept {
		return nil
	}
	if err := put(packsKey, []byte(strings.Join(packs, " "))); err != nil {
		return err
	}
	taken := func(k *task) bool { return t.has(k.prev) && prev.Origins[k.prev].Digest == k.origin }
	for from := 0; from < len(l.tasks); {
		i, to, same := chunkOf(&l.tasks[from].leaf), from, true
		for ; to < len(l.tasks) && chunkOf(&l.tasks[to].leaf) == i; to++ {
			same = same && taken(&l.tasks[to])
		}
		if !same {
			if value := t.encode(l, l.tasks[from:to], taken); !bytes.Equal(value, t.chunk(i).encoded) {
				if err := put(sumKey(i), value); err != nil {
					return err
				}
			}
		}
		from = to
	}
	return nil
}

// encode is the chunk of some leaves: the different things that remain of rows, then the leaves.
func (t *leafSums) encode(l *layout, tasks []task, taken func(*task) bool) []byte {
	var leaves, all, buf []byte
	number := map[string]int{}
	for i := range tasks {
		k := &tasks[i]
		rows := l.rowsOf(k)
		sum, ok := t.sumOf(l, k, taken(k), &buf)
		if !ok {
			continue
		}
		leaves = append(append(leaves, k.origin[:8]...), sum[:]...)
		var runs []int // pairs: which, how many
		for _, it := range rows {
			said := it.end().encode()
			at, seen := number[string(said)]
			if !seen {
				at, all = len(number), append(all, said...)
				number[string(said)] = at
			}
			if n := len(runs); n > 0 && runs[n-2] == at {
				runs[n-1]++
			} else {
				runs = append(runs, at, 1)
			}
		}
		leaves = binary.AppendUvarint(leaves, uint64(len(runs)/2))
		for _, v := range runs {
			leaves = binary.AppendUvarint(leaves, uint64(v))
		}
	}
	return append(append(binary.AppendUvarint(nil, uint64(len(number))), all...), leaves...)
}

// sumOf is the sum of a leaf as it is now.
func (t *leafSums) sumOf(l *layout, k *task, taken bool, buf *[]byte) ([16]byte, bool) {
	if k.done != nil {
		return k.done.sum, k.done.sound
	}
	if !taken {
		return t.sum(k.origin, l.rowsOf(k), buf)
	}
	was, ok := t.of(&store.Leaf{Prefix: k.leaf.Prefix, Digest: k.origin, Rows: k.leaf.Rows})
	return was.sum, ok
}

// encode is what remains of a row, as a chunk has it.
func (r remains) encode() []byte {
	str := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	b := str(nil, r.language)
	if r.told {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(r.notes)))
	for _, n := range r.notes {
		b = binary.AppendUvarint(str(str(str(b, n.Stage), n.Kind), n.Detail), uint64(n.Count))
	}
	return b
}

// sumReader reads a chunk. After the first thing that is cut short it gives zeros.
type sumReader struct {
	b     []byte
	short bool
}

func (d *sumReader) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.b, d.short = nil, true
		return make([]byte, max(0, min(n, 16)))
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

func (d *sumReader) number() int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > 1<<40 {
		d.b, d.short = nil, true
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

func (d *sumReader) str() string {
	b := d.take(d.number())
	if d.short {
		return ""
	}
	return string(b)
}
