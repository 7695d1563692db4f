package compiler

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
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

	indexed sync.Once
	keys    [][]rowAt // for each block column: every row's key, sorted on first use
	sorted  []sync.Once

	order  action.KeyOrder // from the snapshot's stages to this version's
	stages action.Set      // of this build

	mu    sync.Mutex
	cache map[int]*store.Shard // records of leaves lately read
}

// rowAt is where a key occurs; 16 bytes a row.
type rowAt struct {
	key  uint64 // first 8 bytes; the whole key is compared in the origin record
	leaf int32
	row  int32
}

// openPrevious reads the records of a snapshot; its rows get their keys in the order of
// the build's stages.
func openPrevious(ctx context.Context, st *store.Store, digest store.Digest, stages action.Set) (*previous, error) {
	p := &previous{stages: stages, cache: map[int]*store.Shard{}}
	var err error
	if p.Dataset, err = st.DatasetOf(digest); err != nil {
		return nil, err
	}
	if p.rejects, err = st.ReadRejectionsUntil(ctx, p.Snapshot); err != nil {
		return nil, err
	}
	p.order = action.NewKeyOrder(p.Root, stages)
	p.sorted = make([]sync.Once, len(p.Root.Schema.Blocks()))
	return p, nil
}

// join tells the items of rejections what the snapshot knows of their ids. Items are sorted by (place, id).
// Of several rejections of an id the first counts, and a kept row before them.
func (p *previous) join(ctx context.Context, items []item) error {
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
	return nil
}

// stretch is a run of items that one goroutine surveys. The leaf that covers their places
// is read when it begins and forgotten when it ends: a snapshot's rows are a kilobyte each.
type stretch struct {
	from, to int
	leaf     int // of the previous snapshot, -1: none
}

// A stretch has stretchRows items, so that all workers have some, or an eighth of a leaf that has more: each of
// its stretches reads the whole leaf.
const stretchRows, stretchesOfLeaf = 16, 8

// ranges are the items of each leaf's places.
func (p *previous) ranges(items []item) []stretch {
	list := make([]stretch, len(p.Origins))
	at := 0
	for leaf, l := range p.Origins {
		for at < len(items) && items[at].place < l.Prefix {
			at++
		}
		from := at
		for at < len(items) && items[at].place <= l.Last() {
			at++
		}
		list[leaf] = stretch{from, at, leaf}
	}
	return list
}

// stretches cut all items so that each has the leaf of its place. Of a leaf that is taken over there are only the
// items that it did not take, those of rows that were rejected.
func (p *previous) stretches(items []item, taken []bool) (list []stretch) {
	add := func(from, to, leaf int) {
		rows := stretchRows
		if leaf >= 0 {
			rows = max(rows, (to-from+stretchesOfLeaf-1)/stretchesOfLeaf)
		}
		for from < to {
			end := min(to, from+rows)
			list = append(list, stretch{from, end, leaf})
			from = end
		}
	}
	at := 0
	if p != nil {
		for leaf, r := range p.ranges(items) {
			add(at, r.from, -1)
			if at = r.to; taken == nil || !taken[leaf] {
				add(r.from, r.to, leaf)
				continue
			}
			for i := r.from; i < r.to; i++ {
				if items[i].known != nil {
					add(i, i+1, -1)
				}
			}
		}
	}
	add(at, len(items), -1)
	return list
}

// lostOrigin is the error of a record that cannot be read when the survey comes to it.
type lostOrigin struct{ err error }

func (e *lostOrigin) Error() string { return e.err.Error() }
func (e *lostOrigin) Unwrap() error { return e.err }

// tell tells a stretch of the items what its leaf knows of them. An item belongs to one leaf: no lock.
func (p *previous) tell(items []item, part stretch) error {
	if part.leaf < 0 {
		return nil
	}
	o, err := p.originOf(part.leaf)
	if err != nil {
		return &lostOrigin{err}
	}
	know(items[part.from:part.to], part.leaf, o)
	return nil
}

// index notes where the keys of all rows occur, when a key is first asked for: most builds that write little ask for
// none. What cannot be read is not found, and then made anew.
func (p *previous) index() {
	blocks := p.Root.Schema.Blocks()
	from, rows := make([]int, len(p.Origins)), 0
	for leaf, o := range p.Origins {
		from[leaf] = rows
		rows += o.Rows
	}
	p.keys = make([][]rowAt, len(blocks))
	for c := range p.keys {
		p.keys[c] = make([]rowAt, rows)
	}
	_ = parallel(context.Background(), runtime.NumCPU(), len(p.Origins), func(_, leaf int) error { // no error: see above
		o, err := p.originOf(leaf)
		for c, column := range blocks {
			at, ok := p.stages.Filling(column.Name)
			if err != nil || !ok || int(at) >= p.stages.Width() {
				continue
			}
			for row := range o.Rows {
				p.keys[c][from[leaf]+row] = rowAt{binary.BigEndian.Uint64(o.Rows[row].Keys[at][:]), int32(leaf), int32(row)}
			}
		}
		return nil
	})
}

// recall reads the records of rows that were taken over whole, which the survey does not keep.
func (p *previous) recall(rows []*item) error {
	var o *store.Origin
	at, next := -1, 0
	for _, it := range rows {
		if it.made != nil {
			continue
		}
		if leaf := it.sameLeaf - 1; leaf != at {
			var err error
			if o, err = p.originOf(leaf); err != nil {
				return err
			}
			at, next = leaf, 0
		}
		n := 0
		for ; n < len(o.Rows) && o.Rows[next].ID != it.row.ID; n++ { // rows of both stand in one order: the next one as a rule
			next = (next + 1) % len(o.Rows)
		}
		if n == len(o.Rows) {
			return fmt.Errorf("origin %s has no row %s any more: %w", p.Origins[at].Digest.Short(), it.row.ID, store.ErrDamaged)
		}
		own := *it.fate // the others of its leaf may share it
		own.made = &o.Rows[next]
		it.fate = &own
	}
	return nil
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
			items[next].known, items[next].keptBefore = &all[row], true
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
	p.indexed.Do(p.index)
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

// sampleBytes is the size of a sample of a column of the previous root, 0 where it has none of that name.
func (p *previous) sampleBytes(column string) int {
	if at := p.Root.Schema.Index(column); at >= 0 {
		return p.Root.Schema[at].SampleBytes()
	}
	return 0
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
