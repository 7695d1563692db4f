package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Reach lists every entry that the given snapshots need, each as its kind and
// name. Traces are not among them: they name work, and are kept as long as the
// block they lead to.
func (s *Store) Reach(snapshots []Digest) (map[[33]byte]struct{}, error) {
	live := map[[33]byte]struct{}{}
	for _, digest := range snapshots {
		if err := s.reachSnapshot(digest, into(live)); err != nil {
			return nil, fmt.Errorf("snapshot %s: %w", digest.Short(), err)
		}
	}
	return live, nil
}

// Live lists what the refs of the store need, and what the direct parent of
// each ref's snapshot needs as far as it is there: it is what an explanation of
// the last build compares with. What is older is history, which a merge may drop.
func (s *Store) Live() (map[[33]byte]struct{}, error) { return s.LiveWith(Retention{}) }

// LiveWith is Live with the snapshots of a retention, those too as far as they are there.
func (s *Store) LiveWith(r Retention) (map[[33]byte]struct{}, error) {
	refs, live, err := s.reachRefs()
	if err != nil {
		return nil, err
	}
	if err := s.reachParents(refs, live); err != nil || r == (Retention{}) {
		return live, err
	}
	kept, err := s.Kept(r)
	if err != nil && kept == nil {
		return nil, err
	}
	for _, k := range kept {
		if err := s.reachHistory(k.Digest, live); err != nil {
			return nil, fmt.Errorf("snapshot %s: %w", k.Digest.Short(), err)
		}
	}
	return live, nil
}

// reachRefs lists what the refs need, without the parents of their snapshots.
func (s *Store) reachRefs() (refs map[string]Digest, live map[[33]byte]struct{}, err error) {
	if refs, err = readRefs(s.dir); err != nil {
		return nil, nil, err
	}
	live, err = s.Reach(slices.Collect(maps.Values(refs)))
	return refs, live, err
}

// reachParents marks what the direct parents of snapshots need.
func (s *Store) reachParents(refs map[string]Digest, live map[[33]byte]struct{}) error {
	// After all refs: what is marked below a damaged page of a parent would be
	// passed over in a snapshot that shares the page.
	for _, digest := range refs {
		if err := s.reachParent(digest, live); err != nil {
			return fmt.Errorf("parent of snapshot %s: %w", digest.Short(), err)
		}
	}
	return nil
}

// reachParent marks what the parent of a snapshot needs. A parent is history: a merge may have dropped parts
// of it, which is no error.
func (s *Store) reachParent(digest Digest, live map[[33]byte]struct{}) error {
	snap, err := s.ReadSnapshot(digest)
	if err != nil || snap.Parent.IsZero() {
		return err
	}
	return s.reachHistory(snap.Parent, live)
}

// reachHistory marks what a snapshot that no ref names needs, as far as it can be read.
func (s *Store) reachHistory(digest Digest, live map[[33]byte]struct{}) error {
	err := s.reachSnapshot(digest, into(live))
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
		return nil
	}
	return err
}

// marking is told of each entry that something needs, and says whether to look below it.
type marking func(kind Kind, name [32]byte) (below bool)

// into marks in a set, and looks below what is new in it.
func into(live map[[33]byte]struct{}) marking {
	return func(kind Kind, name [32]byte) bool {
		k := entryKey(kind, name)
		_, seen := live[k]
		live[k] = struct{}{}
		return !seen
	}
}

// reachSnapshot marks a snapshot and all below it. What is marked already is not read again, so snapshots
// that share a root, pages or shards cost what they differ in.
func (s *Store) reachSnapshot(digest Digest, mark marking) error {
	if !mark(KindSnapshot, digest) {
		return nil
	}
	snap, err := s.ReadSnapshot(digest)
	if err != nil {
		return err
	}
	if err := s.reachRejections(snap.Rejections, mark); err != nil {
		return err
	}
	if err := s.reachTrie(snap.Origins, KindOrigin, mark, nil); err != nil {
		return err
	}
	if !mark(KindRoot, snap.Root) {
		return nil
	}
	root, err := s.ReadRoot(snap.Root)
	if err != nil {
		return err
	}
	for _, d := range []Digest{root.Lexicon(), root.Tokenizer()} {
		if !d.IsZero() {
			mark(KindText, d)
		}
	}
	return s.reachTrie(root.Trie, KindShard, mark, func(leaf Leaf) error {
		shard, err := s.ReadShard(leaf.Digest, root.Schema)
		if err != nil {
			return err
		}
		for _, b := range shard.Blocks {
			s.reachBlock(b.Digest, mark)
		}
		return nil
	})
}

// reachBlock marks a block, and what it lies in where it is not stored whole.
func (s *Store) reachBlock(block Digest, mark marking) {
	key := entryKey(KindBlock, block)
	if !mark(KindBlock, block) {
		return
	}
	list := s.Extents(block)
	if list == nil || s.hasKey(key[:]) || !mark(KindExtents, block) {
		return
	}
	for _, e := range list {
		mark(KindBlock, e.Block)
	}
}

// reachRejections marks a list record and its pages.
func (s *Store) reachRejections(list Digest, mark marking) error {
	if list.IsZero() || !mark(KindList, list) {
		return nil
	}
	b, err := s.Get(KindList, list)
	if err != nil {
		return err
	}
	pages, _, err := decodeList(b)
	for _, p := range pages {
		mark(KindList, p.digest)
	}
	return err
}

// reachTrie marks pages and leaves; below, if not nil, is called for each leaf not seen before.
func (s *Store) reachTrie(trie Digest, kind Kind, mark marking, below func(Leaf) error) error {
	return walkPages(trie, 0, 0, s.page,
		func(d Digest) bool { return mark(KindPage, d) },
		func(leaf Leaf) error {
			if !mark(kind, leaf.Digest) || below == nil {
				return nil
			}
			return below(leaf)
		})
}
