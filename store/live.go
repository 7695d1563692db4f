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
		if err := s.reachSnapshot(digest, live); err != nil {
			return nil, fmt.Errorf("snapshot %s: %w", digest.Short(), err)
		}
	}
	return live, nil
}

// Live lists what the refs of the store need, and what the direct parent of
// each ref's snapshot needs as far as it is there: it is what an explanation of
// the last build compares with. What is older is history, which a merge may drop.
func (s *Store) Live() (map[[33]byte]struct{}, error) {
	refs, err := readRefs(s.dir)
	if err != nil {
		return nil, err
	}
	live, err := s.Reach(slices.Collect(maps.Values(refs)))
	if err != nil {
		return nil, err
	}
	// After all refs: what is marked below a damaged page of a parent would be
	// passed over in a snapshot that shares the page.
	for _, digest := range refs {
		if err := s.reachParent(digest, live); err != nil {
			return nil, fmt.Errorf("parent of snapshot %s: %w", digest.Short(), err)
		}
	}
	return live, nil
}

// reachParent marks what the parent of a snapshot needs, as far as it can be read. A parent is history: a
// merge may have dropped parts of it, which is no error.
func (s *Store) reachParent(digest Digest, live map[[33]byte]struct{}) error {
	snap, err := s.ReadSnapshot(digest)
	if err != nil || snap.Parent.IsZero() {
		return err
	}
	err = s.reachSnapshot(snap.Parent, live)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrDamaged) {
		return nil
	}
	return err
}

// reachSnapshot marks a snapshot and all below it. What is marked already is not read again, so snapshots
// that share a root, pages or shards cost what they differ in.
func (s *Store) reachSnapshot(digest Digest, live map[[33]byte]struct{}) error {
	if !mark(live, KindSnapshot, digest) {
		return nil
	}
	snap, err := s.ReadSnapshot(digest)
	if err != nil {
		return err
	}
	if err := s.reachRejections(snap.Rejections, live); err != nil {
		return err
	}
	if err := s.reachTrie(snap.Origins, KindOrigin, live, nil); err != nil {
		return err
	}
	if !mark(live, KindRoot, snap.Root) {
		return nil
	}
	root, err := s.ReadRoot(snap.Root)
	if err != nil {
		return err
	}
	for _, d := range []Digest{root.Lexicon(), root.Tokenizer()} {
		if !d.IsZero() {
			mark(live, KindText, d)
		}
	}
	return s.reachTrie(root.Trie, KindShard, live, func(leaf Leaf) error {
		shard, err := s.ReadShard(leaf.Digest, root.Schema)
		if err != nil {
			return err
		}
		for _, b := range shard.Blocks {
			mark(live, KindBlock, b.Digest)
		}
		return nil
	})
}

// reachRejections marks a list record and its pages.
func (s *Store) reachRejections(list Digest, live map[[33]byte]struct{}) error {
	if list.IsZero() || !mark(live, KindList, list) {
		return nil
	}
	b, err := s.Get(KindList, list)
	if err != nil {
		return err
	}
	pages, _, err := decodeList(b)
	for _, p := range pages {
		mark(live, KindList, p.digest)
	}
	return err
}

// reachTrie marks pages and leaves; below, if not nil, is called for each leaf not seen before.
func (s *Store) reachTrie(trie Digest, kind Kind, live map[[33]byte]struct{}, below func(Leaf) error) error {
	return walkPages(trie, 0, 0, s.page,
		func(d Digest) bool { return mark(live, KindPage, d) },
		func(leaf Leaf) error {
			if !mark(live, kind, leaf.Digest) || below == nil {
				return nil
			}
			return below(leaf)
		})
}

// mark adds an entry and reports whether it is new.
func mark(live map[[33]byte]struct{}, kind Kind, name [32]byte) bool {
	k := entryKey(kind, name)
	if _, seen := live[k]; seen {
		return false
	}
	live[k] = struct{}{}
	return true
}
