package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
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

// Dataset opens what a ref names: "main", a tag, a full ref ("heads/main") or
// the 64 hex characters of a snapshot. An unknown name: ErrNotFound.
func (s *Store) Dataset(ref string) (*Dataset, error) {
	digest, err := s.resolve(ref)
	if err != nil {
		return nil, err
	}
	return s.DatasetOf(digest)
}

// resolve finds the snapshot that a name stands for. It tries, in this order, a whole digest, a head, a tag
// (or a full ref as it is), and the beginning of a digest.
func (s *Store) resolve(ref string) (Digest, error) {
	if d, err := ParseDigest(ref); err == nil {
		if _, err := s.ReadSnapshot(d); !errors.Is(err, ErrNotFound) {
			return d, nil
		}
	}
	names := []string{"heads/" + ref, "tags/" + ref}
	if strings.Contains(ref, "/") {
		names = []string{ref}
	}
	for _, name := range names {
		d, err := s.Ref(name)
		if !errors.Is(err, ErrNotFound) {
			return d, err
		}
	}
	have, err := s.Refs()
	if err != nil {
		return Digest{}, err
	}
	if len(have) == 0 {
		return Digest{}, fmt.Errorf("store %s holds no finished build yet; run voxpack build: %w", s.dir, ErrNotFound)
	}
	if d, err := s.beginning(ref, have); err != nil || !d.IsZero() {
		return d, err
	}
	return Digest{}, fmt.Errorf("no ref %q in %s, which has %s: %w", ref, s.dir, strings.Join(have, ", "), ErrNotFound)
}

// leastBeginning is how many characters of a digest name a snapshot at least.
// Short prints 12.
const leastBeginning = 4

// beginning is the snapshot whose digest, or whose root's, begins so, among those
// that the refs lead to; the zero digest for none. Of several snapshots of one
// root the newest is meant: they are one dataset.
func (s *Store) beginning(name string, refs []string) (Digest, error) {
	if len(name) < leastBeginning || len(name) > 2*len(Digest{}) || strings.Trim(name, "0123456789abcdef") != "" {
		return Digest{}, nil
	}
	var found []Digest
	var says []string
	seen, roots := map[Digest]bool{}, map[Digest]bool{}
	for _, ref := range refs {
		d, err := s.Ref(ref)
		for err == nil && !d.IsZero() && !seen[d] {
			seen[d] = true
			var snap *Snapshot
			if snap, err = s.ReadSnapshot(d); err != nil {
				break // a parent that is gone, or damage, which is for verify to say
			}
			byRoot := strings.HasPrefix(snap.Root.String(), name) && !roots[snap.Root]
			if byRoot || strings.HasPrefix(d.String(), name) {
				roots[snap.Root] = roots[snap.Root] || byRoot
				found = append(found, d)
				says = append(says, fmt.Sprintf("snapshot %s of %s, dataset %s", d.Short(), time.Unix(0, snap.Time).UTC().Format(time.DateTime+" UTC"), snap.Root.Short()))
			}
			d = snap.Parent
		}
	}
	switch len(found) {
	case 0:
		return Digest{}, nil
	case 1:
		return found[0], nil
	}
	return Digest{}, fmt.Errorf("%w: %q in %s; type more characters of the one you mean:\n  %s", ErrAmbiguous, name, s.dir, strings.Join(says, "\n  "))
}

// DatasetOf opens a snapshot by its digest.
func (s *Store) DatasetOf(snapshot Digest) (*Dataset, error) {
	d := &Dataset{Store: s, Digest: snapshot}
	var err error
	if d.Snapshot, err = s.ReadSnapshot(snapshot); err != nil {
		return nil, err
	}
	if d.Root, err = s.ReadRoot(d.Snapshot.Root); err != nil {
		return nil, err
	}
	if d.Shards, err = s.ReadLeaves(d.Root.Trie); err != nil {
		return nil, err
	}
	if d.Origins, err = s.ReadLeaves(d.Snapshot.Origins); err != nil {
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
	b, err := d.Store.View(KindBlock, s.Blocks[c].Digest)
	if err != nil {
		return nil, fmt.Errorf("column %s of shard %d: %w", column, at.Leaf, err)
	}
	size := blocks[c].SampleBytes()
	if len(b) != size*s.Len() {
		return nil, fmt.Errorf("block %s has %d bytes, want %d samples of %d: %w", s.Blocks[c].Digest.Short(), len(b), s.Len(), size, ErrDamaged)
	}
	value := b[at.Row*size : (at.Row+1)*size]
	if Checksum(value) != s.Blocks[c].Sums[at.Row] {
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
