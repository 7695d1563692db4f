package store

import (
	"fmt"
	"slices"
)

// Dataset is a snapshot opened for reading: its records and the leaves of its
// two tries. It is safe for concurrent use while its store is open.
type Dataset struct {
	Store    *Store
	Digest   Digest // of the snapshot
	Snapshot *Snapshot
	Root     *Root
	Shards   []Leaf // digests name shard records
	Origins  []Leaf // the same leaves; digests name origin records
}

// At is where a sample stands.
type At struct {
	Leaf int // index into Dataset.Shards
	Row  int // in the shard
}

// Dataset opens what a name stands for (Resolve).
func (s *Store) Dataset(ref string) (*Dataset, error) {
	digest, err := s.Resolve(ref)
	if err != nil {
		return nil, err
	}
	return s.DatasetOf(digest)
}

// DatasetOf opens a snapshot by its digest.
func (s *Store) DatasetOf(snapshot Digest) (*Dataset, error) {
	return s.datasetOf(snapshot, s.ReadLeaves)
}

// DatasetAt is DatasetOf for who asks for one row: of the leaves it has only the one that
// covers the id, at index 0, or none. It reads some pages, however many rows there are.
func (s *Store) DatasetAt(snapshot Digest, id string) (*Dataset, error) {
	return s.datasetOf(snapshot, func(trie Digest) ([]Leaf, error) { return readLeafAt(trie, Place(id), s.page) })
}

func (s *Store) datasetOf(snapshot Digest, leaves func(trie Digest) ([]Leaf, error)) (*Dataset, error) {
	d := &Dataset{Store: s, Digest: snapshot}
	var err error
	if d.Snapshot, err = s.ReadSnapshot(snapshot); err != nil {
		return nil, err
	}
	if d.Root, err = s.ReadRoot(d.Snapshot.Root); err != nil {
		return nil, err
	}
	if d.Shards, err = leaves(d.Root.Trie); err != nil {
		return nil, err
	}
	if d.Origins, err = leaves(d.Snapshot.Origins); err != nil {
		return nil, err
	}
	if err := sameLeaves(d.Shards, d.Origins); err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", snapshot.Short(), err)
	}
	return d, nil
}

// sameLeaves checks that the two tries of a snapshot are cut alike, since a sample's origin is looked up by
// the leaf and row of its shard.
func sameLeaves(a, b []Leaf) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d shards and %d origins: %w", len(a), len(b), ErrDamaged)
	}
	for i := range a {
		if a[i].Prefix != b[i].Prefix || a[i].Depth != b[i].Depth || a[i].Rows != b[i].Rows {
			return fmt.Errorf("shard %d and its origin cover different places: %w", i, ErrDamaged)
		}
	}
	return nil
}

// Shard is the record of a leaf.
func (d *Dataset) Shard(leaf int) (*Shard, error) {
	s, err := d.Store.ReadShard(d.Shards[leaf].Digest, d.Root.Schema)
	if err == nil && s.Len() != d.Shards[leaf].Rows {
		err = fmt.Errorf("shard %s has %d rows, its page says %d: %w", d.Shards[leaf].Digest.Short(), s.Len(), d.Shards[leaf].Rows, ErrDamaged)
	}
	return s, err
}

// Origin is the origin record of a leaf.
func (d *Dataset) Origin(leaf int) (*Origin, error) {
	o, err := d.Store.ReadOrigin(d.Origins[leaf].Digest)
	if err == nil && len(o.Rows) != d.Origins[leaf].Rows {
		err = fmt.Errorf("origin %s has %d rows, its page says %d: %w", d.Origins[leaf].Digest.Short(), len(o.Rows), d.Origins[leaf].Rows, ErrDamaged)
	}
	return o, err
}

// Find is where an id stands; an id that is not there: ErrNotFound. It decodes one shard record and no block.
func (d *Dataset) Find(id string) (At, error) {
	leaf := FindLeaf(d.Shards, Place(id))
	if leaf >= 0 {
		s, err := d.Shard(leaf)
		if err != nil {
			return At{}, err
		}
		if row := slices.Index(s.IDs, id); row >= 0 {
			return At{leaf, row}, nil
		}
	}
	return At{}, fmt.Errorf("id %q: %w", id, ErrNotFound)
}

// Value is one sample's bytes of a block column, padding included, with its
// checksum verified. The bytes are mapped and live until the store is closed.
func (d *Dataset) Value(at At, column string) ([]byte, error) {
	blocks := d.Root.Schema.Blocks()
	c := blocks.Index(column)
	if c < 0 {
		return nil, fmt.Errorf("column %q: %w", column, ErrNotFound)
	}
	s, err := d.Shard(at.Leaf)
	if err != nil {
		return nil, err
	}
	samples, err := d.Store.Samples(s.Blocks[c].Digest, s.Len(), blocks[c].SampleBytes())
	if err != nil {
		return nil, fmt.Errorf("column %s of shard %s: %w", column, d.Shards[at.Leaf].Digest.Short(), err)
	}
	value, sound := samples.Row(at.Row), false
	err = Shielded(func() error {
		sound = Checksum(value) == s.Blocks[c].Sums[at.Row]
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sample %s, column %s: %w", s.IDs[at.Row], column, err)
	}
	if !sound {
		return nil, fmt.Errorf("sample %s, column %s: its bytes do not match their checksum: %w", s.IDs[at.Row], column, ErrDamaged)
	}
	return value, nil
}

// Scalar is one sample's value of an inline column.
func (d *Dataset) Scalar(at At, column string) (int32, error) {
	c := d.Root.Schema.Inline().Index(column)
	if c < 0 {
		return 0, fmt.Errorf("column %q: %w", column, ErrNotFound)
	}
	s, err := d.Shard(at.Leaf)
	if err != nil {
		return 0, err
	}
	return s.Scalars[c][at.Row], nil
}

// IDs calls yield for every id in the order of the trie.
func (d *Dataset) IDs(yield func(at At, id string) bool) error {
	for leaf := range d.Shards {
		s, err := d.Shard(leaf)
		if err != nil {
			return err
		}
		for row, id := range s.IDs {
			if !yield(At{leaf, row}, id) {
				return nil
			}
		}
	}
	return nil
}
