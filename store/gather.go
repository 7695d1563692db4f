package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// looseLeft: of a block that only extents use, 1/16 may lie unused.
const looseLeft = 16

// gatherLoose stores whole those needed blocks that are extents of others of which much else is not needed, so that
// those can go. The caller holds the merges' lock.
func gatherLoose(ctx context.Context, dir string, o WriterOptions, live liveness) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	defer s.Close()
	packs, _ := s.hands()
	if !slices.ContainsFunc(packs, func(p *pack) bool { return len(p.extents()) > 0 }) {
		return nil
	}
	needed, err := live(s)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound) {
		return nil // the merge after this meets it too, and tells of it
	}
	if err != nil {
		return err
	}
	loose, _, err := s.loose(needed)
	if err != nil || len(loose) == 0 {
		return err
	}
	d, err := newDraft(packsDir(dir), mergePrefix, o, false)
	if err != nil {
		return err
	}
	for _, block := range loose {
		value, err := s.gather(block, true)
		if err == nil {
			err = d.put([]Entry{{KindBlock, block, value}})
		} else if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound) {
			err = nil // it stays as it is; Verify and repair tell of it
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return errors.Join(err, d.discard())
		}
	}
	if d.entries == 0 {
		return d.discard()
	}
	if _, err := d.seal(packsDir(dir), nil); err != nil {
		return err
	}
	return unlock(d.folder)
}

// asGathered takes what gatherLoose would make needless out of what is needed, and tells how many bytes it would write.
func (s *Store) asGathered(needed map[[33]byte]struct{}) (written int64, err error) {
	loose, gone, err := s.loose(needed)
	for _, block := range loose {
		size, err := s.BlockSize(block)
		if err != nil {
			return 0, err
		}
		written += int64(size)
		delete(needed, entryKey(KindExtents, block))
	}
	for _, block := range gone {
		delete(needed, entryKey(KindBlock, block))
	}
	return written, err
}

// loose are the needed blocks that are extents of a block of which much is not needed. gone are blocks that nothing needs
// once those are stored whole.
func (s *Store) loose(needed map[[33]byte]struct{}) (loose, gone []Digest, err error) {
	lists := map[Digest][]Extent{}
	used := map[Digest][]Extent{} // of each block that extents name
	for key := range needed {
		if Kind(key[0]) != KindExtents {
			continue
		}
		block := Digest(key[1:])
		lists[block] = s.Extents(block)
		for _, e := range lists[block] {
			used[e.Block] = append(used[e.Block], e)
		}
	}
	if len(lists) == 0 {
		return nil, nil, nil
	}
	for key := range needed {
		if Kind(key[0]) != KindShard {
			continue
		}
		record, err := s.Get(KindShard, Digest(key[1:]))
		if err != nil {
			return nil, nil, err
		}
		for _, block := range namedBlocks(record) { // what a shard names is in use as a whole
			delete(used, block)
		}
	}
	lose := map[Digest]bool{}
	for block, list := range used {
		size, err := s.BlockSize(block)
		lose[block] = err == nil && int64(size)-covered(list) > int64(size)/looseLeft
	}
	stays := map[Digest]bool{}
	for block, list := range lists {
		if slices.ContainsFunc(list, func(e Extent) bool { return lose[e.Block] }) {
			loose = append(loose, block)
			continue
		}
		for _, e := range list {
			stays[e.Block] = true
		}
	}
	if len(loose) == 0 {
		return nil, nil, nil
	}
	for block := range used {
		if !stays[block] {
			gone = append(gone, block)
		}
	}
	return loose, gone, nil
}

// covered is how many bytes of their block some extents are of.
func covered(list []Extent) (sum int64) {
	slices.SortFunc(list, func(a, b Extent) int { return cmp.Compare(a.From, b.From) })
	end := int64(0)
	for _, e := range list {
		sum += max(0, e.From+e.Len-max(end, e.From))
		end = max(end, e.From+e.Len)
	}
	return sum
}

// namedBlocks are the blocks that a shard record names; nil where it is none.
func namedBlocks(record []byte) (list []Digest) {
	d := newDecoder("shard record", shardMagic, record)
	n := d.count(4)
	scalars, blocks := int(d.u8()), int(d.u8())
	for range n {
		d.take(int(d.u32()))
	}
	d.take(4 * n * scalars)
	for range blocks {
		list = append(list, d.name())
		d.take(8 * n)
	}
	if d.end() != nil {
		return nil
	}
	return list
}
