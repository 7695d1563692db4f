package store

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// NamedSnapshot is a snapshot with its name.
type NamedSnapshot struct {
	Digest Digest
	*Snapshot
}

// Snapshots lists all snapshots that the store holds, the newest first, also those that no
// ref leads to: older ones, and those that a ref was moved away from. The error is of
// packs that cannot be read; the list is of the others.
func (s *Store) Snapshots() ([]NamedSnapshot, error) {
	packs, _ := s.hands()
	names := map[Digest]bool{}
	var errs []error
	for _, p := range packs {
		eng, err := p.engine()
		if err == nil {
			err = eng.scan([]byte{byte(KindSnapshot)}, false, func(key, _ []byte, _ int64) error {
				if !foreign(key) {
					names[Digest(key[1:])] = true
				}
				return nil
			})
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("pack %s: %w", p.id, err))
		}
	}
	var list []NamedSnapshot
	for d := range names {
		snap, err := s.ReadSnapshot(d)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, NamedSnapshot{d, snap})
	}
	newestFirst(list)
	return list, errors.Join(errs...)
}

// newestFirst sorts snapshots by their times. One comes after its parent whatever the clock
// said when it was made: a clock that was set back for a day must not make that day's builds
// the oldest of all, which a gc would drop first.
func newestFirst(list []NamedSnapshot) {
	made, of := map[Digest]int64{}, map[Digest]NamedSnapshot{}
	for _, n := range list {
		of[n.Digest] = n
	}
	for _, n := range list {
		var line []NamedSnapshot // it and its ancestors, up to one that has its place
		for there := true; there; n, there = of[n.Parent] {
			line = append(line, n)
			if _, placed := made[n.Digest]; placed {
				break
			}
		}
		after := int64(math.MinInt64)
		for _, n := range slices.Backward(line) {
			after = max(n.Time, after)
			if at, placed := made[n.Digest]; placed {
				after = at
			}
			made[n.Digest] = after
			after++
		}
	}
	slices.SortFunc(list, func(a, b NamedSnapshot) int {
		return cmp.Or(cmp.Compare(made[b.Digest], made[a.Digest]), slices.Compare(a.Digest[:], b.Digest[:]))
	})
}

// SetRef lets a ref name a snapshot that is whole (Whole), durably. While a build is under
// way, which would move the ref again: ErrBusy.
func (s *Store) SetRef(name string, snapshot Digest) error {
	lock, err := TakeLock(s.dir)
	if err != nil {
		return err
	}
	defer lock.Release()
	if err := s.Whole(snapshot); err != nil {
		return err
	}
	return writeRef(s.dir, name, snapshot)
}

// DeleteRef takes a name away. What only it led to stays until a merge needs its room. No
// such ref: ErrNotFound. While a build is under way: ErrBusy.
func (s *Store) DeleteRef(name string) error {
	lock, err := TakeLock(s.dir)
	if err != nil {
		return err
	}
	defer lock.Release()
	if _, err := readRef(s.dir, name); err != nil && !errors.Is(err, ErrDamaged) { // no name of a ref, too
		return err
	}
	if err := os.Remove(filepath.Join(s.dir, refsName, filepath.FromSlash(name))); err != nil {
		return placeError(s.dir, err)
	}
	return nil
}

// Whole reports whether all that a snapshot needs is there: ErrNotFound with what is
// missing where a merge has dropped parts of it, since nothing named it. Of what a ref
// needs as well nothing is looked up: that is there, or for Verify to find.
func (s *Store) Whole(snapshot Digest) error {
	refs, err := listRefs(s.dir)
	if err != nil {
		return err
	}
	snap, err := s.ReadSnapshot(snapshot)
	if err != nil {
		return err
	}
	beside := &Snapshot{}
	for _, name := range refs {
		d, err := readRef(s.dir, name)
		if err != nil {
			continue // damaged, or gone meanwhile: less to compare with
		}
		if d == snapshot {
			return nil
		}
		if other, err := s.ReadSnapshot(d); err == nil && other.Kept > beside.Kept {
			beside = other
		}
	}
	if err = s.missing(snap, beside); errors.Is(err, ErrNotFound) {
		return fmt.Errorf("snapshot %s is not whole any more: no ref named it, and a merge, gc or repair has dropped parts of it: %w", snapshot.Short(), err)
	}
	return err
}

