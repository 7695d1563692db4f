package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Usage tells what the bytes of a store are for. Packs, Cache, Drafts and Other are
// bytes on disk; the others are bytes of values, each value counted once.
type Usage struct {
	Packs     int64         `json:"packs"`
	Cache     int64         `json:"cache"`  // of builds, which can make it anew
	Drafts    int64         `json:"drafts"` // of packs that are being written or removed, or that a killed build left to the next one
	Other     int64         `json:"other"`  // in other folders of the store: statistics, records of runs
	Values    int64         `json:"values"`
	Traces    int64         `json:"traces"`  // part of Values: which work made a block
	Columns   []ColumnUse   `json:"columns"` // of one snapshot
	Records   int64         `json:"records"` // of that snapshot, beside the columns: ids, sums, origins, numbers of samples
	Snapshots []SnapshotUse `json:"snapshots"`
}

// ColumnUse is how much the blocks of a column take. One that two columns share counts
// for the first.
type ColumnUse struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Blocks int    `json:"blocks"`
}

// SnapshotUse is how much only one snapshot needs: what would be free without it.
type SnapshotUse struct {
	NamedSnapshot
	Own   int64
	Whole bool // nothing that it needs is missing
}

// Usage adds up the store by packs, by the columns of one snapshot, and by all snapshots,
// the newest first. The error is of packs or records that cannot be read;
// where it is of snapshots alone, the rest is there.
func (s *Store) Usage(ctx context.Context, snapshot Digest) (u Usage, err error) {
	sizes, err := s.valueSizes(ctx)
	if err != nil {
		return u, err
	}
	for key, size := range sizes {
		if u.Values += size; Kind(key[0]) == KindTrace {
			u.Traces += size
		}
	}
	if err := s.foldersUse(&u); err != nil {
		return u, err
	}
	if err := s.columnsUse(snapshot, sizes, &u); err != nil {
		return u, err
	}
	return u, s.snapshotsUse(ctx, sizes, &u)
}

// valueSizes has the length of each value, good to some bytes.
func (s *Store) valueSizes(ctx context.Context) (map[[33]byte]int64, error) {
	sizes := map[[33]byte]int64{}
	packs, _ := s.hands()
	for _, p := range packs {
		eng, err := p.engine()
		if err != nil {
			return nil, err
		}
		err = eng.scan(nil, false, func(key, _ []byte, size int64) error {
			if !foreign(key) {
				sizes[[33]byte(key)] = size
			}
			return nil
		})
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

func (s *Store) foldersUse(u *Usage) error {
	for _, p := range s.Packs() {
		u.Packs += p.Bytes
	}
	drafts, err := leftovers(s.dir, tempPrefix, mergePrefix, gonePrefix)
	for _, name := range drafts {
		if size, err := sizeOnDisk(packPath(s.dir, name)); err == nil { // else it went meanwhile
			u.Drafts += size
		}
	}
	list, listErr := os.ReadDir(s.dir)
	for _, e := range list {
		size, err := sizeOnDisk(filepath.Join(s.dir, e.Name()))
		switch {
		case err != nil || !e.IsDir() || e.Name() == packsName || e.Name() == refsName: // or it went meanwhile
		case e.Name() == cacheName:
			u.Cache = size
		default:
			u.Other += size
		}
	}
	return errors.Join(err, listErr)
}

// columnsUse adds up what one snapshot needs.
func (s *Store) columnsUse(snapshot Digest, sizes map[[33]byte]int64, u *Usage) error {
	snap, err := s.ReadSnapshot(snapshot)
	if err != nil {
		return err
	}
	root, err := s.ReadRoot(snap.Root)
	if err != nil {
		return err
	}
	seen, blocks := map[[33]byte]struct{}{}, root.Schema.Blocks()
	for _, c := range blocks {
		u.Columns = append(u.Columns, ColumnUse{Name: c.Name})
	}
	mark := into(seen)
	err = s.reachTrie(root.Trie, KindShard, mark, func(leaf Leaf) error {
		shard, err := s.ReadShard(leaf.Digest, root.Schema)
		if err != nil {
			return err
		}
		for i, b := range shard.Blocks {
			s.reachBlock(b.Digest, func(kind Kind, name [32]byte) bool {
				isNew := mark(kind, name)
				if isNew && kind == KindBlock {
					u.Columns[i].Bytes += sizes[entryKey(kind, name)]
				}
				if isNew && kind == KindBlock && name == b.Digest {
					u.Columns[i].Blocks++
				}
				return isNew
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.reachSnapshot(snapshot, mark); err != nil {
		return err
	}
	for key := range seen {
		if Kind(key[0]) != KindBlock {
			u.Records += sizes[key]
		}
	}
	return nil
}

// snapshotsUse finds what only one snapshot needs. Each entry is looked below at most
// twice: for the first snapshot that needs it, and for the second.
func (s *Store) snapshotsUse(ctx context.Context, sizes map[[33]byte]int64, u *Usage) error {
	const shared = -1
	list, damage := s.Snapshots()
	owner := map[[33]byte]int{}
	for i, n := range list {
		err := s.reachSnapshot(n.Digest, func(kind Kind, name [32]byte) bool {
			key := entryKey(kind, name)
			was, seen := owner[key]
			switch {
			case !seen:
				owner[key] = i
				return true
			case was == i || was == shared:
				return false
			}
			owner[key] = shared
			return true
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			damage = errors.Join(damage, err)
		}
		u.Snapshots = append(u.Snapshots, SnapshotUse{NamedSnapshot: n})
	}
	for key, i := range owner {
		if i != shared {
			u.Snapshots[i].Own += sizes[key]
		}
	}
	for i := range u.Snapshots {
		u.Snapshots[i].Whole = s.Whole(u.Snapshots[i].Digest) == nil
	}
	return damage
}
