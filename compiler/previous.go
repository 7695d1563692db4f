package compiler

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sort"
	"sync"

	"voxpack/compiler/action"
	"voxpack/store"
)

// previous is the snapshot that the build starts from, nil-safe: a first build
// has none.
type previous struct {
	*store.Dataset
	rejects []store.Rejection

	keys   [][]rowAt // for each block column: every row's key, sorted on first use
	sorted []sync.Once
	order  action.KeyOrder // from the snapshot's stages to this version's
	width  int             // keys of a row

	mu    sync.Mutex
	cache map[int]*store.Shard // records of leaves lately read
}

// rowAt is where a key occurs; 16 bytes a row.
type rowAt struct {
	key  uint64 // first 8 bytes; the whole key is compared in the origin record
	leaf int32
	row  int32
}

// openPrevious reads the records of a snapshot; its rows get as many keys as the build's have.
func openPrevious(ctx context.Context, st *store.Store, digest store.Digest, width int) (*previous, error) {
	p := &previous{width: width, cache: map[int]*store.Shard{}}
	var err error
	if p.Dataset, err = st.DatasetOf(digest); err != nil {
		return nil, err
	}
	if p.rejects, err = st.ReadRejectionsUntil(ctx, p.Snapshot); err != nil {
		return nil, err
	}
	p.order = action.NewKeyOrder(p.Root, width)
	blocks := p.Root.Schema.Blocks()
	p.keys = make([][]rowAt, len(blocks))
	p.sorted = make([]sync.Once, len(blocks))
	return p, nil
}

// join tells every item, which are sorted by (place, id), what the snapshot
// knows of its id, and indexes the keys of all rows.
// Of several rejections of an id the first counts, and a kept row before them. Each
// call fills its own leaf's stretch of keys, and an item belongs to one leaf: no lock.
func (p *previous) join(ctx context.Context, items []item, workers int) error {
	for i := range p.rejects {
		if i%pollRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r := &p.rejects[i]
		p.order.Renumber(&r.Row)
		if it := findItem(items, r.ID); it != nil && it.known == nil {
			it.known = &known{row: &r.Row, leaf: -1, refusals: r.Refusals}
		}
	}
	from := make([]int, len(p.Origins)) // where a leaf's rows stand among all
	rows := 0
	for leaf, o := range p.Origins {
		from[leaf] = rows
		rows += o.Rows
	}
	blocks := p.Root.Schema.Blocks()
	for c := range blocks {
		p.keys[c] = make([]rowAt, rows)
	}
	return parallel(ctx, workers, len(p.Origins), func(_, leaf int) error {
		o, err := p.originOf(leaf)
		if err != nil {
			return err
		}
		for c, column := range blocks {
			at, ok := action.Filling(column.Name)
			if !ok || int(at) >= p.width {
				continue
			}
			for row := range o.Rows {
				p.keys[c][from[leaf]+row] = rowAt{binary.BigEndian.Uint64(o.Rows[row].Keys[at][:]), int32(leaf), int32(row)}
			}
		}
		know(items, leaf, o)
		return nil
	})
}

// know tells the items what a leaf knows of them. Both are in the order of
// (place, id), so one search serves a whole leaf.
func know(items []item, leaf int, o *store.Origin) {
	all := make([]known, len(o.Rows))
	next := 0
	for row := range o.Rows {
		r := &o.Rows[row]
		place := store.Place(r.ID)
		if row == 0 {
			next = searchItem(items, place, r.ID)
		}
		for next < len(items) && store.Less(items[next].place, items[next].row.ID, place, r.ID) {
			next++
		}
		if next < len(items) && items[next].row.ID == r.ID {
			all[row] = known{row: r, leaf: leaf}
			items[next].known = &all[row]
		}
	}
}

// sameOrder reports whether the snapshot was made by the same settings, stage
// versions and policies, so that equal inputs have equal keys and fates.
func (p *previous) sameOrder(c *Config) bool {
	return p != nil && slices.Equal(p.Root.Config, c.settings()) && slices.Equal(p.Root.Stages, c.stages().Versions())
}

// leaf is the index of the leaf that covers exactly the same places, -1: none.
// Leaves are sorted by prefix and do not overlap.
func (p *previous) leaf(l store.Leaf) int {
	if p == nil {
		return -1
	}
	i := store.FindLeaf(p.Origins, l.Prefix)
	if i >= 0 && (p.Origins[i].Prefix != l.Prefix || p.Origins[i].Depth != l.Depth) {
		return -1
	}
	return i
}

// sound reads a leaf's records and blocks and reports whether every byte is what
// it was when it was written.
// It is asked only where damage was met or everything is to be distrusted.
func (p *previous) sound(leaf int) bool {
	s, err := p.Shard(leaf)
	if _, lost := p.Origin(leaf); err != nil || lost != nil {
		return false
	}
	return !slices.ContainsFunc(s.Blocks, func(b store.Block) bool { return !held(p.Store, true, store.KindBlock, b.Digest) })
}

// where lists the places of rows of a block column that may have been made by
// an action, in the order of the trie.
// Eight bytes of a key can be those of another, so the caller compares whole keys.
func (p *previous) where(column string, key store.Key) []rowAt {
	if p == nil {
		return nil
	}
	c := p.Root.Schema.Blocks().Index(column)
	if c < 0 {
		return nil
	}
	p.sorted[c].Do(func() {
		slices.SortFunc(p.keys[c], func(a, b rowAt) int {
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.leaf, b.leaf), cmp.Compare(a.row, b.row))
		})
	})
	want := binary.BigEndian.Uint64(key[:])
	from := sort.Search(len(p.keys[c]), func(i int) bool { return p.keys[c][i].key >= want })
	same := p.keys[c][from:]
	return same[:sort.Search(len(same), func(i int) bool { return same[i].key > want })]
}

// shardOf is the record of a leaf; a few are kept, since neighbours ask in turn.
// Two workers may read the same record at once; both get a good one.
func (p *previous) shardOf(leaf int) (*store.Shard, error) {
	p.mu.Lock()
	have := p.cache[leaf]
	p.mu.Unlock()
	if have != nil {
		return have, nil
	}
	s, err := p.Shard(leaf)
	if err != nil {
		return nil, err
	}
	const most = 64
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.cache) >= most {
		clear(p.cache)
	}
	p.cache[leaf] = s
	return s, nil
}

// originOf is the origin record of a leaf, its keys in this version's order.
func (p *previous) originOf(leaf int) (*store.Origin, error) {
	o, err := p.Origin(leaf)
	if err != nil {
		return nil, err
	}
	for i := range o.Rows {
		p.order.Renumber(&o.Rows[i])
	}
	return o, nil
}

// findItem finds an id among items sorted by (place, id).
func findItem(items []item, id string) *item {
	i := searchItem(items, store.Place(id), id)
	if i < len(items) && items[i].row.ID == id {
		return &items[i]
	}
	return nil
}

// searchItem is the index of the first item that does not stand before an id.
func searchItem(items []item, place uint64, id string) int {
	return sort.Search(len(items), func(i int) bool {
		return !store.Less(items[i].place, items[i].row.ID, place, id)
	})
}