// missing is ErrNotFound with the first thing that a snapshot needs and another one does
// not, and that is not there.
func (s *Store) missing(snap, beside *Snapshot) error {
	need := func(what string, kind Kind, d Digest) error {
		if d.IsZero() || s.Has(kind, d) {
			return nil
		}
		return fmt.Errorf("%s %s: %w", what, d.Short(), ErrNotFound)
	}
	root, err := s.ReadRoot(snap.Root)
	if err != nil {
		return err
	}
	if _, err := s.ReadRejections(snap); err != nil {
		return err
	}
	var trie Digest
	if other, err := s.ReadRoot(beside.Root); err == nil {
		trie = other.Trie
	}
	shards, _, err := s.Differing(root.Trie, s, trie)
	if err != nil {
		return err
	}
	for _, leaf := range shards {
		shard, err := s.ReadShard(leaf.Digest, root.Schema)
		if err != nil {
			return err
		}
		for _, b := range shard.Blocks {
			if err := need("block", KindBlock, b.Digest); err != nil {
				return err
			}
		}
	}
	origins, _, err := s.Differing(snap.Origins, s, beside.Origins)
	for _, leaf := range origins {
		err = cmp.Or(err, need("origin", KindOrigin, leaf.Digest))
	}
	return cmp.Or(err, need("lexicon", KindText, root.Lexicon()), need("tokenizer", KindText, root.Tokenizer()))
}

// Differing are the leaves of two tries that only one of them has, in the order of their
// prefixes; the second may be of another store. A trie is named by its first page; the zero
// digest is an empty one. Pages that both have are not read, so it costs what differs.
func (s *Store) Differing(a Digest, other *Store, b Digest) (onlyA, onlyB []Leaf, err error) {
	return differing(a, b, s.page, other.page)
}

func differing(a, b Digest, getA, getB func(Digest) ([]byte, error)) (onlyA, onlyB []Leaf, err error) {
	d := trieDiff{side{get: getA}, side{get: getB}}
	err = d.pages(a, b, 0, 0)
	return d[0].only, d[1].only, err
}

// side is a trie that is compared with another one.
type side struct {
	get  func(Digest) ([]byte, error)
	only []Leaf
}

func (s *side) page(d Digest, prefix uint64, depth int) ([]pageEntry, error) {
	if d.IsZero() {
		return nil, nil
	}
	b, err := s.get(d)
	if err != nil {
		return nil, fmt.Errorf("trie page %s: %w", d.Short(), err)
	}
	return decodePage(b, prefix, depth)
}

// take takes in all leaves of an entry.
func (s *side) take(e pageEntry) error {
	if !e.child {
		s.only = append(s.only, e.Leaf)
		return nil
	}
	return walkPages(e.Digest, e.Prefix, e.Depth, s.get, func(Digest) bool { return true }, func(l Leaf) error {
		s.only = append(s.only, l)
		return nil
	})
}

type trieDiff [2]side

// pages compares two pages of one prefix and depth.
func (d *trieDiff) pages(a, b Digest, prefix uint64, depth int) error {
	if a == b {
		return nil
	}
	as, err := d[0].page(a, prefix, depth)
	if err != nil {
		return err
	}
	bs, err := d[1].page(b, prefix, depth)
	for err == nil && (len(as) > 0 || len(bs) > 0) {
		switch {
		case len(bs) == 0 || len(as) > 0 && as[0].Prefix < bs[0].Prefix:
			err, as = d[0].take(as[0]), as[1:]
		case len(as) == 0 || bs[0].Prefix < as[0].Prefix:
			err, bs = d[1].take(bs[0]), bs[1:]
		default:
			err = d.entries(as[0], bs[0])
			as, bs = as[1:], bs[1:]
		}
	}
	return err
}

// entries compares two entries of one prefix.
func (d *trieDiff) entries(a, b pageEntry) error {
	switch {
	case a == b:
		return nil
	case a.child && b.child:
		return d.pages(a.Digest, b.Digest, a.Prefix, a.Depth)
	}
	return errors.Join(d[0].take(a), d[1].take(b))
}
